import { isBugId } from "../../api/bug-ref.ts";
import type { FactStore } from "../../api/fact-store.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import { objectsIn } from "../../wire/json.ts";

/** A bug that a terminal showed; without a summary if it is, or may be, restricted to groups. */
export type RecentBug = { readonly id: number; readonly summary?: string };

/** Name of the list in the cache of an account. */
export const RECENT_BUGS = "recent-bugs";

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
