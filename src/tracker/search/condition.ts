import { Fault } from "../http/fault.ts";

/**
 * The criteria of a search as a tree. All forms of search parameters (plain, rows, boolean charts, changes, people,
 * quicksearch) are parsed into it; compile.ts turns it into SQL.
 */
export type Condition = Criterion | ConditionGroup | { kind: "not"; part: Condition };

/** One comparison: chart name of the field, wire name of the operator, and the value searched for. */
export type Criterion = {
  kind: "criterion";
  field: string;
  operator: string;
  text: string;
  items?: string[]; // values that may contain commas; without them `anyexact` splits `text`
};

/** A group of conditions. With AND_G a single change, comment or value must meet all of them. */
export type ConditionGroup = { kind: "group"; join: Join; parts: Condition[] };

/** Join of a group; values of the parameters `j1` and `j_top`. */
export type Join = "AND" | "OR" | "AND_G";

/** A criterion whose value may be a comma-separated list. */
export function createCriterion(field: string, operator: string, text: string): Criterion {
  return { kind: "criterion", field, operator, text };
}

/** A group of conditions; an empty group matches everything. */
export function joinConditions(join: Join, parts: Condition[]): ConditionGroup {
  return { kind: "group", join, parts };
}

/** The condition, negated if `isNegated`. */
export function negateIf(isNegated: boolean, part: Condition): Condition {
  return isNegated ? { kind: "not", part } : part;
}

/** All criteria in a condition, nested ones included. */
export function allCriteria(condition: Condition): Criterion[] {
  if (condition.kind === "criterion") return [condition];
  return condition.kind === "not" ? allCriteria(condition.part) : condition.parts.flatMap(allCriteria);
}

/** Positive operators on values; all others are their negations, or about changes, emptiness or full text. */
export type ComparisonOperator =
  | "equals"
  | "anyexact"
  | "lessthan"
  | "lessthaneq"
  | "greaterthan"
  | "greaterthaneq"
  | "substring"
  | "casesubstring"
  | "regexp"
  | "anywordssubstr"
  | "allwordssubstr"
  | "anywords"
  | "allwords";

/** Subject of an operator: a value, its absence, the bug's history, or the full text. */
export type SearchOperator =
  | { about: "value"; positive: ComparisonOperator; isNegative: boolean }
  | { about: "emptiness"; isNegative: boolean }
  | { about: "change"; change: ChangeOperator }
  | { about: "fulltext"; isNegative: boolean };

/** Operators on the bug's history. */
export type ChangeOperator = "changedbefore" | "changedafter" | "changedfrom" | "changedto" | "changedby";

export type OperatorOn<Subject extends SearchOperator["about"]> = Extract<SearchOperator, { about: Subject }>;

/** The operator with this wire name. @throws Fault other_fatal if there is none @see Bugzilla/Search.pm, OPERATORS */
export function findOperator(name: string): SearchOperator {
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (!operator) throw new Fault("other_fatal", `Bugzilla does not support the search type "${name}".`);
  return operator;
}

function valueOperator(positive: ComparisonOperator): SearchOperator {
  return { about: "value", positive, isNegative: false };
}

function negatedOperator(positive: ComparisonOperator): SearchOperator {
  return { about: "value", positive, isNegative: true };
}

function changeOperator(kind: ChangeOperator): SearchOperator {
  return { about: "change", change: kind };
}

const OPERATORS: Readonly<Record<string, SearchOperator>> = {
  equals: valueOperator("equals"),
  notequals: negatedOperator("equals"),
  anyexact: valueOperator("anyexact"),
  substring: valueOperator("substring"),
  substr: valueOperator("substring"),
  casesubstring: valueOperator("casesubstring"),
  notsubstring: negatedOperator("substring"),
  regexp: valueOperator("regexp"),
  notregexp: negatedOperator("regexp"),
  lessthan: valueOperator("lessthan"),
  lessthaneq: valueOperator("lessthaneq"),
  greaterthan: valueOperator("greaterthan"),
  greaterthaneq: valueOperator("greaterthaneq"),
  anywordssubstr: valueOperator("anywordssubstr"),
  allwordssubstr: valueOperator("allwordssubstr"),
  nowordssubstr: negatedOperator("anywordssubstr"),
  anywords: valueOperator("anywords"),
  allwords: valueOperator("allwords"),
  nowords: negatedOperator("anywords"),
  isempty: { about: "emptiness", isNegative: false },
  isnotempty: { about: "emptiness", isNegative: true },
  changedbefore: changeOperator("changedbefore"),
  changedafter: changeOperator("changedafter"),
  changedfrom: changeOperator("changedfrom"),
  changedto: changeOperator("changedto"),
  changedby: changeOperator("changedby"),
  matches: { about: "fulltext", isNegative: false },
  notmatches: { about: "fulltext", isNegative: true },
};
