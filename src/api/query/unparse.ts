import { personWord } from "./families.ts";
import { quotedText } from "./parse.ts";
import { CHANGE_PARTS, isGroup, isNot, type Leaf, mapLeaves, type Query, type Term, type Tree } from "./tree.ts";

/** Expression that parses to the same tree; "" for the tree of all bugs. */
export function unparseTree(tree: Tree<Term>): string {
  return nestedText(tree, LOOSE);
}

/** A resolved query as an expression, with API names, expanded values and UTC times. */
export function unparseQuery(query: Query): string {
  return unparseTree(mapLeaves(query, unresolvedTree));
}

const LOOSE = 0; // precedence: "or" needs no brackets
const JOINED = 1; // within "and": "or" needs brackets
const TIGHT = 2; // after "not" every group needs brackets, within "or" they help the reader

function nestedText(tree: Tree<Term>, place: number): string {
  if (isNot(tree)) return `not ${nestedText(tree.of, TIGHT)}`;
  if (!isGroup(tree)) return termText(tree);
  if (tree.kind === "any" && tree.of.length === 0) return NO_BUG;
  const isAny = tree.kind === "any";
  const text = tree.of.map((one) => nestedText(one, isAny ? TIGHT : JOINED)).join(isAny ? " or " : " and ");
  return place > (isAny ? LOOSE : JOINED) ? `(${text})` : text;
}

/** Matches no bug: ids are at least 1. */
const NO_BUG = "id < 1";

type TestTerm = Term & { kind: "test" };

function termText(term: Term): string {
  if (term.kind === "is") return `is:${term.state}`;
  if (term.kind === "change") return changeTermText(term);
  if (term.kind === "flag") return flagTermText(term);
  const field = quotedName(term.field);
  if (term.op === "empty") return `${field} is empty`;
  if (term.op === ".." || term.op === "..<") return `${field}:${term.values.join(term.op)}`;
  if (term.op === ":") return `${field}:${term.values.map(quotedValue).join(",")}`;
  if (term.op === "=" && term.values.length > 1) return `${field} in ${operandsText(term.values)}`;
  return `${field} ${term.op} ${operandText(term)}`;
}

function changeTermText(change: Term & { kind: "change" }): string {
  const words = [quotedName(change.field), "changed"];
  for (const part of CHANGE_PARTS) {
    const text = change[part];
    if (text !== undefined) words.push(part, quotedValue(text));
  }
  return words.join(" ");
}

function flagTermText(flag: Term & { kind: "flag" }): string {
  const words = [quotedValue(flag.name)];
  for (const role of ["requestee", "setter"] as const) {
    const login = flag[role];
    if (login !== undefined) words.push(role, quotedValue(login));
  }
  return `flag(${words.join(" ")})`;
}

function operandsText(values: readonly string[]): string {
  return `(${values.map(quotedValue).join(", ")})`;
}

function operandText({ op, values: [first = ""] }: TestTerm): string {
  return op === "=~" && /^[^/\\\s]+$/.test(first) ? `/${first}/` : quotedValue(first);
}

/** A value, quoted if it could be mistaken for anything else. */
function quotedValue(text: string): string {
  return /^[\p{L}\p{N}@%#+_-][\p{L}\p{N}@%#+_.:?*-]*$/u.test(text) && !text.includes("..") ? text : quotedText(text);
}

function quotedName(text: string): string {
  return /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(text) && !isKeyword(text) ? text : quotedText(text);
}

function isKeyword(text: string): boolean {
  return /^(?:and|or|not|is|has|no)$/i.test(text);
}

/** The condition as it would be typed. */
function unresolvedTree(condition: Leaf): Tree<Term> {
  if (condition.kind === "flag") {
    const { requestee, setter } = condition;
    return { ...condition, requestee: requestee && personWord(requestee), setter: setter && personWord(setter) };
  }
  if (condition.kind === "change") {
    const { field, by } = condition;
    return { ...condition, field: field.api, by: by && personWord(by) };
  }
  const { field, op, values } = condition;
  if (values.includes("%last_changed%")) return { kind: "is", state: "unread" };
  return { kind: "test", field: field.api, op, values: values.map((one) => valueWord(field.family, one)) };
}

function valueWord(family: string, text: string): string {
  if (family === "person" || family === "people") return personWord(text);
  if (family === "yes-no") return text === "1" ? "yes" : "no";
  return family === "special" ? text.replace(/^(\d+)m$/, "$1mo") : text;
}
