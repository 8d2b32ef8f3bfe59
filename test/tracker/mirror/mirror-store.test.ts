import { statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMirror, type OpenedMirror, openMirror } from "../../../src/tracker/mirror/open.ts";
import { openStore } from "../../../src/tracker/store/store.ts";
import type { Exchange, Json, JsonObject } from "../../../src/wire/exchange.ts";
import type { ReceivedMetadata } from "../../../src/wire/mirror.ts";
import { stoppedClock } from "../../clock.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { sampled } from "../../sampling.ts";
import { get, idsOf, receiveBugs, receiveMetadata } from "./received.ts";

const RUNTIME = { now: stoppedClock().now, random: (bytes: number) => new Uint8Array(bytes) };
const READ = "2026-11-20T12:00:00Z";

const FACTS = {
  tracker: "https://bugs.example.org",
  products: [],
  attachments: "all",
  publicOnly: false,
} as const;

async function mirrorOf(exchange: Exchange, login: string | null): Promise<OpenedMirror> {
  const opened = createMirror(":memory:", { ...FACTS, login }, RUNTIME);
  opened.mirror.keepMetadata(await receiveMetadata(exchange));
  await opened.mirror.keepBugs(await receiveBugs(exchange), READ);
  return opened;
}

/** Exchange of a demo as one of its users; as nobody without a login. */
function demoAs(login: string | null): Exchange {
  const { tracker, store } = freshDemo(RUNTIME);
  const id = store.get("SELECT id FROM users WHERE login = ?", [login ?? ""])?.["id"];
  return (request) => tracker(request, { address: "127.0.0.1", ...(login === null ? {} : { userId: Number(id) }) });
}

const LOGINS = freshDemo(RUNTIME)
  .store.all<{ readonly login: string }>("SELECT login FROM users ORDER BY id")
  .map(({ login }) => login);

test("comments that were received without ids are found by their words, as others", async () => {
  const tracker = demoAs(LOGINS[0] ?? null);
  const opened = createMirror(":memory:", { ...FACTS, login: LOGINS[0] ?? null }, RUNTIME);
  opened.mirror.keepMetadata(await receiveMetadata(tracker));
  const received = await receiveBugs(tracker);
  const withoutIds = received.map(({ comments, ...bug }) => ({
    ...bug,
    comments: comments.map(({ id: _, ...comment }) => comment),
  }));
  await opened.mirror.keepBugs(withoutIds, READ);
  const words = { f1: "content", o1: "matches", v1: "the" };
  const expected = await idsOf(tracker, words);
  expect(expected.length).toBeGreaterThan(1);
  expect(await idsOf(opened.exchange, words)).toEqual(expected);
});

test("private comments are counted by an index of their own, not by reading all", () => {
  const file = `${freshFolder()}/mirror.db`;
  createMirror(file, { ...FACTS, login: null }, RUNTIME).close();
  const store = openStore(file);
  const plan = store.all("EXPLAIN QUERY PLAN SELECT count(*) AS n FROM comments WHERE is_private = 1");
  expect(plan.map(({ detail }) => detail)).toEqual(["SCAN comments USING COVERING INDEX private_comments"]);
  store.close();
});

describe.each(sampled([null, ...LOGINS], 3))("mirror of the demo as %s", (login) => {
  test("bugs, comments, histories and attachments are read back byte for byte", async () => {
    const tracker = demoAs(login);
    const { exchange } = await mirrorOf(tracker, login);
    const ids = await idsOf(tracker);
    expect(await idsOf(exchange)).toEqual(ids);
    const wanted = ids.flatMap((id) => ["", "/comment", "/history", "/attachment"].map((part) => `/bug/${id}${part}`));
    for (const path of wanted) {
      const query = { exclude_fields: /\d$/.test(path) ? "update_token" : "" };
      const [mirrored, original] = [await get(exchange, path, query), await get(tracker, path, query)];
      expect(JSON.stringify(mirrored), path).toBe(JSON.stringify(original));
    }
  });

  test("fields and products are read back byte for byte", async () => {
    const tracker = demoAs(login);
    const { exchange } = await mirrorOf(tracker, login);
    for (const [path, query] of [
      ["/field/bug", {}],
      ["/field/bug/priority", {}],
      ["/product", { type: "accessible" }],
      ["/product", { type: "enterable" }],
      ["/product", { type: "accessible", include_fields: "name,components.name" }],
    ] as const) {
      const [mirrored, original] = [await get(exchange, path, query), await get(tracker, path, query)];
      expect(JSON.stringify(mirrored), path).toBe(JSON.stringify(original));
    }
  });
});

