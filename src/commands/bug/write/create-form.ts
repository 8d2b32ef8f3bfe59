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
import { type FlagValues, flagValue, flagValues } from "../../../command-flag.ts";
import { BtError } from "../../../errors.ts";
import { matchingChoices, type PromptChoice, type Question } from "../../../prompt/question.ts";
import { note } from "../../../session/note.ts";
import { type CardRow, cardRows } from "../../../view/card.ts";
import { errorText } from "../../../view/messages.ts";
import { plain } from "../../../view/text.ts";
import type { Json, JsonObject, Request } from "../../../wire/exchange.ts";
import { FIELD_TYPE } from "../../../wire/field-types.ts";
import { errorRecord } from "../../shared/output/error-record.ts";
import { choiceOf, promptForLogin } from "../../shared/prompts.ts";
import { editText } from "../../shared/text.ts";
import type { Context } from "../../verb.ts";
import { deleteSavedTexts } from "../../verb.ts";
import type { NewBugValues } from "../flags.ts";
import {
  missingFields,
  newBugBody,
  newBugRequest,
  offeredValues,
  unsetFields,
  withAllMissingFields,
} from "./new-bug.ts";

/** A new bug until it is sent: its values, and how it is sent, or kept as a draft. */
export type Form = FormWays & {
  readonly context: Context;
  readonly withProduct: WithProduct;
  values: NewBugValues;
  isTyped: boolean; // at a prompt or in the editor, so that it is kept
  isSent: boolean; // it is in the journal, or on its way
};

export type FormWays = {
  readonly send: (request: Request, values: NewBugValues) => Promise<Json>; // returns the response
  readonly keep: (draft: Request) => Promise<string>; // returns the job of the draft
  /** Shows probable duplicates, once for a summary and place; false if it shows none. */
  readonly compare?: (bug: NewBugValues | JsonObject) => Promise<boolean>;
};

/** A new bug with its number, and the body that was sent. */
export type Filed = { readonly id: number; readonly body: JsonObject };

export function newForm(values: NewBugValues, ways: FormWays, context: Context): Form {
  const isTyped = context.savedTexts.length > 0; // in the editor
  const withProduct = enterableProductLoader(context.session.send);
  return { ...ways, context, withProduct, values, isTyped, isSent: false };
}

/**
 * Files the bug, if `isAsked` after prompts and a review; undefined if the user keeps it as a draft.
 * @throws BtError of kind usage for invalid or missing values, no if the user cancels, else of the write
 */
export async function completeForm(form: Form, isAsked: boolean): Promise<Filed | undefined> {
  try {
    if (!isAsked) return await submitForm(form);
    await askMissing(form);
    return await reviewForm(form);
  } catch (error) {
    await keepUnsent(form);
    throw error;
  }
}

async function submitForm(form: Form): Promise<Filed> {
  const { context, send, compare } = form;
  const body = await newBugBody(form.values, form.withProduct, context);
  if ((await compare?.(body)) && (await context.io.prompt({ kind: "confirm", message: "file it anyway?" })) !== "yes")
    throw new BtError("no", "nothing sent");
  form.isSent = true;
  const response = await send(await newBugRequest(body, context), form.values).catch(async (error: unknown) => {
    throw withAllMissingFields(error, body, await context.session.catalog());
  });
  return { id: Number(Object(response).id), body };
}

/** Keeps what was typed as a draft, unless it was sent, or prints it if that fails. */
async function keepUnsent({ values, isTyped, isSent, keep, context }: Form): Promise<void> {
  if (!isTyped || isSent) return;
  const { io } = context;
  try {
    const job = await keep(draftOf(values));
    deleteSavedTexts(context);
    await note(io, `your bug is kept as a draft; bt job send ${job} completes and sends it`);
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
    } else await promptForField(name, form);
  }
  for (const { api } of unsetFields(form.values, await catalogOf(form))) await promptForField(api, form);
}

async function catalogOf({ values, withProduct, context }: Form): Promise<Catalog> {
  return withProduct(await context.session.catalog(), flagValue(values.product));
}

