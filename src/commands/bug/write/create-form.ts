import {
  type Catalog,
  type CatalogField,
  enterableProductLoader,
  isSettable,
  requireField,
  type WithProduct,
} from "../../../api/catalog/catalog.ts";
import { legalNames, legalValue } from "../../../api/catalog/legal-values.ts";
import { mayPass } from "../../../api/delivery/outcome.ts";
import { partition } from "../../../api/lists.ts";
import { quotedIfNeeded } from "../../../api/nearest.ts";
import { commandFlagName, type ParameterKind, requestFor } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { isListField } from "../../../api/write/custom-fields.ts";
import { checkedText } from "../../../api/write/texts.ts";
import { flagValue, flagValues } from "../../../command-flag.ts";
import { BtError, messageOfError, withFacts } from "../../../errors.ts";
import { matchingChoices, type PromptChoice, type Question } from "../../../prompt/question.ts";
import { note } from "../../../session/note.ts";
import { type CardRow, cardRows } from "../../../view/card.ts";
import { errorText } from "../../../view/messages.ts";
import { plain } from "../../../view/text.ts";
import { DEFAULTED_FIELDS } from "../../../wire/bug-fields.ts";
import { ERROR_CODES } from "../../../wire/error-codes.ts";
import type { Json, JsonObject, Request } from "../../../wire/exchange.ts";
import { FIELD_TYPE } from "../../../wire/field-types.ts";
import { errorRecord } from "../../shared/output/error-record.ts";
import { choiceOf, promptForLogin } from "../../shared/prompts.ts";
import { editText } from "../../shared/text/editor.ts";
import type { Context } from "../../verb.ts";
import { deleteSavedTexts } from "../../verb.ts";
import type { NewBugValues } from "./flags.ts";
import {
  completeBody,
  missingFields,
  newBugRequest,
  offeredValues,
  unsetFields,
  withAllMissingFields,
} from "./new-bug.ts";

/** A new bug until it is sent: its values, and how it is sent, or kept as a draft. */
export type Form = FormWays & {
  readonly context: Context;
  readonly given: NewBugValues;
  readonly withProduct: WithProduct;
  values: NewBugValues;
  isTyped: boolean; // at a prompt or in the editor, so that it is kept
  isSent: boolean; // it is in the journal, or on its way
};

export type FormWays = {
  readonly send: (request: Request, values: NewBugValues) => Promise<Json>; // returns the response
  readonly keep: (draft: Request) => Promise<string>; // returns the job of the draft
  /** Shows probable duplicates, once for a summary and place; false if it shows none. */
  readonly compare?: ((bug: NewBugValues | JsonObject) => Promise<boolean>) | undefined;
};

/** A new bug with its number, and the body that was sent. */
export type Filed = { readonly id: number; readonly body: JsonObject };

export function newForm(values: NewBugValues, ways: FormWays, context: Context): Form {
  return {
    ...ways,
    context,
    given: values,
    withProduct: enterableProductLoader(context.session.send),
    values,
    isTyped: context.savedTexts.length > 0, // in the editor
    isSent: false,
  };
}

/**
 * Files the bug, if `isAsked` after prompts and a review; undefined if the user keeps it as a draft.
 * @throws BtError of kind usage for invalid or missing values, no if the user cancels, else of the write
 */
export async function completeForm(form: Form, isAsked: boolean): Promise<Filed | undefined> {
  if (!isAsked) return submitForm(form);
  await askMissing(form);
  return reviewForm(form);
}

async function submitForm(form: Form): Promise<Filed> {
  const { context, send, compare } = form;
  const body = await completeBody(form.values, form.withProduct, context);
  if ((await compare?.(body)) && (await context.io.prompt({ kind: "confirm", message: "file it anyway?" })) !== "yes")
    throw nothingSentError();
  form.isSent = true;
  const response = await send(await newBugRequest(body, context), form.values).catch(async (error: unknown) => {
    throw withAllMissingFields(error, body, await context.session.catalog());
  });
  return { id: Number(Object(response).id), body };
}

