import type { MirrorCounts, MirroredBug, MirroredBugs, MirrorState, MirrorStore } from "../../wire/mirror.ts";
import type { Store } from "../store/store.ts";
import { readFacts, writeFacts } from "./facts.ts";
import { type KeepContext, keepBugs, mirrorRegistry, reasonOf, removeBugs } from "./keep-bugs.ts";
import { putMetadata } from "./put-metadata.ts";

/** The store of a mirror, as its sync uses it. */
export function mirrorStore(context: KeepContext): MirrorStore {
  const { store } = context;
  const write = <T>(work: () => T): T => store.transaction("write", work);
  return {
    facts: () => readFacts(store),
    setFacts: (facts) => write(() => writeFacts(store, facts)),
    keepMetadata: (metadata) => write(() => putMetadata(store, mirrorRegistry(context), metadata)),
    keepBugs: (bugs, as, facts = {}) =>
      write(() => {
        keepBugs(context, bugs, as);
        writeFacts(store, facts);
      }),
    markFailed: (failed, readTime) =>
      write(() => {
        for (const { id, reason } of failed) store.run(MARK_FAILED, { id, reason: reasonOf(reason), readTime });
      }),
    markUnreadable: (ids, readTime) =>
      write(() => {
        for (const id of ids) store.run(MARK_UNREADABLE, { id, readTime });
      }),
    removeBugs: (ids) => write(() => removeBugs(store, ids)),
    bugs: (which) => bugsOf(store, which),
    missingDependencies: () => store.all<{ readonly id: number }>(MISSING).map(({ id }) => id),
    highestId: () => Number(store.get("SELECT max(bug_id) AS id FROM mirror_bugs")?.["id"] ?? 0),
    counts: () => countsOf(store),
    oldestRead: () => store.get<{ readonly time: string | null }>(OLDEST)?.time ?? null,
  };
}

// A bug that was read before stays as it was read.
const MARK_FAILED = `INSERT INTO mirror_bugs (bug_id, state, last_change_time, read_time, reason)
  VALUES (@id, 'failed', '', @readTime, @reason)
  ON CONFLICT (bug_id) DO UPDATE SET state = 'failed', last_change_time = '', reason = @reason`;

const MARK_UNREADABLE = `INSERT OR IGNORE INTO mirror_bugs (bug_id, state, last_change_time, read_time, reason)
  VALUES (@id, 'stub', '', @readTime, 'not visible')`;

const MISSING = `SELECT DISTINCT depends_on_id AS id FROM bug_dependencies
  JOIN mirror_bugs ON mirror_bugs.bug_id = bug_dependencies.bug_id AND state = 'held'
  WHERE depends_on_id NOT IN (SELECT bug_id FROM mirror_bugs)`;

const OLDEST = "SELECT min(read_time) AS time FROM mirror_bugs WHERE state = 'held'";

type BugRow = {
  readonly id: number;
  readonly state: MirrorState;
  readonly change: string;
  readonly read: string;
  readonly reason: string | null;
};

const BUGS = `SELECT bug_id AS id, state, last_change_time AS change, read_time AS read, reason FROM mirror_bugs`;

function bugsOf(
  store: Store,
  { ids, from = 0, below = Number.MAX_SAFE_INTEGER }: MirroredBugs,
): readonly MirroredBug[] {
  const rows =
    ids === undefined
      ? store.all<BugRow>(`${BUGS} WHERE bug_id >= ? AND bug_id < ? ORDER BY bug_id`, [from, below])
      : store.all<BugRow>(`${BUGS} WHERE bug_id IN (SELECT value FROM json_each(?)) ORDER BY bug_id`, [
          JSON.stringify(ids),
        ]);
  return rows.map(({ id, state, change, read, reason }) => ({
    ...{ id, state, lastChangeTime: change, readTime: read },
    ...(reason === null ? {} : { reason }),
  }));
}

function countsOf(store: Store): MirrorCounts {
  const states = store.all<{ readonly state: MirrorState; readonly n: number }>(
    "SELECT state, count(*) AS n FROM mirror_bugs GROUP BY state",
  );
  const count = (sql: string) => Number(store.get(sql)?.["n"] ?? 0);
  return {
    ...{ held: 0, outside: 0, stub: 0, failed: 0 },
    ...Object.fromEntries(states.map(({ state, n }) => [state, n])),
    restrictedBugs: count("SELECT count(DISTINCT bug_id) AS n FROM bug_groups"),
    privateComments: count("SELECT count(*) AS n FROM comments WHERE is_private = 1"),
  };
}
