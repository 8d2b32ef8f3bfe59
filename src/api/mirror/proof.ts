import { BtError } from "../../errors.ts";
import type { MirrorFacts } from "../../wire/mirror.ts";
import { type Identity, whoAmI } from "../identity.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { GET_USERS } from "../operations/tracker.ts";
import { isObject, listUnder } from "../response/response-objects.ts";
import type { RowSupport } from "../search/row-support.ts";

/** The groups of a mirror's login, by name; null if they cannot be seen. */
export type ProvenLogin = { readonly groups: readonly string[] | null };

/**
 * Proves that requests are answered for the login whose bugs are mirrored. Servers return the groups and saved searches of
 * users to themselves only.
 * @throws BtError of kind auth if they are answered for another one, or anonymously
 */
export async function proveLogin(
  { login, tracker }: Pick<MirrorFacts, "login" | "tracker">,
  ask: SendRequest,
  rows: RowSupport,
): Promise<ProvenLogin> {
  const own = login === null ? undefined : await ownAccount(login, ask);
  if (own) return own;
  const identity = await whoAmI(ask, rows, login ?? undefined);
  if (isOf(login, identity)) return { groups: null };
  const now = identity.proven ? `authenticated as ${identity.user ?? "another user"}` : "anonymous";
  throw new BtError("auth", `the mirror is of ${tracker} as seen by ${login ?? "everybody"}, but you are ${now}`, {
    hint: login === null ? "create another mirror for that login" : "bt auth login",
    changed: "nothing",
  });
}

function isOf(login: string | null, { proven, user }: Identity): boolean {
  if (login === null || !proven) return login === null && !proven;
  return user === undefined || user.toLowerCase() === login.toLowerCase();
}

async function ownAccount(login: string, ask: SendRequest): Promise<ProvenLogin | undefined> {
  try {
    const answer = await ask(requestFor(GET_USERS, { names: login, include_fields: "name,groups,saved_searches" }));
    const [user] = listUnder(answer, "users").filter(isObject);
    const isOwn = user !== undefined && Array.isArray(user["saved_searches"]) && Array.isArray(user["groups"]);
    if (!isOwn || String(user["name"]).toLowerCase() !== login.toLowerCase()) return undefined;
    const groups = [user["groups"] ?? []].flat().flatMap((group) => (isObject(group) ? [String(group["name"])] : []));
    return { groups: groups.sort() };
  } catch (error) {
    if (error instanceof BtError && ["missing", "refused", "reply"].includes(error.kind)) return undefined;
    throw error;
  }
}
