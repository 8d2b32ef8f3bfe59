import { BtError } from "../../errors.ts";
import type { CatalogField } from "../catalog.ts";
import { comparisonTree } from "../query/compare.ts";
import { wireMoment } from "../query/dates.ts";
import { resolveChange } from "../query/resolve-change.ts";
import { allOf, anyOf, type Comparison, notOf, type Query, type QueryContext, type Term } from "../query/tree.ts";

/** A row of a custom search as the web form writes it, its values not yet taken apart. */
export type WrittenRow = {
  readonly field: CatalogField;
  readonly operator: string;
  readonly values: readonly string[];
};

/**
 * What a row means, as conditions; undefined when the query language has no words for it (letter case, the server's own
 * readings of dates, its wrong answers). Values that are not legal are usage errors, as everywhere.
 */
export function rowMeaning(row: WrittenRow, context: QueryContext): Query | undefined {
  const meaning = Object.hasOwn(MEANINGS, row.operator) ? MEANINGS[row.operator] : undefined;
  return meaning?.(row, context);
}

type Meaning = (row: WrittenRow, context: QueryContext) => Query | undefined;

function compared(
  { field }: WrittenRow,
  [op, values]: readonly [Comparison, readonly string[]],
  context: QueryContext,
): Query {
  return comparisonTree(field, { kind: "test", field: field.api, op, values }, context);
}

/** The one value of a row: repeated ones are a list with commas to the server. */
function joined({ values }: WrittenRow): string {
  return values.join(",");
}

const ITEMS: ReadonlySet<string> = new Set(["choices", "people", "numbers", "texts"]);
const TEXTUAL: ReadonlySet<string> = new Set(["text", "texts", "person", "people", "choice", "choices", "ranked"]);

/** Comparisons with values that the server reads otherwise than this language. */
function isOdd({ field }: WrittenRow, value: string): boolean {
  return (
    (field.chart === "resolution" && value === "---") ||
    (field.chart === "flagtypes.name" && !/[?+-]$/.test(value)) ||
    (field.family === "yes-no" && value !== "1" && field.chart.includes(".")) ||
    ["moment", "special"].includes(field.family)
  );
}

const equal: Meaning = (row, context) =>
  isOdd(row, joined(row)) ? undefined : compared(row, ["=", [joined(row)]], context);

const anyExact: Meaning = (row, context) => {
  const values = splitOn(/\s*,\s*/, joined(row));
  return values.some((value) => isOdd(row, value)) ? undefined : compared(row, ["=", values], context);
};

function splitOn(separator: RegExp, text: string): readonly string[] {
  return text.split(separator).filter((part) => part !== "");
}

function textual(op: Comparison): Meaning {
  return (row, context) =>
    TEXTUAL.has(row.field.family) && !joined(row).startsWith("%")
      ? compared(row, [op, [joined(row)]], context)
      : undefined;
}

/** Each word for itself: parts of words in texts, whole items in lists. */
function worded(op: "any" | "all", isPart: boolean): Meaning {
  return (row, context) => {
    const { family } = row.field;
    const words = splitOn(/[\s,]+/, joined(row));
    if (isPart && TEXTUAL.has(family)) {
      const parts = words.map((word) => compared(row, ["~", [word]], context));
      return op === "any" ? anyOf(parts) : allOf(parts);
    }
    return !isPart && (family === "text" || ITEMS.has(family)) ? compared(row, [op, words], context) : undefined;
  };
}

function ordered(op: Comparison): Meaning {
  return (row, context) => {
    const value = joined(row);
    switch (row.field.family) {
      case "number":
        return compared(row, [op, [value]], context);
      case "day":
        checkDate(value);
        return dayOrder(row, op, context);
      case "moment":
        checkDate(value);
        return momentOrder(row, op, context);
      default:
        return undefined;
    }
  };
}

function dayOrder(row: WrittenRow, op: Comparison, context: QueryContext): Query | undefined {
  return /^\d{4}-\d\d-\d\d$/.test(joined(row))
    ? withUnset(row, op, compared(row, [op, [joined(row)]], context))
    : undefined;
}

function momentOrder(row: WrittenRow, op: Comparison, context: QueryContext): Query | undefined {
  if (joined(row) === "%last_changed%" && op === "<") {
    return { kind: "test", field: row.field, op, values: ["%last_changed%"] };
  }
  const moment = serverMoment(joined(row), context);
  return moment === undefined ? undefined : withUnset(row, op, compared(row, [op, [moment]], context));
}

