import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { runningClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { crowd } from "../servers/demo-server.ts";
import { answer } from "../servers/fault-server.ts";
import { start } from "./child.ts";
import { FATES, type Fate, type Faults, faultyTracker, nth } from "./faulty-tracker.ts";
import { KILL_MOMENTS, type Killed, killedAt } from "./kill-moments.ts";
import { jobIn, jobsOf } from "./ran.ts";

const MANY = [...Array(30).keys()].map((at) => 101 + at);
const HIGHEST = "SELECT count(*) FROM bugs WHERE priority = 'Highest' AND id > 100";

/** A crowded tracker and a person on one machine; every line is begun a second after the last one. */
async function machine(faults: Faults = {}) {
  const tracker = await faultyTracker(faults);
  crowd(tracker, 130);
  const home = freshFolder();
  const bt = (line: string, more: { readonly ms?: number; readonly env?: Readonly<Record<string, string>> } = {}) => {
    tracker.clock.step(more.ms ?? 1000);
    return btConnected(line, { env: { ...tracker.env, HOME: home, ...more.env } });
  };
  const last = () => jobsOf(home, "finished").toSorted().at(-1)?.replace(".jsonl", "") ?? "none";
  return { tracker, home, bt, last };
}

describe("undo of a bulk update", () => {
  async function updated(faults: Faults = {}) {
    const scene = await machine(faults);
    scene.tracker.store.exec("UPDATE bugs SET priority = 'Low' WHERE id BETWEEN 101 AND 110");
    await scene.bt(`bug update ${MANY.join(" ")} --priority Highest --yes`);
    expect(scene.tracker.count(HIGHEST)).toBe(30);
    return { ...scene, job: scene.last() };
  }

  test("every bug gets its own value back, except those changed since, which are named", async () => {
    const { tracker, bt, job, last } = await updated();
    tracker.clock.step(1000);
    await tracker.as("mei@example.org", {
      method: "PUT",
      path: "/rest/bug/103",
      body: { ids: [103], priority: "High" },
    });
    const asked = await bt(`bug undo --job ${job}`);
    expect(asked).toMatchObject({ code: 13, out: "", err: expect.stringContaining("this would change 29 of 30 bugs") });
    const run = await bt(`bug undo --job ${job} --yes --json`);
    expect(run.code, run.err).toBe(10);
    expect(JSON.parse(run.err).error).toMatchObject({
      message: "the change was only partly undone",
      details: expect.arrayContaining([
        'bug 103: priority not undone: it was changed since; it is now "High", not "Highest"',
      ]),
    });
    const rows = JSON.parse(run.out);
    expect(rows).toHaveLength(30);
    expect(rows.find(({ id }: { id: number }) => id === 103)).toMatchObject({
      result: "unchanged",
    });
    expect(tracker.text("SELECT group_concat(DISTINCT priority) FROM bugs WHERE id BETWEEN 101 AND 110")).toBe(
      "Low,High",
    );
    expect(tracker.count(HIGHEST)).toBe(0);
    expect(tracker.writes().at(-1)).toBeDefined();
    const again = await bt(`bug undo --job ${last()} --yes`);
    expect(again.code, again.err).toBe(0);
    expect(tracker.count(HIGHEST)).toBe(29);
  });

  test("is resumed after a failure, and undoes no bug twice", async () => {
    const { tracker, bt, job } = await updated({ write: nth(3, FATES.badGatewayBefore) });
    const run = await bt(`bug undo --job ${job} --yes`);
    expect(run).toMatchObject({ code: 9, err: expect.stringContaining("bt job send") });
    for (const name of run.err.match(/(?<=bt job send )\w{26}/g) ?? []) await bt(`job send ${name} --yes`);
    expect(tracker.count(HIGHEST)).toBe(0);
    expect(tracker.count("SELECT count(*) FROM activity WHERE removed = 'Highest' AND bug_id > 100")).toBe(30);
  });

  test("a job of unknown outcome is sent or dropped first, and no undo of it is named", async () => {
    const { tracker, bt } = await machine({ write: nth(2, FATES.badGatewayBefore) });
    const run = await bt(`bug update ${MANY.join(" ")} --priority Highest --yes`);
    const job = jobIn(run.err);
    expect(run.err).not.toContain("bug undo");
    expect(await bt(`bug undo --job ${job} --yes`)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`job ${job} is not complete: unknown outcome`),
    });
    for (const bugs of ["", "101 130", "130"])
      expect(await bt(`bug undo ${bugs} --yes`)).toMatchObject({
        ...{ code: 2, out: "" },
        err: expect.stringContaining(`job ${job} is not complete: unknown outcome`),
      });
    expect(await bt("bug undo 102 101 --yes --dry-run")).toMatchObject({ code: 0 });
    await bt(`job drop ${job} --yes`);
    expect(await bt(`bug undo --job ${job} --yes`)).toMatchObject({ code: 0 });
    expect(tracker.count(HIGHEST)).toBe(0);
  });
});

