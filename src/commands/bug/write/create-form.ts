import { type Catalog, type CatalogField, findField, isSettable, requireField } from "../../../api/catalog/catalog.ts";
import { legalNames, legalValue } from "../../../api/catalog/legal-values.ts";
import { partition } from "../../../api/lists.ts";
import { quotedIfNeeded } from "../../../api/nearest.ts";
import { commandFlagName, type ParameterKind } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { isListField } from "../../../api/write/custom-fields.ts";
import { checkedText } from "../../../api/write/limits.ts";
import { flagValue, flagValues } from "../../../command-flag.ts";
import { BtError, messageOfError, withFacts } from "../../../errors.ts";
import { matchingChoices, type PromptChoice, type Question } from "../../../prompt/question.ts";
import { cardRows } from "../../../view/card.ts";
import { hintsText, warningText } from "../../../view/messages.ts";
import { plain } from "../../../view/text.ts";
import { DEFAULTED_FIELDS } from "../../../wire/bug-fields.ts";
import { ERROR_CODES } from "../../../wire/error-codes.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { FIELD_TYPE } from "../../../wire/field-types.ts";
import { choiceOf, userSearch } from "../../shared/prompts.ts";
import { editText } from "../../shared/text/editor.ts";
import { DESCRIPTION } from "../../shared/text/input-text.ts";
import { deleteSavedTexts } from "../../shared/text/saved-texts.ts";
import type { Context } from "../../verb.ts";
import type { NewBugValues } from "./flags.ts";
import { missingFields, offeredValues, uncheckedBody, unsetFields } from "./new-bug.ts";
import { formComparison } from "./probable-duplicates.ts";

/** Steps of a form: the catalog for its product, its validation, and its end as a request or a draft. */
export type FormSteps<Result> = {
  readonly isReviewed: boolean;
  readonly catalog: (values: NewBugValues) => Promise<Catalog>;
  readonly body: (values: NewBugValues) => Promise<JsonObject>; // validates the form
  readonly submit: (body: JsonObject) => Promise<Result>;
  readonly keep: (body: JsonObject) => Promise<string>; // stores a draft; returns its job
  readonly showsSimilar?: boolean; // similar bugs, before the review
};

/** A form while the user fills it in. */
type Form<Result> = {
  steps: FormSteps<Result>;
  compare: ((values: NewBugValues) => Promise<void>) | undefined; // shows similar bugs
  context: Context;
  given: NewBugValues;
  values: NewBugValues;
  isTyped: boolean; // something would be lost
  isSent: boolean; // the request is in the journal, or on its way
};

/**
 * Prompts for what a new bug lacks, and submits it after a review; undefined if the user keeps it as a draft. What was
 * typed is also kept as a draft if the user leaves a prompt, or something fails before the bug is sent.
 * @throws BtError of kind no if the user cancels
 */
export async function fillForm<Result>(
  given: NewBugValues,
  steps: FormSteps<Result>,
  context: Context,
): Promise<Result | undefined> {
  const isTyped = context.savedTexts.length > 0; // in the editor
  const compare = steps.showsSimilar ? formComparison(context) : undefined;
  const form: Form<Result> = { steps, compare, context, given, values: given, isTyped, isSent: false };
  try {
    await askMissing(form);
    if (!steps.isReviewed) return await submitForm(form);
    await askDescription(form);
    return await reviewForm(form);
  } catch (error) {
    if (form.isTyped && !form.isSent && steps.isReviewed) await keepDraft(form);
    throw error;
  }
}

async function askMissing<Result>(form: Form<Result>): Promise<void> {
  const { context, steps } = form;
  const given = flagValue(form.values.product);
  const product = requireField(await steps.catalog(form.values), "product");
  if (given !== undefined) setValue("product", legalValue(product, given), form);
  const choicesFirst = [...missingFields(form.values)].sort((one, other) => one.kind.localeCompare(other.kind));
  for (const { name } of choicesFirst) {
    const values = offeredValues(name, await steps.catalog(form.values), flagValue(form.values.product));
    const [only, ...others] = values;
    if (only !== undefined && others.length === 0) {
      setValue(commandFlagName(name), only, form);
      await context.io.err(`${name.replaceAll("_", " ")}: ${plain(only)} (the only one)\n`);
    } else await askByName(name, form);
  }
  for (const { api } of unsetFields(form.values, await steps.catalog(form.values))) await askByName(api, form);
}