/** To the server a time that is not set lies before every other. */
function withUnset({ field }: WrittenRow, op: Comparison, tree: Query): Query {
  const canBeUnset = field.family === "day" || field.isCustom;
  return canBeUnset && op.startsWith("<") ? anyOf([tree, { kind: "test", field, op: "empty", values: [] }]) : tree;
}

/**
 * A date of the server in this language: a day is its midnight, and `-2w` or `2w` that long ago. The server's words for the
 * starts of periods and for "now" have no counterpart, nor have its days when nobody knows when they begin.
 */
export function serverMoment(text: string, { isForeignClock = false }: QueryContext): string | undefined {
  const [, sign = "", count = "", unit = ""] = /^([+-]?)([1-9]\d*)([hdwmy])$/i.exec(text) ?? [];
  if (count !== "") return `${sign}${count}${unit.toLowerCase() === "m" ? "mo" : unit.toLowerCase()}`;
  if (isForeignClock) return undefined;
  const [day] = /^\d{4}-\d\d-\d\d$/.exec(text) ?? [];
  if (day !== undefined) return `${day}T00:00:00`;
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?$/.test(text) ? text.replace(" ", "T") : undefined;
}

/** A date that the server cannot read is compared as text, which finds every bug or none: such a search is refused. */
export function checkDate(text: string): void {
  if (SERVER_DATE.test(text)) return;
  throw new BtError("usage", `the tracker cannot read the date "${text}", and would compare it as text`, {
    hint: "it reads 2026-10-03, 2026-10-03 14:00, -2w, 1ws (h d w m y) and now",
  });
}

const SERVER_DATE = /^(?:now|%\w+%|[+-]?\d+[hdwmy]s?|\d{4}-\d\d?-\d\d?(?:[T ]\d\d?:\d\d(?::\d\d)?Z?)?)$/i;

function opposite(meaning: Meaning): Meaning {
  return (row, context) => {
    const tree = DENIED_ONE_BY_ONE.has(row.field.chart) ? undefined : meaning(row, context);
    return tree === undefined ? undefined : notOf(tree);
  };
}

/** Of these a negative row finds bugs with a comment that is not like this; this language has no words for it. */
const DENIED_ONE_BY_ONE: ReadonlySet<string> = new Set(["longdesc"]);

/** Whether an attachment has one of these is no question to the server. */
const empty: Meaning = ({ field }) =>
  field.chart.startsWith("attachments.is") ? undefined : { kind: "test", field, op: "empty", values: [] };

function change(part: "from" | "to" | "by"): Meaning {
  return (row, context) => changed(row, { [part]: joined(row) }, context);
}

function changed(row: WrittenRow, parts: Partial<Term & { readonly kind: "change" }>, context: QueryContext): Query {
  return resolveChange({ ...parts, kind: "change", field: row.field.api }, context);
}

/** The server counts the second that is given as before it too. */
function changedWhen(part: "since" | "before"): Meaning {
  return (row, context) => {
    const moment = serverMoment(joined(row), context);
    if (moment === undefined) return undefined;
    const tree = changed(row, { [part]: moment }, context);
    if (tree.kind !== "change" || part === "since" || tree.before === undefined) return tree;
    return { ...tree, before: wireMoment(Date.parse(tree.before) + 1000) };
  };
}

const MEANINGS: Readonly<Record<string, Meaning>> = {
  equals: equal,
  notequals: opposite(equal),
  anyexact: anyExact,
  substring: textual("~"),
  notsubstring: opposite(textual("~")),
  regexp: textual("=~"),
  notregexp: opposite(textual("=~")),
  lessthan: ordered("<"),
  lessthaneq: ordered("<="),
  greaterthan: ordered(">"),
  greaterthaneq: ordered(">="),
  anywords: worded("any", false),
  allwords: worded("all", false),
  nowords: opposite(worded("any", false)),
  anywordssubstr: worded("any", true),
  allwordssubstr: worded("all", true),
  nowordssubstr: opposite(worded("any", true)),
  isempty: empty,
  isnotempty: opposite(empty),
  matches: (row, context) => compared(row, ["matches", [joined(row)]], context),
  notmatches: (row, context) => notOf(compared(row, ["matches", [joined(row)]], context)),
  changedfrom: change("from"),
  changedto: change("to"),
  changedby: change("by"),
  changedbefore: changedWhen("before"),
  changedafter: changedWhen("since"),
};
