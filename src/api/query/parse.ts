import { BtError, usageError } from "../../errors.ts";
import { fieldNamed } from "../../wire/search-names.ts";
import { hasIgnoringCase } from "../lists.ts";
import { allOf, anyOf, CHANGE_PARTS, isNot, notOf, type Term, type Tree, type TypedOp } from "./tree.ts";

type Typed = Tree<Term>;

/** Position in an expression, advanced by the functions of this file. */
type Cursor = { readonly text: string; index: number };

/**
 * Parses an expression of the query language.
 * @throws BtError of kind usage with the column and what is expected
 */
export function parseExpression(text: string): Typed {
  const cursor = { text, index: 0 };
  if (isNext(cursor, END)) throw usageError("an empty expression would match every bug", EXAMPLES);
  const tree = readOr(cursor);
  if (!isNext(cursor, END)) throw syntaxError(cursor, `unexpected ${nextToken(cursor)}`, CONDITION);
  return tree;
}

/**
 * Parses search terms as received from a shell, as one expression; a term with "or" stands in brackets. Numbers alone are those
 * of bugs. A term of several words is a phrase of the summary, `"hang problem"`, unless it contains a condition, an operator, a
 * bracket or a quote; after a field's name it is the value whose quotes the shell removed: `component:"New Tab"`.
 */
export function parseTerms(terms: readonly string[]): Typed {
  const areIds = terms.length > 0 && terms.every((term) => /^#?[1-9]\d*(?:,#?[1-9]\d*)*$/.test(term));
  if (areIds) return parseExpression(`id:${terms.join().replaceAll("#", "")}`);
  return parseExpression(terms.map((term, at) => wholeTerm(term, terms.slice(0, at), terms[at + 1])).join(" "));
}

/** A term as it stands among the others; in brackets if it has an "or", or a change that the next term does not continue. */
function wholeTerm(term: string, before: readonly string[], next = ""): string {
  const isChange = (text: string) => /\S\s+changed(?:\s|$)/i.test(text);
  if (PART.test(term) && isChange(before.join(" "))) return term; // "from A" behind "status changed"
  const unquoted = term.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/gs, "");
  const isOpen = /\sor\s/i.test(unquoted) || (isChange(term) && !PART.test(next));
  const isAlone = before.length === 0 && next === "";
  return isOpen && !isAlone ? `(${term})` : quotedTerm(term);
}

const PART = /^\s*(?:from|to|by|since|before)(?:\s|$)/i;

