import { whoAmI } from "../../api/identity.ts";
import { SEARCH_BUGS } from "../../api/operations/bugs.ts";
import { requestFor, type SendRequest } from "../../api/operations/operation.ts";
import { readBugs } from "../../api/response/response-objects.ts";
import { BtError } from "../../errors.ts";
import type { AuthStyle } from "../../wire/auth-style.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Json } from "../../wire/exchange.ts";
import type { Context } from "../verb.ts";

/** Subject of the checks: the tracker, by at most ten requests, and the login. */
export type Patient = {
  readonly context: Context;
  /** Each request once; further ones get the same response. */
  readonly ask: SendRequest;
  readonly login: LoginState;
  /** A bug that the account may see, for requests about one. */
  readonly sample: () => Promise<Bug | undefined>;
};

/** The login, how it was found, and the error if the tracker rejects the key. */
export type LoginState = {
  readonly user?: string | undefined;
  readonly isProven: boolean;
  readonly key?: { readonly source: string; readonly style: AuthStyle } | undefined;
  readonly error?: BtError | undefined;
};

const MAX_REQUESTS = 10;

/** Opens the tracker as the configured account, and finds out who that is. */
export async function examine(context: Context): Promise<Patient> {
  const { access, ask: send } = context.session;
  const found = await access?.key();
  const key = found && { source: found.source, style: found.style ?? ("query" as const) };
  const { ask, goOn } = sparing(found && key && access ? access.askAs({ key: found.key, style: key.style }) : send);
  const login = access ? await loginBy(ask, found?.user, key) : await ownLogin(context);
  if (access && login.error?.kind === "auth") goOn(access.askAs()); // the rest is checked without the rejected key
  return { context, ask, login, sample: () => sampleBug(ask) };
}

async function ownLogin({ session }: Context): Promise<LoginState> {
  const user = await session.login();
  return { user, isProven: user !== undefined };
}

async function loginBy(ask: SendRequest, user: string | undefined, key: LoginState["key"]): Promise<LoginState> {
  if (key === undefined) return { isProven: false };
  try {
    const identity = await whoAmI(ask, user);
    return { key, user: identity.user, isProven: identity.proven };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { key, isProven: false, error };
  }
}

/** Sends each request once, and no more than ten, also after it goes on in another way. */
function sparing(first: SendRequest): { readonly ask: SendRequest; readonly goOn: (send: SendRequest) => void } {
  const sent = new Map<string, Promise<Json>>();
  let [send, count] = [first, 0];
  return {
    ask: (request) => {
      const name = JSON.stringify([request.path, request.query]);
      const before = sent.get(name);
      if (before !== undefined) return before;
      count += 1;
      const answer = count > MAX_REQUESTS ? Promise.reject(tooMany()) : send(request);
      answer.catch(() => undefined);
      sent.set(name, answer);
      return answer;
    },
    goOn: (other) => {
      send = other;
      sent.clear();
    },
  };
}

function tooMany(): BtError {
  return new BtError("guard", `not checked: ${MAX_REQUESTS} requests were sent`, { changed: "nothing" });
}

async function sampleBug(ask: SendRequest): Promise<Bug | undefined> {
  const criteria = { status: "__all__", limit: 1, include_fields: "id,product,component" };
  return readBugs(await ask(requestFor(SEARCH_BUGS, criteria)))[0];
}