test("a change of one bug before one of unknown outcome is not undone", async () => {
  const { tracker, bt } = await machine({ write: nth(2, FATES.badGatewayBefore) });
  await bt("bug update 101 --priority Highest");
  expect((await bt("bug update 101 --priority Low")).code).toBe(9);
  const err = expect.stringMatching(/job \w{26} is not complete: unknown outcome\nhint: bt job send/);
  expect(await bt("bug undo 101")).toMatchObject({ code: 2, out: "", err });
  expect(tracker.writes()).toHaveLength(2);
});

test("a lost response of an undo is verified, and the undo is not sent twice", async () => {
  const { tracker, bt } = await machine({ write: nth(2, FATES.resetAfter) });
  await bt("bug update 101 --whiteboard wrong");
  expect(await bt("bug undo 101")).toMatchObject({
    code: 0,
    out: "101\tapplied\n",
  });
  expect(tracker.writes()).toHaveLength(2);
});

describe("the journal has exact values", () => {
  const LONG = "word ".repeat(60).trim();

  test("over 250 characters, and on this machine only", async () => {
    const { tracker, bt } = await machine();
    tracker.store.exec(`UPDATE bugs SET whiteboard = '${LONG}' WHERE id = 101`);
    await bt("bug update 101 --whiteboard short");
    const elsewhere = await bt("bug undo 101", { env: { HOME: freshFolder() } });
    expect(elsewhere).toMatchObject({ code: 1, err: expect.stringContaining("nothing to undo") });
    expect(await bt("bug undo 101")).toMatchObject({ code: 0 });
    expect(tracker.text("SELECT whiteboard FROM bugs WHERE id = 101")).toBe(LONG);
  });

  test("of two changes in one second", async () => {
    const { tracker, bt } = await machine();
    await bt("bug update 101 --whiteboard one");
    await bt("bug update 101 --whiteboard two", { ms: 1 });
    expect(await bt("bug undo 101")).toMatchObject({ code: 0 });
    expect(tracker.text("SELECT whiteboard FROM bugs WHERE id = 101")).toBe("one");
  });
});

test.each(["attachment update 3 --summary Words", "group update staff --description Words"])(
  "a job that changed no bug is not undone: %s",
  async (line) => {
    const { tracker, bt, last } = await machine();
    expect(await bt(line)).toMatchObject({ code: 0 });
    const run = await bt(`bug undo --job ${last()}`);
    expect(run).toMatchObject({ code: 2, out: "", err: expect.stringContaining("changed no bug") });
    expect(tracker.writes()).toHaveLength(1);
  },
);

describe("an undo by two updates", () => {
  const text = '{"error":true,"code":115,"message":"You are not allowed to."}';
  const REFUSED: Fate = ({ socket }) => void socket.write(answer(text, { status: "401 Unauthorized" }));
  const STATUS = "SELECT status FROM bugs WHERE id = 48";
  const MOVES = "SELECT count(*) FROM activity WHERE bug_id = 48 AND added IN ('CONFIRMED', 'IN_PROGRESS')";

  test.each(KILL_MOMENTS)(
    "that was killed at the first, %s, is completed by its jobs, each sent once",
    async (moment) => {
      await expectCompleted(2, moment);
    },
  );

  test.each(KILL_MOMENTS)("that was killed at the second, %s, too", async (moment) => {
    await expectCompleted(3, moment);
  });

  async function expectCompleted(place: number, moment: (typeof KILL_MOMENTS)[number]) {
    const killed: Killed = {};
    const { tracker, home, bt, last } = await machine({
      write: killedAt(place, moment, killed),
      clock: runningClock(),
    });
    const before = tracker.count(MOVES);
    expect(await bt("bug close 48")).toMatchObject({ code: 0 });
    killed.bt = start(["bug", "undo", "48"], { ...tracker.env, HOME: home, XDG_STATE_HOME: `${home}/.local/state` });
    await killed.bt.end;
    const open = jobsOf(home, "open").toSorted();
    for (const file of open) {
      const sent = await bt(`job send ${file.replace(".jsonl", "")} --yes`);
      expect(sent.code, sent.err).toBe(0);
    }
    expect([tracker.text(STATUS), tracker.count(MOVES) - before, jobsOf(home, "open")]).toEqual(["IN_PROGRESS", 2, []]);
    expect(await bt(`bug undo --job ${last()}`)).toMatchObject({ code: 0 });
    expect(tracker.text(STATUS)).toBe("RESOLVED");
  }

  test("whose second one is refused says which status the bug has, and what completes it", async () => {
    const { tracker, home, bt } = await machine({ write: nth(3, REFUSED) });
    expect(await bt("bug close 48")).toMatchObject({ code: 0 });
    const ran = await bt("bug undo 48");
    expect(ran.err).toMatch(/ {4}the first of two updates was applied: the status is CONFIRMED\n/);
    expect([ran.code, tracker.text(STATUS), jobsOf(home, "open")]).toEqual([4, "CONFIRMED", []]);
  });
});
