import type { MovedRow } from "../../view/move-rows.ts";
import { chosenColumns, showList } from "../output.ts";
import type { Context } from "../verb.ts";

/** Result for bugs: new numbers, those that were moved before, and what was added to these. */
export type MovedBugs = {
  readonly bugs: ReadonlyMap<number, number>;
  readonly wasMoved: (bug: number) => boolean;
  readonly pending: ReadonlySet<number>;
  readonly failed?: ReadonlyMap<number, Error>;
  readonly notes?: ReadonlyMap<number, readonly string[]>; // fields that were not applied
};

/** Prints the table of old and new numbers. */
export async function showMoved(ids: readonly number[], moved: MovedBugs, context: Context): Promise<void> {
  const { MOVED_COLUMNS } = await import("../../view/move-rows.ts");
  const rows = ids.map((id) => rowOf(id, moved));
  await showList(context, { columns: chosenColumns(MOVED_COLUMNS, context), pages: [rows] });
}

function rowOf(bug: number, { bugs, wasMoved, pending, failed, notes }: MovedBugs): MovedRow {
  const id = bugs.get(bug) ?? null;
  const error = failed?.get(bug)?.message;
  const missing = notes?.get(bug) ?? [];
  const again = pending.has(bug) ? "updated" : "unchanged";
  const done = wasMoved(bug) ? again : "moved";
  const result = error === undefined ? done : "failed";
  return {
    old_id: bug,
    id,
    result: missing.length > 0 ? `${result}, not applied: ${missing.join(", ")}` : result,
    error,
  };
}
