import { appendFileSync, closeSync, fsyncSync, openSync } from "node:fs";
import { readSmallFile } from "../../config/files.ts";
import { withLock } from "../../config/lock.ts";
import { BtError, fileError, usage } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { escapeJson } from "../../view/text.ts";

/** A results file in use: the last entry of each key, and a function that adds some, which are on disk when it returns. */
export type ResultsLog<Key, Entry> = {
  readonly entries: ReadonlyMap<Key, Entry>;
  readonly write: (entries: readonly Entry[]) => void;
};

/** Kind of a results file: the command that writes it, and the key of an entry, undefined for anything else. */
export type ResultsKind<Key, Entry> = {
  readonly command: string;
  readonly keyOf: (entry: Partial<Entry>) => Key | undefined;
  readonly kept?: (entry: Entry) => Entry; // an entry as it is held in memory
};

/** @throws BtError of kind usage for an empty name of a results file, and for `-`: it is read again */
export function checkResultsName(name: string | undefined): void {
  if (name === "") throw usage("--results is empty", "use --results FILE");
  if (name === "-") throw usage("--results cannot be stdout, since the file is read, too", "use --results FILE");
}

/**
 * Uses a results file, which no other process can use meanwhile. It is created with its first entry.
 * @throws BtError of kind local if it cannot be read, written or locked
 */
export async function withResultsLog<Key, Entry, Result>(
  { file, kind }: { readonly file: string; readonly kind: ResultsKind<Key, Entry> },
  io: Io,
  use: (log: ResultsLog<Key, Entry>) => Promise<Result>,
): Promise<Result> {
  const action = async () => {
    const text = textIn(file);
    let isCut = !(text === "" || text.endsWith("\n"));
    const write = (entries: readonly Entry[]) => {
      const lines = entries.map((entry) => `${escapeJson(io.hide(JSON.stringify(entry)))}\n`);
      append(file, (isCut ? "\n" : "") + lines.join(""));
      isCut = false;
    };
    return use({ entries: resultsEntries(file, kind), write });
  };
  return withLock({ file, about: `the results in ${file}`, action }, io);
}

/**
 * The last entry of each key in a results file; none if it does not exist.
 * @throws BtError of kind local for another file
 */
export function resultsEntries<Key, Entry>(file: string, kind: ResultsKind<Key, Entry>): ReadonlyMap<Key, Entry> {
  const entries = new Map<Key, Entry>();
  for (const [at, line] of textIn(file).split("\n").entries()) {
    const entry = entryIn<Entry>(line);
    const key = entry && kind.keyOf(entry);
    if (key !== undefined) entries.set(key, kind.kept ? kind.kept(entry as Entry) : (entry as Entry));
    else if (line !== "" && !isCut(line)) throw foreignFile({ file, kind, line: at + 1 });
  }
  return entries;
}

type Place = { readonly file: string; readonly kind: { readonly command: string }; readonly line: number };

function foreignFile({ file, kind, line }: Place): BtError {
  return new BtError("local", `${file} is not a results file of bt ${kind.command}: line ${line}`, {
    hint: "--results FILE names another one",
    changed: "nothing",
  });
}

/** True for a line that was not written to its end: a process was stopped meanwhile, before it sent anything. */
function isCut(line: string): boolean {
  return line.startsWith("{") && !line.endsWith("}");
}

function entryIn<Entry>(line: string): Partial<Entry> | undefined {
  try {
    return (JSON.parse(line) as Partial<Entry> | null) ?? undefined;
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
