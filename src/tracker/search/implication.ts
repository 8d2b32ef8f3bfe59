import { splitItems } from "./compare/text.ts";
import { isNumber } from "./compare/value.ts";
import { type ComparisonOperator, type Criterion, findOperator } from "./condition.ts";
import type { SearchContext } from "./context.ts";
import { readSearchDay, readSearchTime } from "./dates.ts";
import type { ValueSource } from "./field-source.ts";
import { fieldSource, SEARCH_FIELDS } from "./fields.ts";

/** A comparison of a field with one value, or its negation. */
export type SingleComparison = {
  readonly kind: "comparison";
  readonly field: string; // chart name
  readonly operator: string; // positive
  readonly text: string;
  readonly isNegated: boolean;
};

/** Comparisons that a criterion is an alternative of, and whether it is the negation of that. */
export function comparisonsOf(criterion: Criterion): {
  readonly of: readonly Omit<SingleComparison, "isNegated">[];
  readonly isNegative: boolean;
} {
  const { field, text } = criterion;
  const found = findOperator(criterion.operator);
  const one = (operator: string, value: string) => ({ kind: "comparison", field, operator, text: value }) as const;
  if (found.about === "change") return { of: [one(found.change, text)], isNegative: false };
  if (found.about === "emptiness") return { of: [one("isempty", "")], isNegative: found.isNegative };
  if (found.about === "fulltext") return { of: [one("matches", text)], isNegative: found.isNegative };
  const { positive, isNegative } = found;
  if (isNegative && DENIED_PER_VALUE.has(field)) return { of: [one(criterion.operator, text)], isNegative: false };
  const of = positive === "anyexact" ? splitItems(criterion).map((item) => one("equals", item)) : [one(positive, text)];
  return { of, isNegative };
}

/** Fields whose negative operators are about single values. @see compile.ts */
const DENIED_PER_VALUE: ReadonlySet<string> = new Set(["alias", "longdesc"]);

/** True if a bug that meets `left` provably meets `right`. */
export function impliesComparison(left: SingleComparison, right: SingleComparison, context: SearchContext): boolean {
  if (left.field !== right.field) return false;
  if (left.isNegated === right.isNegated && left.operator === right.operator && left.text === right.text) return true;
  if (left.isNegated) return right.isNegated && impliesPositive(right, left, context);
  return right.isNegated ? excludes(left, right, context) : impliesPositive(left, right, context);
}

function impliesPositive(left: SingleComparison, right: SingleComparison, context: SearchContext): boolean {
  const source = sourceOf(left.field, context);
  if (!source || isPronoun(left.text) || isPronoun(right.text)) return false;
  if (source.kind === "text" || source.kind === "person") return impliesText(left, right);
  const [value, bound] = [left, right].map(({ text }) => comparable(text, source, context));
  return value !== undefined && bound !== undefined && isWithin([left.operator, value], [right.operator, bound]);
}

/** Text is compared without regard to letter case; a value contains what its parts contain. */
function impliesText(left: SingleComparison, right: SingleComparison): boolean {
  const [text, other] = [left.text.toLowerCase(), right.text.toLowerCase()];
  if (left.operator === "equals" && right.operator === "equals") return text === other;
  const isPart = left.operator === "equals" || left.operator === "substring";
  return isPart && right.operator === "substring" && text.includes(other);
}

/** A value that equals one text has no other, and is not empty. */
function excludes(left: SingleComparison, right: SingleComparison, context: SearchContext): boolean {
  const source = sourceOf(left.field, context);
  if (left.operator !== "equals" || left.text === "" || !(source?.kind === "text" || source?.kind === "person"))
    return false;
  if (right.operator === "isempty") return true;
  const isSingle = source.link === undefined || source.link.bug.text !== "bug.id";
  const isPlain = [left.text, right.text].every((text) => /^\p{ASCII}+$/u.test(text) && !isPronoun(text));
  return isSingle && isPlain && right.operator === "equals" && left.text.toLowerCase() !== right.text.toLowerCase();
}

function sourceOf(field: string, context: SearchContext): ValueSource | undefined {
  const isKnown = SEARCH_FIELDS.includes(field) || context.customFields.has(field);
  return isKnown ? fieldSource(context, field) : undefined;
}

function isPronoun(text: string): boolean {
  return /^%.*%$/.test(text);
}

type Comparable = string | number;

/** A number, or a time as text; undefined for anything else. */
function comparable(text: string, { kind }: ValueSource, { now }: SearchContext): Comparable | undefined {
  if (kind === "number") return isNumber(text) ? Number(text) : undefined;
  return (kind === "day" ? readSearchDay(text, now) : readSearchTime(text, now)) || undefined;
}

type Bound = readonly [operator: string, value: Comparable];

/** True if all values that meet the first comparison meet the second. */
function isWithin([operator, value]: Bound, [other, bound]: Bound): boolean {
  const isAbove = other.startsWith("greater");
  if (!ORDERS.has(other) || (operator !== "equals" && operator.startsWith("greater") !== isAbove))
    return operator === "equals" && other === "equals" && value === bound;
  if (!(operator === "equals" || ORDERS.has(operator))) return false;
  if (value === bound) return other.endsWith("eq") || (operator !== "equals" && !operator.endsWith("eq"));
  return isAbove ? value > bound : value < bound;
}

const ORDERS: ReadonlySet<string> = new Set<ComparisonOperator>([
  "lessthan",
  "lessthaneq",
  "greaterthan",
  "greaterthaneq",
]);
