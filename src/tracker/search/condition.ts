import type { JsonObject } from "../../wire/exchange.ts";
import type { CustomFieldRow } from "../bug-fields/values.ts";
import type { Call } from "../http/call.ts";
import { textValues } from "../http/input.ts";
import { Fault } from "../values.ts";

/** The criteria of all search parameters (plain, rows, changes, people, quicksearch) as a tree. */
export type Condition = Criterion | ConditionGroup | { readonly kind: "not"; readonly part: Condition };

/** One comparison: chart name of the field, wire name of the operator, and the value. */
export type Criterion = {
  readonly kind: "criterion";
  readonly field: string;
  readonly operator: string;
  readonly text: string;
  readonly items?: readonly string[]; // values that may contain commas; without them `anyexact` splits `text`
};

/** A group of conditions. With AND_G a single change must meet all of them. */
export type ConditionGroup = { readonly kind: "group"; readonly join: Join; readonly parts: readonly Condition[] };

/** Join of a group; values of the parameters `j1` and `j_top`. */
export type Join = "AND" | "OR" | "AND_G";

/** A criterion; its value is `text`, which may be a comma-separated list, or one of `items`. */
export function createCriterion(field: string, operator: string, text: string, items?: readonly string[]): Criterion {
  return { kind: "criterion", field, operator, text, ...(items && { items }) };
}

/** A group of conditions; an empty group matches everything. */
export function joinConditions(join: Join, parts: readonly Condition[]): ConditionGroup {
  return { kind: "group", join, parts };
}

export function negateIf(isNegated: boolean, part: Condition): Condition {
  return isNegated ? { kind: "not", part } : part;
}

export function allCriteria(condition: Condition): Criterion[] {
  if (condition.kind === "criterion") return [condition];
  return condition.kind === "not" ? allCriteria(condition.part) : condition.parts.flatMap(allCriteria);
}

/** An operator; a negative one holds where the test of its positive form fails. */
export type Operator = {
  readonly name: string; // its positive form
  readonly isNegative: boolean;
  readonly kind: "value" | "change" | "emptiness" | "fulltext";
};

/** @throws Fault other_fatal for an unknown operator @see Bugzilla/Search.pm, OPERATORS */
export function findOperator(wireName: string): Operator {
  const positive = POSITIVE_FORMS.get(wireName);
  const name = positive ?? (wireName === "substr" ? "substring" : wireName);
  const kind = OPERATOR_KINDS.get(name);
  if (kind === undefined) throw new Fault("other_fatal", `Bugzilla does not support the search type "${wireName}".`);
  return { name, kind, isNegative: positive !== undefined };
}

const VALUE_OPERATORS = [
  ...["equals", "lessthan", "lessthaneq", "greaterthan", "greaterthaneq", "anyexact"],
  ...["substring", "casesubstring", "anywordssubstr", "allwordssubstr", "regexp", "anywords", "allwords"],
];
const CHANGE_OPERATORS = ["changedbefore", "changedafter", "changedfrom", "changedto", "changedby"];

const OPERATOR_KINDS: ReadonlyMap<string, Operator["kind"]> = new Map([
  ...VALUE_OPERATORS.map((name) => [name, "value"] as const),
  ...CHANGE_OPERATORS.map((name) => [name, "change"] as const),
  ["isempty", "emptiness"],
  ["matches", "fulltext"],
]);

export const NEGATIVE_FORMS: ReadonlyMap<string, string> = new Map([
  ["equals", "notequals"],
  ["substring", "notsubstring"],
  ["regexp", "notregexp"],
  ["anywordssubstr", "nowordssubstr"],
  ["anywords", "nowords"],
  ["isempty", "isnotempty"],
  ["matches", "notmatches"],
]);

const POSITIVE_FORMS = new Map([...NEGATIVE_FORMS].map(([positive, negative]) => [negative, positive]));

/** Requester, time, parameters and custom fields of one search. */
export type SearchContext = Pick<Call, "store" | "requester" | "parameters" | "now"> & {
  readonly minBugId?: number; // only bugs from this id on are searched; absent: all bugs
  readonly customFields: ReadonlyMap<string, CustomFieldRow>; // by name, obsolete ones included
  /** Reports a parameter without effect. @throws Fault param_invalid on a strict tracker */
  readonly reportIgnored: (parameter: string, reason: string) => void;
};

export type ParameterValues = ReadonlyMap<string, readonly string[]>;

export function readParameterValues(input: JsonObject): ParameterValues {
  return new Map(Object.keys(input).map((name) => [name, textValues(input, name)]));
}

/** Values of a parameter joined by commas; "" if it was not sent. */
export function joinedText(values: ParameterValues, name: string): string {
  return (values.get(name) ?? []).join(",").trim();
}

/** Non-empty values of a parameter, trimmed. */
export function nonEmptyTexts(values: ParameterValues, name: string): string[] {
  return (values.get(name) ?? []).map((text) => text.trim()).filter((text) => text !== "");
}
