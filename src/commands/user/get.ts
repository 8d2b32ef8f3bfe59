import { type BatchOutcome, type BatchPlan, requestEach } from "../../api/batch.ts";
import { collectPages } from "../../api/lists.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { GET_USERS } from "../../api/operations/tracker.ts";
import { findLikelyUsers, unknownUserError } from "../../api/people.ts";
import { readUserAccounts } from "../../api/response/response-objects.ts";
import { BtError, LOG_IN, usageError } from "../../errors.ts";
import { userCard } from "../../view/cards.ts";
import { USER_COLUMNS } from "../../view/users.ts";
import { errorCodes } from "../../wire/error-codes.ts";
import type { UserAccount } from "../../wire/resources.ts";
import type { SharedInput } from "../input.ts";
import { columnsFor, isForCards, showCards, showList } from "../shared/output/print.ts";
import { isWholeLogin, resolveLogin } from "../shared/resolve-logins.ts";
import { printFound } from "../shared/targets.ts";
import type { Context } from "../verb.ts";

/** `bt user get`: users by login or id, as cards on a terminal. */
export async function getUsers({ args }: SharedInput, context: Context): Promise<void> {
  const words: string[] = [];
  for (const word of args)
    words.push(word === "@me" ? await readLoginOfMe(context) : await resolveOwnName(word.trim(), context));
  if (words.includes("")) throw usageError("empty login");
  const found = withSimilarUsers(requestEach([...new Set(words)], userPlan(words), context.session.send), context);
  const wording = { thing: "users", identity: ({ id }: UserAccount) => id };
  await printFound(found, async (pages) => printUsers(await collectPages(pages), context), wording);
}

async function resolveOwnName(word: string, context: Context): Promise<string> {
  return isWholeLogin(word) || IS_ID.test(word) ? word : resolveLogin(word, context);
}

/** Outcomes in which a missing user that is no address is an error with the users that it may mean, if there are any. */
async function* withSimilarUsers(batches: ReturnType<typeof requestEach<UserAccount>>, { session }: Context) {
  for await (const batch of batches) {
    const outcomes: BatchOutcome<UserAccount>[] = [];
    for (const outcome of batch) {
      const { ref } = outcome;
      const isName = "error" in outcome && outcome.error.kind === "missing" && !isWholeLogin(ref) && !IS_ID.test(ref);
      const users = (isName && (await findLikelyUsers(ref, session.send))) || [];
      outcomes.push(users.length > 0 ? { ref, error: unknownUserError(ref, users) } : outcome);
    }
    yield outcomes;
  }
}

const IS_ID = /^[1-9]\d*$/;

async function readLoginOfMe({ session }: Context): Promise<string> {
  const login = await session.login();
  if (login !== undefined) return login;
  throw new BtError("auth", "@me requires a login", { hint: LOG_IN, changed: "nothing" });
}

/** Digits are an id, anything else a login, of which some trackers return only the part before the @. */
function userPlan(words: readonly string[]): BatchPlan<UserAccount> {
  const wholeLogins = ({ name }: UserAccount) =>
    words.filter((word) => word.replace(/@.*/, "").toLowerCase() === name.toLowerCase());
  return {
    name: "user",
    codes: errorCodes("object_does_not_exist", "auth_failure"),
    request: (refs) =>
      requestFor(
        GET_USERS,
        refs.map((ref) => [IS_ID.test(ref) ? "ids" : "names", ref] as const),
      ),
    read: (response) =>
      readUserAccounts(response).map((thing) => ({
        thing,
        names: [String(thing.id), thing.name, ...(thing.email ? [thing.email] : []), ...wholeLogins(thing)],
      })),
  };
}

async function printUsers(users: readonly UserAccount[], context: Context): Promise<void> {
  if (isForCards(context)) {
    return showCards(
      context,
      users.map((one) => userCard(one, context.output.view)),
    );
  }
  await showList(context, { columns: columnsFor(users, USER_COLUMNS, context), pages: [users] });
}
