import { BtError } from "../../errors.ts";
import type { Family } from "../../wire/bug-fields.ts";
import type { CatalogField } from "../catalog.ts";
import { legalValue } from "../legal-values.ts";
import { type DateContext, readDate } from "./dates.ts";
import { allOf, type Comparison, type Term, type TypedQuery } from "./tree.ts";

/** Operator and value of a text such as `>=High`; no operator for a plain value. */
export function splitComparison(text: string): { readonly op: Comparison | undefined; readonly value: string } {
  const [, op = "", value = text] = /^\s*(>=|<=|>|<|=)\s*(.*)$/s.exec(text) ?? [];
  return { op: op === "" ? undefined : (op as Comparison), value };
}

/**
 * Tree of a range: `a..b` includes both ends, `a..<b` excludes the upper one; either end may be open. Undefined if the
 * text is not a range.
 */
export function rangeTree(field: string, text: string, at?: number): TypedQuery | undefined {
  const [match, from = "", excluded, to = ""] = /^(.*?)\.\.(<?)(.*)$/s.exec(text) ?? [];
  if (match === undefined || (from === "" && to === "")) return undefined;
  const place = at === undefined ? {} : { at };
  const bound = (op: Comparison, value: string): Bound => ({ kind: "test", field, op, values: [value], ...place });
  const upper = bound(excluded === "<" ? "<" : "<=", to);
  return allOf([
    ...(from === "" ? [] : [bound(">=", from)]),
    ...(to === "" ? [] : [from === "" ? upper : { ...upper, after: from }]),
  ]);
}

type Bound = Term & { readonly kind: "test" };

/**
 * Rejects a range whose upper end precedes its lower end, since no bug could match.
 * @throws BtError of kind usage
 */
export function checkRange(field: CatalogField, { after, values: [to = ""] }: Bound, clock: DateContext): void {
  if (after === undefined || !REVERSED[field.family]?.({ field, from: after, to, clock })) return;
  throw reversedRangeError(after, to);
}

/** Error for a reversed range. */
export function reversedRangeError(from: string, to: string): BtError {
  return new BtError("usage", `the range ${from}..${to} is reversed`, { hint: `use ${to}..${from}` });
}

type Range = { readonly field: CatalogField; readonly from: string; readonly to: string; readonly clock: DateContext };
type IsReversed = (range: Range) => boolean;

/** A date is a period that includes its end: 2026-10-15..2026-10 is the second half of October. */
const isTimeReversed: IsReversed = ({ from, to, clock }) => readDate(from, clock).start >= readDate(to, clock).end;

/** Order by family. Ranked values are listed highest first. */
const REVERSED: Readonly<Partial<Record<Family, IsReversed>>> = {
  number: ({ from, to }) => numberOf(from) > numberOf(to),
  moment: isTimeReversed,
  day: isTimeReversed,
  ranked: ({ field, from, to }) => rankOf(field, from) < rankOf(field, to),
};

function numberOf(text: string): number {
  return Number(text.trim().replace(/^#/, ""));
}

function rankOf(field: CatalogField, text: string): number {
  return field.values.findIndex(({ name }) => name === legalValue(field, text));
}
