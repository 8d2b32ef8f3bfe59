import { existsSync, linkSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { overwriteFile } from "../../../src/config/files.ts";
import { createMirror } from "../../../src/tracker/mirror/open.ts";
import { btConnected } from "../../bt.ts";
import { stoppedClock } from "../../clock.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { homeFolders } from "../../mirrored.ts";
import { demoServer } from "../../servers/demo-server.ts";
import { errorResponse, jsonResponse } from "../../servers/responses.ts";

/** `bt` on the demo with folders of its own. */
function inHome(tracker = "demo:") {
  const home = freshFolder();
  const env = { BT_BASE_URL: tracker, HOME: home, XDG_CONFIG_HOME: `${home}/config`, XDG_DATA_HOME: `${home}/data` };
  return {
    file: `${home}/data/bt/mirrors/work.db`,
    run: (line: string, more: Readonly<Record<string, string>> = {}, terminal = false) =>
      btConnected(line, { env: { ...env, ...more }, terminal }),
  };
}

test("a mirror is created, listed, updated and dropped", async () => {
  const { run, file } = inHome();
  expect(await run("mirror create work -p Lantern")).toEqual({
    code: 0,
    out: "",
    err: "work: 29 bugs\n",
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const sizes = ["", "-wal", "-shm"].map((end) => statSync(`${file}${end}`, { throwIfNoEntry: false })?.size ?? 0);
  const [listed] = JSON.parse((await run("mirror list --json")).out);
  expect(listed.size).toBe(sizes.reduce((sum, one) => sum + one, 0));
  expect((await run("mirror list", {}, true)).out).toMatch(/^Size +\d[\d.]* [KM]iB$/im);
  expect(listed).toMatchObject({
    ...{ name: "work", tracker: "demo:", login: "tomas@example.org", products: ["Lantern"], file },
    ...{ bugs: 29, state: "complete", failed: [], restricted_bugs: 0, synced: "2026-11-20T12:00:00Z" },
    oldest_read: "2026-11-20T12:00:00Z",
    cannot_know: [
      ...["what is hidden from tomas@example.org", "changed comment tags", "changed personal tags", "changed votes"],
      "flags changed by their type's settings",
      "groups changed by a product's settings",
      "custom fields that were added or became obsolete",
    ],
  });
  expect(await run("mirror sync work --rate 1000")).toMatchObject({
    code: 0,
    err: "work: 0 bugs changed\n",
  });
  expect(statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  expect(await run("mirror drop work")).toMatchObject({
    code: 13,
    err: expect.stringContaining("--yes skips the prompt"),
  });
  expect(await run("mirror drop work --yes")).toEqual({ code: 0, out: "", err: "dropped the mirror work\n" });
  for (const end of ["", "-wal", "-shm", ".lock"]) expect(existsSync(`${file}${end}`)).toBe(false);
  expect(await run("mirror list")).toEqual({ code: 0, out: "", err: "" });
});

test("without a name, the mirrors of the tracker are synchronized, else all, each from its own tracker", async () => {
  const server = await demoServer();
  const { run } = inHome();
  expect(await run("mirror sync")).toEqual({
    ...{ code: 2, out: "" },
    err: "bt: no mirrors\nhint: to create one: bt mirror create NAME\n",
  });
  await run("mirror create work -p Lantern");
  expect((await run("mirror sync")).err).toBe("work: 0 bugs changed\n");
  await run("mirror create far -p Handbook", { BT_BASE_URL: server.url });
  const work = "work: 0 bugs changed\n";
  const far = "far: 0 bugs changed\n";
  const leftOut = (name: string) => `note: left out, of other trackers: ${name}; --base-url updates those of one\n`;
  const onlyFar = { code: 0, out: "", err: leftOut("work (demo:)") + far };
  const onlyWork = { code: 0, out: "", err: leftOut(`far (${server.url})`) + work };
  expect(await run("mirror sync", { BT_BASE_URL: "" })).toEqual({ code: 0, out: "", err: far + work });
  expect(await run("mirror sync")).toEqual(onlyWork);
  expect(await run("mirror sync", { BT_BASE_URL: server.url })).toEqual(onlyFar);
  expect(await run(`mirror sync --base-url ${server.url}`)).toEqual(onlyFar);
  expect(await run("mirror sync", { BT_BASE_URL: "", BT_API_KEY: "k".repeat(40) })).toEqual({
    ...{ code: 2, out: "" },
    err: "bt: BT_API_KEY is the key of one tracker, and the mirrors are of several\nhint: --base-url ADDRESS names it\n",
  });
  await run(`config set base_url ${server.url}`);
  expect(await run("mirror sync", { BT_BASE_URL: "" })).toEqual(onlyFar);
  expect(await run("mirror sync work", { BT_BASE_URL: "" })).toEqual({ code: 0, out: "", err: work });
  expect(await run("mirror sync --base-url https://other.example")).toMatchObject({
    code: 2,
    err: "bt: no mirror of https://other.example\nhint: bt mirror list lists the mirrors\n",
  });
});

test("of several mirrors of a tracker, the end of mirror create says which one --offline reads", async () => {
  const server = await demoServer();
  const { run } = inHome(server.url);
  const create = async (line: string) => (await run(`mirror create ${line}`)).err.split("\n").at(-2);
  expect(await create("book -p Handbook")).toMatch(/^book: \d+ bugs$/);
  expect(await create("far -p Harbor")).toBe(
    `note: --offline is refused, since there are several mirrors of ${server.url}; choose one: --base-url mirror:book or mirror:far`,
  );
  expect(await create("all")).toBe("note: --offline reads from the mirror all, which has the most");
  expect(await create("work -p Lantern")).toBe(
    "note: --offline reads what it has from the mirror synchronized last, work or all, all else from all; --base-url mirror:work from this one",
  );
});

test("without a name, mirrors that fail are listed after the others are synchronized", async () => {
  let isBroken = false;
  const refused = errorResponse(410, "You must log in before using this part of the tracker.", 401);
  const server = await demoServer(() => (isBroken ? refused : undefined));
  const { run, file } = inHome();
  await run("mirror create far -p Handbook", { BT_BASE_URL: server.url });
  await run("mirror create work -p Lantern");
  writeFileSync(file.replace("work", "damaged"), "Dear Ada,\n".repeat(1000), { mode: 0o600 });
  isBroken = true;
  const { code, out, err } = await run("mirror sync", { BT_BASE_URL: "" });
  expect([code, out]).toEqual([10, ""]);
  expect(err).toMatch(/^work: 0 bugs changed\nbt: 2 of 3 mirrors were not updated completely\n/);
  expect(err).toContain(`\n    damaged: cannot open the mirror damaged at ${file.replace("work", "damaged")}\n`);
  expect(err).toMatch(/\n {4}far: .+\nhint: /);
  await run("mirror drop work --yes");
  await run("mirror drop far --yes");
  expect((await run("mirror sync")).code).toBe(12);
});

test.each([
  ["mirror create work -p Lantern", "the mirror work already exists"],
  ["mirror create a/b", 'invalid name "a/b"'],
  ["mirror create other --rate 0", "rate"],
  ["mirror create other --attachments some", "attachments"],
  ["mirror sync nothing", 'no mirror "nothing"'],
  ["mirror drop nothing --yes", 'no mirror "nothing"'],
])("bt %s is refused", async (line, message) => {
  const { run } = inHome();
  await run("mirror create work -p Lantern");
  const { code, out, err } = await run(line);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(message);
});

test("a mirror of another tracker or of another login is not updated", async () => {
  const { run, file } = inHome();
  await run("mirror create work -p Lantern");
  const elsewhere = await run("mirror sync work", { BT_BASE_URL: "local:" });
  expect(elsewhere).toMatchObject({
    code: 2,
    err: expect.stringContaining("the mirror work is of demo:, not of local:"),
  });
  const other = file.replace("work", "other");
  const facts = {
    tracker: "demo:",
    login: "mei@example.org",
    products: [],
    attachments: "none",
    publicOnly: false,
  } as const;
  createMirror(other, facts, { now: stoppedClock().now, random: (count) => new Uint8Array(count) }).close();
  expect(await run("mirror sync other")).toMatchObject({
    code: 4,
    err: expect.stringContaining("the mirror is of demo: as seen by mei@example.org, but you are"),
  });
});

test.each([true, false])("a key that the tracker repeats is not kept, on a terminal: %s", async (terminal) => {
  const server = await demoServer();
  const { run, file } = inHome(server.url);
  const key = server.key();
  server.store.run("UPDATE bugs SET summary = 'My key: ' || ? WHERE id = 44", [key]);
  expect(await run("mirror create work -p Lantern", { BT_API_KEY: key }, terminal)).toMatchObject({ code: 0 });
  const files = ["", "-wal"].map((end) => `${file}${end}`).filter((name) => existsSync(name));
  const kept = files.map((name) => readFileSync(name, "latin1")).join("");
  expect([kept.includes("My key: ***"), kept.includes(key)]).toEqual([true, false]);
});

test("metadata with an id that is no whole number is refused", async () => {
  const groups = { groups: [{ id: 1.5, name: "admin", description: "" }] };
  const { url } = await demoServer(({ operation, path }) =>
    (operation ?? path).match(/Get Group|\/group$/) ? jsonResponse(groups) : undefined,
  );
  const { code, err } = await inHome(url).run("mirror create work");
  expect([code, err]).toEqual([7, expect.stringContaining("whole numbers as ids")]);
});

test("the content of a dropped file is overwritten", () => {
  const folder = freshFolder();
  writeFileSync(`${folder}/mine`, "secret".repeat(1000));
  linkSync(`${folder}/mine`, `${folder}/same`);
  overwriteFile(`${folder}/mine`);
  expect(existsSync(`${folder}/mine`)).toBe(false);
  expect(readFileSync(`${folder}/same`).equals(Buffer.alloc(6000))).toBe(true);
});

test("private comments, attachments and restricted bugs are left out of a mirror of public bugs", async () => {
  const { run } = inHome();
  expect((await run("mirror create work --public-only")).err).toMatch(/^work: \d+ bugs\n$/);
  const [listed] = JSON.parse((await run("mirror list --json")).out);
  expect(listed).toMatchObject({ restricted_bugs: 0, private_comments: 0 });
});

test("the numbers of restricted bugs and private comments are reported before they are copied", async () => {
  const server = await demoServer();
  server.store.run("INSERT OR IGNORE INTO group_members (group_id, user_id, kind) SELECT id, 2, 'member' FROM groups");
  const { run } = inHome(server.url);
  const { code, err } = await run("mirror create work", { BT_API_KEY: server.key() });
  expect(code).toBe(0);
  const [, restricted, before, after, comments] =
    /^work: this mirror will keep (\d+) restricted bugs? and private comments of (\d+) bugs? \(.+\)\nwork: \d+ bugs, (\d+) restricted, (\d+) private comments?\n$/.exec(
      err,
    ) ?? [];
  expect([restricted, Number(before)]).toEqual([after, expect.any(Number)]);
  expect(Number(comments)).toBeGreaterThanOrEqual(Number(before));
});

test.each(["create work", "sync work"])("mirror %s --rate 1 waits between requests", async (verb) => {
  const home = freshFolder();
  const env = { BT_BASE_URL: "demo:", HOME: home, XDG_CONFIG_HOME: `${home}/config`, XDG_DATA_HOME: `${home}/data` };
  if (verb !== "create work") await btConnected("mirror create work -p Handbook", { env });
  const waits: number[] = [];
  const terms = verb === "create work" ? "-p Handbook " : "";
  expect(await btConnected(`mirror ${verb} ${terms}--rate 1`, { env, waits })).toMatchObject({ code: 0 });
  expect(waits.length).toBeGreaterThanOrEqual(2);
  expect(waits.filter((ms) => ms > 1000)).toEqual([]);
});

test("a terminal shows the progress of a first sync, a pipe only its result", async () => {
  const { run } = inHome();
  const { err } = await run("mirror create work -p Lantern", {}, true);
  expect(err).toMatch(/(closed bugs|comparing numbers), \d+ %, \d+ bugs read/);
  await run("mirror drop work --yes");
  expect((await run("mirror create work -p Lantern")).err).toBe("work: 29 bugs\n");
});

test("--collation decides what searches in the mirror ignore, before what the tracker is seen to ignore", async () => {
  const server = await demoServer();
  server.store.run("UPDATE bugs SET summary = 'Im Café stimmt etwas nicht' WHERE id = 44");
  const { run } = inHome(server.url);
  const found = async (flags: string) => {
    expect(await run(`mirror create work ${flags}`)).toMatchObject({ code: 0 });
    const { out } = await run("bug search 'summary ~ cafe' --format ids", { BT_BASE_URL: "mirror:work" });
    await run("mirror drop work --yes");
    return out;
  };
  expect([await found(""), await found("--collation case")]).toEqual(["", ""]);
  expect(await found("--collation accents")).toBe("44\n");
});

test("cards of bugs are those of the tracker, which has no pages for people", async () => {
  const { run } = inHome((await demoServer()).url);
  expect((await run("mirror create work")).code).toBe(0);
  for (const line of ["bug get 44", "bug get 21 12", "bug get 44 --web", "bug tree 21"]) {
    const [online, offline] = [await run(line, {}, true), await run(line, { BT_BASE_URL: "mirror:work" }, true)];
    expect([line, offline.code, offline.out]).toEqual([line, online.code, online.out]);
  }
  expect((await run("bug get 44 --comments")).out).not.toContain("show_bug.cgi"); // in a pipe, too
});

test("bugs that cannot be read are counted once each, as long as there are some", async () => {
  let isBroken = true;
  const refused = errorResponse(101, "Bug #48 does not exist.", 404);
  const server = await demoServer(({ path }) => (isBroken && path.includes("/history") ? refused : undefined));
  const home = freshFolder();
  const env = { ...homeFolders(home), BT_BASE_URL: server.url };
  const run = (line: string, now = "2026-11-20T12:00:00Z") => btConnected(line, { env, now });
  const hint = "hint: bt mirror list names them, with the reasons\n";
  const created = await run("mirror create work -p Handbook");
  expect(created).toEqual({ code: 10, out: "", err: `bt: work: 0 bugs, 7 could not be read\n${hint}` });
  expect(await run("mirror sync work", "2026-11-21T12:00:00Z")).toMatchObject({
    ...{ code: 10, err: expect.stringContaining(", 7 could not be read\n") },
  });
  const [listed] = JSON.parse((await run("mirror list --json")).out);
  expect(listed.failed).toHaveLength(7);
  const { code, err } = await run(`bug get ${listed.failed[0].id} --base-url mirror:work`);
  expect([code, err]).toEqual([5, expect.stringContaining("; 7 bugs could not be read; as seen without a login\n")]);
  isBroken = false;
  expect((await run("mirror sync work", "2026-11-22T12:00:00Z")).code).toBe(0);
});

test("a mirror whose product was renamed has it by its new name; the bugs of one that is not listed are kept", async () => {
  const { store, url, key } = await demoServer();
  const env = { BT_API_KEY: key() };
  const home = inHome(url);
  const run = (line: string) => home.run(line, env);
  const audit = "INSERT INTO audit (time, what) VALUES (?, 'product')";
  expect((await run("mirror create work -p Handbook")).err).toContain("work: 7 bugs");
  store.run("UPDATE products SET name = 'Manual' WHERE name = 'Handbook'");
  store.run(audit, ["2030-01-01T00:00:00Z"]);
  expect(await run("mirror sync work")).toMatchObject({ code: 0 });
  const count = "bug search -p Manual --count --offline";
  expect(await run(count)).toEqual({
    code: 0,
    out: "7\n",
    err: expect.stringMatching(/^mirror \S+: only Manual; as of /),
  });
  store.exec("PRAGMA foreign_keys = OFF; DELETE FROM products WHERE name = 'Manual'");
  store.run(audit, ["2030-01-02T00:00:00Z"]);
  expect(await run("mirror sync work")).toMatchObject({
    code: 5,
    err: expect.stringContaining("the tracker does not list the product Manual of the mirror"),
  });
  expect((await run("bug search 'id > 0' --count --offline")).out).toBe("7\n");
});

test("a mirror of a tracker that cannot be reached is not created", async () => {
  const { run, file } = inHome("http://127.0.0.1:1");
  expect((await run("mirror create work")).code).toBe(6);
  expect(existsSync(file)).toBe(false);
});