/** A phrase in quotes; a single word, or what contains more than words, as it is. */
function quotedTerm(term: string): string {
  if (!/\s/.test(term.trim()) || /["'()=~<>|]|(?:^|\s)(?:and|or|not)(?:\s|$)/i.test(term)) return term;
  const [, name, value = ""] = /^([-!]?(?!(?:is|has|no):)[\w.]+:)(.*)$/is.exec(term) ?? [];
  if (hasCondition(name === undefined ? term : value)) return term;
  return name === undefined ? quotedText(term.trim()) : name + quotedText(value.trim());
}

/** True with a word with a colon, `changed` or `is empty` behind a word, or what looks like one behind a field's name. */
function hasCondition(text: string): boolean {
  if (/:(?!\s|$)|\S\s+(?:changed|is\s+(?:not\s+)?empty)(?:\s|$)/i.test(text)) return true;
  const words = text.trim().split(/\s+/);
  return words.some((word, at) => hasIgnoringCase(NO_OPERATORS, words[at + 1] ?? "") && fieldNamed(word) !== undefined);
}

/** Words that look like operators. */
const NO_OPERATORS = ["in", "is", "has", "contains", "matches", "between", "eq", "ne"] as const;

/** Text in double quotes, as they are read back. */
export function quotedText(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

const END = /$/y;
const EXAMPLES = "for example: is:open assignee:@me, or priority >= High and created > -2w";
const CONDITION = "expected a condition such as status:RESOLVED, is:open, a word of the summary, not, or ( )";

function readOr(cursor: Cursor): Typed {
  const parts = [readAnd(cursor)];
  while (takeWord(cursor, "or")) parts.push(readAnd(cursor));
  return anyOf(parts);
}

function readAnd(cursor: Cursor): Typed {
  const parts = [readNot(cursor)];
  for (;;) {
    const joint = takeWord(cursor, "and");
    if (joint === undefined && isNext(cursor, /$|\)|or(?![\w.:@-])/iy)) return allOf(parts);
    if (joint === undefined && isOpenEnded(parts.at(-1), cursor) && isNext(cursor, /[\w-]+(?=\s|\)|$)/y))
      throw syntaxError(cursor, `unexpected ${nextToken(cursor)}`, PARTS);
    parts.push(readNot(cursor));
  }
}

const PARTS = "the parts of a change are from, to, by, since and before; for a word of the summary: and WORD";

/** True after a change or a flag: the next word may be meant as a part of it. */
function isOpenEnded(tree: Typed | undefined, cursor: Cursor): boolean {
  if (tree && isNot(tree)) return isOpenEnded(tree.of, cursor);
  return (
    tree?.kind === "flag" || (tree?.kind === "change" && !cursor.text.slice(0, cursor.index).trimEnd().endsWith(")"))
  );
}

function readNot(cursor: Cursor): Typed {
  const isNegated = takeWord(cursor, "not") ?? take(cursor, /!(?![=~])|-(?=[\p{L}_("'])/uy);
  return isNegated ? notOf(readNot(cursor)) : readPrimary(cursor);
}

function readPrimary(cursor: Cursor): Typed {
  const at = columnAt(cursor);
  if (take(cursor, /\(/y)) {
    const inside = readOr(cursor);
    if (take(cursor, /\)/y)) return inside;
    throw expected(cursor, `")" for the "(" at column ${at}`, 'add ")", or go on with "and" or "or"');
  }
  const condition = readCondition(cursor, at);
  if (condition) return condition;
  const text = takeQuoted(cursor) ?? take(cursor, /(?!&&|(?:and|or)(?![\w.:@-]))[^\s()"'=~<>!,|][^\s()"=~<>|]*/iy);
  if (text === undefined) throw expected(cursor, "a condition", CONDITION);
  if (cursor.text[cursor.index] === "(")
    throw syntaxError(cursor, `unexpected "(" after "${text}"`, "quote text that contains brackets");
  return { kind: "test", field: "summary", op: "~", values: [text], at };
}

const NAME = /[\p{L}_][\p{L}\p{N}_.-]*/uy;

/** A condition on a field, `is:`, `has:`, `no:` or `flag(...)`; undefined before a plain word. */
function readCondition(cursor: Cursor, at: number): Typed | undefined {
  const start = cursor.index;
  if (take(cursor, /flag\s*\((?!\s*\))/iy)) return readFlag(cursor, at);
  const prefix = take(cursor, /(?:is|has|no):/iy)?.toLowerCase();
  const field = takeQuoted(cursor) ?? take(cursor, NAME);
  if (prefix !== undefined) {
    if (field === undefined) throw expected(cursor, `a name after "${prefix}"`);
    if (prefix === "is:") return { kind: "is", state: field, at };
    return prefix === "no:" ? emptyTerm(field, at) : notOf(emptyTerm(field, at));
  }
  const read = field === undefined ? undefined : (readComparison(cursor, field, at) ?? readKeyword(cursor, field, at));
  if (read === undefined) cursor.index = start;
  return read;
}

/** A tracker has an account for nobody, so an assignee is never empty. */
function emptyTerm(field: string, at: number): Term {
  const isAssignee = /^(?:assignee|assigned_to)$/i.test(field);
  return isAssignee ? { kind: "is", state: "unassigned", at } : { kind: "test", field, op: "empty", values: [], at };
}

/** An operator and values behind a name: `:a,b`, `!=a`, `:a..b`; undefined without an operator. */
function readComparison(cursor: Cursor, field: string, at: number): Typed | undefined {
  const written = take(cursor, /!=~|=~|!=|!~|\^=|\$=|>=|<=|[=~><:]/y);
  if (written === undefined) return undefined;
  const isNegated = written.startsWith("!");
  const typed = (isNegated ? written.slice(1) : written) as TypedOp;
  const op = typed === ":" ? ((take(cursor, />=|<=|>|<|=/y) as TypedOp | undefined) ?? ":") : typed;
  const isBare = !isNext(cursor, /["']/y);
  const values = readValues(cursor, written, op);
  const range = op === ":" && isBare && values.length === 1 ? rangeTerm(field, values[0] ?? "", at) : undefined;
  const term = range ?? { kind: "test", field, op, values, at };
  return isNegated ? notOf<Term>(term) : term;
}

/** `a..b` includes both ends, `a..<b` excludes the upper one; either end may be open. */
export function rangeTerm(field: string, text: string, at?: number): Term | undefined {
  const [match, from = "", excluded, to = ""] = /^(.*?)\.\.(<?)(.*)$/s.exec(text) ?? [];
  if (match === undefined || (from === "" && to === "")) return undefined;
  const place = { kind: "test", field, at } as const;
  if (to === "") return { ...place, op: ">=", values: [from] };
  if (from === "") return { ...place, op: excluded ? "<" : "<=", values: [to] };
  return { ...place, op: excluded ? "..<" : "..", values: [from, to] };
}

/** `in (a, b)`, `is empty`, `changed ...` behind a name; undefined if the name was a plain word. */
function readKeyword(cursor: Cursor, field: string, at: number): Typed | undefined {
  const list = take(cursor, /(?:not\s+)?in\s*\(/iy);
  if (list !== undefined) {
    const listed: Term = { kind: "test", field, op: "=", values: readValues(cursor, "(", "="), at };
    if (!take(cursor, /\)/y)) throw expected(cursor, '"," or ")"', "quote a value that contains spaces");
    return /^not/i.test(list) ? notOf<Term>(listed) : listed;
  }
  const empty = take(cursor, /is\s+(?:not\s+)?empty(?![\w.:@-])/iy);
  if (empty !== undefined) return /\snot\s/i.test(empty) ? notOf(emptyTerm(field, at)) : emptyTerm(field, at);
  if (takeWord(cursor, "changed")) return { kind: "change", field, ...readParts(cursor, CHANGE_PARTS), at };
  const word = fieldNamed(field) && takeWord(cursor, ...NO_OPERATORS);
  if (!word) return undefined;
  const sentence = `"${field} ${word}" is no condition`;
  throw syntaxError(cursor, sentence, `use ${field}:VALUE; bt help query has the operators`);
}

function readFlag(cursor: Cursor, at: number): Term {
  const name = readValue(cursor, "flag(", "=");
  const people = readParts(cursor, ["requestee", "setter"] as const);
  if (take(cursor, /\)/y)) return { kind: "flag", name, ...people, at };
  throw expected(cursor, '")"', "the user is requestee or setter: flag(needinfo? requestee @me)");
}

/** Reads parts of a change or a flag, each once and with a value: `from A by B`. */
function readParts<Part extends string>(cursor: Cursor, words: readonly Part[]): { readonly [Name in Part]?: string } {
  const parts: { [Name in Part]?: string } = {};
  for (let part = takeWord(cursor, ...words); part !== undefined; part = takeWord(cursor, ...words)) {
    if (parts[part] !== undefined) throw syntaxError(cursor, `"${part}" is repeated in one condition`);
    parts[part] = readValue(cursor, part, "=");
  }
  return parts;
}

/** One value, or a comma-separated list after `=` and `:`. */
function readValues(cursor: Cursor, written: string, op: TypedOp): string[] {
  const values = [readValue(cursor, written, op)];
  while ((op === "=" || op === ":") && take(cursor, /,/y)) values.push(readValue(cursor, ",", op));
  if (isNext(cursor, /,/y))
    throw syntaxError(cursor, "unexpected comma", "quote a value that contains a comma, or use in (a, b)");
  return values;
}

/** A value: bare up to whitespace, comma or bracket, or quoted; after `=~` also between slashes. */
function readValue(cursor: Cursor, after: string, op: TypedOp): string {
  const pattern = op === "=~" ? take(cursor, /\/(?:[^/\\]|\\.)+\//y) : undefined;
  const value =
    pattern?.slice(1, -1).replaceAll("\\/", "/") ?? takeQuoted(cursor) ?? take(cursor, /[^\s(),"'=~<>!][^\s(),"]*/y);
  if (value === undefined) throw expected(cursor, `a value after "${after}"`);
  if (cursor.text[cursor.index] === "(")
    throw syntaxError(cursor, `unexpected "(" after "${value}"`, "there are no functions");
  return value;
}

/** Consumes a match of a sticky pattern after whitespace; undefined without a match. */
function take(cursor: Cursor, pattern: RegExp): string | undefined {
  columnAt(cursor);
  pattern.lastIndex = cursor.index;
  const match = pattern.exec(cursor.text)?.[0];
  if (match !== undefined) cursor.index += match.length;
  return match;
}

/** Consumes one of the given words, ignoring case, if it is next as a whole word. */
function takeWord<Word extends string>(cursor: Cursor, ...words: readonly Word[]): Word | undefined {
  const start = cursor.index;
  const word = take(cursor, /[a-z]+(?![\w.:@-])/iy)?.toLowerCase();
  const found = words.find((one) => one === word);
  if (found === undefined) cursor.index = start;
  return found;
}

/** Consumes a quoted text; a backslash escapes the quote and a backslash alone. */
function takeQuoted(cursor: Cursor): string | undefined {
  const text = take(cursor, /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy);
  if (text === undefined && isNext(cursor, /["']/y))
    throw syntaxError(cursor, `unclosed quote ${cursor.text[cursor.index]}`);
  return text?.slice(1, -1).replace(text.startsWith('"') ? /\\([\\"])/g : /\\([\\'])/g, "$1");
}

function isNext(cursor: Cursor, pattern: RegExp): boolean {
  return take({ ...cursor }, pattern) !== undefined;
}

/** Column (from 1) of the next non-blank, to which the cursor moves. */
function columnAt(cursor: Cursor): number {
  while (/\s/.test(cursor.text[cursor.index] ?? "")) cursor.index += 1;
  return cursor.index + 1;
}

function expected(cursor: Cursor, what: string, hint?: string): BtError {
  return syntaxError(cursor, `expected ${what}, but found ${nextToken(cursor)}`, hint);
}

/** Usage error at the cursor: the text with a caret below, and what is expected. */
function syntaxError(cursor: Cursor, sentence: string, hint?: string): BtError {
  const column = columnAt(cursor);
  const details = [cursor.text, `${" ".repeat(column - 1)}^`];
  return new BtError("usage", `${sentence} (column ${column})`, { hint, details });
}

function nextToken(cursor: Cursor): string {
  const [word] = /^(?:[^\s()]+|.)/su.exec(cursor.text.slice(columnAt(cursor) - 1)) ?? [];
  return word === undefined ? "the end" : `"${word}"`;
}
