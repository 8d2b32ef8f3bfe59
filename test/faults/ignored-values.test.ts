import { describe, expect, test } from "vitest";
import type { Request } from "../../src/wire/exchange.ts";
import { btConnected } from "../bt.ts";
import { runningClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { homeFolders } from "../mirrored.ts";
import { crowd } from "../servers/demo-server.ts";
import { answer } from "../servers/fault-server.ts";
import { bugsNamed, type Fate, type Faults, type FaultyTracker, faultyTracker, nth } from "./faulty-tracker.ts";
import { UNDO_LINE } from "./ran.ts";

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

const isReadBack = ({ query }: Request) => query.some(([, value]) => value === "priority,id");

const reads = ({ requests }: FaultyTracker) => requests.filter(isReadBack);

const UPDATE = "bug update - --priority Highest --yes";

describe("values of a bulk update that the tracker ignores", () => {
  test("are an error that names the bugs, after one reading of them", async () => {
    const { bt, jobs } = await crowded(60, { write: nth(2, IGNORED) });
    const { code, out, err } = await bt(`${UPDATE} --json`);
    expect(code).toBe(10);
    const rows = JSON.parse(out);
    expect(rows).toHaveLength(60);
    const ignored = rows.filter((row: { not_applied?: unknown }) => row.not_applied);
    expect(ignored).toHaveLength(20);
    expect(ignored[0]).toMatchObject({
      ...{ id: 121, result: "unchanged", not_applied: ["priority"] },
    });
    expect(JSON.parse(err).error).toMatchObject({
      message: expect.stringMatching(/^bugs 121, 122, .*, 130 and 10 more: not applied: priority$/),
    });
    expect(await jobs()).toEqual([]);
  });

  test("where every change is reported, nothing is read back", async () => {
    const { tracker, bt } = await crowded(60, {});
    expect(await bt(UPDATE)).toMatchObject({ code: 0, err: expect.stringMatching(UNDO_LINE) });
    expect(reads(tracker)).toEqual([]);
    expect(await bt(UPDATE)).toMatchObject({ code: 0, err: "" });
    expect(reads(tracker)).toEqual([]);
  });
});
