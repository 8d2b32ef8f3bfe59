import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../wire/exchange.ts";
import type {
  AccentedBug,
  MirrorCounts,
  MirroredBug,
  MirroredBugs,
  MirrorState,
  MirrorStore,
  ReceivedMetadata,
} from "../../wire/mirror.ts";
import { readWorkflow } from "../bug-fields/choices.ts";
import type { Store } from "../store/store.ts";
import { readFacts, writeFacts } from "./facts.ts";
import { type KeepContext, keepBugs, mirrorRegistry, reasonOf, removeBugs } from "./keep-bugs.ts";
import { putMetadata } from "./put-metadata.ts";
import { wholeObjects } from "./rest.ts";
import { inTurns } from "./short-steps.ts";

/** The store of a mirror, as its sync uses it. */
export function mirrorStore(context: KeepContext): MirrorStore {
  const { store } = context;
  const write = <T>(work: () => T): T => store.transaction("write", work);
  return {
    facts: () => readFacts(store),
    setFacts: (facts) => write(() => writeFacts(store, facts)),
    keepMetadata: (metadata) =>
      write(() => {
        const products = renamedProducts(store, metadata);
        markStale(store, putMetadata(store, mirrorRegistry(context), metadata));
        writeFacts(store, { products });
      }),
    productNames: () => wholeObjects(store, "product").map(({ name }) => String(name)),
    hasFields: (fields) => isDeepStrictEqual(byId(fields), byId(wholeObjects(store, "field"))),
    keepBugs: (bugs, readTime, facts = {}) =>
      store.longTransaction(async () => {
        await inTurns(keepBugs(context, bugs, readTime));
        writeFacts(store, facts);
      }),
    withoutData: (ids) => {
      const kept = store.all<{ readonly id: number }>(WITH_DATA, [JSON.stringify(ids)]).map(({ id }) => id);
      return ids.filter((id) => !kept.includes(id));
    },
    markFailed: (failed, readTime) =>
      write(() => {
        for (const { id, reason } of failed) store.run(MARK_FAILED, { id, reason: reasonOf(reason), readTime });
      }),
    removeBugs: (ids) =>
      write(() => {
        markStale(store, removeBugs(store, ids));
      }),
    usersWithoutId: () => store.all<{ readonly login: string }>(WITHOUT_ID).map(({ login }) => login),
    markStaleOf: (logins) =>
      write(() => {
        store.run(MARK_STALE_OF, { logins: JSON.stringify(logins) });
      }),
    markStale: ({ from, until }) =>
      write(() => {
        const read = store.all<{ readonly id: number }>(READ_BETWEEN, [from, until]);
        markStale(
          store,
          read.map(({ id }) => id),
        );
      }),
    staleBugs: () => store.all<BugRow>(`${BUGS} WHERE last_change_time = '' AND reason IS NULL`).map(presentBug),
    bugs: (which) => bugsOf(store, which),
    statuses: () => {
      const { statuses } = readWorkflow(store);
      const named = (isOpen: boolean) => statuses.filter(({ is_open }) => is_open === isOpen).map(({ name }) => name);
      return { open: named(true), closed: named(false) };
    },
    userIds: () => store.all<{ readonly id: number }>(USERS).map(({ id }) => id),
    accentedBugs: () => store.all<AccentedBug>(ACCENTED),
    counts: () => countsOf(store),
    oldestRead: () => store.get<{ readonly time: string | null }>(OLDEST)?.time ?? null,
  };
}

// A bug that was read before stays as it was read.
const MARK_FAILED = `INSERT INTO mirror_bugs (bug_id, state, last_change_time, read_time, reason)
  VALUES (@id, 'failed', '', @readTime, @reason)
  ON CONFLICT (bug_id) DO UPDATE SET state = 'failed', last_change_time = '', reason = @reason`;

const WITH_DATA =
  "SELECT id FROM attachments WHERE (data <> '' OR size = 0) AND id IN (SELECT value FROM json_each(?))";

const READ_BETWEEN = "SELECT bug_id AS id FROM mirror_bugs WHERE state = 'held' AND read_time >= ? AND read_time < ?";

