import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type OpenedTracker, openTracker } from "../../../src/tracker/open.ts";
import { createReadWorkerPool } from "../../../src/tracker/server/read-worker-pool.ts";
import { isLongRead } from "../../../src/tracker/tracker.ts";
import type { Request } from "../../../src/wire/exchange.ts";
import { DIST } from "../../built.ts";
import { clockOf } from "../../clock.ts";
import { copyBugs } from "../many-bugs.ts";

const WORKER = join(DIST, "read-worker.cjs");

let folder = "";
let file = "";
let opened: OpenedTracker;
let key = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bt-aside-"));
  file = join(folder, "team.db");
  opened = openTracker(`local:${file}`, {
    now: clockOf(),
    random: (bytes) => new Uint8Array(bytes).fill(7),
    isStrict: true,
    dataDirectory: "",
  });
  key = opened.firstKey()?.key ?? "";
  const bug = {
    product: "Project",
    component: "General",
    version: "unspecified",
    summary: "Crash",
    description: "Once",
  };
  await opened.exchange({ method: "POST", path: "/rest/bug", query: [], body: bug });
  copyBugs(opened.store, 5_000);
});

afterAll(() => {
  opened.close();
  rmSync(folder, { recursive: true });
});

/** The tracker with its searches aside until the test ends, and the processes that were started for them. */
function aside(timeoutMs = 60_000) {
  const started: ChildProcess[] = [];
  const start = () => {
    const child = fork(WORKER, { stdio: ["ignore", "ignore", "ignore", "ipc"], serialization: "advanced" });
    started.push(child);
    return child;
  };
  const { tracker, close } = createReadWorkerPool({ tracker: opened.tracker, start, file, isStrict: true, timeoutMs });
  onTestFinished(close);
  return { tracker, started };
}

function search(query: string, apiKey = key): Request {
  return { method: "GET", path: "/rest/bug", query: [...new URLSearchParams(query), ["api_key", apiKey]] };
}

const READ: Request = { method: "GET", path: "/rest/bug/1", query: [] };

/** Takes minutes: every one of its conditions counts the comments of every bug. */
function slow(): Request {
  const rows = Array.from({ length: 100 }, (_, at) => `f${at}=longdescs.count&o${at}=greaterthan&v${at}=${at + 100}`);
  return search(`${rows.join("&")}&j_top=OR`);
}

test("other requests do not wait for a long search", async () => {
  const { tracker } = aside();
  let isOver = false;
  void tracker(slow()).then(() => {
    isOver = true;
  });
  const others = [await tracker({ ...READ, query: [["api_key", key]] }), await tracker(search("id=1"))];
  expect(others.map(({ status }) => status)).toEqual([200, 200]);
  expect(isOver).toBe(false);
});

test("a search over the time limit is stopped, and the next one is answered", async () => {
  const { tracker, started } = aside(2_000);
  const { status, headers, body } = await tracker(slow());
  expect([status, headers["retry-after"], JSON.parse(body)]).toMatchObject([503, "5", { error: true, code: 32000 }]);
  expect(body).toContain("This asks for too much: it was ended after 2 seconds.");
  expect(started.map(({ killed }) => killed)).toEqual([true]);
  while ((await tracker(search("id=1"))).status !== 200); // a busy machine may not start a process within the limit
});

test("a worker process that was killed is replaced", async () => {
  const { tracker, started } = aside();
  await tracker(search("id=1"));
  const waiting = tracker(slow());
  started[0]?.kill("SIGKILL");
  expect(await waiting).toMatchObject({ status: 503, headers: { "retry-after": "5" } });
  expect((await tracker(search("id=1"))).status).toBe(200);
});

test("a request that waits too long in the queue is refused", async () => {
  const { tracker } = aside(50);
  const replies = await Promise.all(Array.from({ length: 20 }, () => tracker(slow())));
  const statuses = replies.map(({ status }) => status);
  expect([...new Set(statuses)]).toEqual([503]);
  expect(replies.some(({ body }) => body.includes("Too many searches are queued"))).toBe(true);
});

test.each([
  ["GET", "/rest/bug", true],
  ["GET", "//rest//bug", true],
  ["GET", "/rest.cgi/bug", true],
  ["GET", "/rest/%62ug", true],
  ["GET", "/rest/bug#1", true],
  ["GET", "/rest/bug/1/comment", true],
  ["GET", "/rest/bug/comment/1", true],
  ["GET", "/rest/bug/1/attachment", true],
  ["GET", "/rest/bug/attachment/1", true],
  ["POST", "/rest/bug/1/comment", false],
  ["GET", "/rest/bug/1", false],
  ["POST", "/rest/bug", false],
  ["GET", "/rest/%", false],
])("%s %s may be slow: %s", (method, path, isLong) => {
  expect(isLongRead({ method, path, query: [] })).toBe(isLong);
});
