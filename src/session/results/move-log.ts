import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { folderToWrite, makeFolder } from "../../config/files.ts";
import type { Io } from "../../io.ts";
import type { ResultsKind, ResultsLog } from "./results-log.ts";

/** A line of a results file: the outcome of a step of moving a bug. */
export type MoveEntry = {
  readonly from: string; // address
  readonly to: string; // address
  readonly bug: number; // its number in the source
  readonly step: string; // "create", "comment 123", "attachment 5", "finish 1" and so on; "end" after all of them
  readonly result: "sending" | "done" | "failed" | "unknown";
  readonly id?: number | undefined; // of what was created in the target
  readonly count?: number | undefined; // number of a comment on its bug, in the source
  readonly number?: number | undefined; // the same in the target
  readonly job?: string | undefined; // that sends it
  readonly error?: string | undefined;
};

/** The results of a move by `stepKey`. */
export type MoveLog = ResultsLog<string, MoveEntry>;

/** Key of a step in a results file. */
export function stepKey({ bug, step }: Pick<MoveEntry, "bug" | "step">): string {
  return `${bug} ${step}`;
}

/** Kind of the results file of a move. */
export const MOVE_RESULTS: ResultsKind<string, MoveEntry> = {
  command: "migrate run",
  keyOf: ({ bug, step, result, from, to }) =>
    typeof bug === "number" && step && result && from && to ? stepKey({ bug, step }) : undefined,
  kept: keptEntry,
};

/**
 * An entry as it is held in memory, where a move has several for each bug: one text of each address, and no job of what is
 * done.
 */
export function keptEntry({ from, to, job, ...rest }: MoveEntry): MoveEntry {
  const entry = { from: shared(from), to: shared(to), ...rest };
  return rest.result === "done" ? entry : { ...entry, job };
}

const SHARED = new Map<string, string>();

function shared(address: string): string {
  const known = SHARED.get(address) ?? address;
  SHARED.set(address, known);
  return known;
}

/** Creates the folder of a results file in the data folder. */
export function makeMoveFolder(file: string): void {
  makeFolder(dirname(file));
}

/** Results file of the moves from one tracker to another, in the data folder. */
export function moveFile(from: string, to: string, io: Io): string {
  const folder = join(folderToWrite("data", io, "; or name the file: --results FILE"), "moves");
  const digest = createHash("sha256").update(`${from}\0${to}`).digest("hex").slice(0, 8);
  return join(folder, `${nameOf(from)}-to-${nameOf(to)}-${digest}.jsonl`);
}

function nameOf(address: string): string {
  const name = address.replace(/^https?:\/\//, "").replaceAll(/[^\w.]+/g, "-");
  return name.replaceAll(/^-|-$/g, "").slice(0, 60);
}
