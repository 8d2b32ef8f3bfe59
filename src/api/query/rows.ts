import { bugFieldRow } from "../../wire/bug-fields.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { PRONOUN_FIELDS } from "../../wire/search-names.ts";
import { HOUR_MS, timestamp } from "../../wire/time.ts";
import type { CatalogField } from "../catalog/catalog.ts";
import {
  allOf,
  anyOf,
  CHANGE_PARTS,
  type Change,
  type FlagTerm,
  notOf,
  type Op,
  type Test,
  type Tree,
} from "./tree.ts";

/** A row of Bugzilla's search screen: field, operator, and values that are sent as repeats. */
export type Row = { readonly kind: "row"; readonly f: string; readonly o: string; readonly v: readonly string[] };

/** Rows on one field that a single change must match. */
type SameChange = { readonly kind: "same"; readonly rows: readonly Row[] };

export type Chart = Tree<Row | SameChange>;

/** Rows for a condition. If not exact, they match too many bugs, or too few if `isBelow`. */
export type Draft = { readonly chart: Chart; readonly isExact: boolean; readonly isBelow?: boolean };

function exact(chart: Chart): Draft {
  return { chart, isExact: true };
}

export function row(f: string, o: string, ...v: readonly string[]): Row {
  return { kind: "row", f, o, v };
}

/** A row for the operator of a test. The server splits lists at commas, and trims texts; a regular expression keeps white space. */
function operatorRow({ field: { chart, family }, op, values }: Test): Chart {
  const [value = ""] = values;
  const isList = values.length > 1 && !values.some((one) => one.includes(","));
  if (op === "=" && isList)
    return row(chart, "anyexact", ...(family.startsWith("number") ? [values.join(",")] : values));
  if (op === "=") return anyOf(values.map((one) => row(chart, "equals", one)));
  if (op === "~" && value === value.trim()) return row(chart, "substring", value);
  const order = ORDER_OPERATORS.get(op);
  return order ? row(chart, order, value) : row(chart, "regexp", patternOf(op, value).replace(/^ | $/g, "[ ]"));
}

const ORDER_OPERATORS: ReadonlyMap<Op, string> = new Map([
  [">", "greaterthan"],
  [">=", "greaterthaneq"],
  ["<", "lessthan"],
  ["<=", "lessthaneq"],
]);

/** The regular expression of an operator on texts: "=~" is given one, "^=" begins with and "$=" ends in a text. */
function patternOf(op: Op, value: string): string {
  const literal = value.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&");
  return op === "=~" ? value : `${op === "^=" ? "^" : ""}${literal}${op === "$=" ? "$" : ""}`;
}

/** Rows of a test of any field: emptiness, or the operator. */
export function testRows(test: Test): Draft {
  return exact(test.op === "empty" ? emptyChart(test.field) : operatorRow(test));
}

/** A row for each person: servers do not resolve pronouns in a list, and two unset fields are equal to them. */
export function personRows(test: Test): Draft {
  const { chart } = test.field;
  if (test.op !== "=") return testRows(test);
  const rows = test.values.map((value) => {
    const named = PRONOUN_FIELDS[value] ?? "";
    const isMissable = bugFieldRow(named)?.isOptional && (chart === "requestees.login_name" || chart === named);
    const equals = row(chart, "equals", value);
    return isMissable ? allOf([equals, row(named, "isnotempty")]) : equals;
  });
  return exact(anyOf(rows));
}

/** An unset reference to a bug, 0 to the server, is not found; an integer cannot be unset. */
export function numberRows(test: Test): Draft {
  const { chart, isCustom, type } = test.field;
  const mayFindUnset = /^[<>]/.test(test.op) && isCustom && type === FIELD_TYPE.bugId;
  return mayFindUnset ? exact(allOf([row(chart, "isnotempty"), operatorRow(test)])) : testRows(test);
}

/** The server sorts an unset day before all others. */
export function dayRows(test: Test): Draft {
  return test.op === "<" ? exact(allOf([isSetRow(test.field), operatorRow(test)])) : testRows(test);
}

function isSetRow({ chart }: CatalogField): Row {
  return row(chart, "greaterthaneq", "1971-01-01");
}

/**
 * Rows read times by the server's clock, in a zone that is not known: a moment is sent as hours ago, rounded outwards, or inwards
 * below a "not". One hour more is for clocks that are set back, which show an hour twice, and for clocks that differ.
 */
export function momentRows(test: Test, now: Date, isNegated: boolean): Draft {
  const {
    field,
    op,
    values: [value = ""],
  } = test;
  if (op === "empty") return testRows(test);
  const hours = (now.getTime() - Date.parse(value)) / HOUR_MS;
  const isEarlier = (op === ">=") !== isNegated; // than the moment; else later
  const ago = isEarlier ? Math.ceil(hours) + 1 : Math.floor(hours) - 1;
  const timed = row(field.chart, op === "<" ? "lessthan" : "greaterthaneq", `${ago < 0 ? "+" : "-"}${Math.abs(ago)}h`);
  const isSetToo = isNegated && op === "<" && field.isCustom;
  return { chart: isSetToo ? allOf([isSetRow(field), timed]) : timed, isExact: false, isBelow: isNegated };
}

