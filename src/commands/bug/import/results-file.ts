import { appendFileSync, closeSync, fsyncSync, openSync } from "node:fs";
import { readSmallFile } from "../../../config/files.ts";
import { withLock } from "../../../config/lock.ts";
import { BtError, fileError, usageError } from "../../../errors.ts";
import type { Io } from "../../../io.ts";
import { escapeJson } from "../../../view/text.ts";

/** A line of a results file: the outcome of a row of an imported file. */
export type ImportEntry = {
  readonly row: number; // from 1
  readonly line: number;
  readonly checksum: string;
  readonly tracker: string; // base URL
  time?: string; // ISO 8601, UTC
  readonly operation: "create" | "update";
  readonly result: string; // "sending" until the outcome is known
  readonly old_id?: number | undefined; // in the file, of a bug that is filed as a new one
  readonly id?: number | undefined;
  readonly job?: string | undefined; // that sends it
  readonly error?: string | undefined;
};

/** A results file in use: the last entry of each row, and a function that adds some, which are on disk when it returns. */
export type ImportLog = {
  readonly entries: ReadonlyMap<number, ImportEntry>;
  readonly write: (entries: readonly ImportEntry[]) => void;
};

/** @throws BtError of kind usage for an empty name of a results file, and for `-`: it is read again */
export function checkResultsName(name: string | undefined): void {
  if (name === "") throw usageError("--results is empty", "use --results FILE");
  if (name === "-") throw usageError("--results cannot be stdout, since the file is read, too", "use --results FILE");
}

/**
 * Uses a results file, which no other process can use meanwhile. It is created with its first entry.
 * @throws BtError of kind local if it cannot be read, written or locked
 */
export async function withImportLog(file: string, io: Io, use: (log: ImportLog) => Promise<void>): Promise<void> {
  const action = async () => {
    const text = readTextOrEmpty(file);
    let isCut = !(text === "" || text.endsWith("\n"));
    const write = (entries: readonly ImportEntry[]) => {
      const lines = entries.map((entry) => `${escapeJson(io.hide(JSON.stringify(entry)))}\n`);
      appendText(file, (isCut ? "\n" : "") + lines.join(""));
      isCut = false;
    };
    return use({ entries: readImportEntries(file), write });
  };
  return withLock({ file, about: `the results in ${file}`, action }, io);
}

/**
 * The last entry of each row in a results file, with the last job; none if it does not exist.
 * @throws BtError of kind local for another file
 */
export function readImportEntries(file: string): ReadonlyMap<number, ImportEntry> {
  const entries = new Map<number, ImportEntry>();
  for (const [at, line] of readTextOrEmpty(file).split("\n").entries()) {
    const entry = entryIn(line);
    if (entry) entries.set(entry.row, { job: entries.get(entry.row)?.job, ...entry });
    else if (line !== "" && !isEntryCut(line)) throw foreignFileError(file, at + 1);
  }
  return entries;
}

function entryIn(line: string): ImportEntry | undefined {
  try {
    const entry = JSON.parse(line) as ImportEntry | null;
    return typeof entry?.row === "number" && typeof entry.checksum === "string" && entry.result ? entry : undefined;
  } catch {
    return undefined;
  }
}

function foreignFileError(file: string, line: number): BtError {
  return new BtError("local", `${file} is not a results file of bt bug import: line ${line}`, {
    hint: "--results FILE names another one",
    changed: "nothing",
  });
}

/** True for a line that was not written to its end: a process was stopped meanwhile, before it sent anything. */
function isEntryCut(line: string): boolean {
  return line.startsWith("{") && !line.endsWith("}");
}

function readTextOrEmpty(file: string): string {
  return readSmallFile(file, { largest: LARGEST })?.text ?? "";
}

const LARGEST = 256 * 1024 * 1024;

function appendText(file: string, text: string): void {
  try {
    const descriptor = openSync(file, "a", 0o600);
    try {
      appendFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw fileError("write", file, error);
  }
}
