import type { Field } from "../wire/field.ts";
import type { BugHistory, Change, HistoryEntry } from "../wire/history.ts";
import type { Column } from "./column.ts";
import { differenceRows, differences, labelWidth } from "./difference.ts";
import { palette } from "./palette.ts";
import { plain } from "./text.ts";
import { moment, relative } from "./times.ts";
import type { View } from "./view.ts";

/** What a timeline is made from: the history of one bug, and what its tracker says of custom fields. */
export type HistoryCard = { readonly history: BugHistory; readonly fields?: readonly Field[] };

/** The history of a bug as a timeline: who, when, and per field what left and what came. */
export function historyText({ history, fields = [] }: HistoryCard, view: View): string {
  const paints = palette(view);
  const heading = [paints.title(`#${history.id}`), ...history.alias.map((alias) => plain(alias))].join("  ");
  const entries = merged(history.history).map((entry) => ({ entry, rows: differences(entry.changes, fields) }));
  const wide = labelWidth(entries.flatMap(({ rows }) => rows));
  const moments = entries.map(({ entry, rows }) => `\n${by(entry, view)}\n${differenceRows(rows, wide, view)}`);
  return `${heading}\n${moments.join("") || `\n${paints.quiet("no changes")}\n`}`;
}

/** One change as a line for programs. */
export type HistoryRow = Change & { readonly id: number; readonly when: string; readonly who: string };

/** Every change of these histories, one row each, oldest first. */
export function historyRows(histories: readonly BugHistory[]): readonly HistoryRow[] {
  return histories.flatMap(({ id, history }) =>
    history.flatMap(({ when, who, changes }) => changes.map((change) => ({ ...change, id, when, who }))),
  );
}

/** The columns of a history as a list. */
export const HISTORY_COLUMNS: readonly Column<HistoryRow>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, cell: ({ id }) => `#${id}`, gives: "never" },
  { name: "when", heading: "When", value: ({ when }) => when, cell: ({ when }, view) => relative(when, view) },
  { name: "who", heading: "Who", value: ({ who }) => who },
  { name: "field_name", heading: "Field", value: ({ field_name }) => field_name },
  { name: "removed", heading: "Removed", value: ({ removed }) => removed, gives: "first", paint: () => "removed" },
  { name: "added", heading: "Added", value: ({ added }) => added, gives: "first", paint: () => "added" },
  { name: "attachment_id", heading: "Attachment", value: ({ attachment_id }) => attachment_id },
];

/** A tracker may tell one moment of one person in several entries; a reader sees one. */
function merged(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const told: HistoryEntry[] = [];
  for (const entry of entries) {
    const last = told.at(-1);
    if (last?.who === entry.who && last.when === entry.when) {
      told[told.length - 1] = { ...last, changes: [...last.changes, ...entry.changes] };
    } else told.push(entry);
  }
  return told;
}

function by({ who, when }: HistoryEntry, view: View): string {
  return `${plain(who)}  ${palette(view).quiet(moment(when, view))}`;
}
