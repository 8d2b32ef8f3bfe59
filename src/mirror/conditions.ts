import { isPersonField } from "../api/catalog/catalog.ts";
import { isListChange } from "../api/query/rows.ts";
import { allOf, conjunctsOf, isGroup, isNot, type Leaf, type Query, type Test } from "../api/query/tree.ts";
import { bareFlag } from "../api/search/names.ts";
import type { SqlValue } from "../tracker/store/store.ts";
import { PRONOUN_FIELDS, PRONOUNS } from "../wire/search-names.ts";
import { columnKind, columnText } from "./columns.ts";
import { FLAG_FIELDS, partNeeded } from "./evaluate-mirrored.ts";

/** SQL that holds for every bug that meets a query; if it `isExact`, for no other bug. */
export type Condition = { readonly sql: string; readonly values: readonly SqlValue[]; readonly isExact: boolean };

/** SQL for a query, and what is left to evaluate on each bug found; undefined if nothing is. */
export type SplitQuery = { readonly where: Condition; readonly rest: Query | undefined };

export function splitQuery(query: Query, login: string | undefined): SplitQuery {
  const parts = conjunctsOf(query).map((part) => ({ part, ...conditionFor(part, login) }));
  const rest = parts.filter(({ isExact }) => !isExact).map(({ part }) => part);
  return { where: joinConditions(parts, "AND"), rest: rest.length > 0 ? allOf(rest) : undefined };
}

/** SQL that is not exact finds too many bugs; below a negation (`isNegated`), too few. */
function conditionFor(query: Query, login: string | undefined, isNegated = false): Condition {
  if (isNot(query)) {
    const inner = conditionFor(query.of, login, !isNegated);
    return { ...inner, sql: `NOT ${inner.sql}` };
  }
  if (isGroup(query)) {
    const parts = query.of.map((part) => conditionFor(part, login, isNegated));
    return joinConditions(parts, query.kind === "all" ? "AND" : "OR");
  }
  const condition = query.kind === "test" ? conditionOfTest(query, login) : undefined;
  if (condition?.isExact) return condition;
  if (isNegated) return { sql: "0", values: [], isExact: false };
  return condition ?? jsonCondition(query);
}

function joinConditions(parts: readonly Condition[], by: "AND" | "OR"): Condition {
  const withoutParts = by === "AND" ? "1" : "0";
  const sql = parts.map((part) => part.sql).join(` ${by} `) || withoutParts;
  const isExact = parts.every((part) => part.isExact);
  return { sql: `(${sql})`, values: parts.flatMap(({ values }) => values), isExact };
}

/** SQL for a test of a column or of the word index; undefined for other tests. */
function conditionOfTest(test: Test, login: string | undefined): Condition | undefined {
  const { field, op, values } = test;
  if (field.chart === "content") {
    const sql = "(id IN (SELECT rowid FROM words WHERE words MATCH ?))";
    return { sql, values: [matchExpression(values[0] ?? "")], isExact: true };
  }
  const kind = columnKind(field.api);
  const isUnknown = (value: string) => value.startsWith("%group.") || (value === PRONOUNS.me && login === undefined);
  if (kind === undefined || values.some(isUnknown)) return undefined;
  if (op === "empty") return { sql: `(${field.api} = '')`, values: [], isExact: true };
  if (op === "=") return equalsCondition(test, kind, login);
  const [compare, isExact = true] = COMPARISONS[kind === "list" ? "list" : "value"][op] ?? [];
  const compared = values.map((value) => COLUMN_VALUES[kind](value));
  if (compare === undefined || compared.includes("")) return undefined; // SQL finds "" in every text, a query in none
  return { sql: `(${compared.map(() => compare(field.api)).join(" OR ")})`, values: compared, isExact };
}

type Kind = NonNullable<ReturnType<typeof columnKind>>;

/** Makes values comparable with the columns of a kind. */
const COLUMN_VALUES: Readonly<Record<Kind, (text: string) => SqlValue>> = {
  ...{ id: Number, time: String, text: columnText, list: columnText },
};

type Comparison = readonly [compare: (column: string) => string, isExact?: boolean];

/** SQL that compares a column with `?`, and false if that is not exact. */
const COMPARISONS: Readonly<Record<"value" | "list", Readonly<Partial<Record<Test["op"], Comparison>>>>> = {
  value: {
    "~": [(column) => `instr(${column}, ?)`],
    "^=": [(column) => `instr(${column}, ?) = 1`],
    "$=": [(column) => `instr(${column} || char(10), ? || char(10))`, false],
    "<": [(column) => `(${column} <> '' AND ${column} < ?)`],
    "<=": [(column) => `(${column} <> '' AND ${column} <= ?)`],
    ">": [(column) => `${column} > ?`],
    ">=": [(column) => `${column} >= ?`],
  },
  list: {
    "~": [(column) => `instr(${column}, ?)`, false],
    "^=": [(column) => `instr(${column}, char(10) || ?)`],
    "$=": [(column) => `instr(${column}, ? || char(10))`],
  },
};

/**
 * SQL for a column with one of some values. A pronoun, as `%assignee%`, names a role: the person in
 * another column of the same bug.
 */