test("a restart and a second reading change nothing", async () => {
  const tracker = demoAs(LOGINS[0] ?? null);
  const opened = await mirrorOf(tracker, LOGINS[0] ?? null);
  const dump = () =>
    opened.store.all(
      "SELECT bug_id, hex(bug), hex(discussion) FROM mirror_received UNION ALL SELECT id, field, time FROM activity",
    );
  const before = dump();
  await opened.mirror.keepBugs(await receiveBugs(tracker), READ);
  expect(dump()).toEqual(before);
});

test("bugs and facts are stored together or not at all, and the event loop turns meanwhile", async () => {
  const tracker = demoAs("tomas@example.org");
  const { mirror, store } = createMirror(":memory:", { ...FACTS, login: "tomas@example.org" }, RUNTIME);
  mirror.keepMetadata(await receiveMetadata(tracker));
  const bugs = await receiveBugs(tracker);
  const facts = { mark: "2026-11-20T11:00:00Z" };
  store.exec("CREATE TRIGGER full BEFORE INSERT ON mirror_bugs BEGIN SELECT raise(ABORT, 'disk full'); END");
  await expect(mirror.keepBugs(bugs, READ, facts)).rejects.toThrow("disk full");
  expect(mirror.bugs({})).toEqual([]);
  expect(store.all("SELECT id FROM bugs UNION ALL SELECT id FROM comments")).toEqual([]);
  expect(mirror.facts().mark).toBe(null);
  store.exec("DROP TRIGGER full");
  const keeping = { isOver: false, turns: 0 };
  const count = () => {
    keeping.turns += 1;
    if (!keeping.isOver) setImmediate(count);
  };
  setImmediate(count);
  await mirror.keepBugs(bugs, READ, facts);
  keeping.isOver = true;
  expect(keeping.turns).toBeGreaterThan(10);
  expect(mirror.facts().mark).toBe(facts.mark);
  expect(mirror.bugs({}).map(({ id }) => id)).toEqual(bugs.map(({ bug }) => bug["id"]));
});

test("bugs with an accented letter of Latin-1 in the summary are found, of those that are held", async () => {
  const tracker = demoAs("tomas@example.org");
  const { mirror } = createMirror(":memory:", { ...FACTS, login: "tomas@example.org" }, RUNTIME);
  mirror.keepMetadata(await receiveMetadata(tracker));
  const summaries = ["Cafe", "Café", "日本 \u{1f600}", "ÜBER", "a×b÷c", "Œuvre"];
  const bugs = (await receiveBugs(tracker, (id) => id < 30)).slice(0, 6);
  const named = bugs.map((one, at) => ({ ...one, bug: { ...one.bug, summary: summaries[at] ?? "" } }));
  await mirror.keepBugs(named, READ);
  expect(mirror.accentedBugs().map(({ summary }) => summary)).toEqual(["Café", "ÜBER"]);
  mirror.markFailed(
    bugs.map(({ bug }) => ({ id: Number(bug["id"]), reason: "broken" })),
    READ,
  );
  expect(mirror.accentedBugs()).toEqual([]);
});

test("a file that is opened again has facts, bugs and rights of its owner only", async () => {
  const file = `${freshFolder()}/mine.db`;
  const tracker = demoAs("tomas@example.org");
  const made = createMirror(file, { ...FACTS, login: "tomas@example.org" }, RUNTIME);
  made.mirror.keepMetadata(await receiveMetadata(tracker));
  await made.mirror.keepBugs(await receiveBugs(tracker), READ, { mark: "2026-11-20T11:00:00Z" });
  made.close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(() => createMirror(file, { ...FACTS, login: null }, RUNTIME)).toThrow("EEXIST");
  const opened = openMirror(file, RUNTIME);
  expect(opened.facts()).toMatchObject({ tracker: FACTS.tracker, mark: "2026-11-20T11:00:00Z", progress: null });
  expect(await idsOf(opened.exchange)).toEqual(await idsOf(tracker));
  opened.close();
});

