import { appendFileSync, closeSync, fsyncSync, openSync } from "node:fs";
import { readSmallFile } from "../config/files.ts";
import { withLock } from "../config/lock.ts";
import { BtError, fileError } from "../errors.ts";
import type { Io } from "../io.ts";
import { escapeJson } from "../view/text.ts";

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

/** A results file in use: the last entry of each row, and a function that adds some, which are on disk when it returns. */
export type ImportLog = {
  readonly entries: ReadonlyMap<number, ImportEntry>;
  readonly write: (entries: readonly ImportEntry[]) => void;
};

/**
 * Uses a results file, which no other process can use meanwhile. It is created with its first entry.
 * @throws BtError of kind local if it cannot be read, written or locked
 */
export async function withImportLog<Result>(
  file: string,
  io: Io,
  use: (log: ImportLog) => Promise<Result>,
): Promise<Result> {
  const action = async () => {
    let isCut = !(textIn(file) === "" || textIn(file).endsWith("\n"));
    const write = (entries: readonly ImportEntry[]) => {
      const lines = entries.map((entry) => `${escapeJson(io.hide(JSON.stringify(entry)))}\n`);
      append(file, (isCut ? "\n" : "") + lines.join(""));
      isCut = false;
    };
    return use({ entries: importEntries(file), write });
  };
  return withLock({ file, about: `the import of ${file}`, action }, io);
}

/**
 * The last entry of each row in a results file; none if it does not exist.
 * @throws BtError of kind local for another file
 */
export function importEntries(file: string): ReadonlyMap<number, ImportEntry> {
  const lines = textIn(file).split("\n");
  const entries = lines.flatMap((line, at) => {
    const entry = entryIn(line);
    if (entry) return [[entry.row, entry] as const];
    if (line === "" || isCut(line)) return []; // a process was stopped while it wrote the line, before it sent anything
    throw new BtError("local", `${file} is not a results file of bt bug import: line ${at + 1}`, {
      hint: "--results FILE names another one",
      changed: "nothing",
    });
  });
  return new Map(entries);
}

function isCut(line: string): boolean {
  return line.startsWith("{") && !line.endsWith("}");
}

function entryIn(line: string): ImportEntry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<ImportEntry> | null;
    const isEntry = typeof entry?.row === "number" && typeof entry.checksum === "string" && Boolean(entry.result);
    return isEntry ? (entry as ImportEntry) : undefined;
  } catch {
    return undefined;
  }
}

function textIn(file: string): string {
  return readSmallFile(file, { largest: LARGEST })?.text ?? "";
}

const LARGEST = 256 * 1024 * 1024;

function append(file: string, text: string): void {
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
