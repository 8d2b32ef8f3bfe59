import type { WireField } from "../../wire/bug-fields.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { type BugField, CHOICE_FIELDS, FIELDS, STORED_FIELDS } from "../fields.ts";
import { type Condition, criteriaOf } from "./condition.ts";
import type { ParameterValues, SearchContext } from "./context.ts";
import { fieldSource } from "./fields.ts";
import { relevanceWeights } from "./fulltext.ts";
import { bugColumn, commaList, type Sql, sql } from "./sql.ts";

/**
 * SQL of `order=`: comma-separated columns, each with optional ASC or DESC, then id. Unknown columns and repeated
 * parameters are ignored.
 */
export function readSortOrder(context: SearchContext, values: ParameterValues, condition: Condition): Sql {
  const [text = "", second] = values.get("order") ?? [];
  if (second !== undefined) {
    context.reportIgnored("order", "it can be given once; separate columns by commas");
    return sql`bug.id`;
  }
  const keys = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .flatMap((part) => readPart(context, part, condition));
  return commaList([...keys, sql`bug.id`]);
}

function readPart(context: SearchContext, part: string, condition: Condition): readonly Sql[] {
  const [, name = "", direction] = /^(\S+)(?:\s+(ASC|DESC))?$/i.exec(part) ?? [];
  const keys = keysOf(context, OLD_NAMES.get(name) ?? name.replace(/^bugs\./, ""), condition);
  if (keys.length === 0) context.reportIgnored("order", `'${part}' is no column to sort by`);
  return direction?.toUpperCase() === "DESC" ? keys.map((key) => sql`${key} DESC`) : keys;
}

const OLD_NAMES: ReadonlyMap<string, string> = new Map([
  ["bugs.creation_ts", "opendate"],
  ["bugs.delta_ts", "changeddate"],
]);

function keysOf(context: SearchContext, column: string, condition: Condition): readonly Sql[] {
  if (column === "relevance") {
    const texts = criteriaOf(condition).flatMap(({ field, text }) => (field === "content" ? [text] : []));
    return texts.length === 0 ? [] : [sql`(SELECT weight FROM ${relevanceWeights(texts)} WHERE bug_id = bug.id)`];
  }
  const customField = context.customFields.get(column);
  if (customField) return customKeys(context, column);
  return COLUMNS.get(column)?.(context) ?? [];
}

type SortKeys = (context: SearchContext) => readonly Sql[];

/** Sorts by the sort key of the legal value, then by name. */
function ranked(field: string, value: Sql): Sql[] {
  return [rank(field, value), value];
}

function rank(field: string, value: Sql): Sql {
  return sql`(
  SELECT sort_key FROM field_values
  WHERE field_id = (SELECT id FROM fields WHERE name = ${field}) AND field_values.name = ${value})`;
}

/** Sorts by the value that criteria compare; ignored outside the group that may read it. */
function compared({ chart, readers }: BugField): SortKeys {
  return (context) => {
    const isHidden = readers !== undefined && !context.requester.groups.has(context.parameters.timetrackinggroup);
    return isHidden ? [] : [fieldSource(context, chart).value];
  };
}

function customKeys(context: SearchContext, name: string): Sql[] {
  const type = context.customFields.get(name)?.type;
  if (type === FIELD_TYPE.multiSelect) return [];
  const { value } = fieldSource(context, name);
  return type === FIELD_TYPE.select ? [rank(name, value), value] : [value];
}

/** Fields whose values are sorted by what their column refers to, or by more than their values. */
const REFERENCES: Readonly<Partial<Record<WireField, readonly Sql[]>>> = {
  product: [sql`(SELECT name FROM products WHERE id = bug.product_id)`],
  component: [sql`(SELECT name FROM components WHERE id = bug.component_id)`],
  classification: [
    sql`(
    SELECT classifications.name FROM products JOIN classifications ON classifications.id = classification_id
    WHERE products.id = bug.product_id)`,
  ],
  target_milestone: [
    sql`(SELECT sort_key FROM milestones WHERE product_id = bug.product_id AND name = bug.target_milestone)`,
    sql`bug.target_milestone`,
  ],
};

function keysOfField(field: BugField): SortKeys {
  const references = REFERENCES[field.name];
  if (references) return () => references;
  const person = STORED_FIELDS.find(({ name }) => name === field.nameOf);
  if (person) return () => [sql`(SELECT real_name FROM users WHERE id = ${bugColumn(person.column)})`];
  if (field.column === undefined || field.readers) return compared(field);
  const value = bugColumn(field.column);
  if (field.family === "person") return () => [sql`(SELECT login FROM users WHERE id = ${value})`];
  return () => (CHOICE_FIELDS.some(({ name }) => name === field.name) ? ranked(field.chart, value) : [value]);
}

/** The columns that bugs can be sorted by, under the names that `order` takes. */
const COLUMNS: ReadonlyMap<string, SortKeys> = new Map(
  FIELDS.flatMap((field) => {
    const { order, chart } = field;
    return order ? [[order === true ? chart : order, keysOfField(field)] as const] : [];
  }),
);

/** The names of all columns that bugs can be sorted by, without those of custom fields. */
export const SORT_COLUMNS: readonly string[] = [...COLUMNS.keys(), "relevance"];