test.each([undefined, 1.5])("people whose id is %s stay who they are", async (id) => {
  const tracker = demoAs("tomas@example.org");
  const { mirror, exchange } = createMirror(":memory:", { ...FACTS, login: "tomas@example.org" }, RUNTIME);
  mirror.keepMetadata(await receiveMetadata(tracker));
  const withId = (value: Json): Json =>
    JSON.parse(JSON.stringify(value), (_, one) => (one?.real_name ? { ...one, id } : one));
  await mirror.keepBugs(
    (await receiveBugs(tracker)).map((one) => withId(one) as typeof one),
    READ,
  );
  for (const creator of ["mei@example.org", "jonas@example.org", "lucia@example.org"])
    expect(await idsOf(exchange, { creator })).toEqual(await idsOf(tracker, { creator }));
});

test("fractions where whole numbers belong do not keep metadata from being stored", async () => {
  const tracker = demoAs("tomas@example.org");
  const { mirror, exchange } = createMirror(":memory:", { ...FACTS, login: "tomas@example.org" }, RUNTIME);
  const broken = JSON.stringify(await receiveMetadata(tracker)).replace(/"(type|sort_?key)":\d+/g, '"$1":1.5');
  mirror.keepMetadata(JSON.parse(broken) as ReceivedMetadata);
  const { fields } = await get(exchange, "/field/bug/bug_status");
  expect(fields).toMatchObject([{ name: "bug_status", values: expect.any(Array) }]);
});

test("a file that is no mirror is refused", () => {
  const file = `${freshFolder()}/tracker.db`;
  openStore(file).close();
  expect(() => openMirror(file, RUNTIME)).toThrow("The file is not a mirror of this version of bt.");
  expect(() => openMirror(`${file}.none`, RUNTIME)).toThrow("ENOENT");
});

test("products, values and keywords that the metadata do not list are those of their bugs, and in no list", async () => {
  const tracker = demoAs("tomas@example.org");
  const metadata = await receiveMetadata(tracker);
  const without = (name: string) => (one: JsonObject) => one["name"] !== name;
  const fields = metadata.fields.map((field) => ({
    ...field,
    values: [field["values"] ?? []]
      .flat()
      .filter((one) => ["Highest", "crash"].every((name) => without(name)(one as JsonObject))),
  }));
  const products = metadata.products.filter(without("Handbook"));
  const { exchange, mirror } = createMirror(":memory:", { ...FACTS, login: "tomas@example.org" }, RUNTIME);
  const all = await receiveBugs(tracker);
  expect(all.filter(({ bug }) => bug["product"] === "Handbook" && bug["priority"] !== "Highest")).not.toEqual([]);
  for (let time = 0; time < 2; time += 1) {
    mirror.keepMetadata({ ...metadata, products, fields });
    await mirror.keepBugs(all, READ);
    for (const id of await idsOf(tracker)) {
      const original = await get(tracker, `/bug/${id}`, { exclude_fields: "update_token" });
      expect(JSON.stringify(await get(exchange, `/bug/${id}`))).toBe(JSON.stringify(original));
    }
    const listed = await get(exchange, "/product", { type: "accessible", include_fields: "name" });
    expect(listed).toEqual({ products: products.map(({ name }) => ({ name })) });
    for (const name of ["priority", "keywords"]) {
      const { fields: found } = await get(exchange, `/field/bug/${name}`);
      expect(found).toMatchObject(fields.filter((field) => (field as JsonObject)["name"] === name));
    }
    for (const search of [{ product: "Handbook" }, { priority: "Highest" }, { keywords: "crash" }] as const)
      expect(await idsOf(exchange, search)).toEqual(await idsOf(tracker, search));
  }
});

test("a mirror of another version of bt is refused", () => {
  const file = `${freshFolder()}/mine.db`;
  const made = createMirror(file, { ...FACTS, login: null }, RUNTIME);
  made.mirror.setFacts({ version: made.facts().version + 1 });
  made.close();
  expect(() => openMirror(file, RUNTIME)).toThrow("The file is not a mirror of this version of bt.");
});

test("the oldest reading is that of a bug that could be read", async () => {
  const tracker = demoAs("tomas@example.org");
  const { mirror } = await mirrorOf(tracker, "tomas@example.org");
  const [first, second, third] = await receiveBugs(tracker, (id) => id < 20);
  const read = (bug: typeof first, day: number) => mirror.keepBugs(bug ? [bug] : [], `2026-11-${day}T12:00:00Z`);
  await read(first, 21);
  expect(mirror.oldestRead()).toBe("2026-11-20T12:00:00Z");
  await read(second, 18);
  await read(third, 16);
  mirror.markFailed([{ id: Number(third?.bug["id"]), reason: "broken" }], "2026-11-16T12:00:00Z");
  expect(mirror.oldestRead()).toBe("2026-11-18T12:00:00Z");
});

