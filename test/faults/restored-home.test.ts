import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { runningClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { crowd } from "../servers/demo-server.ts";
import { FATES, type Faults, faultyTracker } from "./faulty-tracker.ts";
import { jobIn, jobsOf } from "./ran.ts";

const FIRST = 101;
const IDS = [...Array(25).keys()].map((at) => FIRST + at);
const MINUTE_MS = 60_000;

/** A job that stopped after some writes, in a HOME that is copied then, and may be put back later. */
async function copied(line: string, sent: number, faults: Faults = {}) {
  const clock = runningClock();
  const state = { left: sent };
  const isOut = () => state.left < 0;
  const tracker = await faultyTracker({
    clock,
    ...faults,
    write: (incident) => {
      state.left -= 1;
      return isOut() ? FATES.unavailable(incident) : incident.pass();
    },
    read: (incident) => (isOut() ? FATES.unavailable(incident) : incident.pass()),
  });
  crowd(tracker, FIRST + IDS.length - 1);
  const [home, backup] = [freshFolder(), freshFolder()];
  const bt = (words: string) => btConnected(words, { env: { ...tracker.env, HOME: home }, stdin: IDS.join(" ") });
  const job = jobIn((await bt(line)).err);
  cpSync(home, backup, { recursive: true });
  clock.step(2 * MINUTE_MS);
  return {
    tracker,
    clock,
    bt,
    home,
    job,
    reachable: (left = Number.POSITIVE_INFINITY) => Object.assign(state, { left }),
    restore: () => {
      rmSync(home, { recursive: true });
      cpSync(backup, home, { recursive: true });
    },
  };
}

const BULK = "bug update - -m 'Seen again' --yes";
const COMMENTS = "SELECT count(*) FROM comments WHERE text = 'Seen again'";
const BUGS = "SELECT count(DISTINCT bug_id) FROM comments WHERE text = 'Seen again'";

describe.each([
  ["without idempotency keys", false],
  ["with idempotency keys", true],
])("H14 a HOME restored in the middle of a job, %s", (_, isKeyed) => {
  test.each([
    ["all others were sent since", Number.POSITIVE_INFINITY],
    ["some others were sent since", 6],
  ])("25 bugs get 25 comments if %s", async (_name, more) => {
    const { tracker, bt, home, job, restore, reachable } = await copied(BULK, 10, { isKeyed });
    expect(tracker.count(COMMENTS)).toBe(10);
    reachable(more);
    await bt(`job send ${job} --resend`);
    reachable();
    restore();
    const run = await bt(`job send ${job} --resend`);
    expect(run).toMatchObject({ code: 0, err: expect.stringContaining("though the journal calls it unsent") });
    expect([tracker.count(COMMENTS), tracker.count(BUGS)]).toEqual([25, 25]);
    expect(jobsOf(home, "open")).toEqual([]);
  });

  test("hours that may be those of the job are not added again", async () => {
    const { tracker, bt, job, restore, reachable } = await copied("bug update - --work-time 2 --yes", 10, { isKeyed });
    reachable(16);
    await bt(`job send ${job} --resend`);
    reachable();
    restore();
    const run = await bt(`job send ${job} --resend`);
    expect(run).toMatchObject({ code: 9, err: expect.stringMatching(/1[45] unknown/) });
    expect(run.err).toContain("you added 2 hours at 2026-");
    expect(tracker.count("SELECT sum(work_time) FROM comments WHERE bug_id > 100")).toBe(50);
  });

  test.each([
    ["comment", "comment add 43 -m 'Seen again'", COMMENTS],
    [
      "bug",
      "bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -t Crash -d Steps",
      "SELECT count(*) FROM bugs WHERE summary = 'Crash'",
    ],
  ])("a %s whose journal has only its head is not added twice", async (_name, line, sql) => {
    const { tracker, bt, home, clock } = await copied(line, 1, { isKeyed });
    const [file = ""] = jobsOf(home, "finished");
    const jobs = join(home, ".local/state/bt/jobs");
    const [head = ""] = readFileSync(join(jobs, "finished", file), "utf8").split("\n");
    writeFileSync(join(jobs, file), `${head}\n`);
    rmSync(join(jobs, "finished"), { recursive: true });
    clock.step(2 * MINUTE_MS);
    expect(await bt(`job send ${file.replace(".jsonl", "")}`)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\n$/),
    });
    expect(tracker.count(sql)).toBe(1);
  });
});

test("what others wrote in the meantime is not the work of a job", async () => {
  const { tracker, bt, job, reachable } = await copied(BULK, 10);
  for (const id of IDS.slice(10, 12))
    await tracker.as("mei@example.org", {
      method: "POST",
      path: `/rest/bug/${id}/comment`,
      body: { comment: "Seen again" },
    });
  reachable();
  expect(await bt(`job send ${job} --resend`)).toMatchObject({ code: 0 });
  expect(tracker.count(COMMENTS)).toBe(27);
});
