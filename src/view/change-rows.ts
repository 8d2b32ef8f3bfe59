import type { Bug } from "../wire/bug-fields.ts";
import type { JsonObject } from "../wire/exchange.ts";
import type { BugHistory, Changes, FieldChange } from "../wire/resources.ts";
import type { Column } from "./column.ts";
import { fieldFacts, holdsItems } from "./field-facts.ts";
import { columnMaker } from "./looks.ts";
import type { Role } from "./palette.ts";
import { changesInOrder } from "./stable.ts";
import { relativeTime } from "./times.ts";
import { viewSigns } from "./view.ts";

export type HistoryRow = FieldChange & { readonly id: number; readonly when: string; readonly who: string };

/** A row per change of these histories, oldest first. */
export function historyRows(histories: readonly BugHistory[]): HistoryRow[] {
  return histories.flatMap(({ id, history }) =>
    history.flatMap(({ when, who, changes }) => changes.map((change) => ({ ...change, id, when, who }))),
  );
}

const column = columnMaker<HistoryRow>();

export const HISTORY_COLUMNS: readonly Column<HistoryRow>[] = [
  column("id", "ID", "bug", { shrink: "never" }),
  column("when", "When", "text", { cell: ({ when }, view) => relativeTime(when, view) }),
  column("who", "Who"),
  column("field_name", "Field"),
  column("removed", "Removed", "lines", { paint: () => "removed" }),
  column("added", "Added", "lines", { paint: () => "added" }),
  column("attachment_id", "Attachment"),
];

/** Result of a change of one object, made or expected, as a row. */
export type ResultRow = {
  readonly id: string;
  readonly old_id?: number | undefined; // in the file that a bug was filed from
  readonly result: string; // applied, unchanged, refused ...
  alias?: Bug["alias"];
  readonly changes?: Changes | undefined;
  readonly last_change_time?: string | undefined;
  readonly error?: JsonObject | undefined; // kind, message and code of a failure
  recorded?: string[] | undefined; // parameters that had an effect, and are no changes of fields
  readonly not_applied?: readonly string[] | undefined; // parameters that were not sent, or that the tracker ignored
  job?: string | undefined; // by which the change can be undone, or sent if it failed
};

const resultColumn = columnMaker<ResultRow>();

/** Columns of results; JSON has the tracker's changes, lines and tables describe them. */
export const RESULT_COLUMNS: readonly Column<ResultRow>[] = [
  resultColumn("old_id", "Old ID", "bug", { shrink: "never" }),
  resultColumn("id", "ID", "bug", { value: ({ id }) => (/^\d+$/.test(id) ? Number(id) : id), shrink: "never" }),
  resultColumn("alias", "Alias"),
  resultColumn("last_change_time", "Changed"),
  resultColumn("changes", "Changes", "text", {
    text: (row) => changesOfRow(row),
    cell: (row, view) => changesOfRow(row, viewSigns(view).arrow),
  }),
  resultColumn("result", "Result", "text", {
    paint: ({ result }) => ROLE_BY_RESULT[result.split(",")[0] ?? ""],
    shrink: "never",
  }),
  resultColumn("error", "Why", "text", { text: ({ error }) => String(error?.["message"] ?? "") }),
  resultColumn("recorded", "Recorded"),
  resultColumn("not_applied", "Not applied"),
  resultColumn("job", "Job"),
];

const ROLE_BY_RESULT: Readonly<Record<string, Role>> = {
  applied: "added",
  refused: "failed",
  unchanged: "quiet",
  unknown: "failed",
};

/** Changes as a short text, with what was recorded in addition, such as a comment. */
function changesOfRow({ changes = {}, recorded = [] }: ResultRow, arrow?: string): string {
  return [...exactChanges(changes, arrow), ...recorded].join("; ");
}

/** Changes of fields as short texts: `old -> new`, or items after a minus and a plus. */
function exactChanges(changes: Changes, arrow = "->"): string[] {
  return changesInOrder(changes).map(([field, { removed, added }]) => {
    if (removed && added && !holdsItems(fieldFacts(field).kind)) return `${field}: ${removed} ${arrow} ${added}`;
    return [`${field}:`, removed && `- ${removed}`, added && `+ ${added}`].filter(Boolean).join(" ");
  });
}
