import { findKeyStyle, type ProvenKeyStyle, whoAmI } from "../../api/identity.ts";
import type { SendRequest } from "../../api/operations/operation.ts";
import type { FoundKey } from "../../config/key.ts";
import { BtError } from "../../errors.ts";
import type { LoginAccess } from "../../session/login-access.ts";
import { plain } from "../../view/text.ts";
import { factsText, type TrackerFact } from "../../view/tracker-facts.ts";
import { wrap } from "../../view/wrap.ts";
import type { AuthStyle } from "../../wire/auth-style.ts";
import type { SharedInput } from "../input.ts";
import { chosenColumns, isJson, showList, wireColumns } from "../shared/output.ts";
import type { Context } from "../verb.ts";
import type { AuthContext } from "./auth-context.ts";
import { trackerFacts } from "./tracker-facts.ts";

/**
 * `bt auth status`: who you are on the tracker, and what it has and lacks for you.
 * @throws BtError of kind auth unless logged in
 */
export async function showAuthStatus(_: SharedInput, context: Context): Promise<void> {
  const { access, address, send, login, settings } = context.session;
  if (access === undefined) {
    return showStatus({ base_url: address, state: "logged in", user: await login() }, send, context); // no login needed
  }
  const found = await access.key();
  const { sendAs, rowsFor } = access;
  const proven = await authStatus({ baseUrl: address, sendAs, rowsFor }, found);
  const isLoggedIn = proven.state === "logged in";
  const status = isLoggedIn ? { ...proven, user: proven.user ?? settings.login } : proven;
  await showStatus(status, isLoggedIn && found ? sendAs(credential(found, status)) : sendAs(), context);
  if (!isLoggedIn) throw new BtError("auth", "not logged in", { hint: "bt auth login", changed: "nothing" });
  if (found?.style === undefined && status.style !== "query") await context.io.err(styleNote(status));
}

function credential({ key }: FoundKey, { style = "query" }: AuthStatus): Parameters<LoginAccess["sendAs"]>[0] {
  return { key, style };
}

/** A key from outside has no known style; if it is not the default one, it must be set once. */
function styleNote({ style }: AuthStatus): string {
  const ways = `bt config set auth_style ${style}, or BT_AUTH_STYLE=${style}`;
  return `note: this tracker accepts the key as ${style}; to use that: ${ways}\n`;
}

async function showStatus(status: AuthStatus, send: SendRequest, context: Context): Promise<void> {
  const { io, output } = context;
  const { view } = output;
  const { state, user } = status;
  const readFacts = () => trackerFacts({ context, send, isLoggedIn: state === "logged in", user });
  if (output.format === undefined && output.fields === undefined) {
    const facts = factsText(await readFacts(), view);
    const lines = wrap(plain(statusSentence(status)), view.terminal ? view.width : Infinity);
    return io.out(`${lines.join("\n")}\n\n${facts}`);
  }
  const all = wireColumns<AuthStatus & { facts: TrackerFact[] }>([
    ...(["base_url", "state", "user", "source", "style"] as const),
    ...(isJson(context) ? (["facts"] as const) : []),
  ]);
  const columns = chosenColumns(all, context);
  const facts = columns.some(({ name }) => name === "facts") ? await readFacts() : [];
  await showList(context, { columns, pages: [[{ ...status, facts }]] });
}

/** Authenticated user and origin of the key; never the key. */
type AuthStatus = {
  base_url: string;
  state: "logged in" | "anonymous" | "refused";
  user?: string | undefined;
  source?: string | undefined;
  style?: AuthStyle | undefined;
  reason?: string | undefined; // the tracker's message when it rejected the key
};

/** Requests of a tracker with a credential. */
type Access = Pick<AuthContext, "baseUrl" | "sendAs" | "rowsFor">;

/**
 * Determines the authenticated user. An ignored key counts as anonymous, even if public reads work. The style of a key
 * is determined, too, if unknown.
 */
export async function authStatus(access: Access, found: FoundKey | undefined): Promise<AuthStatus> {
  const { baseUrl } = access;
  if (found === undefined) return { base_url: baseUrl, state: "anonymous" };
  const known = { base_url: baseUrl, source: found.source, style: found.style };
  try {
    const proven = await proof(access, found);
    if (proven === undefined) return { ...known, state: "anonymous" };
    return { ...known, state: "logged in", user: proven.identity.user ?? found.user, style: proven.style };
  } catch (error) {
    if (!(error instanceof BtError) || error.kind !== "auth") throw error;
    return { ...known, state: "refused", reason: error.message };
  }
}

async function proof(access: Access, { key, style, user }: FoundKey): Promise<ProvenKeyStyle | undefined> {
  const askIn = (candidate: AuthStyle) => access.sendAs({ style: candidate, key });
  if (style === undefined) return findKeyStyle(askIn, access.rowsFor, user);
  const send = askIn(style);
  const identity = await whoAmI(send, access.rowsFor(send), user);
  return identity.proven ? { style, identity } : undefined;
}

/** The status as a sentence. */
export function statusSentence({ base_url, state, user, source, reason }: AuthStatus): string {
  const from = source ? ` (key from ${source})` : "";
  if (state === "logged in") return `logged in to ${base_url}${user ? ` as ${user}` : ""}${from}`;
  if (state === "refused") return `${base_url} rejected the API key from ${source}: ${reason}`;
  return source
    ? `${base_url} ignored the API key from ${source}: you are anonymous`
    : `not logged in to ${base_url}: you are anonymous`;
}
