import type { JsonObject, Request } from "../../wire/exchange.ts";
import { Fault } from "../fault.ts";
import { isOn, type ServerParameters } from "../parameters.ts";
import type { Store } from "../store/store.ts";
import { minutesAfter } from "../times.ts";
import { type Attempt, checkPassword } from "./password-login.ts";
import { ANONYMOUS, type Requester, requesterOf, type User, userById, userByLogin } from "./requester.ts";
import { sha256 } from "./secret.ts";

/** What a request brings to say who asks. */
export type Credentials = {
  readonly request: Request;
  readonly input: JsonObject;
  readonly parameters: ServerParameters;
  readonly address: string;
  readonly now: string;
};

/**
 * The requester by the first kind of credentials that the request carries: a login with its password, a login token, an
 * API key; anonymous when there is none. Runs outside the request's transaction, so that a failed login stays counted.
 * @throws Fault when the first kind is not valid, whatever the others are
 * @see Bugzilla::Auth::login
 */
export function authenticate(store: Store, credentials: Credentials): Requester {
  const user = byPassword(store, credentials) ?? byToken(store, credentials) ?? byKey(store, credentials);
  if (!user) return ANONYMOUS;
  if (user.is_enabled === 0) throw accountDisabled(user, credentials.parameters);
  return requesterOf(store, user);
}

function byPassword(store: Store, { input, address, now }: Credentials): User | undefined {
  const login = input["login"] ?? input["Bugzilla_login"];
  const password = input["password"] ?? input["Bugzilla_password"];
  if (login === undefined || password === undefined) return undefined;
  const user = typeof login === "string" ? userByLogin(store, login) : undefined; // one given twice is nobody's
  const attempt: Attempt = { user, password: String(password), address, now };
  return checkPassword(store, attempt);
}

const TOKEN_MINUTES = 30 * 24 * 60;

const USE_TOKEN = `
  UPDATE login_tokens SET last_used = @now
  WHERE token_sha256 = @token AND user_id = @userId AND coalesce(address, @address) = @address AND last_used > @oldest`;

function byToken(store: Store, { input, address, now }: Credentials): User | undefined {
  const token = input["token"] ?? input["Bugzilla_token"];
  const userId = typeof token === "string" ? /^(\d+)-\w+$/.exec(token)?.[1] : undefined;
  if (userId === undefined) return undefined;
  const known = store.run(USE_TOKEN, {
    token: sha256(String(token)),
    userId: Number(userId),
    address,
    now,
    oldest: minutesAfter(now, -TOKEN_MINUTES),
  });
  if (known.changes === 0) {
    throw new Fault(
      400,
      32000,
      "The cookies or token provide were not valid or have expired. You may login again to get new cookies or a new token.",
    );
  }
  return userById(store, Number(userId));
}

type KeyRow = { readonly user_id: number; readonly is_revoked: number };

function byKey(store: Store, { request, input, parameters }: Credentials): User | undefined {
  const given = input["api_key"] ?? input["Bugzilla_api_key"] ?? headerKey(request, parameters) ?? "";
  if (given === "") return undefined;
  const key = typeof given === "string" ? given.trim() : "";
  const row = store.get<KeyRow>("SELECT user_id, is_revoked FROM api_keys WHERE key_sha256 = ?", [sha256(key)]);
  if (!row) {
    throw new Fault(400, 306, "The API key you specified is invalid. Please check that you typed it correctly.");
  }
  if (row.is_revoked !== 0) {
    throw new Fault(400, 306, "The API key you specified has been revoked by the user that created it.");
  }
  return userById(store, row.user_id);
}

function headerKey({ headers = {} }: Request, parameters: ServerParameters): string | undefined {
  return isOn(parameters.header_api_keys)
    ? (headers["x-bugzilla-api-key"] ?? /^Bearer\s+(.+)$/i.exec(headers["authorization"] ?? "")?.[1])
    : undefined;
}

function accountDisabled(user: User, { maintainer }: ServerParameters): Fault {
  return new Fault(
    401,
    301,
    `${user.disabled_text} If you believe your account should be restored, please send email to ${maintainer} explaining why.`,
  );
}
