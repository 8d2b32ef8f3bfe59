import { bugFieldRow } from "../../wire/bug-fields.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { PRONOUN_FIELDS } from "../../wire/search-names.ts";
import { timestamp } from "../../wire/time.ts";
import { type CatalogField, isPersonField } from "../catalog/catalog.ts";
import { wallClockIn } from "../facts/time-zone.ts";
import { jsonName, literalPattern, mustReadEachBug, toAnyValue, untrimmedPattern } from "./matching.ts";
import {
  allOf,
  anyOf,
  type ChangeParts,
  notOf,
  type QueryTree,
  type ResolvedChange,
  type ResolvedTerm,
} from "./tree.ts";

/** Rows of a custom search for a condition. If not exact, they match too many bugs, never too few. */
export type ChartDraft = {
  chart: Chart;
  isExact: boolean;
  notes: string[];
};

/** `serverZone`: IANA zone in which the server reads dates of rows; undefined if unknown. */
export type ChartOptions = { serverZone?: string | undefined };

/**
 * Rows of the server's custom search for one condition.
 * @see Bugzilla/Search.pm of Bugzilla
 */
export function draftChart(condition: ResolvedTerm, options: ChartOptions): ChartDraft {
  if (condition.kind === "change") return changeChart(condition, options);
  if (condition.kind === "flag") return flagChart(condition);
  return { notes: [], isExact: true, ...TESTS[condition.op](condition, options) };
}

type Test = ResolvedTerm & { kind: "test" };
type Made = Partial<ChartDraft> & { chart: Chart };
type Maker = (test: Test, options: ChartOptions) => Made;

function searchRow(f: string, o: string, ...v: string[]): Row {
  return { kind: "row", f, o, v };
}

function testRow({ field }: Test, operator: string, text: string): Made {
  return { chart: searchRow(field.chart, operator, text) };
}

function firstValue({ values: [value = ""] }: Test): string {
  return value;
}

function patternRow(test: Test, text: string): Made {
  return testRow(test, "regexp", untrimmedPattern(text));
}

/** The server trims the search text; a regular expression keeps whitespace. Several texts are words. */
const containsChart: Maker = (test) => {
  if (test.values.length > 1) return testRow(test, "allwordssubstr", test.values.join(" "));
  return firstValue(test) === firstValue(test).trim()
    ? testRow(test, "substring", firstValue(test))
    : patternRow(test, literalPattern(firstValue(test)));
};

/** Values with commas would be split in a list, and pronouns in a list are not replaced: these get a row each. */
const equalsChart: Maker = ({ field, values }) => {
  const isPerson = isPersonField(field);
  const { chart } = field;
  if (values.length === 1 || isPerson || values.some((value) => value.includes(","))) {
    return {
      chart: anyOf(values.map((value) => (isPerson ? personChart(chart, value) : searchRow(chart, "equals", value)))),
    };
  }
  return { chart: searchRow(chart, "anyexact", ...(field.family.startsWith("number") ? [values.join(",")] : values)) };
};

/** To the server, a flag without a requestee and a bug without a QA contact have the same person. */
function personChart(chart: string, value: string): Chart {
  const equal = searchRow(chart, "equals", value);
  const named = PRONOUN_FIELDS[value] ?? "";
  const isMissable = chart === "requestees.login_name" || chart === named;
  return isMissable && bugFieldRow(named)?.isOptional ? allOf([equal, searchRow(named, "isnotempty")]) : equal;
}

const OPERATORS = { "<": "lessthan", "<=": "lessthaneq", ">": "greaterthan", ">=": "greaterthaneq" } as const;

type Order = keyof typeof OPERATORS;

const orderChart: Maker = (test, options) => {
  const {
    field,
    values: [value = ""],
  } = test;
  const op = test.op as Order;
  if (field.family === "moment") return momentChart(field, [op, value], options);
  const chart = searchRow(field.chart, OPERATORS[op], value);
  if (field.family === "day" && op === "<") return { chart: allOf([daySetRow(field), chart]) };
  const isZeroIfUnset = field.isCustom && field.type === FIELD_TYPE.bugId; // to the server; an integer cannot be unset
  return { chart: isZeroIfUnset ? allOf([searchRow(field.chart, "isnotempty"), chart]) : chart };
};

/** The server sorts an unset day before all others. */
function daySetRow(field: CatalogField): Row {
  return searchRow(field.chart, "greaterthaneq", EARLIEST);
}

const EARLIEST = "1971-01-01";

const HALF_DAY = 14 * 3_600_000; // maximum offset from UTC

/**
 * Rows read times in the server's zone, and compare those of custom fields as text, so they are written as the server
 * stores them; if the zone is unknown, the range is widened by half a day.
 */
