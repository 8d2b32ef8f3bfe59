import {
  type Catalog,
  isSettable,
  legalValue,
  requireField,
  withEnterableProduct,
} from "../../../api/catalog/catalog.ts";
import { mayPass, responseOf, type Write } from "../../../api/delivery/outcome.ts";
import { sendWrite } from "../../../api/delivery/send-write.ts";
import { partition } from "../../../api/lists.ts";
import { quotedIfNeeded } from "../../../api/nearest.ts";
import { commandFlagName, type ParameterKind, requestFor } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { findSimilar, PROBABLE_SCORE } from "../../../api/search/similar.ts";
import { NOT_APPLIED_HINT } from "../../../api/write/changes.ts";
import { findWrongReferences } from "../../../api/write/checks.ts";
import { type FlagValues, flagValue, flagValues } from "../../../command-flag.ts";
import { BtError, isKind, withFacts } from "../../../errors.ts";
import { resumeJob } from "../../../jobs/journal.ts";
import { matchingChoices, type PromptChoice, type Question } from "../../../prompt/question.ts";
import { note } from "../../../session/note.ts";
import { SIMILAR_TABLE_COLUMNS } from "../../../view/bug-columns.ts";
import { type CardRow, cardBody } from "../../../view/card.ts";
import { listing, listText } from "../../../view/listing.ts";
import { errorText } from "../../../view/messages.ts";
import { palette } from "../../../view/palette.ts";
import { plain } from "../../../view/text.ts";
import type { Family } from "../../../wire/bug-fields.ts";
import { bugPage, type Json, type JsonObject, type Request } from "../../../wire/exchange.ts";
import { createdBugText, showCreated, showPlanned } from "../../shared/change/output.ts";
import { readNotApplied } from "../../shared/change/result.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import { errorRecord } from "../../shared/output/error-record.ts";
import { choiceOf, promptForLogin } from "../../shared/prompts.ts";
import { editText } from "../../shared/text.ts";
import { type Context, deleteSavedTexts } from "../../verb.ts";
import type { NewBugValues } from "../flags.ts";
import {
  missingFields,
  newBugBody,
  newBugRequest,
  offeredValues,
  unsetFields,
  withAllMissingFields,
} from "./new-bug.ts";

/** A new bug until it is sent. */
type Form = {
  readonly context: Context;
  values: NewBugValues;
  filing: Filing;
  isTyped: boolean; // at a prompt or in the editor, so that it is kept
  isSent: boolean; // it is in the journal, or on its way
};

/** How a new bug is filed. */
export type Filing = {
  readonly command?: string; // in the journal
  readonly draft?: string; // the job of the draft
  readonly isCompared?: boolean | undefined; // probable duplicates are shown
  readonly isDryRun?: boolean;
  readonly isOpened?: boolean; // in the browser
  readonly mustApply?: readonly string[]; // it is an error without these, such as its groups
  readonly earlier?: Write | undefined; // sent right before it
};

/**
 * Files the bug, if `isAsked` after prompts and a review, where the user may keep it as a draft.
 * @throws BtError of kind usage for invalid or missing values, no if the user cancels, else of the write
 */
export async function completeForm(
  values: NewBugValues,
  filing: Filing,
  isAsked: boolean,
  context: Context,
): Promise<void> {
  const isTyped = context.savedTexts.length > 0; // in the editor
  const form: Form = { context, values, filing, isTyped, isSent: false };
  try {
    if (isAsked) await askMissing(form);
    if (isAsked && !filing.isDryRun) await reviewForm(form);
    else await submitForm(form);
  } catch (error) {
    await keepUnsent(form);
    throw error;
  }
}

async function submitForm(form: Form, isReviewed = false): Promise<void> {
  const { context, filing } = form;
  const { io, session } = context;
  const body = await newBugBody(form.values, context);
  const request = await newBugRequest(body, context);
  const { earlier, isCompared, isDryRun } = filing;
  if (earlier || isDryRun) {
    const [error] = await findWrongReferences([body], await session.catalog(), session.send);
    if (error) throw error;
  }
  if (isDryRun) return showPlanned([...(earlier ? [earlier.request] : []), request], [], context);
  const isDoubtful = !isReviewed && isCompared && (await showSimilar(body, context));
  if (isDoubtful && (await io.prompt({ kind: "confirm", message: "file it anyway?" })) !== "yes")
    throw new BtError("no", "nothing sent");
  form.isSent = true;
  const response = await sendBug(request, form).catch(async (error: unknown) => {
    if (form.isTyped && isKind(error, "local")) await printTyped(error, form); // it could not be journaled
    throw withAllMissingFields(error, body, await session.catalog());
  });
  await reportFiled(Number(Object(response).id), body, form);
}

