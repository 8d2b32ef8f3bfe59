import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { folderToWrite, type Host, readSmallFile, replaceFile } from "../../../config/files.ts";
import { withLock } from "../../../config/lock.ts";
import { BtError, fileError, usage } from "../../../errors.ts";
import type { WatchEvent } from "../../../view/watch.ts";
import { noteReported, type SeenChange, type WatchState } from "./watch-state.ts";

/** Subject of a mark: no other tracker, login or search can continue from it. */
export type WatchSubject = { readonly tracker: string; readonly login: string | null; readonly criteria: string };

/** The kept state of a watch. */
export type WatchMark = {
  readonly read: () => WatchState | undefined;
  readonly note: (event: WatchEvent) => void; // after it was reported
  readonly save: (state: WatchState) => void;
};

/** A mark that is not stored. */
export const NO_MARK: WatchMark = { read: () => undefined, note: () => undefined, save: () => undefined };

/**
 * The file of a mark: a path, or a name in the state folder; without a word, one named after the subject.
 * @throws BtError of kind usage for an empty name
 */
export function markFile(word: string | undefined, subject: WatchSubject, host: Host & { cwd: () => string }): string {
  if (word !== undefined && /[/\\]/.test(word)) return resolve(host.cwd(), word);
  if (word !== undefined && !/^[\w][\w.-]*$/.test(word))
    throw usage(
      `--mark ${JSON.stringify(word)} is neither a name nor a path`,
      "for example: --mark nightly, or --mark ./mark",
    );
  const name = word ?? createHash("sha256").update(JSON.stringify(subject)).digest("hex").slice(0, 24);
  return join(folderToWrite("state", host), "watch", `${name}.jsonl`);
}

/**
 * Runs a watch that keeps its mark in a file, which no other process uses meanwhile.
 * @throws BtError of kind local if the file is in use or invalid, of kind usage if it is about something else
 */
export async function withMark<Result>(
  { file, subject }: { file: string; subject: WatchSubject },
  watch: (mark: WatchMark) => Promise<Result>,
  host: Host,
): Promise<Result> {
  return withLock({ file, about: `the mark ${file}`, action: () => watch(markIn(file, subject)) }, host);
}

function markIn(file: string, subject: WatchSubject): WatchMark {
  const save = (state: WatchState) =>
    replaceFile(file, `${JSON.stringify({ ...subject, version: VERSION, ...jsonOf(state) })}\n`);
  return {
    read: () => {
      const found = readSmallFile(file, { largest: MAX_BYTES });
      const state = found && stateIn(found.text, { file, subject });
      if (state) save(state); // a line that was not written whole must not be continued
      return state;
    },
    note: ({ summary: _, text: __, ...event }) => {
      try {
        appendFileSync(file, `${JSON.stringify(event)}\n`, { mode: 0o600 });
      } catch (error) {
        throw fileError("write", file, error);
      }
    },
    save,
  };
}

const VERSION = 1;
const MAX_BYTES = 256 * 1024 * 1024;

function jsonOf({ mark, wide, known, seen, told }: WatchState) {
  return { mark, wide, known: [...known], seen: Object.fromEntries(seen), told: Object.fromEntries(told) };
}

type Stored = WatchSubject & {
  version: number;
  mark: string;
  wide: string;
  known: number[];
  seen: Readonly<Record<string, SeenChange>>;
  told: Readonly<Record<string, string>>;
};

type Place = { file: string; subject: WatchSubject };

/** The state of the first line, with the events of the others; a last one that was not written whole is ignored. */
function stateIn(text: string, { file, subject }: Place): WatchState {
  const [head = "", ...lines] = text.split("\n");
  lines.pop();
  const stored = parsed<Stored>(head, file);
  if (stored.version !== VERSION) throw unusable(file);
  const { tracker, login, criteria } = stored;
  if (JSON.stringify([tracker, login, criteria]) !== JSON.stringify([subject.tracker, subject.login, subject.criteria]))
    throw usage(
      `the mark ${file} is of another watch: ${criteria} on ${tracker} as ${login ?? "anonymous"}`,
      "use another --mark",
    );
  const state: WatchState = {
    mark: stored.mark,
    wide: stored.wide,
    known: new Set(stored.known),
    seen: new Map(Object.entries(stored.seen).map(([id, one]) => [Number(id), one])),
    told: new Map(Object.entries(stored.told)),
  };
  for (const line of lines) noteReported(parsed<WatchEvent>(line, file), state);
  return state;
}

function parsed<Value>(line: string, file: string): Value {
  try {
    return JSON.parse(line) as Value;
  } catch {
    throw unusable(file);
  }
}

function unusable(file: string): BtError {
  return new BtError("local", `cannot use the mark ${file}`, {
    hint: "delete it to start over",
    changed: "nothing",
  });
}
