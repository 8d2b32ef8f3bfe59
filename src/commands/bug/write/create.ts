import { bugRef, isBugId } from "../../../api/bug-ref.ts";
import { readBug } from "../../../api/bugs.ts";
import { enterableProductLoader } from "../../../api/catalog/catalog.ts";
import type { Write } from "../../../api/delivery/outcome.ts";
import { CREATE_COMMENT } from "../../../api/operations/comments.ts";
import { commandFlagName, requestFor } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { hasCode } from "../../../api/response/response-errors.ts";
import { withWholeValues } from "../../../api/write/body.ts";
import { ignoredByCreate } from "../../../api/write/changes.ts";
import { checkReferences, isOpen } from "../../../api/write/checks.ts";
import { checkedText } from "../../../api/write/texts.ts";
import { stateBefore, updateRequest } from "../../../api/write/write-state.ts";
import { flagValue } from "../../../command-flag.ts";
import { BtError, isKind, usageError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { createdBugText, showCreated, showPlanned } from "../../shared/change/written.ts";
import { isForCards } from "../../shared/output/print.ts";
import { readLongText } from "../../shared/text/input-text.ts";
import type { Context } from "../../verb.ts";
import { fileBug, type StartingValues } from "./file-bug.ts";
import type { CreateInput, NewBugValues } from "./flags.ts";
import { newBugBody, valuesFromFlags, withDefaults, withStart } from "./new-bug.ts";
import { readTemplate } from "./template.ts";

/** `bt bug create`: prompts for what is missing, checks all values, files a bug, and prints its id. */
export async function createBug(input: CreateInput, context: Context): Promise<void> {
  const given = valuesFromFlags(input);
  const start = input.template === undefined ? {} : await readTemplate(input.template, context);
  if (input.orComment !== undefined) return createOrComment(input.orComment, { start, given }, input, context);
  await fileBug({ start, given }, input, context, { isCompared: !input.noSimilar });
}

/**
 * `bt bug create --or-comment KEY`: files a bug whose alias is the key, or comments on the open bug that
 * has it. A closed bug hands the alias on. Aliases are unique, so that of several runs at once one files.
 */
async function createOrComment(
  key: string,
  { start, given }: StartingValues,
  input: CreateInput,
  context: Context,
): Promise<void> {
  const alias = checkedAlias(key, input, context);
  const text = await readDescription({ start, given }, input, context);
  const catalog = await context.session.catalog();
  if (catalog.isListed && !catalog.received.some(({ name }) => name === "alias")) throw noAliasesError();
  const comment = async (bug: Bug) =>
    commentInstead(bug, text, await checkedFields({ start, given }, context), input, context);
  const owner = await findBugWithAlias(alias, context);
  if (owner && isOpen(owner, catalog)) return comment(owner);
  const description = owner ? `${text}\n\nEarlier: bug ${owner.id}` : text;
  try {
    const values = { start, given: { ...given, alias: [alias], description } };
    const flags = { ...input, bodyFile: undefined, editor: false };
    const earlier = owner && [releaseOfAlias(owner, alias)];
    const filing = { isCompared: !input.noSimilar, isOrComment: true, earlier } as const;
    if ((await fileBug(values, flags, context, filing)) && !(await findBugWithAlias(alias, context)))
      throw lostAliasError(alias);
  } catch (error) {
    const other = hasCode(error, "alias_in_use") ? await findBugWithAlias(alias, context) : undefined;
    if (!other || !isOpen(other, catalog)) throw error;
    await comment(other);
  }
}

function checkedAlias(key: string, input: CreateInput, { session }: Context): string {
  const alias = bugRef(checkedText("alias", key), session.address);
  if (isBugId(alias) || /^https?:/i.test(key))
    throw usageError("--or-comment requires an alias", "for example: nightly-linux");
  if (input.parameters.alias !== undefined) throw usageError("--or-comment and --alias cannot be used together");
  return alias;
}

async function readDescription({ start, given }: StartingValues, input: CreateInput, context: Context) {
  const text = { name: "description", start: flagValue(start.description) ?? "", typed: flagValue(given.description) };
  const description = (await readLongText(text, input, context)) ?? text.start;
  if (description.trim() !== "") return description;
  throw usageError("--or-comment requires a description", "use -d, --body-file or --editor");
}

function noAliasesError(): BtError {
  const hint = "search first: bt bug search --summary TEXT --format ids";
  return new BtError("refused", "the tracker has no aliases, which --or-comment requires", {
    hint,
  });
}

function lostAliasError(alias: string): BtError {
  const message = `the bug was created without the alias ${alias}; the next run would file another one`;
  return new BtError("partial", message, { hint: "your account may not set aliases", changed: "some" });
}

/** The bug with an alias; undefined if none has it. @throws BtError of kind auth for a hidden one */
async function findBugWithAlias(alias: string, { session }: Context): Promise<Bug | undefined> {
  return readBug(alias, ["_default"], session.send).catch((error: unknown) => {
    if (isKind(error, "missing")) return undefined;
    throw error;
  });
}

function releaseOfAlias(bug: Bug, alias: string): Write {
  const body = withWholeValues({ alias: { remove: [alias] } }, bug as JsonObject);
  return { request: updateRequest([bug.id], body), before: stateBefore([bug], body) };
}

/** The fields that a command line and its template give, checked; without description and defaults. */
async function checkedFields({ start, given }: StartingValues, context: Context): Promise<JsonObject> {
  const { session } = context;
  const { settings, send } = session;
  const catalog = await session.catalog();
  const others = { description: undefined, "comment-is-private": undefined };
  const values: NewBugValues = { ...withStart(start, given, catalog), ...others };
  const body = await newBugBody(withDefaults(values, settings, catalog), enterableProductLoader(send), context);
  await checkReferences([body], catalog, send);
  const isDefault = (name: string) =>
    CREATE_BUG.parameters.some((one) => one.name === name) && values[commandFlagName(name)] === undefined;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isDefault(name)));
}

/** Comments on a bug, and names the fields that it does not have: they are not changed. */
async function commentInstead(
  bug: Bug,
  text: string,
  fields: JsonObject,
  input: CreateInput,
  context: Context,
): Promise<void> {
  const { id } = bug;
  const { io, session } = context;
  const isPrivate = input.private || input.parameters["comment-is-private"] === "yes";
  const request = requestFor(CREATE_COMMENT, {
    ...{ id, comment: checkedText("comment", text), is_private: isPrivate || undefined },
  });
  const others = ignoredByCreate(fields, bug, Object.keys(fields));
  const named = others.map((name) => (name === "product" ? `product (the bug is in ${bug.product})` : name));
  const told = (done: string) => `${done}; not applied: ${named.join(", ")}`;
  if (input.dryRun) {
    await showPlanned([request], [], context);
    if (named.length > 0) await note(io, told(`would add a comment to bug ${id}`));
    return;
  }
  await (await session.journal()).deliver("bug create", { request });
  const sentence = `added a comment to bug ${id}`;
  if (!isForCards(context)) await note(io, sentence);
  const row = { id: String(id), result: "commented", not_applied: others.length > 0 ? others : undefined };
  await showCreated([row], (number) => createdBugText(number, sentence, context), context);
  if (named.length > 0) await note(io, told(sentence));
}
