import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../wire/exchange.ts";
import type {
  AccentedBug,
  MirrorCounts,
  MirroredBug,
  MirroredBugs,
  MirrorState,
  MirrorStore,
  ReceivedBug,
  ReceivedMetadata,
} from "../../wire/mirror.ts";
import { readWorkflow } from "../bug-fields/choices.ts";
import { customFieldRows } from "../bug-fields/custom-fields.ts";
import { userByLogin } from "../http/requester.ts";
import type { Store } from "../store/store.ts";
import { keptData, putBugs } from "./put-bugs.ts";
import { putMetadata } from "./put-metadata.ts";
import { receivedInteger, receivedText, storedTime } from "./received.ts";
import { keepReceived, keptObjects } from "./received-json.ts";
import { openRegistry, type Registry } from "./registry.ts";
import { createRowBatch, type RowInsert, runInTurns, type ShortSteps } from "./row-batch.ts";
import { readMirrorFacts, writeFacts } from "./schema.ts";

/** The store of a mirror, as its sync uses it. */
export function createMirrorStore(context: KeepContext): MirrorStore {
  const { store } = context;
  const write = <T>(work: () => T): T => store.transaction("write", work);
  return {
    facts: () => readMirrorFacts(store),
    setFacts: (facts) => write(() => writeFacts(store, facts)),
    keepMetadata: (metadata) =>
      write(() => {
        const products = renamedProducts(store, metadata);
        markStale(store, putMetadata(store, mirrorRegistry(context), metadata));
        writeFacts(store, { products });
      }),
    productNames: () => [...keptObjects(store, "product").values()].map(({ name }) => String(name)),
    hasFields: (fields) => isDeepStrictEqual(objectsById(fields), keptObjects(store, "field")),
    keepBugs: (bugs, readTime, facts = {}) =>
      store.longTransaction(async () => {
        await runInTurns(keepBugs(context, bugs, readTime));
        writeFacts(store, facts);
      }),
    lacksData: (attachment) => receivedInteger(attachment["size"]) !== 0 && keptData(store, attachment) === "",
    markFailed: (failed, readTime) =>
      write(() => {
        for (const { id, reason } of failed)
          store.run(MARK_FAILED, { id, reason: firstReceivedLine(reason), readTime });
      }),
    removeBugs: (ids) =>
      write(() => {
        markStale(store, removeBugs(store, ids));
      }),
    usersWithoutId: () => store.all<{ login: string }>(WITHOUT_ID).map(({ login }) => login),
    markStaleOf: (logins) =>
      write(() => {
        store.run(MARK_STALE_OF, { logins: JSON.stringify(logins) });
      }),
    markStale: ({ from, until }) =>
      write(() => {
        const read = store.all<{ id: number }>(READ_BETWEEN, [from, until]);
        markStale(
          store,
          read.map(({ id }) => id),
        );
      }),
    staleBugs: () => store.all<BugRow>(`${BUGS} WHERE last_change_time = '' AND reason IS NULL`).map(presentBug),
    bugs: (which) => mirroredBugs(store, which),
    statuses: () => {
      const { statuses } = readWorkflow(store);
      const open = statuses.filter(({ is_open }) => is_open);
      const closed = statuses.filter(({ is_open }) => !is_open);
      return { open: open.map(({ name }) => name), closed: closed.map(({ name }) => name) };
    },
    userIds: () => store.all<{ id: number }>(USERS).map(({ id }) => id),
    accentedBugs: () => store.all<AccentedBug>(ACCENTED),
    counts: () => bugCounts(store),
    oldestRead: () => store.get<{ time: string | null }>(OLDEST)?.time ?? null,
  };
}

// A bug that was read before stays as it was read.
const MARK_FAILED = `INSERT INTO mirror_bugs (bug_id, state, last_change_time, read_time, reason)
  VALUES (@id, 'failed', '', @readTime, @reason)
  ON CONFLICT (bug_id) DO UPDATE SET state = 'failed', last_change_time = '', reason = @reason`;

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
function renamedProducts(store: Store, { products }: ReceivedMetadata): string[] {
  const names = new Map(products.map(({ id, name }) => [Number(id), String(name)]));
  return readMirrorFacts(store).products.map((name) => {
    const known = store.get<{ id: number }>("SELECT id FROM products WHERE name = ?", [name]);
    return (known && names.get(known.id)) ?? name;
  });
}

type BugRow = {
  id: number;
  state: MirrorState;
  change: string;
  read: string;
  reason: string | null;
};

const BUGS = `SELECT bug_id AS id, state, last_change_time AS change, read_time AS read, reason FROM mirror_bugs`;

function mirroredBugs(
  store: Store,
  { ids, from = 0, below = Number.MAX_SAFE_INTEGER, since = "", state, highest = -1 }: MirroredBugs,
) {
  const rows =
    ids === undefined
      ? store.all<BugRow>(IN_RANGE, { from, below, since, only: state ?? null, highest })
      : store.all<BugRow>(`${BUGS} WHERE bug_id IN (SELECT value FROM json_each(?)) ORDER BY bug_id`, [
          JSON.stringify(ids),
        ]);
  return rows.map(presentBug);
}

const IN_RANGE = `SELECT * FROM (
  ${BUGS} WHERE bug_id >= @from AND bug_id < @below AND last_change_time >= @since AND state = ifnull(@only, state)
  ORDER BY bug_id DESC LIMIT @highest
) ORDER BY id`;