const OF_USERS = ["comments.creator_id", "activity.user_id", "flags.setter_id", "attachments.creator_id"].map(
  (column) => [column.split(".")[0], column] as const,
);

const WITHOUT_ID = `SELECT login FROM users JOIN mirror_users ON mirror_users.user_id = users.id
  WHERE server_id IS NULL AND NOT is_shortened AND users.id IN (
    ${OF_USERS.map(([table, column]) => `SELECT ${column} FROM ${table}`).join(" UNION ")})`;

const MARK_STALE_OF = `UPDATE mirror_bugs SET last_change_time = '' WHERE bug_id IN (
  ${OF_USERS.map(
    ([table, column]) => `SELECT bug_id FROM ${table} WHERE ${column} IN (
      SELECT id FROM users WHERE login IN (SELECT value FROM json_each(@logins)))`,
  ).join(" UNION ")})`;

const USERS = "SELECT server_id AS id FROM mirror_users WHERE server_id IS NOT NULL ORDER BY server_id";

const OLDEST = "SELECT min(read_time) AS time FROM mirror_bugs WHERE state = 'held'";

// Bytes are counted first: a pattern takes twenty times as long, and most summaries are ASCII.
const ACCENTED = `SELECT id, summary FROM bugs JOIN mirror_bugs ON bug_id = id AND state = 'held'
  WHERE length(CAST(summary AS BLOB)) > length(summary) AND summary GLOB '*[à-åè-ïñò-öù-üÀ-ÅÈ-ÏÑÒ-ÖÙ-Ü]*' LIMIT 20`;

/** Names of the mirror's products, by the names that received products have now. */
function renamedProducts(store: Store, { products }: ReceivedMetadata): readonly string[] {
  const names = new Map(products.map(({ id, name }) => [Number(id), String(name)]));
  return readFacts(store).products.map((name) => {
    const known = store.get<{ readonly id: number }>("SELECT id FROM products WHERE name = ?", [name]);
    return (known && names.get(known.id)) ?? name;
  });
}

type BugRow = {
  readonly id: number;
  readonly state: MirrorState;
  readonly change: string;
  readonly read: string;
  readonly reason: string | null;
};

const BUGS = `SELECT bug_id AS id, state, last_change_time AS change, read_time AS read, reason FROM mirror_bugs`;

function bugsOf(store: Store, { ids, from = 0, below = Number.MAX_SAFE_INTEGER, state, highest = -1 }: MirroredBugs) {
  const rows =
    ids === undefined
      ? store.all<BugRow>(IN_RANGE, { from, below, only: state ?? null, highest })
      : store.all<BugRow>(`${BUGS} WHERE bug_id IN (SELECT value FROM json_each(?)) ORDER BY bug_id`, [
          JSON.stringify(ids),
        ]);
  return rows.map(presentBug);
}

const IN_RANGE = `SELECT * FROM (
  ${BUGS} WHERE bug_id >= @from AND bug_id < @below AND state = ifnull(@only, state) ORDER BY bug_id DESC LIMIT @highest
) ORDER BY id`;

function presentBug({ id, state, change, read, reason }: BugRow): MirroredBug {
  return { id, state, lastChangeTime: change, readTime: read, ...(reason === null ? {} : { reason }) };
}

function markStale(store: Store, ids: readonly number[]): void {
  store.run("UPDATE mirror_bugs SET last_change_time = '' WHERE bug_id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(ids),
  ]);
}

function countsOf(store: Store): MirrorCounts {
  const states = store.all<{ readonly state: MirrorState; readonly n: number }>(
    "SELECT state, count(*) AS n FROM mirror_bugs GROUP BY state",
  );
  const count = (sql: string) => Number(store.get(sql)?.["n"] ?? 0);
  return {
    ...{ held: 0, failed: 0 },
    ...Object.fromEntries(states.map(({ state, n }) => [state, n])),
    restrictedBugs: count("SELECT count(DISTINCT bug_id) AS n FROM bug_groups"),
    privateComments: count("SELECT count(*) AS n FROM comments WHERE is_private = 1"),
  };
}

function byId(objects: readonly JsonObject[]): ReadonlyMap<number, JsonObject> {
  return new Map(objects.map((one) => [Number(one["id"]), one]));
}
