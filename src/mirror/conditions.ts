import { isPersonField } from "../api/catalog/catalog.ts";
import { isListChange } from "../api/query/rows.ts";
import { allOf, conjunctsOf, isGroup, isNot, type Leaf, type Query, type Test } from "../api/query/tree.ts";
import type { SqlValue } from "../tracker/store/store.ts";
import { PRONOUN_FIELDS, PRONOUNS } from "../wire/search-names.ts";
import { columnKind, folded } from "./columns.ts";
import { OF_FLAGS, partsShowing } from "./evaluate-known.ts";

/** SQL on `bug` that holds for every bug that meets a query; if it `isExact`, for no other. */
export type Condition = { readonly sql: string; readonly values: readonly SqlValue[]; readonly isExact: boolean };

/** SQL for a query, and what is left to evaluate on each bug; undefined if nothing is. */
export function splitQuery(query: Query, login: string | undefined): { where: Condition; rest: Query | undefined } {
  const parts = conjunctsOf(query).map((one) => ({ one, ...conditionOf(one, login, false) }));
  const rest = parts.filter(({ isExact }) => !isExact).map(({ one }) => one);
  return { where: joined(parts, "AND"), rest: rest.length > 0 ? allOf(rest) : undefined };
}

/** `isNegated`: in an odd number of negations, where SQL may hold for too few bugs, never for too many. */
function conditionOf(query: Query, login: string | undefined, isNegated: boolean): Condition {
  if (isNot(query)) {
    const inner = conditionOf(query.of, login, !isNegated);
    return { ...inner, sql: `NOT ${inner.sql}` };
  }
  if (isGroup(query)) {
    const parts = query.of.map((one) => conditionOf(one, login, isNegated));
    return joined(parts, query.kind === "all" ? "AND" : "OR");
  }
  const found = query.kind === "test" ? testCondition(query, login) : undefined;
  if (found?.isExact) return found;
  return isNegated ? { sql: "0", values: [], isExact: false } : (found ?? receivedCondition(query));
}

function joined(parts: readonly Condition[], by: "AND" | "OR"): Condition {
  const sql = parts.map((part) => part.sql).join(` ${by} `) || (by === "AND" ? "1" : "0");
  const isExact = parts.every((part) => part.isExact);
  return { sql: `(${sql})`, values: parts.flatMap(({ values }) => values), isExact };
}

/** SQL for a test of a column or of the word index; undefined for other fields. */
function testCondition(test: Test, login: string | undefined): Condition | undefined {
  const { field, op, values } = test;
  if (field.chart === "content") {
    const sql = "(id IN (SELECT rowid FROM words WHERE words MATCH ?))";
    return { sql, values: [matchExpression(values[0] ?? "")], isExact: true };
  }
  const kind = columnKind(field.api);
  const isUnknown = (value: string) => value.startsWith("%group.") || (value === PRONOUNS.me && login === undefined);
  if (kind === undefined || values.some(isUnknown)) return undefined;
  if (op === "=") return equalsCondition(test, login);
  const texts = values.map((value) => COMPARED[kind](value));
  const [make, isExact = true] = SQL[kind === "list" ? "list" : "one"][op] ?? [];
  if (make === undefined || texts.includes("")) return undefined;
  const sql = op === "empty" ? make(field.api) : texts.map(() => make(field.api)).join(" OR ");
  return { sql: `(${sql})`, values: texts, isExact };
}

/** Values as the columns of a kind have them. */
const COMPARED: Readonly<Record<"id" | "time" | "one" | "list", (text: string) => SqlValue>> = {
  ...{ id: Number, time: String, one: folded, list: folded },
};

type MakeSql = (column: string) => string;

/** SQL for one value of an operator; false if it holds for too many bugs. */
const SQL: Readonly<Record<"one" | "list", Readonly<Partial<Record<Test["op"], readonly [MakeSql, boolean?]>>>>> = {
  one: {
    "~": [(column) => `instr(${column}, ?)`],
    "^=": [(column) => `instr(${column}, ?) = 1`],
    "$=": [(column) => `instr(${column} || char(10), ? || char(10))`, false],
    "<": [(column) => `(${column} <> '' AND ${column} < ?)`],
    "<=": [(column) => `(${column} <> '' AND ${column} <= ?)`],
    ">": [(column) => `${column} > ?`],
    ">=": [(column) => `${column} >= ?`],
    empty: [(column) => `${column} = ''`],
  },
  list: {
    "~": [(column) => `instr(${column}, ?)`, false],
    "^=": [(column) => `instr(${column}, char(10) || ?)`],
    "$=": [(column) => `instr(${column}, ? || char(10))`],
    empty: [(column) => `${column} = ''`],
  },
};

