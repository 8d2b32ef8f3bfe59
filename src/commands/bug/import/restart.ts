import { BtError, usageError } from "../../../errors.ts";
import { isEmptyCell } from "./cells.ts";
import type { LaterChanges } from "./copy.ts";
import { type FileRow, lineError } from "./file.ts";
import type { ImportEntry } from "./results-file.ts";

/** A row that an earlier run began to send, without its outcome, or with an id of a bug that is not complete. */
export type StartedRow = {
  readonly row: FileRow;
  readonly kind: "started";
  readonly entry: ImportEntry;
  readonly copy?: LaterChanges | undefined;
};

/** The rows of a file by their state in earlier runs: finished and not undone, begun, and the rest, which is planned again. */
export type Restart = {
  readonly done: number;
  updated: readonly FileRow[]; // of those done, the ones that updated bugs
  readonly started: readonly StartedRow[];
  readonly rest: readonly FileRow[];
};

/** Rows that earlier runs of an import have started or finished. */
export type Earlier = {
  readonly entries: ReadonlyMap<number, ImportEntry>; // by row
  readonly results: string; // the results file
  readonly address: string; // of the tracker
  readonly wasNotApplied: (job: string) => boolean; // by this machine's journal
  undoneBy: (job: string, bug: number) => unknown; // by the same; undefined if nothing did
  readonly isNew: boolean; // all rows are filed as new bugs
};

/**
 * Divides rows by the results of earlier runs.
 * @throws BtError of kind usage for results of another tracker, and for a row that was filed with other values
 */
export function planRestart(rows: readonly FileRow[], earlier: Earlier): Restart {
  const known = rows.map((row) => ({ row, entry: row.error ? undefined : earlier.entries.get(row.number) }));
  for (const { row, entry } of known) if (entry) checkEntry(row, entry, earlier);
  const isDone = (row: FileRow, { result, checksum, job = "", id = 0 }: ImportEntry) =>
    FINAL.has(result) && checksum === row.checksum && earlier.undoneBy(job, id) === undefined;
  const done = known.filter(({ row, entry }) => entry && isDone(row, entry));
  const started = known.flatMap(({ row, entry }): StartedRow[] =>
    entry && mustVerify(row, entry, earlier) ? [{ row, kind: "started", entry }] : [],
  );
  const settled = new Set([...done, ...started].map(({ row }) => row));
  const updated = done.filter(({ entry }) => entry?.operation === "update").map(({ row }) => row);
  return { done: done.length, updated, started, rest: rows.filter((row) => !settled.has(row)) };
}

const FINAL: ReadonlySet<string> = new Set(["created", "changed"]);
const OPEN: ReadonlySet<string> = new Set(["sending", "unknown"]);

function checkEntry(row: FileRow, entry: ImportEntry, { results, address, isNew }: Earlier): void {
  if (entry.tracker !== address)
    throw usageError(`${results} has the results of ${entry.tracker}, not of ${address}`, OTHER_RESULTS);
  if (isNew ? entry.operation === "update" : entry.old_id !== undefined)
    throw usageError(`${results} has the results of an import ${isNew ? "without" : "with"} --new`, OTHER_RESULTS);
  if (entry.checksum === row.checksum) return;
  if (OPEN.has(entry.result) && entry.job !== undefined) {
    const error = usageError("the row was modified while its outcome is unknown", `first: bt job send ${entry.job}`);
    throw lineError(row.line, error);
  }
  if (!isFiled(entry)) return;
  const why = `bug ${entry.id} was filed from row ${row.number} with other values`;
  throw lineError(row.line, usageError(why, `add its id to update it; ${OTHER_RESULTS}`));
}

const OTHER_RESULTS = "--results FILE starts another import";

/** True if the outcome of a row must be verified; an update without a comment can be planned again instead. */
function mustVerify(row: FileRow, entry: ImportEntry, { wasNotApplied }: Earlier): boolean {
  if (isFiled(entry)) return !FINAL.has(entry.result);
  if (!OPEN.has(entry.result)) return false;
  if (entry.job === undefined) return entry.operation === "create" || !isEmptyCell(row.cells.get("comment") ?? "");
  return !wasNotApplied(entry.job);
}

/** True if an earlier run filed the bug of a row. */
export function isFiled(entry: ImportEntry): entry is ImportEntry & { id: number } {
  return entry.operation === "create" && entry.id !== undefined;
}

/** Error for a row with unknown outcome. */
export function lostRowError({ row, entry }: StartedRow): BtError {
  const what = entry.operation === "create" ? "filed it" : "updated the bug";
  return new BtError("unknown", `line ${row.line}: bt was stopped while it ${what}`, {
    hint: "look for it on the tracker; then remove its last line from the results file, or give the row its id",
    changed: "unknown",
  });
}
