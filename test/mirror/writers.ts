import { momentIn, wallClockIn } from "../../src/api/facts/time-zone.ts";
import type { Exchange, JsonObject } from "../../src/wire/exchange.ts";
import { freshDemo } from "../fresh-demo.ts";
import type { Chance } from "../reliability/random.ts";
import { asUser } from "./a-mirror.ts";

type Demo = Pick<ReturnType<typeof freshDemo>, "store" | "tracker">;

/** A write to a tracker; it may be done to several copies of it. */
export type Write = (demo: Demo) => Promise<void>;

/** How a tracker misbehaves. */
export type Circumstances = {
  readonly zone?: string; // of its clock
  readonly replicaMs?: number; // how late searches are
  readonly lateMs?: number; // how late some updates appear, with the stamps of their beginning
};

/** A demo with writers, read by a triager; `wait` moves its clock. */
export type WrittenTracker = {
  readonly exchange: Exchange;
  readonly login: string;
  readonly now: () => Date;
  readonly demo: Demo;
  readonly write: (write: Write) => Promise<void>;
  readonly wait: (ms: number) => Promise<void>;
  readonly close: () => void;
};

const LOGIN = "tomas@example.org";
const ADMIN = 1;

/** A tracker in these circumstances at a time; writes reach its replica and late updates appear while time passes. */
export function writtenTracker(start: string, { zone, replicaMs, lateMs }: Circumstances): WrittenTracker {
  const clock = { ms: Date.parse(start), shift: 0 };
  const now = () => new Date(clock.ms);
  const stamped = () => new Date(onClock(zone, clock.ms - clock.shift));
  const runtime = { now: stamped, random: (bytes: number) => new Uint8Array(bytes), report: fail };
  const [main, replica] = [freshDemo(runtime), freshDemo(runtime)];
  for (const { store } of [main, replica]) noteSettings(store);
  const queue: {
    readonly at: number;
    readonly began: number;
    readonly write: Write;
    readonly demos: readonly Demo[];
  }[] = [];
  const run = async () => {
    for (const one of queue.splice(0).sort((a, b) => a.at - b.at)) {
      if (one.at > clock.ms) queue.push(one);
      else
        await began(one.began, () =>
          one.demos.reduce((done, demo) => done.then(() => one.write(demo)), Promise.resolve()),
        );
    }
  };
  const began = async (at: number, act: () => Promise<void>) => {
    clock.shift = clock.ms - at;
    await act();
    clock.shift = 0;
  };
  const triager = (demo: Demo) => asUser(demo.tracker, userId(demo, LOGIN));
  let count = 0;
  return {
    demo: main,
    login: LOGIN,
    now,
    exchange: (request) => triager(FROM_REPLICA.has(request.operation ?? "") && replicaMs ? replica : main)(request),
    write: async (write) => {
      count += 1;
      const late = lateMs !== undefined && count % 3 === 0 ? lateMs : 0;
      if (late > 0) clock.ms += 1000; // a database locks the rows of an update: no other one has the same second
      if (late === 0) await write(main);
      else queue.push({ at: clock.ms + late, began: clock.ms, write, demos: [main] });
      if (replicaMs) queue.push({ at: clock.ms + late + replicaMs, began: clock.ms, write, demos: [replica] });
      if (late > 0) clock.ms += 1000;
    },
    wait: async (ms) => {
      clock.ms += ms;
      await run();
    },
    close: () => {
      for (const { store } of [main, replica]) store.close();
    },
  };
}

/** A server reads these from its replica; bugs and comments by number come from its main database. */
const FROM_REPLICA: ReadonlySet<string> = new Set(["Search Bugs", "Bug History"]);

function fail(failure: unknown): never {
  throw failure;
}

/** A moment as a server tells it whose clock shows a zone: the repeated hour of autumn is one of the two. */
function onClock(zone: string | undefined, ms: number): number {
  if (zone === undefined) return ms;
  const [year = 0, month = 0, day = 0, hour, minute, second] = wallClockIn(zone, ms).split(/[- :]/).map(Number);
  return momentIn(zone, [year, month, day, hour ?? 0, minute ?? 0, second ?? 0]);
}

