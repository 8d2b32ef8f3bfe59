import type { CatalogField } from "../catalog.ts";
import { jsonName } from "./bug-value.ts";
import { wireMoment } from "./dates.ts";
import { literal, untrimmed } from "./pattern.ts";
import type { Chart, Row } from "./rows.ts";
import { all, any, type ChangeParts, type Condition, not } from "./tree.ts";
import { wallClockIn } from "./zone.ts";

/** Rows for a condition. When they are not exact they let through too many bugs, never too few. */
export type Draft = {
  readonly chart: Chart;
  readonly isExact: boolean;
  readonly notes: readonly string[];
};

/** `serverZone` is the IANA name of the zone in which the server reads the dates of rows; undefined when not known. */
export type DraftOptions = { readonly serverZone?: string | undefined };

/** The rows of the server's custom search that say what one condition says. */
export function chartOf(condition: Condition, options: DraftOptions): Draft {
  if (condition.kind === "change") return changeChart(condition);
  if (condition.kind === "flag") return flagChart(condition);
  return { notes: [], isExact: true, ...TESTS[condition.op](condition, options) };
}

type Test = Condition & { readonly kind: "test" };
type Made = Partial<Draft> & { readonly chart: Chart };
type Maker = (test: Test, options: DraftOptions) => Made;

function row(f: string, o: string, ...v: readonly string[]): Row {
  return { kind: "row", f, o, v };
}

function oneRow({ field }: Test, operator: string, text: string): Made {
  return { chart: row(field.chart, operator, text) };
}

function first({ values: [value = ""] }: Test): string {
  return value;
}

function pattern(test: Test, text: string): Made {
  return oneRow(test, "regexp", untrimmed(text));
}

/** The server trims the text that it is to find; a pattern keeps the blanks. */
const containsChart: Maker = (test) =>
  first(test) === first(test).trim() ? oneRow(test, "substring", first(test)) : pattern(test, literal(first(test)));

/** Values with a comma would be taken apart in a list, and pronouns of a list are not replaced: then a row for each. */
const equalsChart: Maker = ({ field, values }) => {
  const isPerson = field.family === "person" || field.family === "people";
  const { chart } = field;
  if (values.length === 1 || isPerson || values.some((value) => value.includes(","))) {
    return { chart: any(values.map((value) => row(chart, "equals", value))) };
  }
  return { chart: row(chart, "anyexact", ...(field.family.startsWith("number") ? [values.join(",")] : values)) };
};

const OPERATORS = { "<": "lessthan", "<=": "lessthaneq", ">": "greaterthan", ">=": "greaterthaneq" } as const;

type Order = keyof typeof OPERATORS;

const orderChart: Maker = (test, options) => {
  const {
    field,
    values: [value = ""],
  } = test;
  const op = test.op as Order;
  if (field.family === "moment") return momentChart(field, [op, value], options);
  const chart = row(field.chart, OPERATORS[op], value);
  return { chart: field.family === "day" && op === "<" ? all([isSetDay(field), chart]) : chart };
};

/** To the server a day that is not set lies before every other. */
function isSetDay(field: CatalogField): Row {
  return row(field.chart, "greaterthaneq", EARLIEST);
}

const EARLIEST = "1971-01-01";

const HALF_DAY = 14 * 3_600_000; // no zone is further from UTC

/**
 * Rows take times in the server's zone, and compare those of custom fields as text, so they are written as the server keeps
 * them; when the zone is not known, the row is made half a day wider.
 */
function momentChart(field: CatalogField, [op, value]: readonly [Order, string], { serverZone }: DraftOptions): Made {
  const isPronoun = value.startsWith("%");
  const set = op === "<" && field.isCustom ? [isSetDay(field)] : [];
  const timed = (text: string): Chart => all([...set, row(field.chart, OPERATORS[op], text)]);
  if (isPronoun) return { chart: timed(value) };
  const moment = Date.parse(value);
  if (serverZone !== undefined) return { chart: timed(wallClockIn(serverZone, moment)) };
  if (jsonName(field) === undefined) return { chart: timed(wallClockIn("UTC", moment)), notes: [ZONE_NOTE] };
  return { chart: timed(wallClockIn("UTC", moment + (op === "<" ? HALF_DAY : -HALF_DAY))), isExact: false };
}

