import { Fault } from "../http/fault.ts";

/**
 * What a search asks for, as a tree. Every form that a request may use (plain parameters, rows, the old rows, changes,
 * people, quicksearch) is read into this one, and only this one is turned into SQL (compile.ts).
 */
export type Condition = Criterion | ConditionGroup | { readonly kind: "not"; readonly part: Condition };

/** One comparison: a field under its chart name, an operator by its wire name, and what is looked for. */
export type Criterion = {
  readonly kind: "row";
  readonly field: string;
  readonly operator: string;
  readonly text: string;
  readonly items?: readonly string[]; // values that may hold commas; without them `anyexact` takes `text` apart
};

/** Conditions joined; AND_G wants one and the same change, comment or value to meet them all. */
export type ConditionGroup = { readonly kind: "group"; readonly join: Join; readonly parts: readonly Condition[] };

/** How the parts of a group are joined, in the words of `j1` and `j_top`. */
export type Join = "AND" | "OR" | "AND_G";

/** One row. */
export function criterion(field: string, operator: string, text: string): Criterion {
  return { kind: "row", field, operator, text };
}

/** Conditions joined; a group of none asks for nothing. */
export function joinConditions(join: Join, parts: readonly Condition[]): ConditionGroup {
  return { kind: "group", join, parts };
}

/** The condition turned round, when it is to be. */
export function negateIf(isNegated: boolean, part: Condition): Condition {
  return isNegated ? { kind: "not", part } : part;
}

/** All rows of a condition, wherever they stand. */
export function criteriaOf(condition: Condition): readonly Criterion[] {
  if (condition.kind === "row") return [condition];
  return condition.kind === "not" ? criteriaOf(condition.part) : condition.parts.flatMap(criteriaOf);
}

/** The operators that say what a value is like; the others are these turned round, or about changes or emptiness. */
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

/** What an operator asks: about a value, about there being one, about the bug's history, or about the full text. */
export type SearchOperator =
  | { readonly asks: "value"; readonly positive: ComparisonOperator; readonly isNegative: boolean }
  | { readonly asks: "emptiness"; readonly isNegative: boolean }
  | { readonly asks: "change"; readonly change: ChangeOperator }
  | { readonly asks: "fulltext"; readonly isNegative: boolean };

/** What is asked of a change. */
export type ChangeOperator = "changedbefore" | "changedafter" | "changedfrom" | "changedto" | "changedby";

/** The operators that ask for one thing. */
export type OperatorOn<What extends SearchOperator["asks"]> = Extract<SearchOperator, { readonly asks: What }>;

/** The operator of a wire name. */
export function findOperator(name: string): SearchOperator {
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (!operator) throw new Fault(400, 68000, `Bugzilla does not support the search type "${name}".`);
  return operator;
}

function onValue(positive: ComparisonOperator, isNegative = false): SearchOperator {
  return { asks: "value", positive, isNegative };
}

function onChange(kind: ChangeOperator): SearchOperator {
  return { asks: "change", change: kind };
}

const OPERATORS: Readonly<Record<string, SearchOperator>> = {
  equals: onValue("equals"),
  notequals: onValue("equals", true),
  anyexact: onValue("anyexact"),
  substring: onValue("substring"),
  substr: onValue("substring"),
  casesubstring: onValue("casesubstring"),
  notsubstring: onValue("substring", true),
  regexp: onValue("regexp"),
  notregexp: onValue("regexp", true),
  lessthan: onValue("lessthan"),
  lessthaneq: onValue("lessthaneq"),
  greaterthan: onValue("greaterthan"),
  greaterthaneq: onValue("greaterthaneq"),
  anywordssubstr: onValue("anywordssubstr"),
  allwordssubstr: onValue("allwordssubstr"),
  nowordssubstr: onValue("anywordssubstr", true),
  anywords: onValue("anywords"),
  allwords: onValue("allwords"),
  nowords: onValue("anywords", true),
  isempty: { asks: "emptiness", isNegative: false },
  isnotempty: { asks: "emptiness", isNegative: true },
  changedbefore: onChange("changedbefore"),
  changedafter: onChange("changedafter"),
  changedfrom: onChange("changedfrom"),
  changedto: onChange("changedto"),
  changedby: onChange("changedby"),
  matches: { asks: "fulltext", isNegative: false },
  notmatches: { asks: "fulltext", isNegative: true },
};
