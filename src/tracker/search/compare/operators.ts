import { Fault } from "../../fault.ts";

/** The operators that say what a value is like; the others are these turned round, or about changes or emptiness. */
export type Positive =
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
export type Operator =
  | { readonly asks: "value"; readonly positive: Positive; readonly isNegative: boolean }
  | { readonly asks: "emptiness"; readonly isNegative: boolean }
  | { readonly asks: "change"; readonly change: Change }
  | { readonly asks: "fulltext"; readonly isNegative: boolean };

/** What is asked of a change. */
export type Change = "changedbefore" | "changedafter" | "changedfrom" | "changedto" | "changedby";

/** The operators that ask for one thing. */
export type Asks<What extends Operator["asks"]> = Extract<Operator, { readonly asks: What }>;

/** The operator of a wire name. */
export function operatorOf(name: string): Operator {
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (!operator) throw new Fault(400, 68000, `Bugzilla does not support the search type "${name}".`);
  return operator;
}

function value(positive: Positive, isNegative = false): Operator {
  return { asks: "value", positive, isNegative };
}

function change(kind: Change): Operator {
  return { asks: "change", change: kind };
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  equals: value("equals"),
  notequals: value("equals", true),
  anyexact: value("anyexact"),
  substring: value("substring"),
  substr: value("substring"),
  casesubstring: value("casesubstring"),
  notsubstring: value("substring", true),
  regexp: value("regexp"),
  notregexp: value("regexp", true),
  lessthan: value("lessthan"),
  lessthaneq: value("lessthaneq"),
  greaterthan: value("greaterthan"),
  greaterthaneq: value("greaterthaneq"),
  anywordssubstr: value("anywordssubstr"),
  allwordssubstr: value("allwordssubstr"),
  nowordssubstr: value("anywordssubstr", true),
  anywords: value("anywords"),
  allwords: value("allwords"),
  nowords: value("anywords", true),
  isempty: { asks: "emptiness", isNegative: false },
  isnotempty: { asks: "emptiness", isNegative: true },
  changedbefore: change("changedbefore"),
  changedafter: change("changedafter"),
  changedfrom: change("changedfrom"),
  changedto: change("changedto"),
  changedby: change("changedby"),
  matches: { asks: "fulltext", isNegative: false },
  notmatches: { asks: "fulltext", isNegative: true },
};
