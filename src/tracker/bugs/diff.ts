import { formatHours } from "../values.ts";
import type { Bug, CustomValue, NamedItem, Person, SetFlag } from "./bug.ts";
import { differenceBy, type KeyOf } from "./list-edit.ts";

/** Changed fields between two states of a bug, in the order of the tables below; custom fields last. */
export function diffBugs(before: Bug, after: Bug): readonly FieldChange[] {
  return [
    ...VALUES.flatMap(([field, show]) => valueChange(field, show(before), show(after))),
    ...HOURS.flatMap((field) => hoursChange(field, before, after)),
    ...LISTS.flatMap(([field, list]) => listChange(field, { before: list(before), after: list(after) })),
    ...valueChange("flagtypes.name", ...flagNames(before, after)),
    ...customNames(before, after).flatMap((name) => customChange(name, before, after)),
  ];
}

function login(person: Person | null): string {
  return person?.login ?? "";
}

function names(list: readonly NamedItem[]): readonly string[] {
  return list.map(({ name }) => name);
}

function digit(flag: boolean): string {
  return flag ? "1" : "0";
}

const VALUES: readonly (readonly [field: string, show: (bug: Bug) => string])[] = [
  ["short_desc", (bug) => bug.summary],
  ["product", (bug) => bug.product.name],
  ["component", (bug) => bug.component.name],
  ["version", (bug) => bug.version],
  ["target_milestone", (bug) => bug.target_milestone],
  ["bug_status", (bug) => bug.status],
  ["resolution", (bug) => bug.resolution],
  ["dup_id", (bug) => String(bug.dupe_of ?? "")],
  ["everconfirmed", (bug) => digit(bug.is_confirmed)],
  ["priority", (bug) => bug.priority],
  ["bug_severity", (bug) => bug.severity],
  ["rep_platform", (bug) => bug.platform],
  ["op_sys", (bug) => bug.op_sys],
  ["assigned_to", (bug) => login(bug.assigned_to)],
  ["qa_contact", (bug) => login(bug.qa_contact)],
  ["deadline", (bug) => bug.deadline],
  ["bug_file_loc", (bug) => bug.url],
  ["status_whiteboard", (bug) => bug.whiteboard],
  ["cclist_accessible", (bug) => digit(bug.is_cc_accessible)],
  ["reporter_accessible", (bug) => digit(bug.is_creator_accessible)],
];

const HOURS = ["estimated_time", "remaining_time"] as const;

// Bugzilla shows the stored value with two decimals and the new one as sent: 10.00 -> 7.5.
function hoursChange(field: (typeof HOURS)[number], before: Bug, after: Bug): readonly FieldChange[] {
  return before[field] === after[field]
    ? []
    : [{ field, removed: formatHours(before[field]), added: String(after[field]) }];
}

const LISTS: readonly (readonly [field: string, list: (bug: Bug) => readonly (string | number)[]])[] = [
  ["alias", (bug) => bug.alias],
  ["cc", (bug) => bug.cc.map(login)],
  ["keywords", (bug) => names(bug.keywords)],
  ["bug_group", (bug) => names(bug.groups)],
  ["dependson", (bug) => bug.depends_on],
  ["blocked", (bug) => bug.blocks],
  ["see_also", (bug) => bug.see_also],
];

// A new setter is a change, although setters are not shown.
function flagNames(before: Bug, after: Bug): readonly [removed: string, added: string] {
  const joined = (list: readonly SetFlag[], other: readonly SetFlag[]) =>
    differenceBy(list, other, (flag) => `${flag.id} ${flag.setter.id} ${flagText(flag)}`)
      .map(flagText)
      .join(", ");
  return [joined(before.flags, after.flags), joined(after.flags, before.flags)];
}

/** A flag as changes and history show it: `review?(bob@example.org)`. */
export function flagText({ name, status, requestee }: SetFlag): string {
  return `${name}${status}${requestee ? `(${requestee.login})` : ""}`;
}

function customNames(before: Bug, after: Bug): readonly string[] {
  return Object.keys(after.custom).filter((name) => before.custom[name] !== after.custom[name]);
}

function customChange(name: string, before: Bug, after: Bug): readonly FieldChange[] {
  const [previous = "", current = ""] = [before.custom[name], after.custom[name]];
  return typeof previous === "string" && typeof current === "string"
    ? valueChange(name, previous, current)
    : listChange(name, { before: asList(previous), after: asList(current) });
}

function asList(value: CustomValue): readonly string[] {
  return typeof value === "string" ? [value] : value;
}

/** Change of one field as reported and stored in history; `field` is its chart name (`bug_status`). */
export type FieldChange = { readonly field: string; readonly removed: string; readonly added: string };

/** The change of a single value; empty if unchanged. */
function valueChange(field: string, removed: string, added: string): readonly FieldChange[] {
  return removed === added ? [] : [{ field, removed, added }];
}

/** A list before and after an update. */
export type ListPair<T> = { readonly before: readonly T[]; readonly after: readonly T[] };

/** The change of a list, removed and added items joined by `, `; empty if unchanged. */
function listChange(field: string, { before, after }: ListPair<string | number>): readonly FieldChange[] {
  return valueChange(field, itemsOnlyIn(before, after).join(", "), itemsOnlyIn(after, before).join(", "));
}

const itemKey: KeyOf<string | number> = (item) => item;

function itemsOnlyIn(list: readonly (string | number)[], other: readonly (string | number)[]) {
  return differenceBy(list, other, itemKey);
}
