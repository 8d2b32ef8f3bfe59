import type { Json, JsonObject } from "../wire/exchange.ts";
import type { BugHistory, Changes, FieldChange } from "../wire/resources.ts";
import type { ChangedThing } from "./changes.ts";
import type { Column } from "./column.ts";
import { fieldFacts, holdsItems } from "./field-facts.ts";
import type { Role } from "./palette.ts";
import { changesInOrder } from "./stable.ts";
import { bugLabel } from "./text.ts";
import { relativeTime } from "./times.ts";
import { type View, viewSigns } from "./view.ts";

/** A changed field as a row for programs. */
export type FieldChangeRow = {
  readonly id: number | string; // the name of a bug that is not created yet
  readonly field: string;
  readonly removed: string | null;
  readonly added: string | null;
};

/** A row per changed field; unchanged items have none. */
export function changeRows(changed: readonly ChangedThing[]): FieldChangeRow[] {
  return changed.flatMap(({ id, changes }) =>
    changesInOrder(changes).map(([field, change]) => ({ id, field, ...change })),
  );
}

/** Columns of a list of changes. */
export const CHANGE_COLUMNS: readonly Column<FieldChangeRow>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, cell: ({ id }) => bugLabel(id), gives: "never" },
  { name: "field", heading: "Field", value: ({ field }) => field },
  { name: "removed", heading: "Removed", value: ({ removed }) => removed, gives: "first", paint: () => "removed" },
  { name: "added", heading: "Added", value: ({ added }) => added, gives: "first", paint: () => "added" },
];

/** A change of a history as a row for programs. */
export type HistoryRow = FieldChange & { readonly id: number; readonly when: string; readonly who: string };

/** A row per change of these histories, oldest first. */
export function historyRows(histories: readonly BugHistory[]): HistoryRow[] {
  return histories.flatMap(({ id, history }) =>
    history.flatMap(({ when, who, changes }) => changes.map((change) => ({ ...change, id, when, who }))),
  );
}

/** Columns of a history as a list. */
export const HISTORY_COLUMNS: readonly Column<HistoryRow>[] = [
  { name: "id", heading: "ID", value: ({ id }) => id, cell: ({ id }) => `#${id}`, gives: "never" },
  { name: "when", heading: "When", value: ({ when }) => when, cell: ({ when }, view) => relativeTime(when, view) },
  { name: "who", heading: "Who", value: ({ who }) => who },
  { name: "field_name", heading: "Field", value: ({ field_name }) => field_name },
  { name: "removed", heading: "Removed", value: ({ removed }) => removed, gives: "first", paint: () => "removed" },
  { name: "added", heading: "Added", value: ({ added }) => added, gives: "first", paint: () => "added" },
  { name: "attachment_id", heading: "Attachment", value: ({ attachment_id }) => attachment_id },
];

/** Result of one bug in a bulk update, as a row. */
export type ResultRow = {
  readonly id: string;
  readonly old_id?: number | undefined; // in the file that a bug was filed from
  readonly result: string; // done, unchanged, failed ...
  readonly changes?: Changes | undefined;
  readonly last_change_time?: string | undefined;
  readonly error?: JsonObject | undefined; // kind, message and code of a failure
  readonly not_applied?: readonly string[] | undefined; // parameters that were not sent, or that the tracker ignored
};

const CHANGED = [
  "id",
  "alias",
  "last_change_time",
  "changes",
  "result",
  "error",
  "recorded",
  "not_applied",
  "job",
] as const;

/** Keys of a changed bug in JSON, whatever the number of bugs. */
export const CHANGE_KEYS = { update: CHANGED, undo: [...CHANGED, "undone", "not_undone"] } as const;

/** Columns of results; JSON holds the tracker's changes, lines and tables describe them. */
export const RESULT_COLUMNS: readonly Column<ResultRow>[] = [
  { name: "id", heading: "ID", value: ({ id }) => (/^\d+$/.test(id) ? Number(id) : id), gives: "never" },
  {
    name: "result",
    heading: "Result",
    value: ({ result }) => result,
    paint: ({ result }) => ROLE_BY_RESULT[result.split(",")[0] ?? ""],
    gives: "never",
  },
  {
    name: "changes",
    heading: "Changes",
    value: ({ changes }) => changes as Json | undefined,
    text: (row) => changesOfRow(row),
  },
  { name: "last_change_time", heading: "Changed", value: (row) => row.last_change_time },
  { name: "error", heading: "Why", value: ({ error }) => error, text: ({ error }) => String(error?.["message"] ?? "") },
];

/** Column of results of bugs that are filed as new ones. */
export const OLD_ID_COLUMN: Column<ResultRow> = {
  name: "old_id",
  heading: "Old ID",
  value: ({ old_id }) => old_id,
  cell: ({ old_id }) => (old_id === undefined ? "" : bugLabel(old_id)),
  gives: "never",
};

const ROLE_BY_RESULT: Readonly<Record<string, Role>> = {
  done: "added",
  unchanged: "quiet",
  failed: "failed",
  unknown: "failed",
};

/** Columns of results for the terminal, without the time. */
export const SHOWN_RESULT_COLUMNS = RESULT_COLUMNS.filter(({ name }) => name !== "last_change_time").map(withCell);

function withCell(column: Column<ResultRow>): Column<ResultRow> {
  const usual = (row: ResultRow) => column.text?.(row) ?? String(column.value(row) ?? "");
  return { ...column, cell: (row, view) => CELLS[column.name]?.(row, view) ?? usual(row) };
}

/** Cells that differ on a terminal. */
const CELLS: Readonly<Record<string, (row: ResultRow, view: View) => string>> = {
  id: ({ id }) => bugLabel(id),
  changes: (row, view) => changesOfRow(row, viewSigns(view).arrow),
};

function changesOfRow({ changes = {} }: ResultRow, arrow?: string): string {
  return changeTexts(changes, arrow).join("; ");
}

/** Changes of fields as short texts: removed items after a minus, added ones after a plus; `old -> new` of a single value. */
function changeTexts(changes: Changes, arrow = "->"): string[] {
  return changesInOrder(changes).map(([field, { removed, added }]) => {
    if (removed && added && !holdsItems(fieldFacts(field).kind)) return `${field}: ${removed} ${arrow} ${added}`;
    return [`${field}:`, removed && `- ${removed}`, added && `+ ${added}`].filter(Boolean).join(" ");
  });
}
