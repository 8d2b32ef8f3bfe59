import { requestFor } from "../../api/operations/operation.ts";
import { GET_USERS } from "../../api/operations/tracker.ts";
import { readUserAccounts } from "../../api/response/response-objects.ts";
import { usageError } from "../../errors.ts";
import { note } from "../../session/note.ts";
import { filledColumns } from "../../view/column.ts";
import { USER_COLUMNS } from "../../view/people.ts";
import { columnsFor, showListOrNone } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/** Input of `bt user search`. */
type UserSearchInput = {
  args: string[];
  readonly limit?: number | undefined;
  readonly group: readonly string[];
  readonly includeDisabled: boolean;
};

/**
 * `bt user search`: users whose login or name matches any of the texts.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/user.html#get-user
 */
export async function searchUsers(
  { args, group: groups, limit, includeDisabled }: UserSearchInput,
  context: Context,
): Promise<void> {
  const texts = args.map((text) => text.trim());
  if (texts.includes("")) throw usageError("empty search text", "for every user: bt user search '*'");
  if (groups.includes("")) throw usageError("--group is empty");
  const request = requestFor(GET_USERS, [
    ...texts.map((text) => ["match", text] as const),
    ...groups.map((group) => ["groups", group] as const),
    ...(limit === undefined ? [] : [["limit", limit] as const]),
    ...(includeDisabled ? [["include_disabled", "1"] as const] : []),
  ]);
  const users = readUserAccounts(await context.session.send(request)).slice(0, limit);
  const { format, view } = context.output;
  const columns = format === "table" ? filledColumns(USER_COLUMNS, users, view) : USER_COLUMNS;
  const list = { columns: columnsFor(users, columns, context), pages: [users] };
  await showListOrNone(context, list, "no user matches");
  if (limit === undefined && users.length >= MAX_MATCHES)
    await note(context.io, `only ${MAX_MATCHES} users are shown; more may match`);
}

const MAX_MATCHES = 1000; // users that a tracker returns by default
