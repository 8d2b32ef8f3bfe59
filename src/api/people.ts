import { BtError, usageError } from "../errors.ts";
import { firstNames } from "./lists.ts";
import { requestFor, type SendRequest } from "./operations/operation.ts";
import { GET_USERS } from "./operations/tracker.ts";
import { readUserAccounts } from "./response/response-objects.ts";

/** True for two spellings of one login; letter case does not count. */
export function isSameLogin(a: string | null | undefined, b: string | null | undefined): boolean {
  return a?.toLowerCase() === b?.toLowerCase();
}

/** True if a user in a response is this one; trackers shorten logins for readers without one. */
export function isSameUser(shown: string, login: string): boolean {
  const [one, other] = [shown.toLowerCase(), login.toLowerCase()];
  return one === other || (!one.includes("@") && other.startsWith(`${one}@`));
}

/** Login of a user, and the real name if known. */
export type UserName = { name: string; real_name?: string };

/**
 * The first users whose login or real name has a text in it; undefined if the tracker does not list
 * users, as to logged-out ones.
 */
export async function findUsersMatching(text: string, send: SendRequest): Promise<UserName[] | undefined> {
  const request = requestFor(GET_USERS, { match: text, limit: MAX_USERS, include_fields: "id,name,real_name" });
  try {
    return readUserAccounts(await send(request));
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
}

const MAX_USERS = 20;

/** Error for a text that is no login, with users that it may mean, if they are listed. */
export function unknownUserError(text: string, users: readonly UserName[] | undefined): BtError {
  const names = (users ?? []).map(({ name }) => name);
  const other = users ? "bt user search '*' lists users" : "use the complete login";
  const hint = names.length > 0 ? `did you mean ${firstNames(names)}?` : other;
  return usageError(`unknown user ${JSON.stringify(text)}`, hint);
}

/** Error for an unknown login, with users who have its first part. */
export async function unknownLoginError(text: string, send: SendRequest): Promise<BtError> {
  return unknownUserError(text, await findUsersMatching(text.replace(/^[@:]|@.*/g, ""), send));
}