function setValue<Result>(flag: string, value: string | undefined, form: Form<Result>): void {
  form.values = { ...form.values, [flag]: value };
}

/** Prompts for one field by its name. */
async function askByName<Result>(name: string, form: Form<Result>): Promise<void> {
  const catalog = await form.steps.catalog(form.values);
  const field = formFields(catalog).find((one) => one.name === name);
  if (field === undefined) return;
  const take = (values: NewBugValues) => {
    form.values = values;
    form.isTyped = true;
  };
  take(await askField(field, form.values, { context: form.context, catalog, leave: take }));
}

const WAYS: readonly PromptChoice[] = [
  { value: "line", name: "type a line here" },
  { value: "editor", name: "write it in the editor" },
  { value: "none", name: "leave it empty" },
];

async function askDescription<Result>(form: Form<Result>): Promise<void> {
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

/** Opens the editor; without a new text the description stays as it is. */
async function editDescription<Result>(form: Form<Result>): Promise<void> {
  const { context } = form;
  const start = flagValue(form.values.description) ?? "";
  try {
    setValue("description", await editText({ name: "description", start, beside: DESCRIPTION }, context), form);
    form.isTyped = true;
    deleteSavedTexts(context);
  } catch (error) {
    await showError(error, form);
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

async function reviewForm<Result>(form: Form<Result>): Promise<Result | undefined> {
  for (;;) {
    await showForm(form);
    await form.compare?.(form.values);
    const action = await form.context.io.prompt({ kind: "menu", message: "What next?", choices: ACTIONS });
    if (action === "keep") {
      await keepDraft(form);
      return undefined;
    }
    if (action === "submit") {
      const result = await submitForm(form).catch((error: unknown) => mendAfterError(error, form));
      if (form.isSent) return result;
    } else await changeForm(action, form);
  }
}

async function submitForm<Result>(form: Form<Result>): Promise<Result> {
  const body = await form.steps.body(form.values);
  form.isSent = true;
  return form.steps.submit(body);
}

/**
 * Shows why a bug was not sent, or refused, and prompts for values that this tracker requires. An error stands if the bug
 * may have been created, which its job verifies.
 */
async function mendAfterError<Result>(error: unknown, form: Form<Result>): Promise<undefined> {
  if (!(error instanceof BtError)) throw error;
  const { changed, bugzillaCode } = error.facts;
  if (form.isSent && changed !== "nothing") throw error;
  form.isSent = false;
  const isAnswered = bugzillaCode === ERROR_CODES.param_required; // by prompts, which offer the values
  await showError(isAnswered ? withFacts(error, { details: [], hint: undefined }) : error, form);
  if (!isAnswered) return;
  for (const name of DEFAULTED_FIELDS)
    if (form.values[commandFlagName(name)] === undefined) await askByName(name, form);
}

/** Shows an error that the user can correct. */
async function showError<Result>(error: unknown, { context }: Form<Result>): Promise<void> {
  if (!(error instanceof BtError) || context.io.signal.aborted) throw error;
  const { details = [], hint } = error.facts;
  const message = [error.message, ...details].join("; ");
  await context.io.err(warningText(message, context.output.view, hint));
}

async function changeForm<Result>(action: string, form: Form<Result>): Promise<void> {
  if (action === "cancel") {
    if (!(await confirmDiscard(form))) return;
    form.isTyped = false;
    throw new BtError("no", "nothing sent", { changed: "nothing" });
  }
  if (action === "describe") return editDescription(form);
  const fields = formFields(await form.steps.catalog(form.values));
  const isSet = (field: FormField) => formValues(field, form.values).length > 0;
  const offered = fields.filter((field) =>
    action === "edit" ? isSet(field) : !isSet(field) || field.kind === "people",
  );
  const choices = offered.map(({ name, label, about }) => ({ value: name, name: plain(label), about: plain(about) }));
  const find = async (term: string) => matchingChoices(choices, term);
  const { product } = form.values;
  await askByName(await form.context.io.prompt({ kind: "search", message: "field", find }), form);
  if (form.values.product !== product) await askPlace(form);
}

/** True if no description was typed, or the user agrees to lose it. */
async function confirmDiscard<Result>({ values, given, context }: Form<Result>): Promise<boolean> {
  const { description } = values;
  if (!description || description === given.description) return true;
  return (await context.io.prompt({ kind: "confirm", message: "discard the description?" })) === "yes";
}

/** Drops the values that belong to the product before, and prompts for the required ones. */
async function askPlace<Result>(form: Form<Result>): Promise<void> {
  const { fields } = await form.steps.catalog(form.values);
  for (const { api } of fields.filter(({ isPerProduct }) => isPerProduct))
    setValue(commandFlagName(api), undefined, form);
  await askMissing(form);
}

/** Shows the form as a card on stderr. */
async function showForm<Result>({ values, context, steps }: Form<Result>): Promise<void> {
  const rows = formFields(await steps.catalog(values)).map((field) => ({
    label: field.label,
    facts: [{ text: plain(formValues(field, values).join(", ")), isOneLine: true }],
  }));
  const [first = "", ...more] = plain(flagValue(values.description) || "none", { lines: true }).split("\n");
  const text = more.length > 0 ? `${first} (${more.length + 1} lines)` : first;
  const last = { label: "description", facts: [{ text, isOneLine: true }] };
  await context.io.err(`\n${cardRows([...rows, last], context.output.view)}\n`);
}

async function keepDraft<Result>({ values, steps, context }: Form<Result>): Promise<void> {
  const body = await steps.body(values).catch(() => uncheckedBody(values));
  await keepAsDraft(values, body, steps.keep, context);
}

/** Keeps a new bug as a draft and prints the next steps, or prints it if that fails. */
export async function keepAsDraft(
  values: NewBugValues,
  body: JsonObject,
  keep: FormSteps<unknown>["keep"],
  context: Context,
): Promise<void> {
  const { io, output } = context;
  try {
    const job = await keep(body);
    deleteSavedTexts(context);
    const rest = missingFields(values).map(({ name }) => name.replaceAll("_", " "));
    const lacks = rest.length > 0 ? ` without ${rest.join(", ")}` : "";
    const send = rest.length > 0 ? "prompts for the rest, and sends it" : "shows it again, and sends it";
    const hints = [`bt job send ${job} ${send}`];
    await io.err(warningText(`your bug is kept as a draft${lacks}`, output.view) + hintsText(hints, output.view));
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    await io.err(warningText(`your bug could not be kept as a draft: ${error.message}`, output.view));
    await io.err(`${plain(JSON.stringify(body, null, 2), { lines: true })}\n`);
  }
}

/** A field of the form of a new bug: the flag that it sets, or the custom field. */
type FormField = {
  readonly name: string;
  readonly label: string;
  readonly about: string;
  readonly kind: ParameterKind;
  readonly custom?: CatalogField;
};

/** Fields in front: required ones, and those that users add most often. */
const FIRST = [
  "product",
  "component",
  "version",
  "summary",
  "assigned_to",
  "cc",
  "severity",
  "priority",
  "keywords",
  "target_milestone",
  "depends_on",
  "blocks",
];

/** All fields of the form, custom ones last. */
function formFields(catalog: Catalog): FormField[] {
  const rows = CREATE_BUG.parameters.filter(({ name }) => name !== "description" && name !== "flags");
  const first = FIRST.flatMap((name) => rows.filter((row) => row.name === name));
  const others = rows.filter((row) => !first.includes(row));
  const custom = catalog.fields.filter(isSettable);
  return [
    ...[...first, ...others].map((row) => ({ ...row, label: row.name.replaceAll("_", " ") })),
    ...custom.map((field) => ({
      name: field.api,
      label: field.label,
      about: field.api,
      custom: field,
      kind: CUSTOM_KINDS[field.type] ?? (field.values.length > 0 ? "choice" : "text"),
    })),
  ];
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

/** Context of a prompt for a field: its values come from the catalog; `leave` receives an unfinished text. */
type FieldContext = {
  context: Context;
  catalog: Catalog;
  leave: (form: NewBugValues) => void;
};

/** Prompts for a field; returns the form with its value, which joins those of a list. */
async function askField(field: FormField, form: NewBugValues, asking: FieldContext): Promise<NewBugValues> {
  return withAnswer(field, form, (await asking.context.io.prompt(questionFor(field, form, asking))).trim());
}

function withAnswer(field: FormField, form: NewBugValues, answer: string): NewBugValues {
  if (field.custom) {
    const others = flagValues(form.field).filter(
      (pair) => (field.custom && isListField(field.custom)) || !isValueOf(field, pair),
    );
    return { ...form, field: [...others, `${field.name}=${answer}`] };
  }
  const flag = commandFlagName(field.name);
  if (!["people", "choices"].includes(field.kind)) return { ...form, [flag]: answer };
  return { ...form, [flag]: [...new Set([...flagValues(form[flag]), quotedIfNeeded(answer)])] };
}

function isValueOf({ name }: FormField, pair: string): boolean {
  return pair.startsWith(`${name}=`);
}

function questionFor(field: FormField, form: NewBugValues, { context, catalog, leave }: FieldContext): Question {
  const { kind, label } = field;
  if (kind === "person" || kind === "people") return { kind: "search", message: label, find: userSearch(context) };
  const isList = kind === "choices" || (field.custom && isListField(field.custom));
  const [current] = isList ? [undefined] : formValues(field, form);
  if (kind === "bool") return { kind: "menu", message: label, choices: choicesOf(["yes", "no"], current) };
  const values = fieldChoices(field, form, catalog);
  if (values.length === 0) {
    checkOffer(field, form, catalog);
    return lineFor(field, form, leave);
  }
  const choices = choicesOf(values, current);
  return { kind: "search", message: label, find: async (term) => matchingChoices(choices, term) };
}

/** Choices of values; the one that is set comes first, so that Enter alone keeps it. */
function choicesOf(values: readonly string[], current: string | undefined): readonly PromptChoice[] {
  const [set, others] = partition(values, (value) => value.toLowerCase() === current?.toLowerCase());
  return [...set.map((value) => ({ value, name: plain(`${value} (current)`) })), ...others.map(choiceOf)];
}

function fieldChoices({ kind, name, custom }: FormField, form: NewBugValues, catalog: Catalog): readonly string[] {
  if (custom) return legalNames(custom) ?? [];
  return kind === "choice" || kind === "choices" ? offeredValues(name, catalog, flagValue(form.product)) : [];
}

/** Fails for a product without any of the values that a field must have: no bug can be filed in it. */
function checkOffer({ name, label, custom }: FormField, form: NewBugValues, catalog: Catalog): void {
  const product = flagValue(form.product);
  if (custom || product === undefined || !findField(catalog, name)?.isPerProduct) return;
  throw new BtError("refused", `${plain(product)} has no active ${label}`, {
    hint: "choose another product, or ask the administrator of the tracker",
    changed: "nothing",
  });
}

function lineFor(field: FormField, form: NewBugValues, leave: FieldContext["leave"]): Question {
  const start = formValues(field, form).join(", ");
  const check = (text: string) => {
    return text.trim() === "" ? `${field.label} is required` : messageOfError(() => checkedText(field.name, text));
  };
  const filled = { check, ...(start === "" ? {} : { start }) };
  if (field.kind !== "text") return { kind: "line", message: `${field.label} (${field.about})`, ...filled };
  const keep = (typed: string) => typed.trim() && leave(withAnswer(field, form, typed.trim()));
  return { kind: "line", message: field.label, leave: keep, ...filled };
}