function setValue(flag: string, value: string | undefined, form: Form): void {
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

/** Prompts for a description, and shows the bug until it is sent; undefined if it stays a draft. */
async function reviewForm(form: Form): Promise<Filed | undefined> {
  const { io } = form.context;
  const { description: given } = form.values;
  await askDescription(form);
  for (;;) {
    await showForm(form);
    await form.compare?.(form.values);
    const action = await io.prompt({ kind: "menu", message: "What next?", choices: ACTIONS });
    if (action === "submit") {
      const filed = await submitForm(form).catch((error: unknown) => showError(error, form));
      if (filed) return filed;
    } else if (action === "keep") {
      form.isTyped = true;
      return void (await keepUnsent(form));
    } else if (action === "cancel") await cancelForm(form, given);
    else if (action === "describe") await editDescription(form);
    else await askField(action, form);
  }
}

/** Ends the form, unless a typed description is to stay. @throws BtError of kind no */
async function cancelForm(form: Form, given: FlagValues[string]): Promise<void> {
  const { description } = form.values;
  const isLost = description && description !== given;
  const { prompt } = form.context.io;
  if (isLost && (await prompt({ kind: "confirm", message: "discard the description?" })) !== "yes") return;
  form.isTyped = false;
  throw new BtError("no", "nothing sent");
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
    if (way === "editor") await editDescription(form);
    else if (way === "line") take(await io.prompt({ kind: "line", message: "description", isLong: true, leave: take }));
    if (way !== "editor") return;
  }
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

/** Shows an error that the user can correct; others stand: the bug may have been created, or is left in its job. */
async function showError(error: unknown, form: Form): Promise<undefined> {
  const { io, output } = form.context;
  if (!(error instanceof BtError) || io.signal.aborted) throw error;
  if (form.isSent && (error.facts.changed !== "nothing" || mayPass(error))) throw error;
  form.isSent = false;
  await io.err(errorText(errorRecord(error), output.view));
}

/** Prompts for a field and its value; another product has other components and versions. */
async function askField(action: string, form: Form): Promise<void> {
  const isSet = (field: FormField) => formValues(field, form.values).length > 0;
  const catalog = await catalogOf(form);
  const choices = formFields(catalog)
    .filter((field) => (action === "edit" ? isSet(field) : !isSet(field) || field.isList))
    .map(({ name, label, about }) => ({ value: name, name: plain(label), about: plain(about) }));
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
  await context.io.err(`\n${cardRows(rows, context.output.view)}\n`);
}

/** A field of the form of a new bug: the flag that it sets, of a custom field with its name as prefix. */
type FormField = {
  readonly name: string;
  readonly label: string;
  readonly about: string;
  readonly kind: ParameterKind;
  readonly isList: boolean;
  readonly flag: string;
  readonly prefix: string;
  readonly custom?: CatalogField;
};

/** All fields of the form, custom ones last. */
function formFields(catalog: Catalog): FormField[] {
  const own = CREATE_BUG.parameters.filter(({ name }) => name !== "description" && name !== "flags");
  return [
    ...own.map(({ name, about, kind }): FormField => {
      const isList = kind === "people" || kind === "choices";
      return { name, about, kind, label: name.replaceAll("_", " "), isList, flag: commandFlagName(name), prefix: "" };
    }),
    ...catalog.fields.filter(isSettable).map((custom): FormField => {
      const { api: name, label, type } = custom;
      const [kind, isList] = [CUSTOM_KINDS[type] ?? "text", isListField(custom)];
      return { name, about: name, kind, label, isList, flag: "field", prefix: `${name}=`, custom };
    }),
  ];
}

const CUSTOM_KINDS: Readonly<Record<number, ParameterKind>> = {
  [FIELD_TYPE.multiSelect]: "choices",
  [FIELD_TYPE.user]: "person",
  [FIELD_TYPE.users]: "people",
};

/** Values of a field in the form, as typed. */
function formValues({ flag, prefix }: FormField, values: NewBugValues): readonly string[] {
  const own = flagValues(values[flag]).filter((value) => value.startsWith(prefix));
  return own.map((value) => value.slice(prefix.length));
}

/** Sets a field of the form, or adds to one that is a list. */
function setAnswer({ flag, prefix, isList, kind }: FormField, typed: string, form: Form): void {
  const answer = kind === "choices" ? quotedIfNeeded(typed.trim()) : typed.trim(); // a choice may have a comma
  const others = flagValues(form.values[flag]).filter((value) => isList || !value.startsWith(prefix));
  const all = [...new Set([...others, `${prefix}${answer}`])];
  form.isTyped = true;
  form.values = { ...form.values, [flag]: isList || others.length > 0 ? all : all.join("") };
}

function questionFor(field: FormField, catalog: Catalog, form: Form): Question {
  const { label: message, isList } = field;
  const [current] = isList ? [] : formValues(field, form.values);
  const legal = legalAnswers(field, catalog, flagValue(form.values.product));
  const [set, others] = partition(legal, (value) => value.toLowerCase() === current?.toLowerCase());
  const choices = [...set.map((value) => ({ value, name: plain(`${value} (current)`) })), ...others.map(choiceOf)];
  if (choices.length === 0) return lineFor(field, form);
  return { kind: "search", message, find: (term) => matchingChoices(choices, term) }; // Enter keeps the current one
}

function legalAnswers({ name, kind, custom }: FormField, catalog: Catalog, product: string | undefined) {
  if (custom) return legalNames(custom) ?? [];
  if (kind === "bool") return ["yes", "no"];
  return kind === "choice" || kind === "choices" ? offeredValues(name, catalog, product) : [];
}

function lineFor(field: FormField, form: Form): Question {
  const { label, kind, about, isList } = field;
  const start = isList ? "" : formValues(field, form.values).join(", ");
  const check = (text: string) => (text.trim() === "" ? `${label} is required` : undefined);
  const line = { kind: "line", check, ...(start !== "" && { start }) } as const;
  if (kind !== "text") return { ...line, message: `${label} (${about})` };
  const leave = (typed: string) => {
    if (typed.trim() !== "") setAnswer(field, typed, form);
  };
  return { ...line, message: label, leave };
}
