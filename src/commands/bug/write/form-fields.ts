import { type Catalog, type CatalogField, findField, isSettable } from "../../../api/catalog.ts";
import { legalNames } from "../../../api/legal-values.ts";
import { quoted } from "../../../api/nearest.ts";
import { flagName, type ParameterKind } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { isListField } from "../../../api/write/custom-fields.ts";
import { checkedText } from "../../../api/write/limits.ts";
import { BtError } from "../../../errors.ts";
import { matching, type Question } from "../../../prompt/question.ts";
import { flagValue, flagValues } from "../../../session/flags.ts";
import { plain } from "../../../view/text.ts";
import { FIELD_TYPE } from "../../../wire/field-types.ts";
import { choiceOf, userSearch } from "../../shared/prompts.ts";
import type { Context } from "../../verb.ts";
import type { NewBugValues } from "./input.ts";
import { offeredValues } from "./new-bug.ts";

/** A field of the form of a new bug: the flag that it sets, or the custom field. */
export type FormField = {
  readonly name: string;
  readonly label: string;
  readonly about: string;
  readonly kind: ParameterKind;
  readonly custom?: CatalogField;
};

/** Fields in front: required ones, and those that users add most often. */
const FIRST = [
  ...["product", "component", "version", "summary", "assigned_to", "cc", "severity", "priority"],
  ...["keywords", "target_milestone", "depends_on", "blocks"],
];

/** All fields of the form, custom ones last. */
export function formFields(catalog: Catalog): FormField[] {
  const rows = CREATE_BUG.parameters.filter(({ name }) => name !== "description" && name !== "flags");
  const first = FIRST.flatMap((name) => rows.filter((row) => row.name === name));
  const custom = catalog.fields.filter(isSettable);
  return [
    ...[...first, ...rows.filter((row) => !first.includes(row))].map((row) => ({
      ...row,
      label: row.name.replaceAll("_", " "),
    })),
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
export function formValues({ name, custom }: FormField, form: NewBugValues): readonly string[] {
  if (custom === undefined) return flagValues(form[flagName(name)]);
  const pairs = flagValues(form.field).filter((pair) => pair.startsWith(`${name}=`));
  return pairs.map((pair) => pair.slice(name.length + 1));
}

/** Context of a prompt for a field: its values come from the catalog; `leave` receives an unfinished text. */
export type FieldContext = {
  context: Context;
  catalog: Catalog;
  leave: (form: NewBugValues) => void;
};

/** Prompts for a field; returns the form with its value, which joins those of a list. */
export async function askField(field: FormField, form: NewBugValues, asking: FieldContext): Promise<NewBugValues> {
  return withAnswer(field, form, (await asking.context.io.prompt(questionFor(field, form, asking))).trim());
}

function withAnswer(field: FormField, form: NewBugValues, answer: string): NewBugValues {
  if (field.custom) {
    const others = flagValues(form.field).filter(
      (pair) => (field.custom && isListField(field.custom)) || !isOf(field, pair),
    );
    return { ...form, field: [...others, `${field.name}=${answer}`] };
  }
  const flag = flagName(field.name);
  if (!["people", "choices"].includes(field.kind)) return { ...form, [flag]: answer };
  return { ...form, [flag]: [...new Set([...flagValues(form[flag]), quoted(answer)])] };
}

function isOf({ name }: FormField, pair: string): boolean {
  return pair.startsWith(`${name}=`);
}

function questionFor(field: FormField, form: NewBugValues, { context, catalog, leave }: FieldContext): Question {
  const { kind, label } = field;
  if (kind === "person" || kind === "people") return { kind: "search", message: label, find: userSearch(context) };
  if (kind === "bool") return { kind: "menu", message: label, choices: [choiceOf("yes"), choiceOf("no")] };
  const values = valuesOf(field, form, catalog);
  if (values.length === 0) {
    checkOffer(field, form, catalog);
    return lineFor(field, form, leave);
  }
  const choices = values.map(choiceOf);
  return { kind: "search", message: label, find: async (term) => matching(choices, term) };
}

function valuesOf({ kind, name, custom }: FormField, form: NewBugValues, catalog: Catalog): readonly string[] {
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
    if (text.trim() === "") return `${field.label} is required`;
    try {
      checkedText(field.name, text);
      return undefined;
    } catch (error) {
      if (error instanceof BtError) return error.message;
      throw error;
    }
  };
  const filled = { check, ...(start === "" ? {} : { start }) };
  if (field.kind !== "text") return { kind: "line", message: `${field.label} (${field.about})`, ...filled };
  const keep = (typed: string) => typed.trim() && leave(withAnswer(field, form, typed.trim()));
  return { kind: "line", message: field.label, leave: keep, ...filled };
}