test("a removed bug leaves nothing behind, not even in the word index, and names the bugs that refer to it", async () => {
  const tracker = demoAs("tomas@example.org");
  const { store, mirror } = await mirrorOf(tracker, "tomas@example.org");
  const edge = store.get("SELECT bug_id AS waits, depends_on_id AS on_id FROM bug_dependencies ORDER BY 1, 2");
  const id = Number(edge?.["on_id"]);
  mirror.removeBugs([id]);
  expect(mirror.staleBugs().map((bug) => bug.id)).toContain(edge?.["waits"]);
  for (const table of ["comments", "attachments", "activity", "flags", "mirror_bugs", "bug_cc"])
    expect(store.all(`SELECT * FROM ${table} WHERE bug_id = ?`, [id]), table).toEqual([]);
  for (const index of ["summary_words", "comment_words"])
    store.run(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`);
});

describe("bugs that show a name which changed are read again", () => {
  /** A mirror of the demo, and a bug of it with a keyword. */
  async function aMirrored() {
    const tracker = demoAs("tomas@example.org");
    const { mirror } = await mirrorOf(tracker, "tomas@example.org");
    const bugs = (await receiveBugs(tracker)).map(({ bug }) => bug);
    const [bug = {}] = bugs.filter(({ keywords }) => String(keywords) !== "");
    return { mirror, metadata: await receiveMetadata(tracker), bugs, bug };
  }

  const idsWith = (bugs: readonly JsonObject[], isWanted: (bug: JsonObject) => boolean) =>
    bugs.filter(isWanted).map(({ id }) => id);

  const NAMED = ["product", "component", "version", "target_milestone", "priority", "keywords"];
  const namesIn = (bug: JsonObject, fields: readonly string[]) =>
    fields.flatMap((field) => [bug[field] ?? []].flat().map(String));

  test.each(NAMED)("%s", async (field) => {
    const { mirror, metadata, bugs } = await aMirrored();
    const [name = ""] = bugs.flatMap((one) => namesIn(one, [field])).filter((one) => one !== "---");
    const renamed = JSON.stringify(metadata).replaceAll(`"name":${JSON.stringify(name)}`, '"name":"Renamed"');
    mirror.keepMetadata(JSON.parse(renamed) as ReceivedMetadata);
    const shown = idsWith(bugs, (one) => namesIn(one, NAMED).includes(name));
    expect(shown.length).toBeGreaterThan(0);
    expect(mirror.staleBugs().map(({ id }) => id)).toEqual(shown);
  });

  test("a real name, where a bug has the person's details", async () => {
    const { mirror, metadata, bugs, bug } = await aMirrored();
    const person = Object(bug["assigned_to_detail"]) as JsonObject;
    mirror.keepMetadata({ ...metadata, users: [{ ...person, real_name: "Somebody Else" }] });
    const has = (one: JsonObject) => JSON.stringify(one).includes(`"real_name":${JSON.stringify(person["real_name"])}`);
    expect(mirror.staleBugs().map(({ id }) => id)).toEqual(idsWith(bugs, has));
  });

  test("a login, wherever a bug or its comments and changes have it", async () => {
    const { mirror, metadata, bug } = await aMirrored();
    const person = Object(bug["assigned_to_detail"]) as JsonObject;
    mirror.keepMetadata({ ...metadata, users: [{ ...person, name: "renamed@example.org" }] });
    const shown = (await receiveBugs(demoAs("tomas@example.org"))).filter((one) => {
      const { flags, attachments, history, comments } = { ...one, flags: one.bug["flags"] };
      const people = ["creator", "assigned_to", "qa_contact", "cc"].map((name) => one.bug[name]);
      const whos = [history.map(({ who }) => who), comments.map(({ creator }) => creator)];
      return JSON.stringify([people, whos, flags, attachments]).includes(String(person["name"]));
    });
    expect(mirror.staleBugs().map(({ id }) => id)).toEqual(shown.map((one) => one.bug["id"]));
  });
});
