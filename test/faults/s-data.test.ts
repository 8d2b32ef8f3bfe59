import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type OpenedTracker, openTracker } from "../../src/tracker/open.ts";
import { startServer } from "../../src/tracker/server/server.ts";
import { SCHEMA_VERSION } from "../../src/tracker/store/schema.ts";
import type { JsonObject } from "../../src/wire/exchange.ts";
import { clockOf } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { real } from "../process/real.ts";
import { damageOf } from "../reliability/server-traces.ts";
import { type Answer, ask, send } from "../servers/ask.ts";

const BUG = { product: "Project", component: "General", version: "unspecified", op_sys: "All", platform: "All" };

function open(data: string): OpenedTracker {
  const random = (bytes: number) => new Uint8Array(bytes).fill(7);
  return openTracker(`local:${data}`, { now: clockOf(), random, dataDirectory: "" });
}

/** A tracker of one's own on a port until the test ends, with the hand on its data that a machine in trouble has. */
async function served(data = join(freshFolder(), "team.db")) {
  const opened = open(data);
  const key = opened.addFirstKey()?.key ?? "07".repeat(20);
  const { url, close } = await startServer({ tracker: opened.tracker, port: 0 });
  onTestFinished(async () => {
    await close();
    opened.close();
  });
  return {
    data,
    store: opened.store,
    get: (path: string) => ask(`${url}${path}`, { headers: { "x-bugzilla-api-key": key } }),
    file: (n: number) =>
      send(`${url}/rest/bug`, { method: "POST", key }, { ...BUG, summary: `bug-${n}`, description: `text-${n}` }),
    comment: (n: number, text: string) =>
      send(`${url}/rest/bug/${n}/comment`, { method: "POST", key }, { comment: text, work_time: 0.5 }),
  };
}

function said({ status, body }: Answer): readonly unknown[] {
  const { code, message } = JSON.parse(body) as JsonObject;
  return [status, code, message];
}

test("S13 data that is not writable is an error and stays unchanged", async () => {
  const { store, file, get } = await served();
  expect((await file(1)).status).toBe(200);
  store.exec("PRAGMA query_only = ON");
  const refused = [503, 32000, "The data file is not writable. No changes made."];
  expect(said(await file(2))).toEqual(refused);
  store.exec("PRAGMA query_only = OFF");
  expect(JSON.parse((await get("/rest/bug?include_fields=id,summary&id=1,2")).body)).toEqual({
    bugs: [{ id: 1, summary: "bug-1" }],
  });
  expect((await file(2)).status).toBe(200);
});

test("S13 without disk space nothing is written partially, and existing data is readable", async () => {
  const { data, store, file, comment, get } = await served();
  expect((await file(1)).status).toBe(200);
  const { page_count: pages } = store.get("PRAGMA page_count") ?? {};
  store.all(`PRAGMA max_page_count = ${Number(pages) + 6}`);
  const answers: Answer[] = [];
  for (let n = 2; n < 40; n += 1) answers.push(await (n % 2 ? file(n) : comment(1, `text-${n}`.padEnd(n * 200, "."))));
  const done = answers.filter(({ status }) => status < 300);
  const refused = answers.filter(({ status }) => status >= 300);
  expect([done.length > 0, refused.length > 0]).toEqual([true, true]);
  expect([...new Set(refused.map((answer) => JSON.stringify(said(answer))))].map((text) => JSON.parse(text))).toEqual([
    [503, 32000, "No space left for the data. No changes made."],
  ]);
  expect((await get("/rest/bug/1/comment")).status).toBe(200);
  expect(
    store.get("SELECT (SELECT count(*) FROM bugs) - 1 + (SELECT count(*) FROM comments WHERE work_time > 0) AS n"),
  ).toEqual({
    n: done.length,
  });
  expect(damageOf(data)).toEqual([]);
  store.all("PRAGMA max_page_count = 1000000");
  expect((await file(99)).status).toBe(200);
});

test("S13 damaged pages are an error and never served as data", async () => {
  const data = await filled();
  const bytes = readFileSync(data);
  for (let at = 0; at < bytes.length; at += 3 * 4096) {
    const isInner = bytes[at] === 5; // of a table: all its rows would be lost
    if (!isInner && bytes.subarray(at, at + 4096).includes("text-")) bytes.fill("x", at, at + 4096);
  }
  writeFileSync(data, bytes);
  const { comment, get } = await served(data);
  const answers: Answer[] = [];
  for (let n = 1; n <= 60; n += 1) answers.push(await get(`/rest/bug/${n}/comment`), await comment(n, "more"));
  const damaged = answers.filter(({ status }) => status !== 200 && status !== 201);
  expect([damaged.length > 0, damaged.length < answers.length]).toEqual([true, true]);
  for (const answer of damaged) {
    expect(said(answer)).toEqual([503, 32000, "The data file is damaged. No changes made."]);
  }
});

/** A file with sixty bugs, each of several pages. */
async function filled(): Promise<string> {
  const data = join(freshFolder(), "team.db");
  const first = open(`${data}.first`);
  first.addFirstKey();
  for (let n = 1; n <= 60; n += 1) {
    const body = { ...BUG, summary: `bug-${n}`, description: `text-${n} `.repeat(1000) };
    await first.exchange({ method: "POST", path: "/rest/bug", query: [], body });
  }
  first.store.exec(`VACUUM INTO '${data}'`);
  first.close();
  return data;
}

test.each<[string, (data: string) => unknown, string]>([
  [
    "of another version of bt",
    newer,
    `The data is of schema version ${SCHEMA_VERSION + 1}, this bt has version ${SCHEMA_VERSION}. The bt that made it takes it over: bt admin export and bt bug export --all there, bt admin apply and bt bug import here.`,
  ],
  ["of another program", (data) => writeFileSync(data, "Dear Ada,\n".repeat(1000)), "is not a database of bt"],
  ["in a folder instead of a file", (data) => mkdirSync(data), "illegal operation on a directory"],
  ["with a corrupted beginning", (data) => spoilt(data, 1, 8), "The data file is damaged."],
  ["with one page of noise somewhere", (data) => spoilt(data, 100, 101), "The data file is damaged."],
])("S13 data %s is not served, with the reason, and stays unchanged", async (...[, make, reason]) => {
  const data = join(freshFolder(), "team.db");
  await make(data);
  const before = statSync(data).isFile() ? readFileSync(data) : undefined;
  const { code, out, err } = await real(["serve", "--port", "0", "--data", data]);
  expect({ code, out }).toEqual({ code: 12, out: "" });
  expect(err).toContain(reason);
  expect(err, "the file is named").toContain(data);
  expect(err).not.toMatch(/ at .*:\d+:\d+|SQLITE_/);
  expect(before === undefined || readFileSync(data).equals(before)).toBe(true);
});

async function newer(data: string): Promise<void> {
  const bytes = readFileSync(await filled());
  bytes.writeUInt32BE(SCHEMA_VERSION + 1, 60); // where the format has user_version
  writeFileSync(data, bytes);
}

async function spoilt(data: string, from: number, to: number): Promise<void> {
  writeFileSync(data, readFileSync(await filled()).fill(0xa5, from * 4096, to * 4096));
}
