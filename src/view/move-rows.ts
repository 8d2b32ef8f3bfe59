import type { Json } from "../wire/exchange.ts";
import type { Column } from "./column.ts";
import type { Role } from "./palette.ts";

/** A line of the plan of a move. */
export type PlannedMove = {
  readonly action: string;
  readonly what: string;
  readonly name: string;
  readonly count: number;
  readonly note: string;
};

const ACTION_ROLES: Readonly<Record<string, Role>> = {
  missing: "removed",
  check: "removed",
  lose: "removed",
  create: "added",
};

/** Columns of the plan of a move. */
export const PLAN_COLUMNS: readonly Column<PlannedMove>[] = [
  {
    name: "action",
    heading: "Action",
    value: ({ action }) => action,
    paint: ({ action }) => ACTION_ROLES[action],
    gives: "never",
  },
  { name: "what", heading: "What", value: ({ what }) => what, gives: "never" },
  { name: "name", heading: "Name", value: ({ name }) => name },
  { name: "count", heading: "Count", value: ({ count }) => count, align: "right", gives: "never" },
  { name: "note", heading: "Note", value: ({ note }) => note, gives: "first" },
];

/** A bug that was moved, or could not be. */
export type MovedRow = {
  readonly old_id: number;
  readonly id: number | null; // in the target
  readonly result: string;
  readonly error: Json | undefined;
};

const RESULT_ROLES: Readonly<Record<string, Role>> = { failed: "removed", moved: "added", updated: "added" };

/** Columns of the table of old and new numbers. */
export const MOVED_COLUMNS: readonly Column<MovedRow>[] = [
  { name: "old_id", heading: "Old", value: ({ old_id }) => old_id, gives: "never" },
  { name: "id", heading: "New", value: ({ id }) => id, gives: "never" },
  {
    name: "result",
    heading: "Result",
    value: ({ result }) => result,
    paint: ({ result }) => RESULT_ROLES[result.split(",")[0] ?? ""],
  },
  { name: "error", heading: "Why", value: ({ error }) => error ?? null, gives: "first" },
];