function nothingSentError(): BtError {
  return new BtError("no", "nothing sent");
}

/** Keeps what was typed as a draft, unless it was sent, or prints it if that fails. */
export async function keepUnsent({ values, isTyped, isSent, keep, context }: Form): Promise<void> {
  if (!isTyped || isSent) return;
  const { io } = context;
  try {
    const job = await keep(draftOf(values));
    deleteSavedTexts(context);
    const rest = missingFields(values).map(({ name }) => name.replaceAll("_", " "));
    const lacks = rest.length > 0 ? ` without ${rest.join(", ")}` : "";
    await note(io, `your bug is kept as a draft${lacks}; bt job send ${job} completes and sends it`);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    await note(io, `your bug could not be kept as a draft: ${error.message}`);
    await io.err(`${plain(JSON.stringify(values, null, 2), { lines: true })}\n`);
  }
}

/** A new bug that is not checked and not sent: its body has the values as typed, by flag. */
export function draftOf(values: NewBugValues): Request {
  return requestFor(CREATE_BUG, values as JsonObject);
}

/** Prompts for what a new bug lacks. */
export async function askMissing(form: Form): Promise<void> {
  const given = flagValue(form.values.product);
  const product = requireField(await catalogOf(form), "product");
  if (given !== undefined) setValue("product", legalValue(product, given), form);
  const choicesFirst = missingFields(form.values).sort((one, other) => one.kind.localeCompare(other.kind));
  for (const { name } of choicesFirst) {
    const [only, ...others] = offeredValues(name, await catalogOf(form), flagValue(form.values.product));
    if (only !== undefined && others.length === 0) {
      setValue(commandFlagName(name), only, form);
      await form.context.io.err(`${name.replaceAll("_", " ")}: ${plain(only)} (the only one)\n`);
    } else await askByName(name, form);
  }
  for (const { api } of unsetFields(form.values, await catalogOf(form))) await askByName(api, form);
}

async function catalogOf({ values, withProduct, context }: Form): Promise<Catalog> {
  return withProduct(await context.session.catalog(), flagValue(values.product));
}

function setValue(flag: string, value: string | undefined, form: Form): void {
  form.values = { ...form.values, [flag]: value };
}

async function askByName(name: string, form: Form): Promise<void> {
  const catalog = await catalogOf(form);
  const field = formFields(catalog).find((one) => one.name === name);
  if (!field) return;
  const isPerson = field.kind === "person" || field.kind === "people";
  const answer = isPerson
    ? await promptForLogin(field.label, [], form.context)
    : await form.context.io.prompt(questionFor(field, catalog, form));
  setAnswer(field, answer, form);
}

/** Prompts for a description, and shows the bug until it is sent; undefined if it stays a draft. */
async function reviewForm(form: Form): Promise<Filed | undefined> {
  await askDescription(form);
  for (;;) {
    await showForm(form);
    await form.compare?.(form.values);
    const action = await form.context.io.prompt({ kind: "menu", message: "What next?", choices: ACTIONS });
    if (action === "keep") {
      form.isTyped = true;
      await keepUnsent(form);
      return undefined;
    }
    if (action === "submit") {
      const filed = await submitForm(form).catch((error: unknown) => mendAfterError(error, form));
      if (filed) return filed;
    } else await changeForm(action, form);
  }
}

const ACTIONS: readonly PromptChoice[] = [
  { value: "submit", name: "Submit" },
  { value: "edit", name: "Edit a field" },
  { value: "describe", name: "Edit the description in the editor" },
  { value: "add", name: "Add a field" },
  { value: "keep", name: "Keep as a draft" },
  { value: "cancel", name: "Cancel" },
];

async function askDescription(form: Form): Promise<void> {
  const { io } = form.context;
  const take = (typed: string) => {
    setValue("description", typed || undefined, form);
    form.isTyped ||= typed !== "";
  };
  while (form.values.description === undefined) {
    const way = await io.prompt({ kind: "menu", message: "description", choices: WAYS });
    if (way === "none") return;
    if (way === "editor") await editDescription(form);
    else {
      const typed = await io.prompt({ kind: "line", message: "description", isLong: true, leave: take });
      take(typed);
      if (typed === "") return;
    }
  }
  form.isTyped = true;
}

