import { BtError } from "../../errors.ts";
import { DEFAULT_BUG_FIELDS } from "../../wire/bug-fields.ts";
import { type CatalogField, findField, requireField } from "../catalog.ts";
import { legalValue, statusNames } from "../legal-values.ts";
import { suggestNames } from "../nearest.ts";
import { checkQuicksearch } from "../query/quicksearch.ts";
import { allOf, anyOf, type Query, type QueryContext } from "../query/tree.ts";
import { operatorMeaning } from "./operators.ts";

/** All values of one parameter, with its name as written. */
export type UrlParameter = { readonly name: string; readonly values: readonly string[] };

/** The other parameters of the same search. */
export type OtherParameters = ReadonlyMap<string, readonly string[]>;

/**
 * Meaning of a plain parameter of the search page or of Search Bugs; undefined if the query language has no equivalent.
 * @throws BtError of kind usage for a name that the server would ignore
 */
export function parameterMeaning(
  { name, values }: UrlParameter,
  others: OtherParameters,
  context: QueryContext,
): Query | undefined {
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined;
  if (special !== undefined) return special(values, context);
  const field = findField(context.catalog, name) ?? findField(context.catalog, name.replace("_", "."));
  if (field !== undefined && isParameter(field, name))
    return fieldMeaning(field, { name, values }, { others, context });
  throw new BtError("usage", `unknown search parameter "${name}"; the tracker would ignore it`, {
    hint: suggestNames(
      name,
      context.catalog.fields.flatMap(({ chart, api }) => (isMapped(api) ? [chart, api] : [chart])),
    ),
  });
}

/** Keys of bug JSON that are not parameters. */
const UNMAPPED: ReadonlySet<string> = new Set([
  "groups",
  "flags",
  "actual_time",
  "is_cc_accessible",
  "is_creator_accessible",
]);

function isMapped(name: string): boolean {
  return DEFAULT_BUG_FIELDS.includes(name) && !UNMAPPED.has(name);
}

/** True for internal names (with "_" for ".") and most keys of bug JSON; synonyms of this tool are not parameters. */
function isParameter({ api, chart }: CatalogField, name: string): boolean {
  return name === chart || name === chart.replace(".", "_") || (name === api && (isMapped(api) || name === "tags"));
}

type Surroundings = { readonly others: OtherParameters; readonly context: QueryContext };

function fieldMeaning(
  field: CatalogField,
  { name, values }: UrlParameter,
  { others, context }: Surroundings,
): Query | undefined {
  const type = field.chart === "bug_id" ? undefined : others.get(`${field.chart.replace(".", "_")}_type`)?.[0];
  const operator = OPERATOR_NAMES[type ?? ""] ?? type ?? defaultOperator(field, name);
  if (["choice", "ranked"].includes(field.family) && type === undefined) return oneOf(field, values, context);
  return operatorMeaning({ field, operator, values }, context);
}

const OPERATOR_NAMES: Readonly<Record<string, string>> = { exact: "equals", notexact: "notequals" };

/**
 * Operator without a type: the search page compares exactly; names that only the REST interface has are compared as
 * there.
 */
function defaultOperator({ api, chart, family }: CatalogField, name: string): string {
  if (name !== api || api === chart) return "anyexact";
  if (family === "text") return "allwordssubstr";
  return family === "person" ? "anywordssubstr" : "anyexact";
}

const STATES: Readonly<Record<string, "open" | "closed">> = { __open__: "open", __closed__: "closed" };

function oneOf(field: CatalogField, values: readonly string[], context: QueryContext): Query {
  if (field.chart === "bug_status" && values.includes("__all__")) return allOf([]);
  const names = values.flatMap((value) => {
    const state = field.chart === "bug_status" ? STATES[value] : undefined;
    if (state !== undefined) return statusNames(context.catalog, state);
    return value === "---" && field.chart === "resolution" ? [] : [legalValue(field, value)];
  });
  const blank: Query = { kind: "test", field, op: "empty", values: [] };
  const named: Query = { kind: "test", field, op: "=", values: names };
  const hasBlank = field.chart === "resolution" && values.includes("---");
  return anyOf([...(hasBlank ? [blank] : []), ...(names.length > 0 ? [named] : [])]);
}

type Special = (values: readonly string[], context: QueryContext) => Query | undefined;

function bound(name: string, operator: string): Special {
  return (values, context) =>
    operatorMeaning({ field: requireField(context.catalog, name), operator, values }, context);
}

/** The parameters with the first and the last day on which bugs are due. */
export const DUE_DAYS = ["deadlinefrom", "deadlineto"] as const;

const [FIRST_DAY, LAST_DAY] = DUE_DAYS;

const SPECIAL: Readonly<Record<string, Special>> = {
  creation_time: bound("creation_time", "greaterthaneq"),
  last_change_time: bound("last_change_time", "greaterthaneq"),
  [FIRST_DAY]: bound("deadline", "greaterthaneq"),
  [LAST_DAY]: bound("deadline", "lessthaneq"),
  content: bound("fulltext", "matches"),
  commenter: bound("commenter", "equals"),
  quicksearch: (values) => {
    for (const value of values) checkQuicksearch(value);
    return undefined;
  },
};
