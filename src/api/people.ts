import { BtError, usage } from "../errors.ts";
import { requestFor, type SendRequest } from "./operations/operation.ts";
import { GET_USERS } from "./operations/tracker.ts";
import { readUserAccounts } from "./response/response-objects.ts";

/** What identifies a user: the login, and the real name if known. */
export type UserName = { name: string; real_name?: string };

/** Users whose login or real name has a text in it; undefined if the tracker does not list users, as to logged-out ones. */
export async function usersMatching(text: string, send: SendRequest): Promise<UserName[] | undefined> {
  const request = requestFor(GET_USERS, { match: text, limit: MAX_USERS, include_fields: "id,name,real_name" });
  try {
    return readUserAccounts(await send(request));
  } catch (error) {
    if (error instanceof BtError) return undefined;
    throw error;
  }
}

const MAX_USERS = 20;

/** Error for a text that is not a login, with the users that it may mean. */
export function unknownUser(text: string, [user, ...others]: UserName[]): BtError {
  const message = `unknown user ${JSON.stringify(text)}`;
  if (!user || others.length > 0) {
    const error = usage(message, "use the complete login");
    return user ? new BtError("usage", message, { ...error.facts, details: [user, ...others].map(personText) }) : error;
  }
  return usage(message, `did you mean ${user.name}?`);
}

/** A user as in an address: `Mei Tanaka <mei@example.org>`. */
export function personText({ name, real_name }: UserName): string {
  return real_name ? `${real_name} <${name}>` : name;
}
