import { quotedText } from "../../../src/api/query/parse.ts";
import { CHANGE_PARTS, isGroup, isNot, type Term, type Tree } from "../../../src/api/query/tree.ts";

/** A tree as an expression that parses to the same tree. */
export function treeText(tree: Tree<Term>, place = 0): string {
  if (isNot(tree)) return `not ${treeText(tree.of, 2)}`;
  if (!isGroup(tree)) return termText(tree);
  const isAny = tree.kind === "any";
  const text = tree.of.map((one) => treeText(one, isAny ? 2 : 1)).join(isAny ? " or " : " and ");
  return place > (isAny ? 0 : 1) ? `(${text})` : text;
}

function termText(term: Term): string {
  if (term.kind === "is") return `is:${term.state}`;
  const parts = (names: readonly string[]) =>
    Object.entries(term).flatMap(([name, text]) => (names.includes(name) ? [` ${name} ${quoted(String(text))}`] : []));
  if (term.kind === "flag") return `flag(${quoted(term.name)}${parts(["requestee", "setter"]).join("")})`;
  const field = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(term.field) ? term.field : quotedText(term.field);
  if (term.kind === "change") return `${field} changed${parts(CHANGE_PARTS).join("")}`;
  const { op, values } = term;
  if (op === "empty") return `${field} is empty`;
  if (op === ".." || op === "..<") return `${field}:${values.join(op)}`;
  if (op === ":") return `${field}:${values.map(quoted)}`;
  return op === "=" && values.length > 1
    ? `${field} in (${values.map(quoted).join(", ")})`
    : `${field} ${op} ${quoted(values[0] ?? "")}`;
}

function quoted(text: string): string {
  return /^[\p{L}\p{N}@%#+_-][\p{L}\p{N}@%#+_.:?*-]*$/u.test(text) && !text.includes("..") ? text : quotedText(text);
}
