import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { decent } from "./defaults.ts";
import { type Faults, type FaultyTracker, faultyTracker } from "./faulty-tracker.ts";

/** Outcome of a command against a faulty tracker, and its traces on both sides. */
export type Ran = Awaited<ReturnType<typeof btConnected>> & {
  readonly tracker: FaultyTracker;
  readonly again: (line: string) => ReturnType<typeof btConnected>; // the same person on the same machine, later
  readonly home: string;
  readonly waits: readonly number[]; // what the command wanted to wait, in milliseconds; nothing was waited
};

/** Runs one command of a person with a key and a fresh home; `prepare` sees the tracker before. */
export async function ran(line: string, faults: Faults, prepare?: (tracker: FaultyTracker) => unknown): Promise<Ran> {
  const tracker = await faultyTracker(faults);
  await prepare?.(tracker);
  const home = freshFolder();
  const inTime = async (words: string, waits: number[]) =>
    decent(await btConnected(words, { env: { ...tracker.env, HOME: home }, waits }), { keys: [tracker.key], home });
  const waits: number[] = [];
  return { ...(await inTime(line, waits)), waits, tracker, again: (words) => inTime(words, []), home };
}

/** The name of the job that an error speaks of. */
export function jobIn(text: string): string {
  return /bt job (?:send|drop) (\w{26})/.exec(text)?.[1] ?? "none";
}

/** Matches what a bulk change says on stderr if all goes well. */
export const UNDO_LINE = /^note: undo: bt bug undo --job \w{26}\n$/;

/** The journals that a home holds. */
export function jobsOf(home: string, kind: "open" | "finished"): readonly string[] {
  const folder = join(home, ".local/state/bt/jobs", kind === "open" ? "" : kind);
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".jsonl")) : [];
}
