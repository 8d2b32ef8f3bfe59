import { describe, expect, test } from "vitest";
import type { Request } from "../../src/wire/exchange.ts";
import { btConnected } from "../bt.ts";
import { runningClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { homeFolders } from "../mirrored.ts";
import { crowd } from "../servers/demo-server.ts";
import { answer } from "../servers/fault-server.ts";
import { type Running, start } from "./child.ts";
import {
  bugsNamed,
  FATES,
  type Fate,
  type Faults,
  type FaultyTracker,
  faultyTracker,
  type Incident,
  nth,
} from "./faulty-tracker.ts";
import { jobIn, UNDO_LINE } from "./ran.ts";

const FIRST = 101;

async function crowded(count: number, faults: Faults) {
  const tracker = await faultyTracker({ clock: runningClock(), ...faults });
  crowd(tracker, FIRST + count - 1);
  const home = freshFolder();
  const env = { ...tracker.env, ...homeFolders(home) };
  const ids = [...Array(count).keys()].map((at) => FIRST + at).join(" ");
  const bt = (line: string, stdin = ids) => btConnected(line, { env, stdin });
  const jobs = async () => JSON.parse((await bt("job list --json")).out);
  return { tracker, env, bt, ids, jobs };
}

/** Accepts an update, without applying it. */
const IGNORED: Fate = ({ request, socket }) => {
  const bugs = bugsNamed(request).map((id) => ({
    id,
    alias: [],
    changes: {},
    last_change_time: "2026-11-20T12:00:00Z",
  }));
  socket.write(answer(JSON.stringify({ bugs })));
};

const FORBIDDEN = answer('{"error":true,"code":115,"message":"You may not"}', { status: "401 Unauthorized" });

const isReadBack = ({ query }: Request) => query.some(([, value]) => value === "priority,id");

const reads = ({ requests }: FaultyTracker) => requests.filter(isReadBack);

const UPDATE = "bug update - --priority Highest --yes";

describe("values of a bulk update that the tracker ignores", () => {
  test("are an error that names the bugs, after one reading of them", async () => {
    const { tracker, bt, jobs } = await crowded(60, { write: nth(2, IGNORED) });
    const { code, out, err } = await bt(`${UPDATE} --json`);
    expect(code).toBe(10);
    const rows = JSON.parse(out);
    expect(rows).toHaveLength(60);
    const ignored = rows.filter((row: { not_applied?: unknown }) => row.not_applied);
    expect(ignored).toHaveLength(25);
    expect(ignored[0]).toMatchObject({
      ...{ id: 126, result: "unchanged, not applied: priority", not_applied: ["priority"] },
    });
    expect(JSON.parse(err).error).toMatchObject({
      message: "some values were not applied to 25 bugs",
      details: [expect.stringMatching(/^bugs 126, 127, .*, 135 and 15 more: not applied: priority$/)],
    });
    expect(reads(tracker)).toHaveLength(1);
    expect(await jobs()).toEqual([]);
  });

  test("where every change is reported, nothing is read back", async () => {
    const { tracker, bt } = await crowded(60, {});
    expect(await bt(UPDATE)).toMatchObject({ code: 0, err: expect.stringMatching(UNDO_LINE) });
    expect(reads(tracker)).toEqual([]);
    expect(await bt(UPDATE)).toMatchObject({ code: 0, err: "" });
    expect(reads(tracker)).toEqual([]);
  });

  test("are named beside other failures, and again when the job is resumed", async () => {
    const state = { isDead: false };
    const { tracker, bt, jobs } = await crowded(60, {
      write: (incident: Incident) => {
        if (incident.count === 1) return IGNORED(incident);
        state.isDead = incident.count === 2;
        return state.isDead ? FATES.unavailable(incident) : incident.pass();
      },
      read: (incident) => (state.isDead ? FATES.unavailable(incident) : incident.pass()),
    });
    const run = await bt(UPDATE);
    expect(run).toMatchObject({ code: 8, err: expect.stringContaining("0 of 60 bugs done, 25 unchanged") });
    expect(run.err).not.toContain("not applied: priority");
    state.isDead = false;
    const again = await bt(`job send ${jobIn(run.err)} --resend`);
    expect(again).toMatchObject({
      code: 10,
      err: expect.stringMatching(/bugs 101, .* 110 and 15 more: not applied: priority$/m),
    });
    expect(tracker.count("SELECT count(*) FROM bugs WHERE priority = 'Highest' AND id > 100")).toBe(35);
    expect(await jobs()).toEqual([]);
  });

  test("a value that was read back once is not compared again", async () => {
    const state = { isForbidden: true };
    const { tracker, bt, jobs } = await crowded(30, {
      write: async (incident) => {
        if (incident.count === 1) {
          await incident.apply();
          return IGNORED(incident);
        }
        const isGuilty = bugsNamed(incident.request).includes(130);
        return state.isForbidden && isGuilty ? incident.socket.write(FORBIDDEN) : incident.pass();
      },
    });
    expect((await bt(UPDATE)).err).toMatch(
      /4 of 30 bugs done, 25 unchanged: 1 failed\n {4}bug 130: You may not; bt auth status .*$/m,
    );
    expect(reads(tracker)).toHaveLength(1);
    state.isForbidden = false;
    await tracker.as("mei@example.org", { method: "PUT", path: "/rest/bug/101", body: { priority: "Low" } });
    const [job] = await jobs();
    expect(await bt(`job send ${job.job}`)).toMatchObject({ code: 0, err: expect.stringMatching(UNDO_LINE) });
    expect(reads(tracker)).toHaveLength(1);
  });

  test("are found by job send after a kill behind the last write", async () => {
    const running: { bt?: Running } = {};
    const { tracker, bt, env, jobs, ids } = await crowded(30, {
      write: nth(2, IGNORED),
      read: ({ request, pass, socket }) => {
        if (running.bt === undefined || !isReadBack(request)) return pass();
        running.bt.kill("SIGKILL");
        return socket.destroy();
      },
    });
    running.bt = start(["bug", "update", ...ids.split(" "), "--priority", "Highest", "--yes"], env);
    await running.bt.end;
    delete running.bt;
    expect(tracker.writes()).toHaveLength(2);
    const [job] = await jobs();
    expect(job).toMatchObject({ status: "interrupted", state: "applied, not verified" });
    const again = await bt(`job send ${job.job}`);
    expect(again).toMatchObject({ code: 10, err: expect.stringContaining("bug 130: not applied: priority") });
    expect(tracker.writes()).toHaveLength(2);
    expect(await jobs()).toEqual([]);
  });
});
