import { BtError } from "../../errors.ts";
import type { Family } from "../../wire/bug-fields.ts";
import type { CatalogField } from "../catalog.ts";
import { legalValue } from "../legal-values.ts";
import { type DateContext, readDate } from "./dates.ts";
import { allOf, type Comparison, type Term, type TypedQuery } from "./tree.ts";

/** A comparison and the value it compares with, as in `>=High`; none for a plain value. */
export function splitComparison(text: string): { readonly op: Comparison | undefined; readonly value: string } {
  const [, op = "", value = text] = /^\s*(>=|<=|>|<|=)\s*(.*)$/s.exec(text) ?? [];
  return { op: op === "" ? undefined : (op as Comparison), value };
}

/** `a..b` includes both ends, `a..<b` leaves out the last; either end may be open. Undefined when it is no range. */
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

/** Refuses the upper end of a range that lies before its lower one: no bug could match. */
export function checkRange(field: CatalogField, { after, values: [to = ""] }: Bound, clock: DateContext): void {
  if (after === undefined || !REVERSED[field.family]?.({ field, from: after, to, clock })) return;
  throw reversedRangeError(after, to);
}

/** The error of a range whose end lies before its beginning. */
export function reversedRangeError(from: string, to: string): BtError {
  return new BtError("usage", `the range ${from}..${to} ends before it begins`, { hint: `write ${to}..${from}` });
}

type Range = { readonly field: CatalogField; readonly from: string; readonly to: string; readonly clock: DateContext };
type IsReversed = (range: Range) => boolean;

/** A date is a period, and its end counts: 2026-10-15..2026-10 is the second half of October. */
const isTimeReversed: IsReversed = ({ from, to, clock }) => readDate(from, clock).start >= readDate(to, clock).end;

/** By the order that a field has. Values stand in the tracker's order, the highest first. */
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
