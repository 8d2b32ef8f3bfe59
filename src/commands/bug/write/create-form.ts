import { rm } from "node:fs/promises";
import { dirname } from "node:path";
import { type Catalog, requireField } from "../../../api/catalog.ts";
import { legalValue } from "../../../api/legal-values.ts";
import { flagName } from "../../../api/operations/operation.ts";
import { BtError } from "../../../errors.ts";
import { matching, type PromptChoice } from "../../../prompt/question.ts";
import { type FlagValues, flagValue } from "../../../session/flags.ts";
import { cardRows } from "../../../view/card.ts";
import { hintsText, warningText } from "../../../view/messages.ts";
import { plain } from "../../../view/text.ts";
import { DEFAULTED_FIELDS } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { editText } from "../../shared/editor.ts";
import { askField, type BugForm, type FormField, formFields, formValues } from "../../shared/form-fields.ts";
import { DESCRIPTION } from "../../shared/input-text.ts";
import type { Context } from "../../verb.ts";
import { bodyAsTyped, missingFields, offeredValues } from "./new-bug.ts";
import { REQUIRED } from "./required-fields.ts";

/** Steps of a form: the catalog for its product, its validation, and its end as a request or a draft. */
export type FormSteps<Result> = {
  readonly isReviewed: boolean;
  readonly catalog: (flags: FlagValues) => Promise<Catalog>;
  readonly body: (flags: FlagValues) => Promise<JsonObject>; // validates the form
  readonly submit: (body: JsonObject) => Promise<Result>;
  readonly keep: (body: JsonObject) => Promise<string>; // stores a draft; returns its job
  readonly compare?: ((flags: FlagValues) => Promise<void>) | undefined; // shows similar bugs
};

/** A form while the user fills it in. */
type Form<Result> = {
  readonly steps: FormSteps<Result>;
  readonly context: Context;
  readonly given: FlagValues;
  flags: BugForm;
  isTyped: boolean; // something would be lost
  isSent: boolean; // the request is in the journal, or on its way
};

/**
 * Prompts for what a new bug lacks, and submits it after a review; undefined if the user keeps it as a draft. What was
 * typed is also kept as a draft if the user leaves a prompt, or something fails before the bug is sent.
 * @throws BtError of kind no if the user cancels
 */
export async function fillForm<Result>(
  given: FlagValues,
  steps: FormSteps<Result>,
  context: Context,
): Promise<Result | undefined> {
  const isTyped = context.drafts.length > 0; // in the editor
  const form: Form<Result> = { steps, context, given, flags: { ...given }, isTyped, isSent: false };
  try {
    await askMissing(form);
    if (!steps.isReviewed) return await submit(form);
    await askDescription(form);
    return await review(form);
  } catch (error) {
    if (form.isTyped && !form.isSent && steps.isReviewed) await keepDraft(form);
    throw error;
  }
}

async function askMissing<Result>(form: Form<Result>): Promise<void> {
  const { context, steps } = form;
  const given = flagValue(form.flags["product"]);
  const product = requireField(await steps.catalog(form.flags), "product");
  if (given !== undefined) form.flags["product"] = legalValue(product, given);
  const choicesFirst = [...missingFields(form.flags)].sort((one, other) => one.kind.localeCompare(other.kind));
  for (const { name } of choicesFirst) {
    const values = offeredValues(name, await steps.catalog(form.flags), flagValue(form.flags["product"]));
    const [only, ...others] = values;
    if (only !== undefined && others.length === 0) {
      form.flags[flagName(name)] = only;
      await context.io.err(`${name.replaceAll("_", " ")}: ${plain(only)} (the only one)\n`);
    } else await ask(name, form);
  }
}

/** Prompts for one field by its name. */
async function ask<Result>(name: string, form: Form<Result>): Promise<void> {
  const catalog = await form.steps.catalog(form.flags);
  const field = formFields(catalog).find((one) => one.name === name);
  if (field === undefined) return;
  const take = (flags: BugForm) => {
    form.flags = flags;
    form.isTyped = true;
  };
  take(await askField(field, form.flags, { context: form.context, catalog, leave: take }));
}

const WAYS: readonly PromptChoice[] = [
  { value: "line", name: "type a line here" },
  { value: "editor", name: "write it in the editor" },
  { value: "none", name: "leave it empty" },
];

async function askDescription<Result>(form: Form<Result>): Promise<void> {
  const { io } = form.context;
  const take = (typed: string) => {
    form.flags["description"] = typed || undefined;
    form.isTyped ||= typed !== "";
  };
  while (form.flags["description"] === undefined) {
    const way = await io.prompt({ kind: "menu", message: "description", choices: WAYS });
    if (way === "none") return;
    if (way === "editor") await editDescription(form);
    else take(await io.prompt({ kind: "line", message: "description", leave: take }));
  }
  form.isTyped = true;
}

