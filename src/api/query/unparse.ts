import { personWord } from "./families.ts";
import { quotedText } from "./parse.ts";
import { CHANGE_PARTS, isGroup, isNot, type Leaf, type Query, type Test } from "./tree.ts";

/** A resolved query as an expression, with API names, expanded values and UTC times; "" for the query of all bugs. */
export function unparseQuery(query: Query): string {
  return nestedText(query, LOOSE);
}

const LOOSE = 0; // precedence: "or" needs no brackets
const JOINED = 1; // within "and": "or" needs brackets
const TIGHT = 2; // after "not" every group needs brackets, within "or" they help the reader

/** `place`: LOOSE, JOINED or TIGHT, by what stands around the text. */
function nestedText(query: Query, place: number): string {
  if (isNot(query)) return `not ${nestedText(query.of, TIGHT)}`;
  if (!isGroup(query)) return leafText(query);
  const isAny = query.kind === "any";
  if (isAny && query.of.length === 0) return NO_BUG;
  const text = query.of.map((one) => nestedText(one, isAny ? TIGHT : JOINED)).join(isAny ? " or " : " and ");
  return place > (isAny ? LOOSE : JOINED) ? `(${text})` : text;
}

/** Matches no bug: ids are at least 1. */
const NO_BUG = "id < 1";

function leafText(leaf: Leaf): string {
  if (leaf.kind === "test") return testText(leaf);
  if (leaf.kind === "flag") return `flag(${quotedValue(leaf.name)}${partsText(["requestee", "setter"], leaf)})`;
  return `${quotedName(leaf.field.api)} changed${partsText(CHANGE_PARTS, leaf)}`;
}

/** The parts of a change or a flag: ` from A by B`. */
function partsText<Name extends string>(names: readonly Name[], leaf: { readonly [N in Name]?: string | undefined }) {
  const given = names.map((name) => [name, leaf[name]] as const);
  return given.map(([name, text]) => (text === undefined ? "" : ` ${name} ${quotedValue(personWord(text))}`)).join("");
}

function testText({ field, op, values }: Test): string {
  if (values.includes("%last_changed%")) return "is:unread";
  const name = quotedName(field.api);
  const words = values.map((value) => valueWord(field.family, value));
  const [word = ""] = words;
  if (op === "empty") return `${name} is empty`;
  if (op === "=" && words.length > 1) return `${name} in (${words.map(quotedValue).join(", ")})`;
  return `${name} ${op} ${op === "=~" && /^[^/\\\s]+$/.test(word) ? `/${word}/` : quotedValue(word)}`;
}

/** A value, quoted if it could be mistaken for anything else. */
function quotedValue(text: string): string {
  return /^[\p{L}\p{N}@%#+_-][\p{L}\p{N}@%#+_.:?*-]*$/u.test(text) && !text.includes("..") ? text : quotedText(text);
}

function quotedName(text: string): string {
  const isKeyword = /^(?:and|or|not|is|has|no)$/i.test(text);
  return /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(text) && !isKeyword ? text : quotedText(text);
}

function valueWord(family: string, text: string): string {
  if (family === "person" || family === "people") return personWord(text);
  if (family === "yes-no") return text === "1" ? "yes" : "no";
  return family === "special" ? text.replace(/^(\d+)m$/, "$1mo") : text;
}
