import { isBugId } from "../api/bug-ref.ts";
import type { FactStore } from "../api/facts.ts";
import { clearCaches } from "../config/cache.ts";
import type { Surroundings } from "../config/files.ts";
import { compareTexts } from "../view/text.ts";
import type { Bug } from "../wire/bug-fields.ts";
import type { JsonObject } from "../wire/exchange.ts";
import { objectsIn } from "../wire/json.ts";

/** Names of what the cache of an account remembers. */
const RECENT_BUGS = "recent-bugs";
const READ_MARKS = "read-marks";
const TRIAGED = "triage";

/** Forgets what all accounts of a tracker were shown, have read and have triaged. */
export function forgetBugs(address: string, host: Surroundings): void {
  for (const name of [RECENT_BUGS, READ_MARKS, TRIAGED]) clearCaches(name, host, address);
}

/** A bug that a terminal showed; without a summary if it is, or may be, restricted to groups. */
export type RecentBug = { readonly id: number; readonly summary?: string };

const MAX_BUGS = 50;

/** The bugs that a terminal showed to an account lately, the last list first. */
export async function readRecentBugs(memory: FactStore): Promise<RecentBug[]> {
  const { bugs } = (await memory.read(RECENT_BUGS)) ?? {};
  return objectsIn(bugs).filter(({ id }) => isBugId(String(id))) as unknown as RecentBug[];
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

/** `last_change_time` of each bug when the account last read it with `bt bug get`. */
export type ReadMarks = ReadonlyMap<number, string>;

const MAX_MARKS = 50_000;

/** The marks of an account; empty if there are none. */
export async function readMarks(memory: FactStore): Promise<ReadMarks> {
  const { bugs = {} } = ((await memory.read(READ_MARKS)) ?? {}) as { bugs?: JsonObject };
  const marks = new Map<number, string>();
  for (const [id, time] of Object.entries(bugs)) if (typeof time === "string") marks.set(Number(id), time);
  return marks;
}

/** Adds marks; newer ones are kept. Above the maximum, the marks of bugs that changed longest ago are dropped. */
export async function addReadMarks(marks: ReadMarks, memory: FactStore): Promise<void> {
  const before = await readMarks(memory);
  const newer = [...marks].filter(([id, time]) => time > (before.get(id) ?? ""));
  if (newer.length === 0) return;
  const all = [...new Map([...before, ...newer])];
  const latest =
    all.length > MAX_MARKS ? all.sort(([, one], [, other]) => compareTexts(one, other)).slice(-MAX_MARKS) : all;
  await memory.write(READ_MARKS, { bugs: Object.fromEntries(latest) });
}

const MAX_WALKS = 20;

/** Bugs that an unfinished walk over the same criteria has handled, with the time of their last change by then. */
export async function readTriaged(criteria: string, memory: FactStore): Promise<Map<number, string>> {
  const walk = (await readWalks(memory)).find((one) => one["criteria"] === criteria);
  const handled = Object.entries((walk?.["handled"] ?? {}) as JsonObject);
  return new Map(handled.map(([id, time]) => [Number(id), String(time)]));
}

/** Stores the handled bugs of a walk; removes a walk without any. */
export async function storeTriaged(
  criteria: string,
  handled: ReadonlyMap<number, string>,
  memory: FactStore,
): Promise<void> {
  const others = (await readWalks(memory)).filter((walk) => walk["criteria"] !== criteria);
  const walks = handled.size > 0 ? [{ criteria, handled: Object.fromEntries(handled) }, ...others] : others;
  await memory.write(TRIAGED, { walks: walks.slice(0, MAX_WALKS) });
}

async function readWalks(memory: FactStore): Promise<JsonObject[]> {
  return objectsIn((await memory.read(TRIAGED))?.["walks"]);
}
