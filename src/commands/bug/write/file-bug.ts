import { requestFor } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { checkReferences } from "../../../api/write/checks.ts";
import { flagValue } from "../../../command-flag.ts";
import { isKind, usageError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import type { Request } from "../../../wire/exchange.ts";
import { bugPage } from "../../../wire/url.ts";
import { readNotApplied } from "../../shared/change/read-back.ts";
import { createdBugText, showCreated, showPlanned } from "../../shared/change/written.ts";
import { checkStoredTimes, readMoments } from "../../shared/date-times.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import { isForCards, isJson } from "../../shared/output/print.ts";
import { mayPrompt } from "../../shared/prompts.ts";
import { readLongText } from "../../shared/text/input-text.ts";
import type { Context } from "../../verb.ts";
import { askMissing, type Filed, type Form, keepUnsent, newForm, reviewForm, submitForm } from "./create-form.ts";
import type { NewBugInput, NewBugValues } from "./flags.ts";
import { missingFields, reportNotApplied, unsetFields, withDefaults, withStart } from "./new-bug.ts";
import { completeBody } from "./new-bug-body.ts";
import { comparison } from "./probable-duplicates.ts";

/** Values that a new bug begins with, and those that override them. */
export type StartingValues = { readonly start: NewBugValues; readonly given: NewBugValues };

type Filing = {
  readonly command?: string; // in the journal
  readonly isCompared?: boolean | undefined; // probable duplicates are shown
  readonly mustApply?: readonly string[]; // fields without which it is an error, such as the groups that restrict it
  readonly isOrComment?: true; // the command may have commented instead
  readonly earlier?: readonly Request[] | undefined; // sent before it, which a dry run prints
};

/** Files a bug, by prompts if values are missing and there is a terminal. False if it was not sent. */
export async function fileBug(
  { start, given }: StartingValues,
  input: NewBugInput,
  context: Context,
  filing: Filing,
): Promise<boolean> {
  const { io, session } = context;
  const typed = await withDescription({ start, given }, input, context);
  const isPrompted = io.terminal.stdout && mayPrompt(io, session.settings);
  const ways = formWays({ ...filing, isCompared: filing.isCompared && isPrompted }, context);
  const form = newForm(withStart(start, typed, undefined), ways, context);
  try {
    const catalog = await session.metadata.catalog();
    form.values = withDefaults(withStart(start, typed, catalog), session.settings, catalog);
    const isAsked = isPrompted && [...missingFields(form.values), ...unsetFields(form.values, catalog)].length > 0;
    if (isAsked) await askMissing(form);
    if (input.dryRun) await showDryRun(form, filing);
    else
      return await reportFiled(await (isAsked ? reviewForm(form) : submitForm(form)), context, { ...filing, ...input });
    return false;
  } catch (error) {
    form.isTyped ||= isPrompted && isKind(error, "network", "busy");
    if (!input.dryRun) await keepUnsent(form);
    throw error;
  }
}

/** The given values with the description of a file, of stdin or of the editor. */
async function withDescription({ start, given }: StartingValues, input: NewBugInput, context: Context) {
  const text = { name: "description", start: flagValue(start.description) ?? "", typed: flagValue(given.description) };
  const description = await readLongText(text, input, context);
  if (description === undefined && text.start === "" && context.io.isFed())
    throw usageError("no description, and stdin is not read", NO_DESCRIPTION);
  return description === undefined ? given : { ...given, description };
}

const NO_DESCRIPTION = "-F - reads it from stdin; --description '' files the bug without one";

function formWays({ command = "bug create", isCompared }: Filing, context: Context) {
  const journal = () => context.session.writes.journal();
  return {
    send: async (request: Request) => (await journal()).deliver(command, { request }),
    keep: async (request: Request) => (await journal()).draft("bug create", { request }),
    compare: isCompared ? comparison(context) : undefined,
  };
}

async function showDryRun({ values, withProduct, context }: Form, { earlier = [] }: Filing): Promise<void> {
  const { metadata, send } = context.session;
  const body = await completeBody(values, withProduct, context);
  await checkReferences([body], await metadata.catalog(), send);
  await showPlanned([...earlier, requestFor(CREATE_BUG, body)], [], context);
  for (const [name, moment] of Object.entries((await readMoments(body, context)) ?? {}))
    await note(context.io, `${name}: ${moment}, which is ${body[name]} in the tracker's time zone`);
}

/** Prints the id once the bug was read back, then the fields that were not applied. False if there is no bug. */
export async function reportFiled(
  filed: Filed | undefined,
  context: Context,
  { mustApply = [], isOrComment, web }: Filing & { readonly web?: boolean } = {},
): Promise<boolean> {
  if (filed === undefined) return false;
  const { id, body } = filed;
  const sentence = `created bug ${id}`;
  const missing = await readNotApplied(id, body, context);
  if (isOrComment && !isForCards(context)) await note(context.io, sentence);
  const isWhole = isJson(context) || context.output.fields !== undefined;
  const row = { id: String(id), result: "created", ...(isWhole && { not_applied: missing }) };
  await showCreated([row], (bug) => createdBugText(bug, sentence, context), context);
  const moments = await readMoments(body, context);
  if (moments) await checkStoredTimes(id, moments, context);
  const isStrict = mustApply.some((name) => missing?.includes(name));
  await reportNotApplied(sentence, missing ?? [], { isStrict, context });
  if (web) await openInBrowser(bugPage(await readWebAddress(context), id), context);
  return true;
}
