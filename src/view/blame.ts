import { BUG_FIELDS, type Bug, bugFieldRow } from "../wire/bug-fields.ts";
import type { Flag } from "../wire/bug-values.ts";
import type { Json } from "../wire/exchange.ts";
import type { Field, HistoryEntry } from "../wire/resources.ts";
import { bugFlagText, shownLogin } from "./bug-columns.ts";
import { wordedValue } from "./changes.ts";
import type { Column } from "./column.ts";
import { fieldFacts } from "./field-facts.ts";
import { absoluteTime, dayText, relativeTime, shortRelativeTime } from "./times.ts";
import type { View } from "./view.ts";

/** A current value of a bug, and who set it when; null if that is not in the history. */
export type BlamedValue = {
  readonly id: number;
  readonly field: string;
  readonly label: string;
  readonly value: string;
  readonly who: string | null;
  readonly when: string | null;
};

export const BLAME_COLUMNS: readonly Column<BlamedValue>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, cell: ({ id }) => `#${id}`, gives: "never" },
  { name: "field", heading: "Field", value: ({ field }) => field, cell: ({ label }) => label },
  {
    name: "value",
    heading: "Value",
    value: ({ value }) => value,
    cell: ({ field, value }, view) =>
      MOMENT.test(value) ? absoluteTime(value, view) : wordedValue(value, fieldFacts(field).kind, view),
    gives: "first",
  },
  {
    name: "who",
    heading: "Who",
    value: ({ who }) => who,
    cell: ({ who }, view) => (who === null ? "not in the history" : shownLogin(who, view)),
    leaves: 2,
  },
  {
    name: "when",
    heading: "When",
    value: ({ when }) => when,
    cell: ({ when }, view) =>
      when === null ? "" : (view.width < NARROW ? shortRelativeTime : relativeTime)(when, view),
    leaves: 1,
  },
];

const NARROW = 60; // columns below which times are short

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:]+Z$/;

/** Fields that no change sets, or whose changes no tracker keeps in the history. */
const UNTRACKED: readonly string[] = [
  "id",
  "classification",
  "creator",
  "creation_time",
  "last_change_time",
  "dupe_of",
  "actual_time",
  "tags",
  "update_token",
];
const VALUES: readonly unknown[] = ["text", "texts", "int", "ints", "date", "double"];

/** True for a field whose values have a last change; custom fields have one. */
function isBlamed(name: string): boolean {
  const isValue = VALUES.includes(bugFieldRow(name)?.json);
  return name.startsWith("cf_") || (isValue && !UNTRACKED.includes(name));
}

/**
 * Every current value of a bug with its last change, element by element for lists: values without one are those that
 * the bug was filed with. Values that differ from the history were renamed, or changed without being recorded.
 */
export function blamedValues(
  bug: Bug,
  history: readonly HistoryEntry[],
  {
    fields: metadata = [],
    serverZone,
  }: { fields?: readonly Field[] | undefined; serverZone?: View["serverZone"] } = {},
): BlamedValue[] {
  const id = bug.id;
  const filed = { who: bug.creator ?? null, when: bug.creation_time ?? null };
  const fields = Object.entries(bug).filter(([name]) => isBlamed(name));
  const values = fields.flatMap(([field, value]) => {
    const changes = fieldChanges(field, history);
    const { label, kind } = fieldFacts(field, metadata);
    return historyTexts(value as Json | undefined).map((text) => ({
      id,
      field,
      label,
      value: kind === "day" ? dayText(text, serverZone) : text,
      ...(Array.isArray(value) ? elementSetter(text, changes, filed) : valueSetter(text, changes, filed)),
    }));
  });
  return [...valuesByField(values), ...(bug.flags ?? []).map((flag) => blamedFlag(id, flag))];
}

type Setter = { who: string | null; when: string | null };
type AttributedChange = Setter & { removed: string; added: string };

const UNKNOWN: Setter = { who: null, when: null };

/** Changes of a field, oldest first; parts of a long text, which trackers keep as several changes, are joined. */
function fieldChanges(field: string, history: readonly HistoryEntry[]): AttributedChange[] {
  const found: AttributedChange[] = [];
  for (const { who, when, changes } of history) {
    const parts = changes.filter(({ field_name, attachment_id }) => field_name === field && !attachment_id);
    const joined = (side: "removed" | "added") => parts.map((part) => part[side]).join("");
    if (parts.length > 0) found.push({ who, when, removed: joined("removed"), added: joined("added") });
  }
  return found;
}

function valueSetter(text: string, changes: AttributedChange[], filed: Setter): Setter {
  const last = changes.at(-1);
  if (last === undefined) return filed;
  return isSame(text, last.added) ? { who: last.who, when: last.when } : UNKNOWN;
}

/** True if the history holds a value: there, or in the bug, days may have a time, and numbers more decimals. */
function isSame(text: string, recorded: string): boolean {
  const plain = (one: string) =>
    one
      .replace(/(?<=^\d{4}-\d\d-\d\d)[ T]00:00:00Z?$/, "")
      .replace(/[\s,]+/g, " ")
      .trim();
  if (plain(text) === plain(recorded)) return true;
  return text !== "" && recorded !== "" && Number(text) === Number(recorded);
}

function elementSetter(text: string, changes: AttributedChange[], filed: Setter): Setter {
  const has = (list: string) => `, ${list}, `.includes(`, ${text}, `);
  const last = changes.findLast(({ removed, added }) => has(removed) || has(added));
  if (last === undefined) return filed;
  return has(last.added) ? { who: last.who, when: last.when } : UNKNOWN;
}

/** Values as the history has them: none for an empty field. */
function historyTexts(value: Json | undefined): string[] {
  const all = Array.isArray(value) ? value : [value ?? ""];
  return all.map(String).filter((text) => text !== "" && text !== "0" && text !== "---");
}

/** A flag knows its own setter. */
function blamedFlag(id: number, flag: Flag): BlamedValue {
  return {
    id,
    field: "flags",
    label: fieldFacts("flags").label,
    value: bugFlagText(flag),
    who: flag.setter,
    when: flag.modification_date,
  };
}

function valuesByField(values: BlamedValue[]): BlamedValue[] {
  const names = Object.keys(BUG_FIELDS);
  const place = ({ field }: BlamedValue) => (names.includes(field) ? names.indexOf(field) : names.length);
  return values.toSorted((a, b) => place(a) - place(b));
}
