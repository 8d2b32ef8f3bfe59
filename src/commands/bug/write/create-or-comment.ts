import { bugRef, isBugId } from "../../../api/bug-ref.ts";
import { readBug } from "../../../api/bugs/bug-numbers.ts";
import { CREATE_COMMENT } from "../../../api/operations/comments.ts";
import { requestFor } from "../../../api/operations/operation.ts";
import { hasCode } from "../../../api/response/response-errors.ts";
import { withWholeValues } from "../../../api/write/body.ts";
import { checkedText } from "../../../api/write/limits.ts";
import { isOpen } from "../../../api/write/moves.ts";
import { ignoredByCreate } from "../../../api/write/read-back.ts";
import { updateRequest } from "../../../api/write/update-request.ts";
import { stateBefore } from "../../../api/write/write-state.ts";
import { flagValue } from "../../../command-flag.ts";
import { BtError, isKind, usageError } from "../../../errors.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject, Request } from "../../../wire/exchange.ts";
import { createdBugText, showCreated, showPlan } from "../../shared/changes/show-changes.ts";
import { isForCards } from "../../shared/output/print.ts";
import { readLongText } from "../../shared/text/input-text.ts";
import type { Context } from "../../verb.ts";
import type { CreateInput } from "./flags.ts";
import { reportNotApplied } from "./new-bug.ts";
import { readStartingValues, type StartingValues } from "./template.ts";

/** Filing of a bug from its values (false if it was not sent), and their validation, which returns the fields they give. */
type NewBugSteps = {
  create: (values: StartingValues, input: CreateInput, context: Context, earlier?: Request[]) => Promise<boolean>;
  check: (values: StartingValues, context: Context) => Promise<JsonObject>;
};

/**
 * `bt bug create --or-comment KEY`: files a bug whose alias is the key, or adds the description as a comment to the open bug
 * that has it. A closed bug hands the alias to the new one. Aliases are unique, so that of several runs at once one files.
 */
export async function createOrComment(
  key: string,
  input: CreateInput,
  { create, check }: NewBugSteps,
  context: Context,
): Promise<void> {
  const { session } = context;
  const alias = checkedAlias(key, input, context);
  const { description, ...values } = await readDescribedValues(input, context);
  const catalog = await session.metadata.catalog();
  const fields = await session.metadata.fields();
  if (fields.length > 0 && !fields.some(({ name }) => name === "alias")) throw noAliasesError();
  const owner = await findBugWithAlias(alias, context);
  if (owner && isOpen(owner, catalog))
    return commentInstead(owner, description, await check(values, context), input, context);
  const earlier = owner && [await releaseAlias(owner, alias, input, context)];
  const mention = owner ? `\n\nEarlier: bug ${owner.id}` : "";
  const given = { ...values.given, alias: [alias], description: `${description}${mention}` };
  try {
    const flags = { ...input, bodyFile: undefined, editor: false };
    const isFiled = await create({ ...values, given }, flags, context, earlier);
    if (isFiled && !(await findBugWithAlias(alias, context))) throw lostAliasError(alias);
  } catch (error) {
    const isTaken = hasCode(error, "alias_in_use");
    const other = isTaken ? await findBugWithAlias(alias, context) : undefined;
    if (!other || !isOpen(other, catalog)) throw error;
    await commentInstead(other, description, await check(values, context), input, context);
  }
}

function checkedAlias(key: string, input: CreateInput, { session }: Context): string {
  const alias = bugRef(checkedText("alias", key), session.address);
  if (isBugId(alias) || /^https?:/i.test(key))
    throw usageError("--or-comment requires an alias", "for example: nightly-linux");
  if (input.parameters.alias !== undefined) throw usageError("--or-comment and --alias cannot be used together");
  return alias;
}

/** The values of a new bug, and its description, read once. */
async function readDescribedValues(
  input: CreateInput,
  context: Context,
): Promise<StartingValues & { description: string }> {
  const values = await readStartingValues(input, context);
  const start = flagValue(values.start.description) ?? "";
  const typed = flagValue(values.given.description);
  const description = (await readLongText({ name: "description", start, typed }, input, context)) ?? start;
  if (description.trim() !== "") return { ...values, description };
  throw usageError("--or-comment requires a description", "use -d, --body-file or --editor");
}

function noAliasesError(): BtError {
  return new BtError("refused", "the tracker has no aliases, which --or-comment requires", {
    hint: "search first: bt bug search --summary TEXT --format ids",
    changed: "nothing",
  });
}

function lostAliasError(alias: string): BtError {
  return new BtError("partial", `the bug was created without the alias ${alias}; the next run would file another one`, {
    hint: "your account may not set aliases, or the tracker has none",
    changed: "some",
  });
}

/** The bug with an alias; undefined if none has it. @throws BtError of kind auth for a hidden one */
async function findBugWithAlias(alias: string, { session }: Context): Promise<Bug | undefined> {
  try {
    return await readBug(alias, ["_default"], session.send);
  } catch (error) {
    if (isKind(error, "missing")) return undefined;
    throw error;
  }
}

/** Comments on a bug, and names the fields of a new bug that it does not have: they are not changed. */
async function commentInstead(
  bug: Bug,
  text: string,
  fields: JsonObject,
  input: CreateInput,
  context: Context,
): Promise<void> {
  const { id } = bug;
  const isPrivate = input.private || input.parameters["comment-is-private"] === "yes";
  const comment = checkedText("comment", text);
  const request = requestFor(CREATE_COMMENT, { id, comment, ...(isPrivate ? { is_private: true } : {}) });
  const others = ignoredByCreate(fields, bug, Object.keys(fields));
  const named = others.map((name) => (name === "product" ? `product (the bug is in ${bug.product})` : name));
  if (input.dryRun) {
    await showPlan([request], [], context);
    return reportNotApplied(`would add a comment to bug ${id}`, named, { isStrict: false, context });
  }
  await deliverWrite(request, undefined, context);
  const sentence = `added a comment to bug ${id}`;
  const not_applied = others.length > 0 ? others : undefined;
  if (!isForCards(context)) await context.io.err(`${sentence}\n`);
  const row = { id: String(id), result: "commented", not_applied };
  await showCreated([row], (number) => createdBugText(number, sentence, context), context);
  const hint = `bt bug update ${id} changes them`;
  await reportNotApplied(sentence, named, { isStrict: false, context, hint });
}

/** Takes an alias from a bug, unless in a dry run, by the request that it returns. */
async function releaseAlias(bug: Bug, alias: string, { dryRun }: CreateInput, context: Context): Promise<Request> {
  const body = withWholeValues({ alias: { remove: [alias] } }, bug as JsonObject);
  const request = updateRequest([bug.id], body);
  if (!dryRun) await deliverWrite(request, stateBefore([bug], body), context);
  return request;
}

async function deliverWrite(request: Request, before: JsonObject[] | undefined, { session }: Context): Promise<void> {
  await (await session.writes.journal()).deliver("bug create", { request, before });
}
