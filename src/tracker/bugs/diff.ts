import type { Bug, NamedItem, Person, SetFlag } from "../bug.ts";
import { TRACKED_FIELDS } from "../fields.ts";
import { formatHours } from "../values.ts";
import { differenceBy } from "./list-edit.ts";

/** Changed fields between two states of a bug, in the order of the table of fields; custom fields last. */
export function diffBugs(before: Bug, after: Bug): FieldChange[] {
  return [
    ...TRACKED_FIELDS.flatMap((field) => changeOfField(field, before, after)),
    ...Object.keys(after.custom).flatMap((name) => customChange(name, before, after)),
  ];
}

function changeOfField(
  { name, chart, sets }: (typeof TRACKED_FIELDS)[number],
  before: Bug,
  after: Bug,
): readonly FieldChange[] {
  const [was, is] = [before[name], after[name]];
  if (was === is) return [];
  if (name === "flags") return valueChange(chart, ...flagDifference(before.flags, after.flags));
  if (Array.isArray(was) && Array.isArray(is)) return listChange(chart, was.map(shownValue), is.map(shownValue));
  // Bugzilla shows the stored value with two decimals and the new one as sent: 10.00 -> 7.5
  if (sets === "hours") return [{ field: chart, removed: formatHours(Number(was)), added: String(is) }];
  return valueChange(chart, shownValue(was as SingleValue), shownValue(is as SingleValue));
}

type SingleValue = string | number | boolean | NamedItem | Person | null;

function shownValue(value: SingleValue): string {
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value !== "object") return String(value);
  if (value === null) return "";
  return "login" in value ? value.login : value.name;
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
function flagText({ name, status, requestee }: SetFlag): string {
  return `${name}${status}${requestee ? `(${requestee.login})` : ""}`;
}

function customChange(name: string, before: Bug, after: Bug): readonly FieldChange[] {
  const [was = "", is = ""] = [before.custom[name], after.custom[name]];
  if (typeof was === "string" && typeof is === "string") return valueChange(name, was, is);
  return listChange(name, [was].flat(), [is].flat());
}

/** Change of one field as reported and stored in history; `field` is its chart name (`bug_status`). */
export type FieldChange = { readonly field: string; readonly removed: string; readonly added: string };

/** The change of a single value; empty if unchanged. */
function valueChange(field: string, removed: string, added: string): FieldChange[] {
  return removed === added ? [] : [{ field, removed, added }];
}

/** The change of a list, removed and added items joined by `, `; empty if unchanged. */
function listChange(field: string, before: readonly string[], after: readonly string[]): readonly FieldChange[] {
  const onlyIn = (list: readonly string[], other: readonly string[]) => differenceBy(list, other, String).join(", ");
  return valueChange(field, onlyIn(before, after), onlyIn(after, before));
}
