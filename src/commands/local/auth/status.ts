import { findStyle, type ProvenStyle, whoAmI } from "../../../api/identity.ts";
import type { FoundKey } from "../../../config/key.ts";
import { BtError } from "../../../errors.ts";
import type { AuthStyle } from "../../../wire/auth-style.ts";
import type { Desk } from "./desk.ts";

/** Who the tracker takes the user for, and where the key comes from; never the key. */
export type AuthStatus = {
  readonly base_url: string;
  readonly state: "logged in" | "anonymous" | "refused";
  readonly user?: string | undefined;
  readonly source?: string | undefined;
  readonly style?: AuthStyle | undefined;
  readonly reason?: string | undefined; // the tracker's words when it refused the key
};

/**
 * Asks the tracker who is asking. A key that is not taken counts as anonymous, however well public reads work. For a key of
 * which nobody has said how it is taken, that is found out too.
 */
export async function authStatus(desk: Desk, found: FoundKey | undefined): Promise<AuthStatus> {
  const { baseUrl } = desk;
  if (found === undefined) return { base_url: baseUrl, state: "anonymous" };
  const known = { base_url: baseUrl, source: found.source, style: found.style };
  try {
    const proven = await proof(desk, found);
    if (proven === undefined) return { ...known, state: "anonymous" };
    return { ...known, state: "logged in", user: proven.identity.user ?? found.user, style: proven.style };
  } catch (error) {
    if (!(error instanceof BtError) || error.kind !== "auth") throw error;
    return { ...known, state: "refused", reason: error.message };
  }
}

async function proof(desk: Desk, { key, style, user }: FoundKey): Promise<ProvenStyle | undefined> {
  const askIn = (candidate: AuthStyle) => desk.askAs({ style: candidate, key });
  if (style === undefined) return findStyle(askIn, user);
  const identity = await whoAmI(askIn(style), user);
  return identity.proven ? { style, identity } : undefined;
}

/** The status as a sentence; what is not a login is an error to whoever asks for one. */
export function statusSentence({ base_url, state, user, source, reason }: AuthStatus): string {
  const from = source ? ` (key from ${source})` : "";
  if (state === "logged in") return `logged in to ${base_url}${user ? ` as ${user}` : ""}${from}`;
  if (state === "refused") return `${base_url} refuses the key from ${source}: ${reason}`;
  return source
    ? `${base_url} takes no notice of the key from ${source}: you are anonymous`
    : `you are anonymous to ${base_url}`;
}