function momentChart(field: CatalogField, [op, value]: [Order, string], { serverZone }: ChartOptions): Made {
  const isPronoun = value.startsWith("%");
  const set = op === "<" && field.isCustom ? [daySetRow(field)] : [];
  const timed = (text: string): Chart => allOf([...set, searchRow(field.chart, OPERATORS[op], text)]);
  if (isPronoun) return { chart: timed(value) };
  const moment = Date.parse(value);
  if (serverZone !== undefined) return { chart: timed(wallClockIn(serverZone, moment)) };
  if (jsonName(field) === undefined) return { chart: timed(wallClockIn("UTC", moment)), notes: [ZONE_NOTE] };
  return { chart: timed(wallClockIn("UTC", moment + (op === "<" ? HALF_DAY : -HALF_DAY))), isExact: false };
}

const ZONE_NOTE = "the server's time zone is assumed to be UTC";

/** Rows that test fields for emptiness where the server's `isempty` is wrong. */
const EMPTY: Readonly<Record<string, Chart>> = {
  alias: notOf(searchRow("alias", "isnotempty")),
  "flagtypes.name": searchRow("setters.login_name", "isempty"),
  "attachments.filename": searchRow("attachments.submitter", "isempty"),
  "attachments.description": searchRow("attachments.submitter", "isempty"),
  "attachments.mimetype": searchRow("attachments.submitter", "isempty"),
  "attach_data.thedata": searchRow("attachments.submitter", "isempty"),
  comment_tag: notOf(searchRow("comment_tag", "regexp", ".")),
};

const emptyChart: Maker = ({ field }) => {
  const special = EMPTY[field.chart];
  if (special !== undefined) return { chart: special };
  if (field.family === "day" || (field.family === "moment" && field.isCustom))
    return { chart: notOf(daySetRow(field)) };
  return { chart: searchRow(field.chart, "isempty") };
};

const TESTS: Readonly<Record<Test["op"], Maker>> = {
  "=": equalsChart,
  "~": containsChart,
  "=~": (test) => patternRow(test, firstValue(test)),
  "^=": (test) => patternRow(test, `^${literalPattern(firstValue(test))}`),
  "$=": (test) => patternRow(test, `${literalPattern(firstValue(test))}$`),
  "<": orderChart,
  "<=": orderChart,
  ">": orderChart,
  ">=": orderChart,
  empty: emptyChart,
  any: ({ field, values }) => ({ chart: searchRow(field.chart, "anywords", values.join(" ")) }),
  all: ({ field, values }) => ({ chart: searchRow(field.chart, "allwords", values.join(" ")) }),
  matches: ({ field, values }) => ({ chart: searchRow(field.chart, "matches", ...values) }),
};

/** A change of hours or of a time has a row for each text that histories may have for it. */
function changeChart(change: ResolvedChange, options: ChartOptions): ChartDraft {
  if (mustReadEachBug(change)) return { ...changeChart(toAnyValue(change), options), isExact: false };
  const author = commentAuthor(change);
  if (author !== undefined) return { chart: searchRow("commenter", "equals", author), isExact: true, notes: [] };
  const written = (value: string | undefined) =>
    value === undefined ? [undefined] : recordedTexts(change.field, value, options);
  const charts = written(change.from).flatMap((from) =>
    written(change.to).map((to) => writtenChangeChart({ ...change, from, to })),
  );
  const isTimed = change.field.family === "moment" && (change.from ?? change.to) !== undefined;
  return { chart: anyOf(charts), isExact: true, notes: isTimed && options.serverZone === undefined ? [ZONE_NOTE] : [] };
}

/** Texts of a value in histories: hours as they were sent or with decimals, times by the server's clock. */
function recordedTexts({ api, family }: CatalogField, value: string, { serverZone = "UTC" }: ChartOptions): string[] {
  if (family === "moment") return [wallClockIn(serverZone, Date.parse(value))];
  if (!HOURS.has(api)) return [value];
  const texts = [value, Number(value).toFixed(1), Number(value).toFixed(2)];
  return [...new Set(texts.filter((text) => Number(text) === Number(value)))];
}

const HOURS: ReadonlySet<string> = new Set(["estimated_time", "remaining_time", "actual_time"]);

/**
 * Rows that one change has to meet together. "Before" ends a second earlier, since the server includes the given second.
 * Unlike other rows, those on changes honour a written zone.
 */
function writtenChangeChart(change: WrittenChange): Chart {
  const f = change.field.chart;
  const parts: Readonly<Record<keyof ChangeParts, (value: string) => Row>> = {
    from: (value) => searchRow(f, "changedfrom", value),
    to: (value) => searchRow(f, "changedto", value),
    by: (value) => searchRow(f, "changedby", value),
    since: (value) => searchRow(f, "changedafter", value),
    before: (value) => searchRow(f, "changedbefore", timestamp(Date.parse(value) - 1000)),
  };
  const rows: Row[] = [];
  for (const part of Object.keys(parts) as (keyof ChangeParts)[]) {
    const value = change[part];
    if (value !== undefined) rows.push(parts[part](value));
  }
  const [only = searchRow(f, "changedafter", EARLIEST)] = rows;
  return rows.length > 1 ? { kind: "same", rows } : only;
}

