import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FactStore } from "../api/facts.ts";
import { clearCaches } from "../config/cache.ts";
import { fileIn, readSmallFile, type Surroundings } from "../config/files.ts";
import type { Bug } from "../wire/bug-fields.ts";
import type { Json } from "../wire/exchange.ts";
import { objectsIn } from "../wire/json.ts";

/** Names of facts in the cache of an account. */
const RECENT_BUGS = "recent-bugs";
const READ_MARKS = "read-marks";
const TRIAGED = "triage";

/** Removes the recent bugs, read marks and triage of all accounts of a tracker. */
export function forgetBugs(address: string, host: Surroundings): void {
  for (const name of [RECENT_BUGS, READ_MARKS, TRIAGED]) clearCaches(name, host, address);
}

/** Removes the jobs of a tracker that is replaced by a new one; the first line of a job's file names its tracker. */
export function forgetJobs(address: string, host: Surroundings): void {
  const folder = fileIn("state", "jobs", host) ?? "";
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  for (const file of names.filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name))) {
    try {
      const [head = ""] = readSmallFile(file, { follow: false, largest: MAX_JOB })?.text.split("\n", 1) ?? [];
      if (JSON.parse(head).tracker === address) rmSync(file);
    } catch {} // no job, or not readable
  }
}

const MAX_JOB = 256 * 1024 * 1024;

/** A bug that a terminal showed; without a summary if it is, or may be, restricted to groups. */
export type RecentBug = { readonly id: number; readonly summary?: string };

const MAX_BUGS = 50;

/** The bugs that a terminal showed to an account lately, the last list first. */
export async function readRecentBugs(memory: FactStore): Promise<RecentBug[]> {
  const { bugs } = (await memory.read(RECENT_BUGS)) ?? {};
  return objectsIn(bugs) as unknown as RecentBug[];
}

/** Passes on the bugs that a terminal shows, and adds the first of them to the list. */
export async function* rememberingBugs<Page extends readonly Bug[]>(
  pages: AsyncIterable<Page>,
  memory: FactStore,
): AsyncGenerator<Page> {
  const shown: RecentBug[] = [];
  for await (const page of pages) {
    shown.push(...page.slice(0, MAX_BUGS - shown.length).map(recentBug));
    yield page;
  }
  if (shown.length === 0) return;
  const ids = new Set(shown.map(({ id }) => id));
  const before = (await readRecentBugs(memory)).filter(({ id }) => !ids.has(id));
  await memory.write(RECENT_BUGS, { bugs: [...shown, ...before].slice(0, MAX_BUGS) });
}

function recentBug({ id, summary, groups }: Bug): RecentBug {
  return groups?.length === 0 && summary ? { id, summary } : { id };
}

/** `last_change_time` of bugs when the account last read or handled them. */
export type ReadMarks = ReadonlyMap<number, string>;

/** The marks that `bt bug get` set; empty if there are none. */
export async function loadReadMarks(memory: FactStore): Promise<ReadMarks> {
  return timesById((await memory.read(READ_MARKS))?.["bugs"]);
}

/** Stores the marks that are newer than the stored ones. */
export async function addReadMarks(marks: ReadMarks, memory: FactStore): Promise<void> {
  const before = await loadReadMarks(memory);
  const newer = [...marks].filter(([id, time]) => time > (before.get(id) ?? ""));
  if (newer.length > 0) await memory.write(READ_MARKS, { bugs: Object.fromEntries([...before, ...newer]) });
}

const MAX_TRIAGES = 20;

/** Bugs that an unfinished triage with these criteria has handled, with their times. */
export async function readTriaged(criteria: string, memory: FactStore): Promise<Map<number, string>> {
  return timesById((await memory.read(TRIAGED))?.[criteria]);
}

/** Stores the handled bugs of a triage; removes a triage without handled bugs. */
export async function storeTriaged(criteria: string, handled: ReadMarks, memory: FactStore): Promise<void> {
  const { [criteria]: _, ...others } = (await memory.read(TRIAGED)) ?? {};
  const triages = handled.size > 0 ? { [criteria]: Object.fromEntries(handled), ...others } : others;
  await memory.write(TRIAGED, Object.fromEntries(Object.entries(triages).slice(0, MAX_TRIAGES)));
}

function timesById(bugs: Json | undefined): Map<number, string> {
  return new Map(Object.entries(Object(bugs)).map(([id, time]) => [Number(id), String(time)]));
}