/** Full text, durations. */
export function specialRows(test: Test): Draft {
  return test.op === "~" ? exact(row(test.field.chart, "matches", ...test.values)) : testRows(test);
}

/** Rows that test fields for emptiness where the server's `isempty` is wrong. */
const EMPTY: Readonly<Record<string, Chart>> = {
  alias: notOf<Row>(row("alias", "isnotempty")),
  "flagtypes.name": row("setters.login_name", "isempty"),
  comment_tag: notOf<Row>(row("comment_tag", "regexp", ".")),
};

/** Rows that test a field for emptiness. */
function emptyChart(field: CatalogField): Chart {
  const { chart, family, isCustom } = field;
  if (/^attach(?:ments\.(?:filename|description|mimetype)|_data\.)/.test(chart))
    return row("attachments.submitter", "isempty");
  if (family === "day" || (family === "moment" && isCustom)) return notOf<Row>(isSetRow(field));
  return EMPTY[chart] ?? row(chart, "isempty");
}

/** Rows on flags may match different flags of a bug, so several parts are verified. */
export function flagRows({ name, requestee, setter }: FlagTerm): Draft {
  const names = /[?+-]$/.test(name) ? [name] : ["?", "+", "-"].map((status) => name + status);
  const people = [
    ...(requestee === undefined ? [] : [row("requestees.login_name", "equals", requestee)]),
    ...(setter === undefined ? [] : [row("setters.login_name", "equals", setter)]),
  ];
  return {
    chart: allOf([row("flagtypes.name", names.length > 1 ? "anyexact" : "equals", ...names), ...people]),
    isExact: people.length === 0,
  };
}

/** Rows compare the whole list on each side of a change: such a change is verified. */
export function changeRows(change: Change): Draft {
  if (isListChange(change))
    return { chart: changeChart({ ...change, from: undefined, to: undefined }), isExact: false };
  const { field, by } = change;
  const isAuthor = field.chart === "longdesc" && by !== undefined && !by.startsWith("%");
  if (isAuthor && CHANGE_PARTS.every((part) => part === "by" || change[part] === undefined))
    return exact(row("commenter", "equals", by));
  const sides = (value: string | undefined) =>
    value === undefined || !HOURS.has(field.api) ? [value] : hourTexts(value);
  return exact(
    anyOf(sides(change.from).flatMap((from) => sides(change.to).map((to) => changeChart({ ...change, from, to })))),
  );
}

/** True if the history of a field has lists, `a, b`, which servers compare as a whole. */
export function isListChange({ field: { family, chart }, from, to }: Change): boolean {
  const isList = ["people", "choices", "texts", "numbers"].includes(family) && !/^(?:attach|longdesc)/.test(chart);
  return isList && (from !== undefined || to !== undefined);
}

const HOURS: ReadonlySet<string> = new Set(["estimated_time", "remaining_time", "actual_time"]);

/** The texts that histories may have for the same hours: as sent, or with one or two decimals. */
function hourTexts(value: string): string[] {
  const texts = [value, Number(value).toFixed(1), Number(value).toFixed(2)];
  return [...new Set(texts.filter((text) => Number(text) === Number(value)))];
}

/** Rows that one change meets together. "Before" ends a second earlier: the server includes it. */
function changeChart(change: Change): Chart {
  const f = change.field.chart;
  const rows = CHANGE_PARTS.flatMap((part) => {
    const value = change[part];
    if (value === undefined) return [];
    return row(
      f,
      `changed${part === "since" ? "after" : part}`,
      part === "before" ? timestamp(Date.parse(value) - 1000) : value,
    );
  });
  const [only = row(f, "changedafter", "1971-01-01")] = rows;
  return rows.length > 1 ? { kind: "same", rows } : only;
}

export type Pair = readonly [name: string, value: string];

/**
 * Query pairs of rows, numbered from `f1`, or another first number, without a gap (a gap would lose a row on the server). An "any" becomes a group:
 * joining the top level by OR would include parameters such as creation_time and quicksearch in the OR.
 */
export function numberedPairs(chart: Chart, first = 1): readonly Pair[] {
  const slots = chart.kind === "all" ? chart.of.flatMap((part) => slotsOf(part)) : slotsOf(chart);
  return slots.flatMap((slot, at) => slot.map(([letter, value]) => [`${letter}${at + first}`, value] as const));
}

/** The letters `f`, `o`, `j`, `n` and `v` of one number. */
type Slot = readonly Pair[];

function slotsOf(chart: Chart, negation: Slot = []): readonly Slot[] {
  switch (chart.kind) {
    case "not":
      return slotsOf(chart.of, [["n", "1"]]);
    case "row":
      return [[["f", chart.f], ["o", chart.o], ...negation, ...chart.v.map((value) => ["v", value] as const)]];
    case "same":
      return groupSlots("AND_G", negation, chart.rows);
    case "all":
    case "any": // the server drops an empty group; no id is below 0
      return chart.of.length > 0
        ? groupSlots(chart.kind === "all" ? "AND" : "OR", negation, chart.of)
        : slotsOf(row("bug_id", "lessthan", "0"));
  }
}

function groupSlots(joint: string, negation: Slot, parts: readonly Chart[]): readonly Slot[] {
  return [[["f", "OP"], ["j", joint], ...negation], ...parts.flatMap((part) => slotsOf(part)), [["f", "CP"]]];
}
