import type { Bug } from "../wire/bug-fields.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import type { BugHistory, Changes, FieldChange } from "../wire/resources.ts";
import type { Column } from "./column.ts";
import { fieldFacts, holdsItems } from "./field-facts.ts";
import type { Role } from "./palette.ts";
import { changesInOrder } from "./stable.ts";
import { bugLabel } from "./text.ts";
import { relativeTime } from "./times.ts";
import { viewSigns } from "./view.ts";

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
  { name: "id", heading: "ID", value: ({ id }) => id, cell: ({ id }) => `#${id}`, shrink: "never" },
  { name: "when", heading: "When", value: ({ when }) => when, cell: ({ when }, view) => relativeTime(when, view) },
  { name: "who", heading: "Who", value: ({ who }) => who },
  { name: "field_name", heading: "Field", value: ({ field_name }) => field_name },
  { name: "removed", heading: "Removed", value: ({ removed }) => removed, shrink: "first", paint: () => "removed" },
  { name: "added", heading: "Added", value: ({ added }) => added, shrink: "first", paint: () => "added" },
  { name: "attachment_id", heading: "Attachment", value: ({ attachment_id }) => attachment_id },
];

/** Result of a change of one object, made or expected, as a row. */
export type ResultRow = {
  readonly id: string;
  readonly old_id?: number | undefined; // in the file that a bug was filed from
  readonly result: string; // done, unchanged, failed ...
  alias?: Bug["alias"];
  readonly changes?: Changes | undefined;
  readonly last_change_time?: string | undefined;
  readonly error?: JsonObject | undefined; // kind, message and code of a failure
  recorded?: string[] | undefined; // parameters that had an effect, and are no changes of fields
  readonly not_applied?: readonly string[] | undefined; // parameters that were not sent, or that the tracker ignored
  job?: string | undefined; // by which the change can be undone, or sent if it failed
  undone?: Json | undefined;
  not_undone?: Json | undefined;
};

/** Columns of results, in the order of JSON, which has the tracker's changes; lines and tables describe them. */
export const RESULT_COLUMNS: readonly Column<ResultRow>[] = [
  {
    name: "old_id",
    heading: "Old ID",
    value: ({ old_id }) => old_id,
    cell: ({ old_id }) => (old_id === undefined ? "" : bugLabel(old_id)),
    shrink: "never",
  },
  {
    name: "id",
    heading: "ID",
    value: ({ id }) => (/^\d+$/.test(id) ? Number(id) : id),
    cell: ({ id }) => bugLabel(id),
    shrink: "never",
  },
  { name: "alias", heading: "Alias", value: ({ alias }) => alias },
  { name: "last_change_time", heading: "Changed", value: (row) => row.last_change_time },
  {
    name: "changes",
    heading: "Changes",
    value: ({ changes }) => changes as Json | undefined,
    text: (row) => changesOfRow(row),
    cell: (row, view) => changesOfRow(row, viewSigns(view).arrow),
  },
  {
    name: "result",
    heading: "Result",
    value: ({ result }) => result,
    paint: ({ result }) => ROLE_BY_RESULT[result.split(",")[0] ?? ""],
    shrink: "never",
  },
  { name: "error", heading: "Why", value: ({ error }) => error, text: ({ error }) => String(error?.["message"] ?? "") },
  { name: "recorded", heading: "Recorded", value: ({ recorded }) => recorded },
  { name: "not_applied", heading: "Not applied", value: (row) => row.not_applied },
  { name: "job", heading: "Job", value: ({ job }) => job },
  { name: "undone", heading: "Undone", value: ({ undone }) => undone },
  { name: "not_undone", heading: "Not undone", value: (row) => row.not_undone },
];

/** Columns of results in lines, if none are chosen; those of a terminal lack the time. */
export const RESULT_LINE = ["id", "result", "changes", "last_change_time", "error"] as const;

const ROLE_BY_RESULT: Readonly<Record<string, Role>> = {
  done: "added",
  applied: "added",
  refused: "failed",
  unchanged: "quiet",
  failed: "failed",
  unknown: "failed",
};

/** Changes as a short text, with what was recorded in addition, such as a comment. */
function changesOfRow({ changes = {}, recorded = [] }: ResultRow, arrow?: string): string {
  return [...changeTexts(changes, arrow), ...recorded].join("; ");
}

/** Changes of fields as short texts: removed items after a minus, added ones after a plus; `old -> new` of a single value. */
function changeTexts(changes: Changes, arrow = "->"): string[] {
  return changesInOrder(changes).map(([field, { removed, added }]) => {
    if (removed && added && !holdsItems(fieldFacts(field).kind)) return `${field}: ${removed} ${arrow} ${added}`;
    return [`${field}:`, removed && `- ${removed}`, added && `+ ${added}`].filter(Boolean).join(" ");
  });
}