const WAYS: readonly PromptChoice[] = [
  { value: "line", name: "type a line here" },
  { value: "editor", name: "write it in the editor" },
  { value: "none", name: "leave it empty" },
];

/** Opens the editor; without a new text the description stays as it is. */
async function editDescription(form: Form): Promise<void> {
  const { context } = form;
  const start = flagValue(form.values.description) ?? "";
  try {
    setValue("description", await editText({ name: "description", start }, context), form);
    form.isTyped = true;
    deleteSavedTexts(context);
  } catch (error) {
    await showError(error, form);
  }
}

/**
 * Shows why a bug was not sent, or refused, and prompts for values that this tracker requires. An error stands if the bug
 * may have been created, or is left in its job.
 */
async function mendAfterError(error: unknown, form: Form): Promise<undefined> {
  if (!(error instanceof BtError)) throw error;
  const { changed, bugzillaCode } = error.facts;
  if (form.isSent && (changed !== "nothing" || mayPass(error))) throw error;
  form.isSent = false;
  const isAnswered = bugzillaCode === ERROR_CODES.param_required; // by prompts, which offer the values
  await showError(isAnswered ? withFacts(error, { details: [], hint: undefined }) : error, form);
  if (!isAnswered) return;
  for (const name of DEFAULTED_FIELDS)
    if (form.values[commandFlagName(name)] === undefined) await askByName(name, form);
}

/** Shows an error that the user can correct. */
async function showError(error: unknown, { context }: Form): Promise<void> {
  if (!(error instanceof BtError) || context.io.signal.aborted) throw error;
  await context.io.err(errorText(errorRecord(error), context.output.view));
}

async function changeForm(action: string, form: Form): Promise<void> {
  const { io } = form.context;
  if (action === "cancel") {
    const { description } = form.values;
    const isLost = description && description !== form.given.description;
    if (isLost && (await io.prompt({ kind: "confirm", message: "discard the description?" })) !== "yes") return;
    form.isTyped = false;
    throw nothingSentError();
  }
  if (action === "describe") return editDescription(form);
  const isSet = (field: FormField) => formValues(field, form.values).length > 0;
  const offered = formFields(await catalogOf(form)).filter((field) =>
    action === "edit" ? isSet(field) : !isSet(field) || field.kind === "people",
  );
  const choices = offered.map(({ name, label, about }) => ({ value: name, name: plain(label), about: plain(about) }));
  const { product } = form.values;
  await askByName(
    await io.prompt({ kind: "search", message: "field", find: async (term) => matchingChoices(choices, term) }),
    form,
  );
  if (form.values.product !== product) await askPlace(form);
}

/** Drops the values that belong to the product before, and prompts for the required ones. */
async function askPlace(form: Form): Promise<void> {
  const { fields } = await catalogOf(form);
  for (const { api } of fields.filter(({ isPerProduct }) => isPerProduct))
    setValue(commandFlagName(api), undefined, form);
  await askMissing(form);
}

/** Shows the form as a card on stderr. */
async function showForm(form: Form): Promise<void> {
  const { values, context } = form;
  const rows = formFields(await catalogOf(form)).map((field): CardRow => {
    return [field.label, [{ text: plain(formValues(field, values).join(", ")), isOneLine: true }]];
  });
  const [first = "", ...more] = plain(flagValue(values.description) || "none", { lines: true }).split("\n");
  const text = more.length > 0 ? `${first} (${more.length + 1} lines)` : first;
  const last: CardRow = ["description", [{ text, isOneLine: true }]];
  await context.io.err(`\n${cardRows([...rows, last], context.output.view)}\n`);
}

/** A field of the form of a new bug: the flag that it sets, or the custom field. */
type FormField = {
  readonly name: string;
  readonly label: string;
  readonly about: string;
  readonly kind: ParameterKind;
  readonly isList: boolean;
  readonly custom?: CatalogField;
};

