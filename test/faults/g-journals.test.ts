import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { runningClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { shell, surroundings } from "../process/real.ts";
import { crowd } from "../servers/demo-server.ts";
import { FATES, faultyTracker, once } from "./faulty-tracker.ts";
import { jobIn, ran } from "./ran.ts";

const BUGS = Array.from({ length: 40 }, (_, at) => 101 + at);
const JOB = "01KB3XQ8Z5T4M7W2N9P6R1S0VA";

function journal(home: string, job: string): string {
  const file = join(home, ".local/state/bt/jobs", `${job}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

test("a disk that fills up during a bulk update: remaining bugs are untried, and the hint is resume", async () => {
  const tracker = await faultyTracker({ clock: runningClock() });
  crowd(tracker, 140);
  const env = { ...surroundings(), ...tracker.env };
  const line = `trap '' XFSZ; ulimit -f 16; bt bug update ${BUGS.join(" ")} -m Hello --add-depends-on 12 --yes`;
  const run = await shell(line, { env });
  const [, done = "", untried = ""] = /(\d+) applied, (\d+) not tried/.exec(run.err) ?? [];
  expect({ code: run.code, total: Number(done) + Number(untried) }, run.err).toEqual({ code: 10, total: 40 });
  expect(tracker.count("SELECT count(*) FROM comments WHERE text = 'Hello'")).toBe(Number(done));
  expect(Number(done)).toBeGreaterThan(0);
  expect(run.err).not.toMatch(/nothing was sent/);
  const resumed = await shell(`bt job send ${jobIn(run.err)} --yes`, { env });
  expect(resumed, resumed.err).toMatchObject({ code: 0 });
  const counts = "SELECT count(*) || ' on ' || count(DISTINCT bug_id) FROM comments WHERE text = 'Hello'";
  expect(tracker.text(counts)).toBe("40 on 40");
});

test.each<[what: string, meddle: (file: string) => void]>([
  [
    "G8 a lock of another process with the same id",
    (file) => writeFileSync(`${file}.lock`, `${process.ppid} 2026-11-20T09:00:00.000Z 1\n`),
  ],
  ["half a line at its end, as a kill leaves it", (file) => appendFileSync(file, '{"n":0,"st":"app')],
])("a journal is read and continued in spite of %s", async (_, meddle) => {
  const { err, home, again, tracker } = await ran("comment add 43 -m Hello", { write: once(FATES.resetBefore) });
  meddle(journal(home, jobIn(err)));
  expect(await again(`job send ${jobIn(err)} --yes`)).toMatchObject({ code: 0 });
  expect(tracker.count("SELECT count(*) FROM comments WHERE text = 'Hello'")).toBe(1);
});

describe("a named pipe in place of a file does not block", () => {
  test("a journal", async () => {
    const tracker = await faultyTracker();
    const home = freshFolder();
    execFileSync("sh", ["-c", 'mkfifo "$0"', journal(home, JOB)]);
    const env = { ...tracker.env, HOME: home };
    const run = await btConnected(`job send ${JOB}`, { env });
    expect(run).toMatchObject({ code: 12, out: "", err: expect.stringContaining("not a regular file") });
    expect(await btConnected("job list", { env })).toMatchObject({ code: 12 });
    expect(await btConnected("comment add 43 -m Hello", { env })).toMatchObject({ code: 0 });
  });
});

describe.each([
  ["removed", (jobs: string) => rmSync(jobs, { recursive: true })],
  ["replaced by a file", (jobs: string) => replaced(jobs, () => writeFileSync(jobs, ""))],
  ["replaced by another folder", (jobs: string) => replaced(jobs, () => mkdirSync(jobs))],
  ["replaced by a link to nothing", (jobs: string) => replaced(jobs, () => symlinkSync("/nowhere", jobs))],
])("the folder of the journals is %s during a write", (_, spoil) => {
  test("nothing more is sent, since it would not be on disk", async () => {
    const home = freshFolder();
    const jobs = join(home, ".local/state/bt/jobs");
    const tracker = await faultyTracker({
      write: (incident) => {
        if (incident.count === 1) spoil(jobs);
        return incident.pass();
      },
    });
    crowd(tracker, 140);
    const run = await btConnected(`bug update ${BUGS.join(" ")} -m Hello --yes`, {
      env: { ...tracker.env, HOME: home },
    });
    expect({ code: run.code, writes: tracker.writes().length }, run.err).toEqual({ code: 10, writes: 1 });
    expect(run.err).toContain(`cannot write ${jobs}/`);
  });
});

function replaced(folder: string, make: () => void): void {
  rmSync(folder, { recursive: true });
  make();
}