function userId({ store }: Demo, login: string): number {
  return Number(store.get("SELECT id FROM users WHERE login = ?", [login])?.["id"]);
}

async function send(
  { tracker }: Demo,
  [method, path]: readonly ["PUT" | "POST", string],
  body: JsonObject,
): Promise<void> {
  const reply = await asUser(tracker, ADMIN)({ method, path: `/rest${path}`, query: [], body });
  if (reply.status >= 500) throw new Error(reply.body); // refusals are part of the game
}

/** A random write, decided now: bugs, comments, privacy, groups, names, deletions. */
export function randomWrite(luck: Chance, { demo }: Pick<WrittenTracker, "demo">): Write {
  return luck.one(WRITES)(luck, bugIds(demo));
}

function bugIds({ store }: Demo): readonly number[] {
  return store.all<{ readonly id: number }>("SELECT id FROM bugs ORDER BY id").map(({ id }) => id);
}

type Making = (luck: Chance, ids: readonly number[]) => Write;

function text(luck: Chance): string {
  return `text ${luck.below(1000)}`;
}

const changeFields: Making = (luck, ids) => {
  const chosen = luck.shuffled(ids).slice(0, 1 + luck.below(8));
  const change = luck.one<JsonObject>([
    { summary: text(luck), comment: { body: text(luck) } },
    { priority: luck.one(["Highest", "Low", "---"]) },
    { status: "RESOLVED", resolution: luck.one(["FIXED", "WONTFIX"]) },
    { status: "CONFIRMED" },
    { cc: { add: ["mei@example.org"], remove: ["jonas@example.org"] } },
    { keywords: { add: ["perf"], remove: ["crash"] } },
    { whiteboard: text(luck), url: "https://example.org/" },
    { work_time: 1.5, comment: { body: "worked" } },
    { flags: [{ name: "needinfo", status: "?", requestee: "sam@example.org", new: true }] },
    { groups: { add: ["security"] } },
    { groups: { remove: ["security"] } },
    { assigned_to: luck.one(["priya@example.org", "seun@example.org"]) },
    { alias: { add: [`alias-${luck.below(50)}`] } },
  ]);
  return (demo) => send(demo, ["PUT", `/bug/${chosen[0]}`], { ids: chosen, ...change });
};

const link: Making = (luck, ids) => {
  const [one, other] = luck.shuffled(ids);
  const change = luck.one<JsonObject>([
    { depends_on: { add: [other ?? 1] } },
    { blocks: { set: [other ?? 1] } },
    { depends_on: { set: [] } },
    { dupe_of: other ?? 1 },
  ]);
  return (demo) => send(demo, ["PUT", `/bug/${one}`], change);
};

const create: Making = (luck) => {
  const body = {
    product: "Lantern",
    component: "Editor",
    version: "unspecified",
    summary: text(luck),
    description: text(luck),
  };
  return async (demo) => {
    const component = demo.store.get(
      "SELECT components.name, products.name AS product FROM components JOIN products ON products.id = product_id WHERE product_id = 1",
    );
    const version = demo.store.get("SELECT name FROM versions WHERE product_id = 1")?.["name"] ?? "";
    const { name = "", product = "" } = component ?? {};
    await send(demo, ["POST", "/bug"], { ...body, product, component: name, version });
  };
};

const comment: Making = (luck, ids) => {
  const [body, isPrivate, id] = [text(luck), luck.below(3) === 0, luck.one(ids)];
  return (demo) => send(demo, ["POST", `/bug/${id}/comment`], { comment: body, is_private: isPrivate });
};

const flipPrivacy: Making = (luck, ids) => {
  const [id, isPrivate] = [luck.one(ids), luck.below(2) === 0];
  return async (demo) => {
    const last = demo.store.get("SELECT max(id) AS id FROM comments WHERE bug_id = ?", [id])?.["id"];
    await send(demo, ["PUT", `/bug/${id}`], { comment_is_private: { [String(last)]: isPrivate } });
  };
};