type WrittenChange = Omit<ResolvedChange, "from" | "to"> & {
  from: string | undefined;
  to: string | undefined;
};

/** The login of a condition on nothing but the author of a comment. */
function commentAuthor({ field, by, from, to, since, before }: ResolvedChange): string | undefined {
  const isAlone = [from, to, since, before].every((part) => part === undefined);
  return field.chart === "longdesc" && isAlone && !by?.startsWith("%") ? by : undefined;
}

/**
 * True if the server tests each comment of a bug for a condition, so that "not" selects bugs with any other comment.
 * @see Bugzilla/Search.pm, _long_desc_changedby and _work_time_changedby
 */
export function isPerComment(leaf: ResolvedTerm): boolean {
  if (leaf.kind !== "change" || leaf.by === undefined) return false;
  return ["longdesc", "work_time"].includes(leaf.field.chart) && commentAuthor(leaf) === undefined;
}

/** Rows on flags may match different flags of a bug, so several parts are verified locally. */
function flagChart({ name, requestee, setter }: ResolvedTerm & { kind: "flag" }): ChartDraft {
  const names = /[?+-]$/.test(name) ? [name] : ["?", "+", "-"].map((status) => name + status);
  const people = [
    ...(requestee === undefined ? [] : [searchRow("requestees.login_name", "equals", requestee)]),
    ...(setter === undefined ? [] : [searchRow("setters.login_name", "equals", setter)]),
  ];
  const [only = ""] = names;
  const named =
    names.length > 1 ? searchRow("flagtypes.name", "anyexact", ...names) : searchRow("flagtypes.name", "equals", only);
  return { chart: allOf([named, ...people]), isExact: people.length === 0, notes: [] };
}

/** A row of the custom search: field, operator, and values that are sent as repeats. */
export type Row = {
  readonly kind: "row";
  readonly f: string;
  readonly o: string;
  readonly v: readonly string[];
};

/** Rows on one field that a single change must match. */
type SameChange = { kind: "same"; rows: Row[] };

/** A custom search before its rows are numbered. */
export type Chart = QueryTree<Row | SameChange>;

/** A name and value of a query string. */
export type QueryPair = readonly [name: string, value: string];

/**
 * Query pairs of a custom search, numbered from `f1`, or another first number, without a gap (a gap would lose a row on the
 * server). An "any" becomes a group: joining the top level by OR would include parameters such as creation_time and
 * quicksearch in the OR.
 */
export function numberRows(chart: Chart, first = 1): QueryPair[] {
  return (chart.kind === "all" ? chart.of.flatMap((part) => slotsOf(part)) : slotsOf(chart)).flatMap((slot, index) =>
    slot.map(([letter, value]) => [`${letter}${index + first}`, value] as const),
  );
}

/** A row of the search page's older form. */
export type OlderRow = Pick<Row, "f" | "o" | "v"> & { readonly isNegated?: boolean };

/**
 * Rows of the older form to add to a search. They are always ANDed, while those of `numberRows` may be joined by OR. Bugzilla
 * makes rows from 0 of the words of a quicksearch.
 */
export function olderRows(search: readonly QueryPair[], rows: OlderRow[]): QueryPair[] {
  const taken = search.map(([name]) => Number(/^(?:field|negate)(\d+)/.exec(name)?.[1] ?? -1));
  const first = Math.max(search.some(([name]) => name === "quicksearch") ? 999 : -1, ...taken) + 1;
  return rows.flatMap(({ f, o, v, isNegated }, at): QueryPair[] => [
    [`field${first + at}-0-0`, f],
    [`type${first + at}-0-0`, o],
    [`value${first + at}-0-0`, v.join(",")],
    ...(isNegated ? [[`negate${first + at}`, "1"] as const] : []),
  ]);
}

/** The letters `f`, `o`, `j`, `n` and `v` of one number. */
type Slot = readonly (readonly [letter: string, value: string])[];

function slotsOf(chart: Chart, negation: Slot = []): readonly Slot[] {
  switch (chart.kind) {
    case "not":
      return slotsOf(chart.of, [["n", "1"]]);
    case "row":
      return [[["f", chart.f], ["o", chart.o], ...negation, ...chart.v.map((value) => ["v", value] as const)]];
    case "same":
      return groupSlots("AND_G", negation, chart.rows);
    case "all":
    case "any":
      return chart.of.length === 0 ? NO_BUG : groupSlots(chart.kind === "all" ? "AND" : "OR", negation, chart.of);
  }
}

/** Row that matches no bug, since the server drops an empty group; no id is below 0. */
const NO_BUG: readonly Slot[] = [
  [
    ["f", "bug_id"],
    ["o", "lessthan"],
    ["v", "0"],
  ],
];

function groupSlots(joint: string, negation: Slot, parts: Chart[]): Slot[] {
  return [[["f", "OP"], ["j", joint], ...negation], ...parts.flatMap((part) => slotsOf(part)), [["f", "CP"]]];
}
