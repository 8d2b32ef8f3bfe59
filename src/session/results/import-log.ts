import type { ResultsKind, ResultsLog } from "./results-log.ts";

/** A line of a results file: the outcome of a row of an imported file. */
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

/** Kind of the results file of an import. */
export const IMPORT_RESULTS: ResultsKind<number, ImportEntry> = {
  command: "bug import",
  keyOf: ({ row, checksum, result }) =>
    typeof row === "number" && typeof checksum === "string" && result ? row : undefined,
};