function presentBug({ id, state, change, read, reason }: BugRow): MirroredBug {
  return { id, state, lastChangeTime: change, readTime: read, ...(reason === null ? {} : { reason }) };
}

function markStale(store: Store, ids: readonly number[]): void {
  store.run("UPDATE mirror_bugs SET last_change_time = '' WHERE bug_id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(ids),
  ]);
}

function bugCounts(store: Store): MirrorCounts {
  const states = store.all<{ state: MirrorState; n: number }>(
    "SELECT state, count(*) AS n FROM mirror_bugs GROUP BY state",
  );
  const count = (sql: string) => Number(store.get(sql)?.["n"] ?? 0);
  return {
    held: 0,
    failed: 0,
    ...Object.fromEntries(states.map(({ state, n }) => [state, n])),
    restrictedBugs: count("SELECT count(DISTINCT bug_id) AS n FROM bug_groups"),
    privateComments: count("SELECT count(*) AS n FROM comments WHERE is_private = 1"),
    privateAttachments: count("SELECT count(*) AS n FROM attachments WHERE is_private = 1"),
  };
}

function objectsById(objects: readonly JsonObject[]): ReadonlyMap<number, JsonObject> {
  return new Map(objects.map((object) => [Number(object["id"]), object]));
}

/** Store and login of a mirror that is written. */
type KeepContext = { store: Store; login: string | null };

function mirrorRegistry({ store, login }: KeepContext): Registry {
  return openRegistry(store, { isAnonymous: login === null });
}

/** Keeps bugs as received, and puts them into the tables that searches read. Called in a transaction. */
function* keepBugs(context: KeepContext, bugs: readonly ReceivedBug[], readTime: string): ShortSteps<void> {
  if (bugs.length === 0) return;
  const { store, login } = context;
  const registry = mirrorRegistry(context);
  const tagger = login === null ? undefined : userByLogin(store, login)?.id;
  yield* keepReceived(store, bugs); // first: its statements would make the word index write what it has collected
  yield* putBugs({ store, registry, customFields: customFieldRows(store), tagger }, bugs);
  const states = createRowBatch(store);
  for (const { bug } of bugs) {
    states.add(STATE, [receivedInteger(bug["id"]), "held", storedTime(bug["last_change_time"]), readTime, null]);
  }
  yield* states.insertAll();
  const [first] = bugs;
  if (first) showHours(store, "estimated_time" in first.bug);
}

const STATE: RowInsert = {
  or: "REPLACE",
  table: "mirror_bugs",
  columns: ["bug_id", "state", "last_change_time", "read_time", "reason"],
};

/** Makes hours searchable, or not: only those in the group of time tracking see them. */
function showHours(store: Store, isShown: boolean): void {
  store.run(SET_GROUP, { group: isShown ? "editbugs" : "" });
}

const SET_GROUP = `INSERT INTO parameters (name, value) VALUES ('timetrackinggroup', @group)
  ON CONFLICT (name) DO UPDATE SET value = @group WHERE value <> @group`;

/** Rows that belong to bugs, by table and the column with the bug's id. */
const OF_BUGS = [
  ["bug_aliases", "bug_id"],
  ["bug_cc", "bug_id"],
  ["bug_keywords", "bug_id"],
  ["bug_groups", "bug_id"],
  ["bug_see_also", "bug_id"],
  ["bug_duplicates", "bug_id"],
  ["bug_tags", "bug_id"],
  ["custom_values", "bug_id"],
  ["custom_choices", "bug_id"],
  ["flags", "bug_id"],
  ["activity", "bug_id"],
  ["attachments", "bug_id"],
  ["comments", "bug_id"],
  ["mirror_bugs", "bug_id"],
  ["mirror_received", "bug_id"],
  ["bugs", "id"],
] as const;

/** Removes bugs and all that belongs to them. Returns the kept bugs that refer to one of them: they may have changed. */
function removeBugs(store: Store, ids: readonly number[]): number[] {
  const list = JSON.stringify(ids);
  const neighbours = store.all<{ id: number }>(NEIGHBOURS, { ids: list }).map(({ id }) => id);
  for (const id of ids) {
    store.run("DELETE FROM comment_tags WHERE comment_id IN (SELECT id FROM comments WHERE bug_id = ?)", [id]);
    for (const [table, column] of OF_BUGS) store.run(`DELETE FROM ${table} WHERE ${column} = ?`, [id]);
  }
  return neighbours;
}

const NEIGHBOURS = `
  SELECT bug_id AS id FROM mirror_bugs WHERE state = 'held' AND bug_id NOT IN (SELECT value FROM json_each(@ids))
    AND bug_id IN (
      SELECT bug_id FROM bug_dependencies WHERE depends_on_id IN (SELECT value FROM json_each(@ids))
      UNION SELECT depends_on_id FROM bug_dependencies WHERE bug_id IN (SELECT value FROM json_each(@ids))
      UNION SELECT bug_id FROM bug_duplicates WHERE dupe_of IN (SELECT value FROM json_each(@ids)))`;

/** Text of a received bug's problem, in one line. */
function firstReceivedLine(reason: string): string {
  return receivedText(reason).split("\n", 1)[0] ?? "";
}
