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

/** A crowded tracker and a person on one machine. */
async function machine(faults: Faults = {}) {
  const tracker = await faultyTracker({ clock: runningClock(), ...faults });
  crowd(tracker, 130);
  const home = freshFolder();
  const bt = (line: string) => btConnected(line, { env: { ...tracker.env, HOME: home } });
  const last = () => jobsOf(home, "finished").toSorted().at(-1)?.replace(".jsonl", "") ?? "none";
  return { tracker, home, bt, last };
}

describe("undo of a bulk update", () => {
  test("is resumed after a failure, and undoes no bug twice", async () => {
    const { tracker, bt, last } = await machine({ write: nth(3, FATES.badGatewayBefore) });
    await bt(`bug update ${MANY.join(" ")} --priority Highest --yes`);
    const run = await bt(`bug undo --job ${last()} --yes`);
    expect(run).toMatchObject({ code: 9, err: expect.stringContaining("bt job send") });
    for (const name of run.err.match(/(?<=bt job send )\w{26}/g) ?? []) await bt(`job send ${name} --yes`);
    expect(tracker.count(HIGHEST)).toBe(0);
    expect(tracker.count("SELECT count(*) FROM activity WHERE removed = 'Highest' AND bug_id > 100")).toBe(30);
  });

  test("a job of unknown outcome is sent or dropped first", async () => {
    const { tracker, bt } = await machine({ write: nth(2, FATES.badGatewayBefore) });
    const run = await bt(`bug update ${MANY.join(" ")} --priority Highest --yes`);
    const job = jobIn(run.err);
    expect(run.err).not.toContain("bug undo");
    expect(await bt(`bug undo --job ${job} --yes`)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`job ${job} is not complete: unknown outcome`),
    });
    for (const bugs of ["101 130", "130"])
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

  const kills = [2, 3].flatMap((place) => KILL_MOMENTS.map((moment) => [place, moment] as const));
  test.each(kills)(
    "that was killed at write %i, %s, is completed by its jobs, each sent once",
    async (place, moment) => {
      const killed: Killed = {};
      const { tracker, home, bt, last } = await machine({ write: killedAt(place, moment, killed) });
      const before = tracker.count(MOVES);
      expect(await bt("bug close 48")).toMatchObject({ code: 0 });
      killed.bt = start(["bug", "undo", "48"], { ...tracker.env, HOME: home, XDG_STATE_HOME: `${home}/.local/state` });
      await killed.bt.end;
      const open = jobsOf(home, "open").toSorted();
      for (const file of open) {
        const sent = await bt(`job send ${file.replace(".jsonl", "")} --yes`);
        expect(sent.code, sent.err).toBe(0);
      }
      expect([tracker.text(STATUS), tracker.count(MOVES) - before, jobsOf(home, "open")]).toEqual([
        "IN_PROGRESS",
        2,
        [],
      ]);
      expect(await bt(`bug undo --job ${last()}`)).toMatchObject({ code: 0 });
      expect(tracker.text(STATUS)).toBe("RESOLVED");
    },
  );

  test("whose second one is refused says which status the bug has, and what completes it", async () => {
    const { tracker, home, bt } = await machine({ write: nth(3, REFUSED) });
    expect(await bt("bug close 48")).toMatchObject({ code: 0 });
    const ran = await bt("bug undo 48");
    expect(ran.err).toMatch(/; the first of two updates was applied: the status is CONFIRMED\n/);
    expect([ran.code, tracker.text(STATUS), jobsOf(home, "open")]).toEqual([4, "CONFIRMED", []]);
  });
});