const ZONE_NOTE = "the server's time zone is taken to be UTC";

/** How the server is asked whether a field is empty, where its own `isempty` gives a wrong answer. */
const EMPTY: Readonly<Record<string, Chart>> = {
  alias: not(row("alias", "isnotempty")),
  "flagtypes.name": row("setters.login_name", "isempty"),
  "attachments.filename": row("attachments.submitter", "isempty"),
  "attachments.description": row("attachments.submitter", "isempty"),
  "attachments.mimetype": row("attachments.submitter", "isempty"),
  "attach_data.thedata": row("attachments.submitter", "isempty"),
  comment_tag: not(row("comment_tag", "regexp", ".")),
};

const emptyChart: Maker = ({ field }) => {
  const special = EMPTY[field.chart];
  if (special !== undefined) return { chart: special };
  if (field.family === "day" || (field.family === "moment" && field.isCustom)) return { chart: not(isSetDay(field)) };
  return { chart: row(field.chart, "isempty") };
};

const TESTS: Readonly<Record<Test["op"], Maker>> = {
  "=": equalsChart,
  "~": containsChart,
  "=~": (test) => pattern(test, first(test)),
  "^=": (test) => pattern(test, `^${literal(first(test))}`),
  "$=": (test) => pattern(test, `${literal(first(test))}$`),
  "<": orderChart,
  "<=": orderChart,
  ">": orderChart,
  ">=": orderChart,
  empty: emptyChart,
  any: ({ field, values }) => ({ chart: row(field.chart, "anywords", values.join(" ")) }),
  all: ({ field, values }) => ({ chart: row(field.chart, "allwords", values.join(" ")) }),
  matches: ({ field, values }) => ({ chart: row(field.chart, "matches", ...values) }),
};

/**
 * "Before" reaches up to the second before, because the server counts the given second as before too. Unlike other rows,
 * those on changes read the zone that is written.
 */
function changeChart(change: Condition & { readonly kind: "change" }): Draft {
  const f = change.field.chart;
  const parts: Readonly<Record<keyof ChangeParts, (value: string) => Row>> = {
    from: (value) => row(f, "changedfrom", value),
    to: (value) => row(f, "changedto", value),
    by: (value) => row(f, "changedby", value),
    since: (value) => row(f, "changedafter", value),
    before: (value) => row(f, "changedbefore", wireMoment(Date.parse(value) - 1000)),
  };
  const rows = (Object.keys(parts) as (keyof ChangeParts)[]).flatMap((part) => {
    const value = change[part];
    return value === undefined ? [] : [parts[part](value)];
  });
  const [only = row(f, "changedafter", EARLIEST)] = rows;
  return { chart: rows.length > 1 ? { kind: "same", rows } : only, isExact: true, notes: [] };
}

/** Rows on flags may be met by different flags of the bug, so several parts are checked again on the bug. */
function flagChart({ name, requestee, setter }: Condition & { readonly kind: "flag" }): Draft {
  const names = /[?+-]$/.test(name) ? [name] : ["?", "+", "-"].map((status) => name + status);
  const people = [
    ...(requestee === undefined ? [] : [row("requestees.login_name", "equals", requestee)]),
    ...(setter === undefined ? [] : [row("setters.login_name", "equals", setter)]),
  ];
  const [only = ""] = names;
  const named = names.length > 1 ? row("flagtypes.name", "anyexact", ...names) : row("flagtypes.name", "equals", only);
  return { chart: all([named, ...people]), isExact: people.length === 0, notes: [] };
}