/** Fields in front: required ones, and those that users add most often. */
const FIRST =
  "product component version summary assigned_to cc severity priority keywords target_milestone depends_on blocks".split(
    " ",
  );

/** All fields of the form, custom ones last. */
function formFields(catalog: Catalog): FormField[] {
  const rows = CREATE_BUG.parameters.filter(({ name }) => name !== "description" && name !== "flags");
  const [first, others] = partition(rows, ({ name }) => FIRST.includes(name));
  first.sort((one, other) => FIRST.indexOf(one.name) - FIRST.indexOf(other.name));
  const own = [...first, ...others].map(({ name, about, kind }): FormField => {
    return { name, about, kind, label: name.replaceAll("_", " "), isList: kind === "people" || kind === "choices" };
  });
  const custom = catalog.fields.filter(isSettable).map((field): FormField => {
    const kind = CUSTOM_KINDS[field.type] ?? (field.values.length > 0 ? "choice" : "text");
    return { name: field.api, about: field.api, kind, label: field.label, isList: isListField(field), custom: field };
  });
  return [...own, ...custom];
}

const CUSTOM_KINDS: Readonly<Record<number, ParameterKind>> = {
  [FIELD_TYPE.user]: "person",
  [FIELD_TYPE.users]: "people",
};

/** Values of a field in the form, as typed. */
function formValues({ name, custom }: FormField, form: NewBugValues): readonly string[] {
  if (custom === undefined) return flagValues(form[commandFlagName(name)]);
  const pairs = flagValues(form.field).filter((pair) => pair.startsWith(`${name}=`));
  return pairs.map((pair) => pair.slice(name.length + 1));
}

/** Sets a field of the form, or adds to one that is a list. */
function setAnswer(field: FormField, typed: string, form: Form): void {
  const { name, custom, isList } = field;
  const answer = typed.trim();
  form.isTyped = true;
  if (custom) {
    const others = flagValues(form.values.field).filter((pair) => isList || !pair.startsWith(`${name}=`));
    form.values = { ...form.values, field: [...others, `${name}=${answer}`] };
  } else {
    const all = isList ? [...new Set([...formValues(field, form.values), quotedIfNeeded(answer)])] : answer;
    form.values = { ...form.values, [commandFlagName(name)]: all };
  }
}

function questionFor(field: FormField, catalog: Catalog, form: Form): Question {
  const { kind, label: message, name, custom, isList } = field;
  const [current] = isList ? [] : formValues(field, form.values);
  if (kind === "bool") return { kind: "menu", message, choices: choicesOf(["yes", "no"], current) };
  const isChoice = kind === "choice" || kind === "choices";
  const offered = isChoice && !custom ? offeredValues(name, catalog, flagValue(form.values.product)) : [];
  const choices = choicesOf(custom ? (legalNames(custom) ?? []) : offered, current);
  if (choices.length === 0) return lineFor(field, form);
  return { kind: "search", message, find: async (term) => matchingChoices(choices, term) };
}

/** Choices of values; the one that is set comes first, so that Enter alone keeps it. */
function choicesOf(values: readonly string[], current: string | undefined): readonly PromptChoice[] {
  const [set, others] = partition(values, (value) => value.toLowerCase() === current?.toLowerCase());
  return [...set.map((value) => ({ value, name: plain(`${value} (current)`) })), ...others.map(choiceOf)];
}

function lineFor(field: FormField, form: Form): Question {
  const start = formValues(field, form.values).join(", ");
  const check = (text: string) =>
    text.trim() === "" ? `${field.label} is required` : messageOfError(() => checkedText(field.name, text));
  const line = { kind: "line", check, ...(start !== "" && { start }) } as const;
  if (field.kind !== "text") return { ...line, message: `${field.label} (${field.about})` };
  const leave = (typed: string) => {
    if (typed.trim() !== "") setAnswer(field, typed, form);
  };
  return { ...line, message: field.label, leave };
}