function equalsCondition({ field, values }: Test, kind: Kind, login: string | undefined): Condition {
  const namesRole = (value: string) => isPersonField(field) && Object.hasOwn(PRONOUN_FIELDS, value);
  const columns = values.filter(namesRole).map((value) => String(PRONOUN_FIELDS[value]));
  const compared = values
    .filter((value) => value !== "" && !namesRole(value))
    .map((value) => COLUMN_VALUES[kind](value === PRONOUNS.me ? (login ?? value) : value.trimEnd()));
  if (kind === "list") return listContains(field.api, [...columns, ...compared.map(() => "?")], compared);
  const trimmed = kind === "text" ? `rtrim(${field.api})` : field.api; // databases ignore blanks at the end
  const equalsRole = columns.map((column) => `(${field.api} = ${column} AND ${field.api} <> '')`);
  const tests = [`${trimmed} IN (SELECT value FROM json_each(?))`, ...equalsRole];
  return { sql: `(${tests.join(" OR ")})`, values: [JSON.stringify(compared)], isExact: true };
}

/** SQL for a list that contains one of some items, which are columns, or `?` for each value. */
function listContains(column: string, items: readonly string[], values: readonly SqlValue[]): Condition {
  const tests = items.map((item) => `instr(${column}, char(10) || ${item} || char(10))`);
  return { sql: `(${tests.join(" OR ") || "0"})`, values, isExact: true };
}

/** SQL that holds for every bug whose JSON has the texts of a condition: JSON is slow to parse. */
function jsonCondition(leaf: Leaf): Condition {
  const { texts, isAny } = textsIn(leaf);
  const patterns = texts.map(likePattern);
  if (patterns.every((pattern) => pattern === "%%")) return { sql: "1", values: [], isExact: false };
  const isOfFlags = leaf.kind === "flag" || (leaf.kind === "test" && FLAG_FIELDS.has(leaf.field.api));
  const json = isOfFlags ? "received.bug || attachments" : (partNeeded(leaf) ?? "received.bug");
  const sql = patterns.map(() => `${json} LIKE ?`).join(isAny ? " OR " : " AND ");
  return { sql: `(SELECT ${sql} FROM received WHERE received.id = bug.id)`, values: patterns, isExact: false };
}

/**
 * A pattern that JSON with this text matches, and perhaps other JSON: LIKE ignores letter case in
 * ASCII alone, so the pattern has only the longest ASCII part. `%` and `_` stand for any character, as
 * do `i` and `k`, since a Turkish letter and the Kelvin sign become them in lower case.
 */
function likePattern(text: string): string {
  const runs = text.match(/[ !#-[\]-~]+/g) ?? []; // ASCII without the two characters that JSON escapes
  const [longest = ""] = runs.sort((run, other) => other.length - run.length);
  return `%${longest.replace(/[ik%_]/gi, "_")}%`;
}

/** Texts that are all (or with `isAny`, at least one) in the JSON of each bug that meets a condition; [] if unknown. */
function textsIn(leaf: Leaf): { texts: readonly string[]; isAny?: boolean } {
  if (leaf.kind === "flag") return { texts: [bareFlag(leaf.name)] };
  if (leaf.kind === "change") {
    const values = isListChange(leaf) ? [] : [leaf.from ?? [], leaf.to ?? []].flat(); // histories join the items of lists
    const author = leaf.by?.replace(/@.*/, "") ?? []; // some trackers show only this part of a login
    return { texts: [...values, author].flat().filter((text) => !text.startsWith("%")) };
  }
  const { field, op, values } = leaf;
  const isText = ["text", "texts", "person", "people", "choice", "choices"].includes(field.family);
  if (!isText || values.some((value) => value.startsWith("%")) || !LITERAL.has(op)) return { texts: [] };
  const texts = field.api === "flags" ? values.map(bareFlag) : values;
  return { texts: texts.map((text) => text.trimEnd()), isAny: true };
}

/** Operators for texts that contain the values. */
const LITERAL: ReadonlySet<Test["op"]> = new Set(["=", "~", "^=", "$="] as const);

/**
 * Expression of SQLite's FTS5 for a full-text search: of plain words any, of those with `+` each, none with `-`, in the summary
 * or in all comments together; `"..."` is a phrase, `word*` a beginning.
 */
function matchExpression(text: string): string {
  const terms = [...columnText(text).matchAll(/([+-]?)("[^"]*"?|[^\s"()]+)/g)]
    .map(([, sign = "", word = ""]) => ({
      sign,
      phrase: `"${word.replace(/["*]/g, " ")}"${word.endsWith("*") ? "*" : ""}`,
    }))
    .filter(({ phrase }) => /[\p{L}\p{N}]/u.test(phrase));
  const phrases = (wanted: string) => terms.filter(({ sign }) => sign === wanted).map(({ phrase }) => phrase);
  const found = phrases("+").join(" AND ") || phrases("").join(" OR ");
  if (found === "") return '""';
  const expression = [`(${found})`, ...phrases("-")].join(" NOT ");
  return `{summary} : (${expression}) OR {comments} : (${expression})`;
}
