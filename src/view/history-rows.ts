import type { BugHistory, Change } from "../wire/history.ts";
import type { Column } from "./column.ts";
import { relative } from "./times.ts";

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
