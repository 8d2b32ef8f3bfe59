import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runningClock } from "../clock.ts";
import { sampled } from "../much.ts";
import { start } from "./child.ts";
import { faultyTracker } from "./faulty-tracker.ts";
import { KILL_MOMENTS, type Killed, killedAt } from "./kill-moments.ts";
import { type OfflineDesk, offlineDesk } from "./offline-desk.ts";

/** Lines that keep jobs, each of a kind of its own; the queries count what each leaves. */
const QUEUE: readonly (readonly [line: string, trace: string])[] = [
  [
    "bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -d Text -t Title",
    "SELECT count(*) FROM bugs WHERE summary = 'Title'",
  ],
  ["comment add new-1 -m Hello", "SELECT count(*) FROM comments WHERE text = 'Hello' AND bug_id = 51"],
  [
    "bug update new-1 --priority Highest -m Urgent",
    "SELECT count(*) FROM comments WHERE text = 'Urgent' AND bug_id = 51",
  ],
  ["bug update 44 --depends-on +new-1", "SELECT count(*) FROM activity WHERE bug_id = 44 AND added = '51'"],
  ["bug close 49", "SELECT count(*) FROM activity WHERE bug_id = 49 AND added = 'FIXED'"],
];

const WRITES = QUEUE.map((_, at) => at + 1);

const kept = (desk: OfflineDesk) =>
  QUEUE.map(
    ([line]) =>
      () =>
        desk.bt(`${line} --offline`),
  );

async function inOrder<Result>(acts: readonly (() => Promise<Result>)[]): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const act of acts) results.push(await act());
  return results;
}

describe("job send --all killed at any write sends every job once when it is run again", () => {
  test.each(
    sampled(
      WRITES.flatMap((nth) => KILL_MOMENTS.map((moment) => [nth, moment] as const)),
      2,
    ),
  )("write %i, killed %s", async (nth, moment) => {
    const killed: Killed = {};
    const tracker = await faultyTracker({ clock: runningClock(), write: killedAt(nth, moment, killed) });
    const desk = await offlineDesk(tracker);
    expect((await inOrder(kept(desk))).map(({ code }) => code)).toEqual(QUEUE.map(() => 0));
    killed.bt = start(["job", "send", "--all"], desk.env);
    await killed.bt.end;
    const again = await desk.bt("job send --all");
    expect(again, again.err).toMatchObject({ code: 0 });
    expect(QUEUE.map(([, trace]) => tracker.count(trace))).toEqual(QUEUE.map(() => 1));
    expect(await desk.jobs()).toEqual([]);
  });
});

describe("killed between a bug's creation and the renaming of the jobs on it", () => {
  test("the jobs get its number when they are sent", async () => {
    const tracker = await faultyTracker();
    const desk = await offlineDesk(tracker);
    await inOrder(kept(desk));
    const [create, comment] = await desk.jobs();
    const file = join(desk.home, "state/bt/jobs", `${comment?.job}.jsonl`);
    const before = readFileSync(file);
    expect(await desk.bt(`job send ${create?.job}`)).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).toContain("/rest/bug/51/comment");
    writeFileSync(file, before);
    expect(await desk.bt("job send --all")).toMatchObject({ code: 0 });
    expect(QUEUE.map(([, trace]) => tracker.count(trace))).toEqual(QUEUE.map(() => 1));
  });
});

describe("killed while a job is kept", () => {
  test.each(["", '{"v":1,"job":"01K'])("%j: it was not kept, and the others are sent", async (text) => {
    const tracker = await faultyTracker();
    const desk = await offlineDesk(tracker);
    await desk.bt("comment add 44 -m Hello --offline");
    const folder = join(desk.home, "state/bt/jobs");
    writeFileSync(join(folder, "01KB3XQ8Z5T4M7W2N9P6R1S0VA.jsonl"), text);
    writeFileSync(join(folder, "offline.lock"), "999999999 2026-11-20T09:00:00.000Z\n");
    expect(await desk.bt("comment add 44 -m Again --offline")).toMatchObject({ code: 0 });
    expect(await desk.bt("job send --all")).toMatchObject({ code: 0 });
    expect(tracker.count("SELECT count(*) FROM comments WHERE text IN ('Hello', 'Again')")).toBe(2);
  });
});

test("two processes that send at once send every job once", async () => {
  const tracker = await faultyTracker({ clock: runningClock() });
  const desk = await offlineDesk(tracker);
  await inOrder(kept(desk));
  await Promise.all([start(["job", "send", "--all"], desk.env).end, start(["job", "send", "--all"], desk.env).end]);
  expect(await desk.bt("job send --all")).toMatchObject({ code: 0 });
  expect(QUEUE.map(([, trace]) => tracker.count(trace))).toEqual(QUEUE.map(() => 1));
});