/** One of some values, or the person of another column, for whom a pronoun stands. */
function equalsCondition({ field, values }: Test, login: string | undefined): Condition {
  const { api } = field;
  const kind = columnKind(api);
  const people = isPersonField(field) ? values.flatMap((value) => PRONOUN_FIELDS[value] ?? []) : [];
  const texts = values
    .filter((value) => value !== "" && !(isPersonField(field) && PRONOUN_FIELDS[value]))
    .map((value) => COMPARED[kind ?? "one"](value === PRONOUNS.me ? (login ?? value) : value.trimEnd()));
  const sql =
    kind === "list"
      ? [...people, ...texts.map(() => "?")].map((item) => `instr(${api}, char(10) || ${item} || char(10))`)
      : [
          `${kind === "one" ? `rtrim(${api})` : api} IN (SELECT value FROM json_each(?))`, // databases ignore blanks at the end
          ...people.map((other) => `(${api} = ${other} AND ${api} <> '')`),
        ];
  return {
    sql: `(${sql.join(" OR ") || "0"})`,
    values: kind === "list" ? texts : [JSON.stringify(texts)],
    isExact: true,
  };
}

/**
 * SQL that holds for every bug whose JSON contains the texts of a condition. It is much faster than to parse the JSON. As LIKE
 * knows letter case in ASCII alone, the longest such part of a text is compared; `k` and `i` are also what the Kelvin sign and
 * a Turkish letter become in lower case.
 */
function receivedCondition(leaf: Leaf): Condition {
  const { texts, isAny } = textsIn(leaf);
  const patterns = texts.map((text) => {
    const runs = text.match(/[ !#-[\]-~]+/g) ?? [];
    const [longest = ""] = runs.sort((one, other) => other.length - one.length);
    return `%${longest.replace(/[ik%_]/gi, "_")}%`;
  });
  const isOfFlags = leaf.kind === "flag" || (leaf.kind === "test" && OF_FLAGS.has(leaf.field.api));
  const [part = "received.bug"] = isOfFlags ? ["received.bug || attachments"] : partsShowing(leaf);
  const sql = patterns.map(() => `${part} LIKE ?`).join(isAny ? " OR " : " AND ");
  if (patterns.every((pattern) => pattern === "%%")) return { sql: "1", values: [], isExact: false };
  return { sql: `(SELECT ${sql} FROM received WHERE received.id = bug.id)`, values: patterns, isExact: false };
}

/** Texts that are all (or with `isAny`, at least one) in the JSON of each bug that meets a condition; [] if unknown. */
export function textsIn(leaf: Leaf): { texts: readonly string[]; isAny?: boolean } {
  if (leaf.kind === "flag") return { texts: [leaf.name.replace(/[?+-]$/, "")] };
  if (leaf.kind === "change") {
    const sides = isListChange(leaf) ? [] : [leaf.from ?? [], leaf.to ?? []].flat();
    return { texts: [...sides, leaf.by?.replace(/@.*/, "") ?? []].flat().filter((text) => !text.startsWith("%")) };
  }
  const { field, op, values } = leaf;
  const isText = ["text", "texts", "person", "people", "choice", "choices"].includes(field.family);
  if (!isText || values.some((value) => value.startsWith("%")) || !LITERAL.has(op)) return { texts: [] };
  const texts = field.api === "flags" ? values.map((value) => value.replace(/[?+-]$/, "")) : values;
  return { texts: texts.map((text) => text.trimEnd()), isAny: true };
}

/** Operators for texts that contain the values. */
const LITERAL: ReadonlySet<Test["op"]> = new Set(["=", "~", "^=", "$="] as const);

/**
 * A full-text search for the word index: of plain words any, of those with `+` each, none with `-`, in the summary or in all
 * comments together; `"..."` is a phrase, `word*` a beginning.
 */
function matchExpression(text: string): string {
  const terms = [...folded(text).matchAll(/([+-]?)("[^"]*"?|[^\s"()]+)/g)]
    .map(([, mark = "", word = ""]) => ({
      mark,
      phrase: `"${word.replace(/["*]/g, " ")}"${word.endsWith("*") ? "*" : ""}`,
    }))
    .filter(({ phrase }) => /[\p{L}\p{N}]/u.test(phrase));
  const marked = (mark: string) => terms.filter((term) => term.mark === mark).map(({ phrase }) => phrase);
  const found = marked("+").length > 0 ? marked("+").join(" AND ") : marked("").join(" OR ");
  if (found === "") return '""';
  const without = [`(${found})`, ...marked("-")].join(" NOT ");
  return `{summary} : (${without}) OR {comments} : (${without})`;
}
