import { bugRef, isBugId } from "../../../api/bug-ref.ts";
import { readBug } from "../../../api/bugs.ts";
import { CREATE_COMMENT } from "../../../api/operations/comments.ts";
import { requestFor } from "../../../api/operations/operation.ts";
import { hasCode } from "../../../api/response/response.ts";
import { updateOf } from "../../../api/write/changes.ts";
import { isOpen } from "../../../api/write/checks.ts";
import { checkedText } from "../../../api/write/values.ts";
import { flagValue } from "../../../command-flag.ts";
import { isKind, usageError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { createdBugText, showCreated, showPlanned } from "../../shared/change/output.ts";
import { isForCards } from "../../shared/output/print.ts";
import { mayPrompt } from "../../shared/prompts.ts";
import { readLongText } from "../../shared/text.ts";
import type { Context } from "../../verb.ts";
import type { CreateInput, NewBugInput, NewBugValues } from "../flags.ts";
import { completeForm, type Filing } from "./create-form.ts";
import {
  missingFields,
  readTemplate,
  type StartingValues,
  unsetFields,
  valuesFromFlags,
  withDefaults,
} from "./new-bug.ts";

/** `bt bug create`: prompts for what is missing, checks all values, files a bug, and prints its id. */
export async function createBug(input: CreateInput, context: Context): Promise<void> {
  const given = valuesFromFlags(input);
  const start = input.template === undefined ? {} : await readTemplate(input.template, context);
  if (input.orComment !== undefined) return createOrComment({ start, given }, input, context);
  await fileBug({ start, given }, input, context, { isCompared: !input.noSimilar });
}

/**
 * `bt bug create --or-comment KEY`: files a bug whose alias is the key, or comments on the open bug that
 * has it. A closed bug hands the alias on. Aliases are unique, so only one of several runs at once files.
 */
async function createOrComment(values: StartingValues, input: CreateInput, context: Context): Promise<void> {
  const alias = orCommentAlias(input, context);
  const text = flagValue((await withDescription(values, input, context)).description) ?? "";
  if (text.trim() === "") throw usageError("--or-comment requires a description", "use -d, --body-file or --editor");
  const catalog = await context.session.catalog();
  const owner = await findBugWithAlias(alias, context);
  if (owner && isOpen(owner, catalog)) return commentInstead(owner, text, input, context);
  const description = owner ? `${text}\n\nEarlier: bug ${owner.id}` : text;
  const filed = { start: values.start, given: { ...values.given, alias: [alias], description } };
  const earlier = owner && updateOf([owner], { alias: { remove: [alias] } });
  const filing = { isCompared: !input.noSimilar, earlier, mustApply: ["alias"] };
  try {
    await fileBug(filed, { ...input, bodyFile: undefined, editor: false }, context, filing);
  } catch (error) {
    const other = hasCode(error, "alias_in_use") ? await findBugWithAlias(alias, context) : undefined;
    if (!other || !isOpen(other, catalog)) throw error;
    await commentInstead(other, text, input, context);
  }
}

function orCommentAlias({ orComment = "", parameters }: CreateInput, { session }: Context): string {
  const alias = bugRef(checkedText("alias", orComment), session.address);
  if (isBugId(alias) || /^https?:/i.test(orComment))
    throw usageError("--or-comment requires an alias", "for example: nightly-linux");
  if (parameters.alias !== undefined) throw usageError("--or-comment and --alias cannot be used together");
  return alias;
}

/** The bug with an alias; undefined if none has it. @throws BtError of kind auth for a hidden one */
async function findBugWithAlias(alias: string, { session }: Context): Promise<Bug | undefined> {
  return readBug(alias, ["_default"], session.send).catch((error: unknown) => {
    if (isKind(error, "missing")) return undefined;
    throw error;
  });
}

async function commentInstead({ id }: Bug, text: string, input: CreateInput, context: Context): Promise<void> {
  const isPrivate = input.private || input.parameters["comment-is-private"] === "yes";
  const comment = { id, comment: checkedText("comment", text), is_private: isPrivate || undefined };
  const request = requestFor(CREATE_COMMENT, comment);
  if (input.dryRun) return showPlanned([request], [], context);
  await (await context.session.journal()).deliver("bug create", { request });
  const sentence = `added a comment to bug ${id}`;
  if (!isForCards(context)) await note(context.io, sentence);
  const row = { id: String(id), result: "commented" };
  await showCreated([row], (bug) => createdBugText(bug, sentence, context), context);
}

/** Files a bug, by prompts if values are missing and there is a terminal. */
export async function fileBug(from: StartingValues, input: NewBugInput, context: Context, filing: Filing) {
  const { session } = context;
  const given = await withDescription(from, input, context);
  if (given.description === undefined && context.io.isFed())
    throw usageError(
      "no description, and stdin is not read",
      "-F - reads it from stdin; --description '' files the bug without one",
    );
  const catalog = await session.catalog();
  const values = withDefaults({ start: from.start, given }, session.settings, catalog);
  const mayAsk = canPrompt(context);
  const isAsked = mayAsk && [...missingFields(values), ...unsetFields(values, catalog)].length > 0;
  const isCompared = mayAsk && filing.isCompared;
  const howFiled = { ...filing, isCompared, isDryRun: input.dryRun, isOpened: input.web };
  await completeForm(values, howFiled, isAsked, context);
}

/**
 * Sends a draft, on a terminal after prompts and a review, unless the user keeps it.
 * @throws BtError of kind usage without a prompt, naming what the draft lacks
 */
export async function sendDraft(draft: string, values: NewBugValues, context: Context): Promise<void> {
  const isAsked = canPrompt(context);
  if (!isAsked && missingFields(values).length === 0 && !values.description)
    throw usageError("the draft lacks a description", "on a terminal, bt job send prompts for it");
  await completeForm(values, { draft }, isAsked, context);
}

function canPrompt({ io, session }: Context): boolean {
  return io.terminal.stdout && mayPrompt(io, session.settings);
}

/** The given values with the description of a file, of stdin or of the editor, else of the start. */
async function withDescription({ start, given }: StartingValues, input: NewBugInput, context: Context) {
  const [typed, before] = [flagValue(given.description), flagValue(start.description)];
  const description = (await readLongText("description", typed, input, context, before)) ?? start.description;
  return description === undefined ? given : { ...given, description };
}