const attach: Making = (luck, ids) => {
  const [id, summary, isPrivate] = [luck.one(ids), text(luck), luck.below(3) === 0];
  const file = { file_name: "a.txt", content_type: "text/plain", data: "aGVsbG8=", summary, is_private: isPrivate };
  return (demo) => send(demo, ["POST", `/bug/${id}/attachment`], file);
};

const move: Making = (luck, ids) => {
  const id = luck.one(ids);
  return async (demo) => {
    const place = demo.store.get(
      "SELECT components.name AS component, products.name AS product, versions.name AS version FROM components JOIN products ON products.id = components.product_id JOIN versions ON versions.product_id = products.id WHERE products.id = 2",
    );
    if (place) await send(demo, ["PUT", `/bug/${id}`], { ...place } as JsonObject);
  };
};

/** Renames without a trace on the bugs; only the time of the last change of settings tells. */
const rename: Making = (luck) => {
  const word = `renamed ${luck.below(100_000)}`;
  const { table, column, product = "NULL", where = "" } = luck.one(RENAMED);
  const place = luck.number();
  return async ({ store }) => {
    const rows = store.all<Renamed>(
      `SELECT id, ${column} AS name, ${product} AS product FROM ${table} ${where} ORDER BY id`,
    );
    const row = rows[Math.floor(place * rows.length)];
    if (!row) return;
    const name = column === "login" ? `${word.replace(" ", "")}@example.org` : word;
    store.run(`UPDATE ${table} SET ${column} = ? WHERE id = ?`, [name, row.id]);
    renameInBugs(store, [table, row], name);
    noteSettings(store);
  };
};

type Place = { readonly table: string; readonly column: string; readonly product?: string; readonly where?: string };

const RENAMED: readonly Place[] = [
  { table: "products", column: "name" },
  { table: "components", column: "name" },
  { table: "keywords", column: "name" },
  {
    table: "field_values",
    column: "name",
    where: "WHERE field_id = (SELECT id FROM fields WHERE name = 'priority')",
  },
  { table: "users", column: "real_name" },
  { table: "users", column: "login", where: "WHERE id NOT IN (1, 2)" },
  { table: "versions", column: "name", product: "product_id" },
  { table: "milestones", column: "name", product: "product_id" },
];

/** Moves the time of the last change of settings. */
function noteSettings(store: Demo["store"]): void {
  const count = Number(store.get("SELECT count(*) AS n FROM audit")?.["n"]);
  const time = `${new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString().slice(0, 19)}Z`;
  store.run("INSERT INTO audit (time, what) VALUES (?, 'settings')", [time]);
}

type Renamed = { readonly id: number; readonly name: string; readonly product: number | null };

function renameInBugs(store: Demo["store"], [table, old]: readonly [string, Renamed], name: string): void {
  const column = { field_values: "priority", versions: "version", milestones: "target_milestone" }[table];
  if (!column) return;
  const product = table === "field_values" ? "" : ` AND product_id = ${old.product}`;
  store.run(`UPDATE bugs SET ${column} = ? WHERE ${column} = ?${product}`, [name, old.name]);
}

const remove: Making = (luck, ids) => {
  const id = luck.one(ids);
  return async ({ store }) => {
    if (ids.length > 30) store.run(REMOVE, { id });
  };
};

/**
 * Only of a bug that the login always saw and that no bug of another product names: bugs that name another one change without
 * anything that a server tells, and a mirror of products does not know the others.
 */
const REMOVE = `DELETE FROM bugs WHERE id = @id AND id NOT IN (SELECT bug_id FROM bug_groups)
  AND id NOT IN (SELECT bug_id FROM activity WHERE field = 'bug_group')
  AND NOT EXISTS (SELECT 1 FROM bug_dependencies JOIN bugs AS other ON other.id IN (bug_id, depends_on_id)
    WHERE bugs.id IN (bug_id, depends_on_id) AND other.product_id != bugs.product_id)`;

const WRITES: readonly Making[] = [
  ...[changeFields, changeFields, changeFields, changeFields, link, create, comment, comment],
  ...[flipPrivacy, attach, move, rename, remove],
];
