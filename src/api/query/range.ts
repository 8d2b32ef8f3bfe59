import { BtError } from "../../errors.ts";
import { all, type Comparison, type Term, type Typed } from "./tree.ts";

/** A comparison and the value it compares with, as in `>=High`; none for a plain value. */
export function splitComparison(text: string): { readonly op: Comparison | undefined; readonly value: string } {
  const [, op = "", value = text] = /^\s*(>=|<=|>|<|=)\s*(.*)$/s.exec(text) ?? [];
  return { op: op === "" ? undefined : (op as Comparison), value };
}

/** `a..b` includes both ends, `a..<b` leaves out the last; either end may be open. Undefined when it is no range. */
export function rangeTree(field: string, text: string, at?: number): Typed | undefined {
  const [match, from = "", excluded, to = ""] = /^(.*?)\.\.(<?)(.*)$/s.exec(text) ?? [];
  if (match === undefined || (from === "" && to === "")) return undefined;
  refuseBackwards(from, to);
  const place = at === undefined ? {} : { at };
  const bound = (op: Comparison, value: string): Term => ({ kind: "test", field, op, values: [value], ...place });
  return all([
    ...(from === "" ? [] : [bound(">=", from)]),
    ...(to === "" ? [] : [bound(excluded === "<" ? "<" : "<=", to)]),
  ]);
}

function refuseBackwards(from: string, to: string): void {
  const [first, last] = [from, to].map((end) => (/^\d+$/.test(end) ? Number(end) : Number.NaN)) as [number, number];
  if (!(first > last)) return;
  throw new BtError("usage", `the range ${from}..${to} ends before it begins`, { hint: `write ${to}..${from}` });
}
