import type { Bug, CustomValue, NamedItem, Person, SetFlag } from "../bug.ts";
import { TRACKED_FIELDS } from "../fields.ts";
import { formatHours } from "../values.ts";
import { differenceBy, type KeyOf } from "./list-edit.ts";

/** Changed fields between two states of a bug, in the order of the table of fields; custom fields last. */
export function diffBugs(before: Bug, after: Bug): FieldChange[] {
  return [
    ...TRACKED_FIELDS.flatMap((field) => changeOfField(field, before, after)),
    ...customNames(before, after).flatMap((name) => customChange(name, before, after)),
  ];
}

function changeOfField(
  { name, chart, sets }: (typeof TRACKED_FIELDS)[number],
  before: Bug,
  after: Bug,
): readonly FieldChange[] {
  if (name === "flags") return valueChange(chart, ...flagDifference(before.flags, after.flags));
  const [was, is] = [before[name], after[name]];
  if (Array.isArray(was) && Array.isArray(is)) {
    return changeOfList(chart, { before: was.map(shownValue), after: is.map(shownValue) });
  }
  if (sets === "hours") return hoursChange(chart, Number(was), Number(is));
  return valueChange(chart, shownValue(was as SingleValue), shownValue(is as SingleValue));
}

type SingleValue = string | number | boolean | NamedItem | Person | null;

function shownValue(value: SingleValue): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value !== "object") return String(value);
  if (value === null) return "";
  return "login" in value ? value.login : value.name;
}

// Bugzilla shows the stored value with two decimals and the new one as sent: 10.00 -> 7.5.
function hoursChange(field: string, was: number, is: number): FieldChange[] {
  return was === is ? [] : [{ field, removed: formatHours(was), added: String(is) }];
}

/** The removed and the added of two lists of flags. A new setter is a change, although setters are not shown. */
export function flagDifference(
  before: readonly SetFlag[],
  after: readonly SetFlag[],
): readonly [removed: string, added: string] {
  const joined = (list: readonly SetFlag[], other: readonly SetFlag[]) =>
    differenceBy(list, other, (flag) => `${flag.id} ${flag.setter.id} ${flagText(flag)}`)
      .map(flagText)
      .join(", ");
  return [joined(before, after), joined(after, before)];
}

/** A flag as changes and history show it: `review?(bob@example.org)`. */
export function flagText({ name, status, requestee }: SetFlag): string {
  return `${name}${status}${requestee ? `(${requestee.login})` : ""}`;
}

function customNames(before: Bug, after: Bug): string[] {
  return Object.keys(after.custom).filter((name) => before.custom[name] !== after.custom[name]);
}

function customChange(name: string, before: Bug, after: Bug): readonly FieldChange[] {
  const [previous = "", current = ""] = [before.custom[name], after.custom[name]];
  return typeof previous === "string" && typeof current === "string"
    ? valueChange(name, previous, current)
    : changeOfList(name, { before: asList(previous), after: asList(current) });
}

function asList(value: CustomValue): readonly string[] {
  return typeof value === "string" ? [value] : value;
}

/** Change of one field as reported and stored in history; `field` is its chart name (`bug_status`). */
export type FieldChange = { readonly field: string; readonly removed: string; readonly added: string };

/** The change of a single value; empty if unchanged. */
function valueChange(field: string, removed: string, added: string): FieldChange[] {
  return removed === added ? [] : [{ field, removed, added }];
}

/** A list before and after an update. */
export type ListPair<T> = { readonly before: readonly T[]; readonly after: readonly T[] };

/** The change of a list, removed and added items joined by `, `; empty if unchanged. */
function changeOfList(field: string, { before, after }: ListPair<string | number>): readonly FieldChange[] {
  return valueChange(field, itemsOnlyIn(before, after).join(", "), itemsOnlyIn(after, before).join(", "));
}

const itemKey: KeyOf<string | number> = (item) => item;

function itemsOnlyIn(list: readonly (string | number)[], other: readonly (string | number)[]) {
  return differenceBy(list, other, itemKey);
}
