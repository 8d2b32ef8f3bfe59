import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTracker } from "../../src/tracker/open.ts";
import { SCHEMA_VERSION } from "../../src/tracker/store/schema.ts";
import { openDatabase } from "../../src/tracker/store/store.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bt-local-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function open(address = "local:") {
  return openTracker(address, {
    now: () => new Date("2026-11-20T12:00:00Z"),
    random: (bytes) => new Uint8Array(bytes).fill(5),
    dataDirectory: folder,
  });
}

const bug = { product: "Project", component: "General", version: "unspecified", summary: "My first bug" };

function file(opened: ReturnType<typeof open>) {
  return opened.exchange({ method: "POST", path: "/rest/bug", query: [], body: bug });
}

test("a local tracker is created on first use, readable by its owner only, and keeps its data", async () => {
  const first = open();
  expect((await file(first)).body).toBe('{"id":1}');
  first.close();
  const again = open();
  expect((await file(again)).body).toBe('{"id":2}');
  again.close();
  expect(statSync(join(folder, "tracker.db")).mode & 0o777).toBe(0o600);
});

test("the owner of an embedded tracker has all rights, and others need a key", async () => {
  const opened = open();
  const groups = await opened.exchange({
    method: "GET",
    path: "/rest/group",
    query: [
      ["names", "admin"],
      ["membership", "1"],
    ],
  });
  expect(JSON.parse(groups.body)).toMatchObject({ groups: [{ membership: [{ name: "owner@localhost" }] }] });
  const stranger = await opened.tracker({ method: "GET", path: "/rest/bug/1", query: [] });
  expect(stranger.status).toBe(401);
  opened.close();
});

test("the first key of an embedded tracker is made once, and given to be stored", () => {
  const opened = open(`local:${join(folder, "own.db")}`);
  const saved: string[][] = [];
  const first = { login: "owner@localhost", key: "05".repeat(20), file: join(folder, "own.db.key") };
  expect(opened.addFirstKey((...stored) => saved.push(stored))).toEqual(first);
  expect(opened.addFirstKey()).toBeUndefined();
  expect(saved).toEqual([[first.file, first.key]]);
  opened.close();
});

test("data with another schema is not modified", () => {
  const path = join(folder, "other.db");
  const other = openDatabase(path);
  other.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
  other.close();
  expect(() => open(`local:${path}`)).toThrow(
    `The data is of schema version ${SCHEMA_VERSION + 1}, this bt has version ${SCHEMA_VERSION}.`,
  );
});

test("a writer waits for another program, then gets an error", async () => {
  const path = join(folder, "busy.db");
  const opened = open(`local:${path}`);
  opened.store.exec("PRAGMA busy_timeout = 50");
  const other = openDatabase(path);
  other.exec("BEGIN IMMEDIATE");
  const reply = await file(opened);
  expect([reply.status, JSON.parse(reply.body)]).toMatchObject([
    503,
    { error: true, message: "The data is in use by another program. No changes made." },
  ]);
  other.exec("ROLLBACK");
  expect((await file(opened)).status).toBe(200);
  other.close();
  opened.close();
});

test("an invalid tracker file is an error", () => {
  const letter = join(folder, "letter.txt");
  writeFileSync(letter, "Dear Ada, ...".repeat(100), { mode: 0o644 });
  expect(() => open(`local:${letter}`)).toThrow("The file is not a database of bt.");
  expect(readFileSync(letter, "utf8")).toMatch(/^Dear Ada/);
  expect(statSync(letter).mode & 0o777).toBe(0o644);
});
