import type { Json, JsonObject } from "../wire/exchange.ts";
import type { Changes } from "../wire/history.ts";
import type { Column } from "./column.ts";
import type { Role } from "./palette.ts";

/** What became of one bug of a change of many. */
export type ResultRow = {
  readonly id: string;
  readonly result: string; // done, unchanged, failed ...
  readonly changes?: Changes | undefined;
  readonly last_change_time?: string | undefined;
  readonly error?: JsonObject | undefined; // kind, message and code, when it is not done
};

/** The columns of results; JSON has the tracker's own changes, lines and tables have them in words. */
export const RESULT_COLUMNS: readonly Column<ResultRow>[] = [
  { name: "id", heading: "ID", value: ({ id }) => (/^\d+$/.test(id) ? Number(id) : id), gives: "never" },
  {
    name: "result",
    heading: "Result",
    value: ({ result }) => result,
    paint: ({ result }) => ROLES[result.split(",")[0] ?? ""],
    gives: "never",
  },
  {
    name: "changes",
    heading: "Changes",
    value: ({ changes }) => changes as Json | undefined,
    text: (row) => changesIn(row),
  },
  { name: "last_change_time", heading: "Changed", value: (row) => row.last_change_time },
  { name: "error", heading: "Why", value: ({ error }) => error, text: ({ error }) => String(error?.["message"] ?? "") },
];

const ROLES: Readonly<Record<string, Role>> = {
  done: "added",
  unchanged: "quiet",
  failed: "failed",
  collision: "failed",
  unknown: "failed",
};

/** The columns for eyes: the time says nothing new there. */
export const SHOWN_RESULT_COLUMNS = RESULT_COLUMNS.filter(({ name }) => name !== "last_change_time").map((column) => ({
  ...column,
  cell: (row: ResultRow) => CELLS[column.name]?.(row) ?? column.text?.(row) ?? String(column.value(row) ?? ""),
}));

/** What a person reads otherwise than a program. */
const CELLS: Readonly<Record<string, (row: ResultRow) => string>> = {
  id: ({ id }) => (/^\d+$/.test(id) ? `#${id}` : id),
  changes: (row) => changesIn(row, "→"),
};

function changesIn({ changes = {} }: ResultRow, arrow = "->"): string {
  return Object.entries(changes)
    .map(([field, { removed, added }]) => `${field}: ${removed || "-"} ${arrow} ${added || "-"}`)
    .join("; ");
}
