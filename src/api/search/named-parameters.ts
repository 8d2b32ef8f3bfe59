import { DEFAULT_BUG_FIELDS } from "../../wire/bug-fields.ts";
import { type Catalog, type CatalogField, findField } from "../catalog/catalog.ts";
import { grouped } from "../lists.ts";
import type { QueryPair } from "../query/chart.ts";
import { flagsToTree } from "../query/flags-to-tree.ts";
import { allOf, anyOf, type Comparison, type Term, type UnresolvedQuery } from "../query/tree.ts";

/** Keys of bug JSON that are not parameters. */
const UNMAPPED: ReadonlySet<string> = new Set([
  "groups",
  "flags",
  "actual_time",
  "is_cc_accessible",
  "is_creator_accessible",
]);

/** True for the keys of bug JSON that Search Bugs knows as parameters. */
export function isInterfaceName(name: string): boolean {
  return name === "tags" || (DEFAULT_BUG_FIELDS.includes(name) && !UNMAPPED.has(name));
}

/** The field that a parameter is about: by its internal name, with "_" for ".", or its name in bug JSON, not by synonyms. */
export function parameterField(name: string, catalog: Catalog): CatalogField | undefined {
  const field = findField(catalog, name) ?? findField(catalog, name.replace("_", "."));
  if (field === undefined) return undefined;
  const isOwn = name === field.chart || name === searchPageName(field) || (name === field.api && isInterfaceName(name));
  return isOwn ? field : undefined;
}

/** Parameter of a field on the search page. */
export function searchPageName({ chart }: CatalogField): string {
  return chart.replaceAll(".", "_");
}

/**
 * Conditions of parameters that name fields, which can be combined with others. Undefined if one of the parameters is part
 * of a form or a row of the search page.
 */
export function namedConditions(pairs: QueryPair[], catalog: Catalog): UnresolvedQuery | undefined {
  const conditions: UnresolvedQuery[] = [];
  for (const [name, named] of grouped(pairs, (pair) => pair[0])) {
    const field = parameterField(name, catalog);
    const values = named.map(([, value]) => value);
    const condition = field && conditionOn(field, name, values, catalog);
    if (condition === undefined) return undefined;
    conditions.push(condition);
  }
  return conditions.length > 0 ? allOf(conditions) : undefined;
}

/** Bugzilla finds words of texts and creators by the names of the REST interface; all else is as by flags. */
function conditionOn(field: CatalogField, name: string, values: string[], catalog: Catalog) {
  const { api, chart, family } = field;
  const test = (op: Comparison, ...compared: string[]): Term => ({
    kind: "test",
    field: api,
    op,
    values: compared,
  });
  const words = values.flatMap((value) => value.split(/[\s,]+/)).filter((word) => word !== "");
  if (chart === "content") return test("matches", values.join(","));
  if (family === "text" && name === chart) return test("=", ...values);
  if (family === "text") return allOf(words.map((word) => test("~", word)));
  if (name === "creator") return anyOf(words.map((word) => test("~", word)));
  const isPlain = AS_BY_FLAGS.has(family) || chart === "creation_ts" || chart === "delta_ts";
  return isPlain ? flagsToTree({ [api]: values.map((value) => value.replace(STATE, "@$1")) }, catalog) : undefined;
}

/** Words of the search page for statuses. */
const STATE = /^__(open|closed|all)__$/;

const AS_BY_FLAGS: ReadonlySet<string> = new Set([
  "choice",
  "choices",
  "ranked",
  "person",
  "people",
  "texts",
  "number",
  "numbers",
]);
