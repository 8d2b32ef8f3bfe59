import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../../src/tracker/store/store.ts";
import type { Exchange } from "../../src/wire/exchange.ts";
import { btConnected } from "../bt.ts";
import { machineClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { homeFolders } from "../mirrored.ts";
import { chance } from "../reliability/random.ts";
import { much } from "../sampling.ts";
import { demoServer, type Instead } from "../servers/demo-server.ts";
import { errorResponse } from "../servers/responses.ts";
import { expectSame, ownExchange, write } from "./written.ts";

/** A moment so many hours from now, by the clock of the demo server. */
function after(hours: number): string {
  return new Date(machineClock.now().getTime() + hours * 3_600_000).toISOString().replace(/\.\d+/, "");
}

const TODAY = after(0);
const TOMORROW = after(25);

/** The demo on a port, read by its owner, and `bt` with a home of its own. */
async function mirrored(instead?: Instead) {
  const server = await demoServer(instead);
  const home = freshFolder();
  const key = server.key();
  const env = { ...homeFolders(home), BT_BASE_URL: server.url, BT_API_KEY: key };
  const run = (line: string, more: Readonly<Record<string, string>> = {}, now = TODAY) =>
    btConnected(line, { env: { ...env, ...more }, now });
  const offline = (line: string) => run(`${line} --offline`);
  return { ...server, key, run, offline, file: (name = "work") => `${home}/data/bt/mirrors/${name}.db` };
}

describe("a sync", () => {
  test.each(Array.from({ length: much(3, 60) }, (_, seed) => seed + 1))(
    "after random writes, of which some come while it reads, has what its login sees, round %i",
    async (seed) => {
      const luck = chance(seed);
      let isWritten = false;
      const { run, file, ...server } = await mirrored(async () => {
        if (isWritten && luck.below(6) === 0) await write(luck, server);
        return undefined;
      });
      const name = seed % 3 === 0 ? "mirror create work -p Lantern" : "mirror create work";
      expect((await run(name)).code).toBe(0);
      isWritten = true;
      for (let step = 0; step < 4; step += 1) {
        for (let count = luck.below(5); count > 0; count -= 1) await write(luck, server);
        expect([0, 10]).toContain((await run("mirror sync work")).code); // 10: a bug was hidden while it was read
      }
      isWritten = false;
      expect(await run("mirror sync work", {}, TOMORROW)).toMatchObject({ code: 0 });
      const own = ownExchange(server);
      const part: Exchange = (request) =>
        own(
          seed % 3 === 0 && request.path === "/rest/bug"
            ? { ...request, query: [...request.query, ["product", "Lantern"]] }
            : request,
        );
      await expectSame(file(), part);
      await run("mirror sync work", {}, after(25.5));
      const before = server.requests.length;
      expect((await run("mirror sync work", {}, after(25.6))).err).toBe("note: work: 0 bugs changed\n");
      expect(server.requests.length - before).toBeLessThan(10);
    },
    30_000,
  );

  test("that fails at any request leaves a mirror that can be read, and goes on", async () => {
    let left = 6;
    const { run, file, offline, ...server } = await mirrored(() => {
      left -= 1;
      return left < 0 ? errorResponse(100500, "down", 500) : undefined;
    });
    expect((await run("mirror create work")).code).not.toBe(0);
    expect(existsSync(file())).toBe(false); // nothing was read
    left = Number.POSITIVE_INFINITY;
    expect(await run("mirror create work")).toMatchObject({ code: 0, err: "note: work: 48 bugs\n" });
    for (let at = 0; at < 14; at += 1) {
      server.store.run("UPDATE bugs SET last_change_time = ?, summary = 'new' WHERE id = 44", [after(at / 3600)]);
      left = at;
      await run("mirror sync work");
      expect((await offline("bug search 'id > 0' --count")).out).toBe("48\n");
      left = Number.POSITIVE_INFINITY;
      expect((await run("mirror sync work")).code).toBe(0);
      await expectSame(file(), ownExchange(server));
    }
  });

  test("of two at once is one after the other", async () => {
    const { run, file, ...server } = await mirrored();
    await run("mirror create work");
    server.store.run("UPDATE bugs SET last_change_time = ?, summary = 'new' WHERE id < 20", [after(0)]);
    const both = await Promise.all([run("mirror sync work"), run("mirror sync work")]);
    expect(both.map(({ code }) => code).sort()).toEqual([0, 12]); // after five seconds, which a test does not wait
    expect(both.find(({ code }) => code === 12)?.err).toContain("work.db.lock is locked by another bt");
    await expectSame(file(), ownExchange(server));
  });

  test("notices a tracker that was restored from a backup, on the same day", async () => {
    const { run, file, ...server } = await mirrored();
    await run("mirror create work");
    const backup = `${freshFolder()}/backup.db`;
    server.store.exec(`VACUUM INTO '${backup}'`);
    const send = ownExchange(server, 1);
    const body = { product: "Lantern", component: "Editor", version: "main", summary: "lost", description: "lost" };
    await send({ method: "POST", path: "/rest/bug", query: [], body });
    await send({ method: "PUT", path: "/rest/bug/44", query: [], body: { summary: "lost" } });
    await run("mirror sync work");
    const tables = ["bugs", "comments", "activity"];
    server.store.exec(`PRAGMA foreign_keys = OFF; ATTACH '${backup}' AS backup`);
    for (const table of tables)
      server.store.exec(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM backup.${table}`);
    server.store.run("UPDATE bugs SET last_change_time = ?, summary = 'after' WHERE id = 21", [
      machineClock.now().toISOString().replace(/\.\d+/, ""),
    ]);
    expect(await run("mirror sync work")).toMatchObject({ code: 0, err: expect.stringContaining("1 removed") });
    await expectSame(file(), ownExchange(server));
  });

  test("reads bugs again whose component was renamed, and all when the groups of its login change", async () => {
    const { run, offline, file, ...server } = await mirrored();
    await run("mirror create work");
    server.store.run("UPDATE components SET name = 'Words' WHERE name = 'Editor'");
    await run("mirror sync work");
    expect((await offline("bug search component:Words --count")).out).not.toBe("0\n");
    await expectSame(file(), ownExchange(server));
    server.store.run(
      "INSERT OR IGNORE INTO group_members (group_id, user_id, kind) SELECT id, 2, 'member' FROM groups",
    );
    await run("mirror sync work");
    await expectSame(file(), ownExchange(server));
  });

  test("keeps bugs that cannot be read as they were, and names them", async () => {
    let isBroken = true;
    const { run } = await mirrored(({ path, query }) => {
      const isOf44 = /\/44\/history/.test(path) || (path.endsWith("/history") && query.some(([, id]) => id === "44"));
      return isBroken && isOf44 ? errorResponse(100500, "broken", 500) : undefined;
    });
    expect(await run("mirror create work")).toMatchObject({
      code: 10,
      err: expect.stringContaining("47 bugs, not read: 44\n"),
    });
    isBroken = false;
    expect(await run("mirror sync work", {}, TOMORROW)).toMatchObject({
      code: 0,
      err: "note: work: 0 bugs changed, 1 new\n",
    });
    const read = await run("bug get 44 --format ids --offline", {}, TOMORROW);
    expect(read).toMatchObject({ code: 0, out: "44\n" });
  });

  test("does not keep a key that the tracker repeats", async () => {
    const { run, file, store, key } = await mirrored();
    store.run("UPDATE bugs SET summary = 'My key: ' || ? WHERE id = 44", [key]);
    expect((await run("mirror create work")).code).toBe(0);
    const kept = readFileSync(file(), "latin1");
    expect([kept.includes("My key: ***"), kept.includes(key)]).toEqual([true, false]);
  });
});

test("a mirror is created, listed, updated and dropped", async () => {
  const { run, file } = await mirrored();
  expect(await run("mirror create work -p lantern")).toEqual({ code: 0, out: "", err: "note: work: 29 bugs\n" });
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  const [listed] = JSON.parse((await run("mirror list --json")).out);
  expect(listed).toMatchObject({
    name: "work",
    login: "tomas@example.org",
    products: ["Lantern"],
    bugs: 29,
    synced: TODAY,
    state: "complete",
  });
  expect(await run("mirror create other")).toMatchObject({
    code: 2,
    err: expect.stringContaining("bt mirror sync work updates it"),
  });
  expect(await run("mirror sync")).toMatchObject({ code: 0, err: "note: work: 0 bugs changed\n" });
  expect(await run("mirror drop work")).toMatchObject({ code: 13, err: expect.stringContaining("--yes") });
  expect(await run("mirror drop work --yes")).toEqual({ code: 0, out: "", err: "note: dropped the mirror work\n" });
  for (const end of ["", "-wal", "-shm", ".lock"]) expect(existsSync(`${file()}${end}`)).toBe(false);
});

test.each([
  ["mirror create a/b", 2, 'invalid name "a/b"'],
  ["mirror sync nothing", 2, 'no mirror "nothing"'],
  ["mirror sync", 2, "no mirrors"],
  ["mirror drop nothing --yes", 2, 'no mirror "nothing"'],
  ["bug search is:open --offline", 2, "no mirror of"],
  ["bug search is:open --base-url mirror:nothing", 2, 'no mirror "nothing"'],
])("bt %s ends with %i", async (line, code, message) => {
  const { run } = await mirrored();
  expect(await run(line)).toMatchObject({ code, out: "", err: expect.stringContaining(message) });
});

test("a mirror is updated from its own tracker, and of several one is to be named", async () => {
  const { run, file } = await mirrored();
  await run("mirror create far -p Handbook");
  const noTracker = { BT_BASE_URL: "", BT_API_KEY: "" };
  await run("mirror create work -p Lantern", { ...noTracker, BT_BASE_URL: "demo:" });
  expect(await run("mirror sync", noTracker)).toMatchObject({ code: 2, err: expect.stringContaining("far, work") });
  expect(await run("mirror sync work", noTracker)).toMatchObject({ code: 0, err: "note: work: 0 bugs changed\n" });
  expect(await run("mirror sync work")).toMatchObject({ code: 2, err: expect.stringContaining("work is not of ") });
  writeFileSync(file("damaged"), "Dear Ada,\n".repeat(1000), { mode: 0o600 });
  const [first] = JSON.parse((await run("mirror list --json")).out);
  expect(first).toMatchObject({ name: "damaged", state: expect.stringContaining("cannot use the mirror") });
});

test("what is not in a mirror is said by name", async () => {
  const { run, offline, url } = await mirrored();
  await run("mirror create work -p Lantern");
  const lines: readonly (readonly [string, number, string])[] = [
    ["bug get 99999", 5, "bug #99999 is not in the mirror work"],
    ["bug get 44 99999", 10, "bug #99999 is not in the mirror work"],
    ["bug get no-such-alias", 5, "bug no-such-alias is not in the mirror work"],
    ["comment get 99999", 5, "comment 99999 is not in the mirror work"],
    ["attachment get 99999", 5, "attachment 99999 is not in the mirror work"],
    ["attachment download 3", 5, "the content of attachment 3 is not in the mirror work"],
    ["bug search is:unread", 2, "cannot decide last_visit"],
    ["bug search assignee:@group.editbugs", 2, "cannot decide assigned_to: it does not have the members of groups"],
    ["bug search attachment_data:x", 2, "cannot decide attachment_data"],
    ["bug search -p Lantern,Harbor", 2, "cannot decide product: it has only Lantern"],
    ["bug search flags:revew?", 2, 'no bug of the mirror work has the flag "revew"'],
    [
      "bug search --where 'status changed by @reporter'",
      2,
      "cannot decide status: only the tracker knows who is meant",
    ],
    ["bug search product:Harbor", 2, "cannot decide product: it has only Lantern"],
    ["bug search -S crash", 2, "cannot decide"],
    ["bug search 'summary =~ \"+x\"'", 2, 'invalid pattern "+x"'],
    ["bug search 'summary =~ \"[[:digit:]]\"'", 2, 'invalid pattern "[[:digit:]]"'],
    [`bug search --from-url '${url}/buglist.cgi?f1=short_desc&o1=substring&v1=c'`, 2, "cannot decide"],
    [
      "bug search assignee:nobody-there@example.org",
      2,
      'no bug of the mirror work has the user "nobody-there@example.org"',
    ],
    ["bug search -a '!nobody-there'", 2, 'no bug of the mirror work has the user "nobody-there"'],
    ["bug search -a nobody-there --count", 2, 'has the user "nobody-there"'],
    ["bug search -a mei@example.org,nobody-there --count", 2, 'has the user "nobody-there"'],
    ["user search tomas", 5, 'the response to "Get Users" is not in the mirror'],
    ["api version", 5, 'the response to "Version" is not in the mirror work'],
    ["bug close 44", 2, "the mirror work is read-only"],
    ["comment add 44 -m x", 2, "the mirror work is read-only"],
    ["mirror sync", 2, "needs the tracker itself"],
  ];
  for (const [line, code, message] of lines) {
    const ran = await offline(line);
    expect([line, ran]).toEqual([
      line,
      { code, out: code === 10 ? expect.anything() : "", err: expect.stringContaining(message) },
    ]);
  }
});

test("reads offline print what the tracker prints", async () => {
  const { run, offline, url } = await mirrored();
  for (const [at, text] of ["[QA]", "[qa]"].entries()) await run(`bug update ${at + 1} --whiteboard ${text} --yes`);
  await run("mirror create work --attachments all");
  const lines = [
    ...[
      "bug get 44 21 --json=id,summary,flags,cc_detail,cf_build",
      "bug get 44 --comments",
      "bug get 44 --timeline",
      "bug history 44",
      "comment list 44 48",
    ],
    ...["attachment list 48", "attachment get 3", "bug tree 21", "field values priority --product-id 1"],
    ...[
      "bug search -p Lantern --by status,priority",
      "bug search 1 2 --by whiteboard",
      "bug search is:open --sort priority,-updated",
      "bug search --limit 3 is:closed",
    ],
    ...["bug search assignee:@me --count", "product list --json", "group list", "bug similar 44 --json=id"],
    ...["bug export -p Handbook --format csv", "bug search flag:needinfo? --count", "attachment download 3 -o -"],
    `bug search --from-url '${url}/buglist.cgi?bug_status=CONFIRMED&product=Lantern' --format ids`,
  ];
  for (const line of lines) {
    const [online, read] = [await run(line), await offline(line)];
    expect([line, read.code, read.out]).toEqual([line, online.code, online.out]);
    expect([line, read.err]).toEqual([line, expect.stringMatching(/note: mirror work: as of \d\d:\d\d\n/)]);
  }
});

test("the mirror of another login is refused, and read by its name", async () => {
  const { run, offline, url } = await mirrored();
  await run("mirror create work");
  const anonymous = { BT_API_KEY: "" };
  expect(await run("bug get 44 --offline", anonymous)).toMatchObject({
    code: 13,
    err: expect.stringContaining("the mirror work is as seen by tomas@example.org, but you are nobody"),
  });
  expect(await run("mirror sync work", anonymous)).toMatchObject({
    code: 13,
    err: expect.stringContaining("but you are nobody"),
  });
  expect(await run("bug get 44 --format ids --base-url mirror:work", anonymous)).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^note: mirror work: as of \d\d:\d\d; as seen by tomas@example.org\n$/),
  });
  await run("config set login tomas@example.org"); // nobody proves it without a key
  expect(await run("mirror create public", anonymous)).toMatchObject({ code: 0, out: "" });
  expect((await run("bug get 44 --format ids --offline", anonymous)).err).toContain("mirror public");
  expect((await offline("bug get 44 --format ids")).err).toContain("mirror work");
  const lost = await run("bug get 44", { BT_BASE_URL: url.replace(/\d+$/, "1") });
  expect(lost.code).not.toBe(0);
});

test("a file of an older version is refused in words that say what to do, and is not touched", async () => {
  const { run, offline, file } = await mirrored();
  await run("mirror create work");
  await run("mirror drop work --yes");
  const old = openDatabase(file());
  old.exec(
    "PRAGMA journal_mode = WAL; CREATE TABLE mirror_facts (name TEXT, value TEXT); INSERT INTO mirror_facts VALUES ('version', '7')",
  );
  old.close();
  const sum = () => createHash("sha256").update(readFileSync(file())).digest("hex");
  const before = sum();
  const refused =
    "bt: another version of bt made the mirror work\nhint: create it anew: bt mirror drop work, then bt mirror create work\n";
  for (const line of ["mirror sync work", "bug get 44 --base-url mirror:work --insecure-files"])
    expect(await run(`${line} --insecure-files`)).toEqual({ code: 12, out: "", err: refused });
  expect((await offline("bug get 44")).code).toBe(12);
  expect(sum()).toBe(before);
});

test("texts that end in blanks are found without them", async () => {
  const { run, offline, store } = await mirrored();
  store.run("UPDATE bugs SET whiteboard = 'ends with space  ' WHERE id = 44");
  await run("mirror create work");
  expect((await offline(`bug search 'whiteboard = "ends with space"' --format ids`)).out).toBe("44\n");
});