/** Opens the editor; without a new text the description stays as it is. */
async function editDescription<Result>(form: Form<Result>): Promise<void> {
  const { context } = form;
  const start = flagValue(form.flags["description"]) ?? "";
  try {
    form.flags["description"] = await editText({ name: "description", start, beside: DESCRIPTION }, context);
    form.isTyped = true;
    for (const { file } of context.drafts.splice(0)) await rm(dirname(file), { recursive: true, force: true });
  } catch (error) {
    await complain(error, form);
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

async function review<Result>(form: Form<Result>): Promise<Result | undefined> {
  for (;;) {
    await showForm(form);
    await form.steps.compare?.(form.flags);
    const action = await form.context.io.prompt({ kind: "menu", message: "What next?", choices: ACTIONS });
    if (action === "keep") {
      await keepDraft(form);
      return undefined;
    }
    if (action === "submit") {
      const result = await submit(form).catch((error: unknown) => mend(error, form));
      if (form.isSent) return result;
    } else await change(action, form);
  }
}

async function submit<Result>(form: Form<Result>): Promise<Result> {
  const body = await form.steps.body(form.flags);
  form.isSent = true;
  return form.steps.submit(body);
}

/**
 * Shows why a bug was not sent, or refused, and prompts for values that this tracker requires. An error stands if the bug
 * may have been created, which its job verifies.
 */
async function mend<Result>(error: unknown, form: Form<Result>): Promise<undefined> {
  if (!(error instanceof BtError)) throw error;
  const { changed, bugzillaCode } = error.facts;
  if (form.isSent && changed !== "nothing") throw error;
  form.isSent = false;
  await complain(error, form);
  if (bugzillaCode !== REQUIRED) return;
  for (const name of DEFAULTED_FIELDS) if (form.flags[flagName(name)] === undefined) await ask(name, form);
}

/** Shows an error that the user can correct. */
async function complain<Result>(error: unknown, { context }: Form<Result>): Promise<void> {
  if (!(error instanceof BtError) || context.io.signal.aborted) throw error;
  const { details = [], hint } = error.facts;
  const message = [error.message, ...details].join("; ");
  await context.io.err(warningText(message, context.output.view, hint));
}

async function change<Result>(action: string, form: Form<Result>): Promise<void> {
  if (action === "cancel") {
    if (!(await mayDiscard(form))) return;
    form.isTyped = false;
    throw new BtError("no", "nothing sent", { changed: "nothing" });
  }
  if (action === "describe") return editDescription(form);
  const fields = formFields(await form.steps.catalog(form.flags));
  const isSet = (field: FormField) => formValues(field, form.flags).length > 0;
  const offered = fields.filter((field) =>
    action === "edit" ? isSet(field) : !isSet(field) || field.kind === "people",
  );
  const choices = offered.map(({ name, label, about }) => ({ value: name, name: plain(label), about: plain(about) }));
  const find = async (term: string) => matching(choices, term);
  const { product } = form.flags;
  await ask(await form.context.io.prompt({ kind: "search", message: "field", find }), form);
  if (form.flags["product"] !== product) await askPlace(form);
}

/** True if no description was typed, or the user agrees to lose it. */
async function mayDiscard<Result>({ flags, given, context }: Form<Result>): Promise<boolean> {
  const { description } = flags;
  if (!description || description === given["description"]) return true;
  return (await context.io.prompt({ kind: "confirm", message: "discard the description?" })) === "yes";
}

/** Drops the values that belong to the product before, and prompts for the required ones. */
async function askPlace<Result>(form: Form<Result>): Promise<void> {
  const { fields } = await form.steps.catalog(form.flags);
  for (const { api } of fields.filter(({ isPerProduct }) => isPerProduct)) form.flags[flagName(api)] = undefined;
  await askMissing(form);
}

/** Shows the form as a card on stderr. */
async function showForm<Result>({ flags, context, steps }: Form<Result>): Promise<void> {
  const rows = formFields(await steps.catalog(flags)).map((field) => ({
    label: field.label,
    facts: [{ text: plain(formValues(field, flags).join(", ")), isOneLine: true }],
  }));
  const [first = "", ...more] = plain(flagValue(flags["description"]) || "none", { lines: true }).split("\n");
  const text = more.length > 0 ? `${first} (${more.length + 1} lines)` : first;
  const last = { label: "description", facts: [{ text, isOneLine: true }] };
  await context.io.err(`\n${cardRows([...rows, last], context.output.view)}\n`);
}

/** Keeps the form as a draft and prints the next steps, or prints the form if that fails. */
async function keepDraft<Result>({ flags, steps, context }: Form<Result>): Promise<void> {
  const { io, output } = context;
  const body = await steps.body(flags).catch(() => bodyAsTyped(flags));
  try {
    const job = await steps.keep(body);
    const rest = missingFields(flags).map(({ name }) => name.replaceAll("_", " "));
    const lacks = rest.length > 0 ? ` without ${rest.join(", ")}` : "";
    const send = rest.length > 0 ? "prompts for the rest, and sends it" : "shows it again, and sends it";
    const hints = [`bt job send ${job} ${send}`, `bt job edit ${job} edits its description`];
    await io.err(warningText(`your bug is kept as a draft${lacks}`, output.view) + hintsText(hints, output.view));
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    await io.err(warningText(`your bug could not be kept as a draft: ${error.message}`, output.view));
    await io.err(`${plain(JSON.stringify(body, null, 2), { lines: true })}\n`);
  }
}