/**
 * Sends a new bug, after its earlier write, which is not repeated if the tracker refuses the bug;
 * a draft, in its own job, which then stays a draft.
 */
async function sendBug(request: Request, form: Form): Promise<Json> {
  const { filing, context, values } = form;
  const { command = "bug create", draft, earlier } = filing;
  const { session, io } = context;
  if (draft !== undefined)
    return resumeJob(draft, session, io, async (held) => {
      const outcome = await sendWrite(0, { request }, held);
      if (outcome.st !== "refused") return responseOf(outcome);
      held.add([{ request: draftOf(values) }], 0);
      throw withFacts(outcome.error, { hint: `the draft is kept: bt job send ${draft} opens it` });
    });
  const { deliver } = await session.journal();
  if (earlier) await deliver(command, earlier);
  form.filing = { ...filing, earlier: undefined };
  return deliver(command, { request });
}

/**
 * Prints the id once the bug was read back, then the fields that were not applied; opens the bug
 * with --web.
 * @throws BtError of kind partial if a field that must be applied was not
 */
async function reportFiled(id: number, body: JsonObject, { context, filing }: Form): Promise<void> {
  const sentence = `created bug ${id}`;
  const missing = await readNotApplied(id, body, context);
  const row = { id: String(id), result: "created", not_applied: missing };
  await showCreated([row], (bug) => createdBugText(bug, sentence, context), context);
  const text = `${sentence}; not applied: ${missing?.join(", ")}`;
  if (filing.mustApply?.some((name) => missing?.includes(name)))
    throw new BtError("partial", text, { hint: NOT_APPLIED_HINT, changed: "some" });
  if (missing?.length) await note(context.io, text);
  if (filing.isOpened) await openInBrowser(bugPage(await readWebAddress(context), id), context);
}

/** Keeps what was typed as a draft, unless it was sent, or prints it if that fails. */
async function keepUnsent(form: Form): Promise<void> {
  const { values, isTyped, isSent, filing, context } = form;
  if (!isTyped || isSent || filing.isDryRun) return;
  try {
    const { session, io } = context;
    const write = { request: draftOf(values) };
    const { begin } = await session.journal();
    let job = filing.draft;
    if (job === undefined)
      job = await begin({ command: "bug create", writes: [write], draft: true }, async ({ name }) => name);
    else await resumeJob(job, session, io, async (held) => held.add([write], 0));
    deleteSavedTexts(context);
    await note(context.io, `your bug is kept as a draft; bt job send ${job} completes and sends it`);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    await printTyped(error, form);
  }
}

async function printTyped({ message }: BtError, { values, context: { io } }: Form): Promise<void> {
  await note(io, `your bug could not be kept as a draft: ${message}`);
  await io.err(`${plain(JSON.stringify(values, null, 2), "lines")}\n`);
}

/** A new bug that is not checked and not sent: its body has the values as typed, by flag. */
function draftOf(values: NewBugValues): Request {
  return requestFor(CREATE_BUG, values as JsonObject);
}

/**
 * Shows probable duplicates of a new bug on stderr; false if it shows none. That the tracker cannot be
 * searched is no reason not to file a bug, so such an error is only shown.
 */
async function showSimilar(bug: NewBugValues | JsonObject, { io, output, session }: Context): Promise<boolean> {
  const [summary, component] = [String(bug.summary ?? ""), String(bug.component ?? "")];
  const subject = { summary, component, products: bug.product ? [String(bug.product)] : [] };
  const similar = await findSimilar(subject, session.searches).catch(async (error: unknown) => {
    if (!(error instanceof BtError) || io.signal.aborted) throw error;
    await note(io, `could not look for similar bugs: ${error.message}`);
    return [];
  });
  const found = similar.filter(({ score }) => score >= PROBABLE_SCORE).slice(0, MAX_SHOWN);
  if (found.length === 0) return false;
  const table = listing("table", SIMILAR_TABLE_COLUMNS, output.view);
  await io.err(`${palette(output.view).title("Similar bugs")}\n${listText(found, table)}\n`);
  return true;
}

