import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { faultyTracker } from "./faulty-tracker.ts";

const JOB = "01KB3XQ8Z5T4M7W2N9P6R1S0VA";
const AT = 1_763_636_400_000;
const COMMENT = { method: "POST", path: "/rest/bug/43/comment", query: [], body: { comment: "ping" } };
const SENT = { st: "SENT", i: 0, at: AT, alike: [] };
const TROUBLE = { i: 0, kind: "unknown", message: "the answer was lost" };
const MANY = [...Array(22).keys()].map((at) => 21 + at);
const BULK = { method: "PUT", path: "/rest/bug/21", query: [], body: { ids: MANY, whiteboard: "note" } };

/** Journals as they were before the tracker's time and the credential were kept, in every state. */
const STATES: Readonly<
  Record<string, { readonly request: object; readonly events: readonly object[]; readonly code: number }>
> = {
  "stopped under way": { request: COMMENT, events: [SENT], code: 9 },
  "of unknown outcome": { request: COMMENT, events: [SENT, { st: "UNKNOWN", ...TROUBLE }], code: 9 },
  absent: { request: COMMENT, events: [SENT, { st: "ABSENT", ...TROUBLE }], code: 9 },
  done: { request: COMMENT, events: [SENT, { st: "DONE", i: 0, answer: { id: 7 } }], code: 0 },
  refused: { request: COMMENT, events: [SENT, { ...TROUBLE, st: "FAILED", kind: "refused", code: 115 }], code: 3 },
  "in collision": { request: COMMENT, events: [SENT, { ...TROUBLE, st: "COLLISION", kind: "collision" }], code: 11 },
  "stopped in a bulk update": { request: BULK, events: [{ ...SENT, ids: MANY }], code: 9 },
};

describe("a journal of an older bt is read, and its requests are not resent", () => {
  test.each(Object.entries(STATES))("%s", async (_, { request, events, code }) => {
    const tracker = await faultyTracker();
    const home = freshFolder();
    const head = { v: 1, job: JOB, bt: "0.1.0", at: AT, origin: tracker.url, user: tracker.login, request };
    mkdirSync(join(home, ".local/state/bt/jobs"), { recursive: true });
    const lines = [head, ...events].map((line) => `${JSON.stringify(line)}\n`);
    writeFileSync(join(home, ".local/state/bt/jobs", `${JOB}.jsonl`), lines.join(""));
    const run = await btConnected(`resume ${JOB} --wait 0`, { env: { ...tracker.env, HOME: home } });
    expect(run.code, run.err).toBe(code);
    expect(tracker.writes()).toEqual([]);
  });
});

test("a new bug older than the request is ambiguous: two machines never both claim it", async () => {
  const CREATE = "bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -t Crash -d Steps";
  const tracker = await faultyTracker({
    write: ({ count, ...way }) => (count === 1 ? way.pass() : way.socket.destroy()),
  });
  const one = await btConnected(CREATE, { env: { ...tracker.env, HOME: freshFolder() } });
  tracker.clock.step(2000);
  const other = await btConnected(CREATE, { env: { ...tracker.env, HOME: freshFolder() } });
  expect([one.code, other.code]).toEqual([0, 9]);
  expect(other.out).toBe("");
});
