import type { Io } from "../../io.ts";
import { type ResultsKind, type ResultsLog, resultsEntries, withResultsLog } from "./results-log.ts";

/** A line of a results file: what became of a row of an imported file. */
export type ImportEntry = {
  readonly row: number; // from 1
  readonly line: number;
  readonly checksum: string;
  readonly tracker: string; // base URL
  readonly operation: "create" | "update";
  readonly result: string; // "sending" until the outcome is known
  readonly id?: number | undefined;
  readonly job?: string | undefined; // that sends it
  readonly error?: string | undefined;
};

/** The results of an import by row. */
export type ImportLog = ResultsLog<number, ImportEntry>;

const KIND: ResultsKind<number, ImportEntry> = {
  command: "bug import",
  keyOf: ({ row, checksum, result }) =>
    typeof row === "number" && typeof checksum === "string" && result ? row : undefined,
};

/**
 * Uses the results file of an import, which no other process can use meanwhile.
 * @throws BtError of kind local if it cannot be read, written or locked
 */
export async function withImportLog<Result>(
  file: string,
  io: Io,
  use: (log: ImportLog) => Promise<Result>,
): Promise<Result> {
  return withResultsLog({ file, kind: KIND }, io, use);
}

/**
 * The last entry of each row in a results file; none if it does not exist.
 * @throws BtError of kind local for another file
 */
export function importEntries(file: string): ImportLog["entries"] {
  return resultsEntries(file, KIND);
}