const MAX_SHOWN = 5;

/** Prompts for what a new bug lacks. */
async function askMissing(form: Form): Promise<void> {
  const given = flagValue(form.values.product);
  const product = requireField(await catalogOf(form), "product");
  if (given !== undefined) setValue("product", legalValue(product, given), form);
  // "choice" sorts before "text"
  const choicesFirst = missingFields(form.values).sort((one, other) => one.kind.localeCompare(other.kind));
  for (const { name } of choicesFirst) {
    const [only, ...others] = offeredValues(name, await catalogOf(form), flagValue(form.values.product));
    if (only !== undefined && others.length === 0) {
      setValue(commandFlagName(name), only, form);
      await form.context.io.err(`${name.replaceAll("_", " ")}: ${plain(only)} (the only one)\n`);
    } else await promptForField(name, form);
  }
  for (const { api } of unsetFields(form.values, await catalogOf(form))) await promptForField(api, form);
}

async function catalogOf({ values, context: { session } }: Form): Promise<Catalog> {
  return withEnterableProduct(await session.catalog(), flagValue(values.product), session.send);
}

function setValue(flag: string, value: FlagValues[string], form: Form): void {
  form.values = { ...form.values, [flag]: value };
}

async function promptForField(name: string, form: Form): Promise<void> {
  const catalog = await catalogOf(form);
  const field = formFields(catalog).find((one) => one.name === name);
  if (!field) return;
  const isPerson = field.kind === "person" || field.kind === "people";
  const answer = isPerson
    ? await promptForLogin(field.label, [], form.context)
    : await form.context.io.prompt(questionFor(field, catalog, form));
  setAnswer(field, answer, form);
}

/** Prompts for a description, and shows the bug until it is sent, or stays a draft. */
async function reviewForm(form: Form): Promise<void> {
  const { context, filing, values } = form;
  await askDescription(form);
  if (filing.isCompared) await showSimilar(form.values, context);
  for (;;) {
    await showForm(form);
    const action = await context.io.prompt({ kind: "menu", message: "What next?", choices: ACTIONS });
    if (action === "submit") {
      await submitForm(form, true).catch((error: unknown) => showOrThrow(error, form));
      if (form.isSent) return;
    } else if (action === "keep") {
      form.isTyped = true;
      return keepUnsent(form);
    } else if (action === "cancel") {
      form.isTyped = form.values.description !== values.description; // a text is kept even so
      throw new BtError("no", "nothing sent");
    } else if (action === "describe") await editDescription(form);
    else await askField(form);
  }
}

const ACTIONS: readonly PromptChoice[] = [
  { value: "submit", name: "Submit" },
  { value: "field", name: "Edit a field" },
  { value: "describe", name: "Edit the description in the editor" },
  { value: "keep", name: "Keep as a draft" },
  { value: "cancel", name: "Cancel" },
];

async function askDescription(form: Form): Promise<void> {
  if (form.values.description !== undefined) return;
  const leave = (typed: string) => {
    setValue("description", typed || undefined, form);
    form.isTyped ||= typed !== "";
  };
  const message = "description (Enter: none, or later in the editor)";
  leave(await form.context.io.prompt({ kind: "line", message, isLong: true, leave }));
}

/** Opens the editor; without a new text the description stays as it is. */
async function editDescription(form: Form): Promise<void> {
  const { context } = form;
  const start = flagValue(form.values.description) ?? "";
  try {
    setValue("description", await editText("description", start, undefined, context), form);
    form.isTyped = true;
    deleteSavedTexts(context);
  } catch (error) {
    await showOrThrow(error, form);
  }
}

/** Shows an error that a user can correct; throws any other: the bug may exist, or be in a job. */
async function showOrThrow(error: unknown, form: Form): Promise<void> {
  const { io, output } = form.context;
  if (!(error instanceof BtError) || io.signal.aborted) throw error;
  if (form.isSent && (error.facts.changed !== "nothing" || mayPass(error))) throw error;
  form.isSent = false;
  await io.err(errorText(errorRecord(error), output.view));
}

