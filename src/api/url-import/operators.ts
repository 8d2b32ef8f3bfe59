import { BtError } from "../../errors.ts";
import type { CatalogField } from "../catalog.ts";
import { comparisonTree } from "../query/compare.ts";
import { wireMoment } from "../query/dates.ts";
import { resolveChange } from "../query/resolve-change.ts";
import { allOf, anyOf, type Comparison, notOf, type Query, type QueryContext, type Term } from "../query/tree.ts";

/** A row of a custom search as written by the web form, with unparsed values. */
export type WrittenRow = {
  readonly field: CatalogField;
  readonly operator: string;
  readonly values: readonly string[];
};

/**
 * Meaning of an operator on the values of a field; undefined if the query language has no equivalent (letter case, the
 * server's date formats, its wrong results).
 * @throws BtError of kind usage for illegal values
 */
export function operatorMeaning(row: WrittenRow, context: QueryContext): Query | undefined {
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

/** The single value of a row; servers join repeated ones with commas. */
function joined({ values }: WrittenRow): string {
  return values.join(",");
}

const ITEMS: ReadonlySet<string> = new Set(["choices", "people", "numbers", "texts"]);
const TEXTUAL: ReadonlySet<string> = new Set(["text", "texts", "person", "people", "choice", "choices", "ranked"]);

/** True if the server interprets a value differently from this language. */
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

/** Matches each word: substrings in texts, whole items in lists. */
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

/** The server sorts an unset time before all others. */
function withUnset({ field }: WrittenRow, op: Comparison, tree: Query): Query {
  const canBeUnset = field.family === "day" || field.isCustom;
  return canBeUnset && op.startsWith("<") ? anyOf([tree, { kind: "test", field, op: "empty", values: [] }]) : tree;
}

/**
 * A server's date in this language: a day is its midnight, and `-2w` or `2w` that long ago. Undefined for the server's
 * names of periods and for "now", and for days if the server's zone is unknown.
 */
export function serverMoment(text: string, { isForeignClock = false }: QueryContext): string | undefined {
  const [, sign = "", count = "", unit = ""] = /^([+-]?)([1-9]\d*)([hdwmy])$/i.exec(text) ?? [];
  if (count !== "") return `${sign}${count}${unit.toLowerCase() === "m" ? "mo" : unit.toLowerCase()}`;
  if (isForeignClock) return undefined;
  const [day] = /^\d{4}-\d\d-\d\d$/.exec(text) ?? [];
  if (day !== undefined) return `${day}T00:00:00`;
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?$/.test(text) ? text.replace(" ", "T") : undefined;
}

/**
 * Rejects a date that the server cannot parse: it would be compared as text and match all bugs or none.
 * @throws BtError of kind usage
 */
export function checkDate(text: string): void {
  if (SERVER_DATE.test(text)) return;
  throw new BtError("usage", `invalid date "${text}": the tracker would compare it as text`, {
    hint: "use 2026-10-03, 2026-10-03 14:00, -2w, 1ws (h d w m y) or now",
  });
}

const SERVER_DATE = /^(?:now|%\w+%|[+-]?\d+[hdwmy]s?|\d{4}-\d\d?-\d\d?(?:[T ]\d\d?:\d\d(?::\d\d)?Z?)?)$/i;

function opposite(meaning: Meaning): Meaning {
  return (row, context) => {
    const tree = DENIED_ONE_BY_ONE.has(row.field.chart) ? undefined : meaning(row, context);
    return tree === undefined ? undefined : notOf(tree);
  };
}

/** Fields whose negated row matches bugs with any other comment; the language has no equivalent. */
const DENIED_ONE_BY_ONE: ReadonlySet<string> = new Set(["longdesc"]);

/** Boolean attachment fields have no emptiness on the server. */
const empty: Meaning = ({ field }) =>
  field.chart.startsWith("attachments.is") ? undefined : { kind: "test", field, op: "empty", values: [] };

function change(part: "from" | "to" | "by"): Meaning {
  return (row, context) => changed(row, { [part]: joined(row) }, context);
}

function changed(row: WrittenRow, parts: Partial<Term & { readonly kind: "change" }>, context: QueryContext): Query {
  return resolveChange({ ...parts, kind: "change", field: row.field.api }, context);
}

/** The server includes the given second in "before". */
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
