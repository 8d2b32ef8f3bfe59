import { BtError } from "../../errors.ts";
import type { Family } from "../../wire/bug-field-row.ts";
import type { CatalogField } from "../catalog/catalog.ts";
import { legalValue } from "../catalog/legal-values.ts";
import { type DateContext, readDate } from "./dates.ts";
import { allOf, type Comparison, isGroup, isNot, type Term, type UnresolvedQuery } from "./tree.ts";

/** Operator and value of a text such as `>=High`; no operator for a plain value. */
export function splitComparison(text: string): { op: Comparison | undefined; value: string } {
  const [, op = "", value = text] = /^\s*(>=|<=|>|<|=)\s*(.*)$/s.exec(text) ?? [];
  return { op: op === "" ? undefined : (op as Comparison), value };
}

/**
 * Tree of a range: `a..b` includes both ends, `a..<b` excludes the upper one; either end may be open. Undefined if the
 * text is not a range.
 */
export function rangeTree(field: string, text: string, at?: number): UnresolvedQuery | undefined {
  const [match, from = "", excluded, to = ""] = /^(.*?)\.\.(<?)(.*)$/s.exec(text) ?? [];
  if (match === undefined || (from === "" && to === "")) return undefined;
  const place = at === undefined ? {} : { at };
  const bound = (op: Comparison, value: string): Bound => ({ kind: "test", field, op, values: [value], ...place });
  const bounds: Bound[] = [];
  if (from !== "") bounds.push(bound(">=", from));
  if (to !== "") bounds.push(bound(excluded === "<" ? "<" : "<=", to));
  return allOf(bounds);
}

/** One end of a range: a comparison of order with one value. */
export type Bound = Term & { readonly kind: "test" };

/**
 * Pairs of a lower and an upper end that are required together, whether they were typed as `a..b` or as two conditions; also
 * of different fields.
 */
export function rangesOf(tree: UnresolvedQuery): readonly (readonly [lower: Bound, upper: Bound])[] {
  if (isNot(tree)) return rangesOf(tree.of);
  if (!isGroup(tree)) return [];
  const ranges = tree.of.flatMap(rangesOf);
  if (tree.kind !== "all") return ranges;
  const bounds = tree.of.filter(isBound);
  const lowers = bounds.filter(({ op }) => op.startsWith(">"));
  const uppers = bounds.filter(({ op }) => op.startsWith("<"));
  return [...lowers.flatMap((lower) => uppers.map((upper) => [lower, upper] as const)), ...ranges];
}

function isBound(tree: UnresolvedQuery): tree is Bound {
  return tree.kind === "test" && /^[<>]=?$/.test(tree.op);
}

/**
 * Rejects a range whose upper end precedes its lower end, since no bug could match.
 * @throws BtError of kind usage
 */
export function checkRange(field: CatalogField, [lower, upper]: [Bound, Bound], clock: DateContext): void {
  const [from = ""] = lower.values;
  const [to = ""] = upper.values;
  const range = { field, from, to, clock, isAfter: lower.op === ">", isBefore: upper.op === "<" };
  if (SEVERAL.has(field.chart) || !IS_EMPTY[field.family]?.(range)) return;
  if (from !== to) throw reversedRangeError(from, to);
  throw new BtError("usage", `no ${field.api} is both ${lower.op} ${from} and ${upper.op} ${to}`);
}

/** Each comment has hours of its own: one may be above a bound and another below it. */
const SEVERAL: ReadonlySet<string> = new Set(["work_time"]);

/** Error for a reversed range. */
export function reversedRangeError(from: string, to: string): BtError {
  return new BtError("usage", `the range ${from}..${to} is reversed`, { hint: `use ${to}..${from}` });
}

type Range = {
  field: CatalogField;
  from: string;
  to: string;
  clock: DateContext;
  isAfter: boolean; // the lower end is not part of it
  isBefore: boolean; // nor is the upper end
};

type IsEmpty = (range: Range) => boolean;

/** A date is a period that includes its end: 2026-10-15..2026-10 is the second half of October. */
const isTimeEmpty: IsEmpty = ({ field, from, to, clock, isAfter, isBefore }) => {
  const weekday = field.family === "day" ? "coming" : "last";
  const [lower, upper] = [readDate(from, clock, weekday), readDate(to, clock, weekday)];
  return lower[isAfter ? "end" : "start"] >= upper[isBefore ? "start" : "end"];
};

/** Order by family. Ranked values are listed highest first. */
const IS_EMPTY: Readonly<Partial<Record<Family, IsEmpty>>> = {
  number: (range) => isReversed(parseNumber(range.to) - parseNumber(range.from), range),
  moment: isTimeEmpty,
  day: isTimeEmpty,
  ranked: (range) => isReversed(rankOfValue(range.field, range.from) - rankOfValue(range.field, range.to), range),
};

function isReversed(length: number, { isAfter, isBefore }: Range): boolean {
  return length < 0 || (length === 0 && (isAfter || isBefore));
}

function parseNumber(text: string): number {
  return Number(text.trim().replace(/^#/, ""));
}

function rankOfValue(field: CatalogField, text: string): number {
  return field.values.findIndex(({ name }) => name === legalValue(field, text));
}