/** Prompts for a field and its value; another product has other components and versions. */
async function askField(form: Form): Promise<void> {
  const catalog = await catalogOf(form);
  const choices = formFields(catalog).map(({ name: value, label, about }): PromptChoice => {
    return { value, name: plain(label), about: plain(about) };
  });
  const product = flagValue(form.values.product);
  const find = (term: string) => matchingChoices(choices, term);
  await promptForField(await form.context.io.prompt({ kind: "search", message: "field", find }), form);
  if (flagValue(form.values.product) === product) return;
  for (const { api } of catalog.fields.filter(({ isPerProduct }) => isPerProduct))
    setValue(commandFlagName(api), undefined, form);
  await askMissing(form);
}

/** Shows the form as a card on stderr. */
async function showForm(form: Form): Promise<void> {
  const { values, context } = form;
  const [description = ""] = (flagValue(values.description) || "none").split("\n");
  const fields = formFields(await catalogOf(form)).map((field) => [field.label, formValues(field, values).join(", ")]);
  const rows = [...fields, ["description", description]].map(([label = "", text = ""]): CardRow => {
    return [label, [{ text: plain(text), isOneLine: true }]];
  });
  await context.io.err(`\n${cardBody(rows, context.output.view)}\n`);
}

/** A field of the form of a new bug: the flag that it sets, of a custom field with its name as prefix. */
type FormField = {
  readonly name: string;
  readonly label: string;
  readonly about: string;
  readonly kind: ParameterKind | Family;
  readonly flag: string;
  readonly prefix: string;
};

/** All fields of the form, custom ones last. */
function formFields({ fields }: Catalog): FormField[] {
  const own = CREATE_BUG.parameters.filter(({ name }) => name !== "description" && name !== "flags");
  return [
    ...own.map(({ name, about, kind }) => {
      return { name, about, kind, label: name.replaceAll("_", " "), flag: commandFlagName(name), prefix: "" };
    }),
    ...fields.filter(isSettable).map(({ api: name, label, family: kind }) => {
      return { name, about: name, kind, label, flag: "field", prefix: `${name}=` };
    }),
  ];
}

/** True for a field to which prompts add one value after the other. */
function isList({ kind }: FormField): boolean {
  return kind === "people" || kind === "choices";
}

/** Values of a field in the form, as typed. */
function formValues({ flag, prefix }: FormField, values: NewBugValues): readonly string[] {
  const own = flagValues(values[flag]).filter((value) => value.startsWith(prefix));
  return own.map((value) => value.slice(prefix.length));
}

/** Sets a field of the form, or adds to one that is a list. */
function setAnswer(field: FormField, typed: string, form: Form): void {
  const { flag, prefix, kind } = field;
  const answer = kind === "choices" ? quotedIfNeeded(typed.trim()) : typed.trim(); // a choice may have a comma
  const others = flagValues(form.values[flag]).filter((value) => isList(field) || !value.startsWith(prefix));
  const all = [...new Set([...others, `${prefix}${answer}`])];
  form.isTyped = true;
  setValue(flag, isList(field) || others.length > 0 ? all : all.join(""), form);
}

function questionFor(field: FormField, catalog: Catalog, form: Form): Question {
  const { label, kind, about } = field;
  const current = isList(field) ? "" : formValues(field, form.values).join(", ");
  const product = flagValue(form.values.product);
  const legal = kind === "bool" ? ["yes", "no"] : offeredValues(field.name, catalog, product);
  if (legal.length === 0) {
    const check = (text: string) => (text.trim() === "" ? `${label} is required` : undefined);
    const leave = (typed: string) => void (typed.trim() !== "" && setAnswer(field, typed, form));
    const message = kind === "text" ? label : `${label} (${about})`;
    return { kind: "line", message, check, leave, ...(current !== "" && { start: current }) };
  }
  const [set, others] = partition(legal, (value) => value.toLowerCase() === current.toLowerCase());
  const choices = [...set.map((value) => ({ value, name: plain(`${value} (current)`) })), ...others.map(choiceOf)];
  return { kind: "search", message: label, find: (term) => matchingChoices(choices, term) }; // Enter keeps the current one
}
