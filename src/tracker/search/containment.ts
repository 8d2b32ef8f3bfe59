import type { Condition, Criterion, Join } from "./condition.ts";
import type { SearchContext } from "./context.ts";
import { comparisonsOf, impliesComparison, type SingleComparison } from "./implication.ts";

/** Fields, values and time for a proof, and the bugs that are covered by their numbers. */
export type ProofContext = SearchContext & { readonly covers: (id: number) => boolean };

/**
 * True if every bug that meets `question` provably meets `criteria`, or is covered by its number. False proves nothing:
 * the proof knows equal conditions, subsets of values, narrower ranges and longer substrings.
 */
export function isContained(question: Condition, criteria: Condition, context: ProofContext): boolean {
  return implies(clauseOf(question, context), clauseOf(criteria, context), context);
}

/** A condition whose negations are on its comparisons. An empty `all` matches every bug, an empty `any` none. */
type Clause = ClauseGroup | SameMatch | SingleComparison;
type ClauseGroup = Group<"all"> | Group<"any">;
type Group<Kind extends string> = { readonly kind: Kind; readonly of: readonly Clause[] };

/** Criteria that one change or value meets together; `parts` are those that it therefore meets. */
type SameMatch = { readonly kind: "same"; readonly text: string; readonly parts: readonly Clause[] };

const JOINS: Readonly<Record<Exclude<Join, "AND_G">, readonly ["all" | "any", "all" | "any"]>> = {
  AND: ["all", "any"],
  OR: ["any", "all"],
};

function clauseOf(condition: Condition, context: ProofContext, isNegated = false): Clause {
  if (condition.kind === "not") return clauseOf(condition.part, context, !isNegated);
  if (condition.kind === "criterion") return criterionClause(condition, isNegated);
  const { join, parts } = condition;
  if (join === "AND_G") return sameMatch(parts, context, isNegated);
  const of = parts.filter((part) => !isBlank(part)).map((part) => clauseOf(part, context, isNegated));
  if (of.length === 0) return { kind: "all", of };
  return { kind: JOINS[join][isNegated ? 1 : 0], of };
}

/** True for groups without criteria, which searches leave out whatever they are joined by. */
function isBlank(condition: Condition): boolean {
  if (condition.kind === "not") return isBlank(condition.part);
  return condition.kind === "group" && condition.parts.every(isBlank);
}

function sameMatch(parts: readonly Condition[], context: ProofContext, isNegated: boolean): Clause {
  const [only] = parts;
  if (only && parts.length === 1) return clauseOf(only, context, isNegated);
  const positive = isNegated ? [] : parts.filter(({ kind }) => kind === "criterion");
  return {
    kind: "same",
    text: `${isNegated ? "not " : ""}${JSON.stringify(parts)}`,
    parts: positive.map((part) => clauseOf(part, context)),
  };
}

/** A list of values is an alternative of comparisons with each. */
function criterionClause(criterion: Criterion, isNegated: boolean): Clause {
  const { of, isNegative } = comparisonsOf(criterion);
  const isNot = isNegated !== isNegative;
  const comparisons = of.map((one) => ({ ...one, isNegated: isNot }));
  const [only] = comparisons;
  return only && of.length === 1 ? only : { kind: isNot ? "all" : "any", of: comparisons };
}

/**
 * Each alternative of the left has to imply each part of the right; one part of the left, or one alternative of the right,
 * is enough.
 */
function implies(left: Clause, right: Clause, context: ProofContext): boolean {
  if (left.kind === "comparison" && isCovered(left, context)) return true;
  if (left.kind === "any") return left.of.every((one) => implies(one, right, context));
  if (right.kind === "all") return right.of.every((one) => implies(left, one, context));
  if (right.kind === "any" && right.of.some((one) => implies(left, one, context))) return true;
  if (left.kind === "all") return left.of.some((one) => implies(one, right, context));
  return left.kind === "comparison"
    ? right.kind === "comparison" && impliesComparison(left, right, context)
    : impliesSame(left, right, context);
}

function impliesSame(left: SameMatch, right: Clause, context: ProofContext): boolean {
  return (right.kind === "same" && left.text === right.text) || left.parts.some((one) => implies(one, right, context));
}

function isCovered({ field, operator, text, isNegated }: SingleComparison, { covers }: ProofContext): boolean {
  return field === "bug_id" && operator === "equals" && !isNegated && covers(Number(text));
}
