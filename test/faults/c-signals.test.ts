import { describe, expect, onTestFinished, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { endingReport } from "../process/ending.ts";
import { crowd } from "../servers/demo-server.ts";
import { faultServer } from "../servers/fault-server.ts";
import { type Running, start } from "./child.ts";
import { FATES, type Fate, faultyTracker, once } from "./faulty-tracker.ts";
import { jobIn, jobsOf } from "./ran.ts";

const COMMENT = ["comment", "add", "43", "-m", "Seen again"];
const COMMENTS = "SELECT count(*) FROM comments WHERE text = 'Seen again'";

/** A tracker that is told when a write has reached it, and `bt` on its way there. */
async function underWay(write: (release: Promise<void>) => Fate) {
  const gates = { reached: () => undefined as unknown, released: () => undefined as unknown };
  const reached = new Promise<void>((resolve) => {
    gates.reached = resolve;
  });
  const release = new Promise<void>((resolve) => {
    gates.released = resolve;
  });
  const fate = write(release);
  const tracker = await faultyTracker({
    write: once((incident) => {
      gates.reached();
      return fate(incident);
    }),
  });
  const home = freshFolder();
  const env = { ...tracker.env, HOME: home, XDG_STATE_HOME: `${home}/.local/state` };
  const bt = start(COMMENT, env);
  await reached;
  return { tracker, env, home, bt, release: gates.released };
}

function slow(release: Promise<void>): Fate {
  return async ({ pass }) => {
    await release;
    await pass();
  };
}

function silent(): Fate {
  return FATES.silentAfter;
}

describe("a signal during a write", () => {
  test.each([
    ["C21 SIGINT", "SIGINT", 130],
    ["C21 SIGTERM", "SIGTERM", 143],
    ["C21 SIGHUP", "SIGHUP", 129],
  ] as const)("%s waits for the response and reports it", async (_, signal, code) => {
    const { bt, release, tracker, home } = await underWay(slow);
    bt.kill(signal);
    setTimeout(release, 300);
    const end = await bt.end;
    expect(end).toMatchObject({ code, err: "", out: expect.stringMatching(/^\d+\n$/) });
    expect(tracker.count(COMMENTS)).toBe(1);
    expect(jobsOf(home, "finished")).toHaveLength(1);
  });

  test("C22 a second SIGINT stops waiting and reports an unknown outcome with the command to run", async () => {
    const { bt, tracker, home } = await underWay(silent);
    bt.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 100));
    bt.kill("SIGINT");
    const end = await bt.end;
    expect(end).toMatchObject({ code: 130, out: "" });
    expect(end.err).toContain("unknown outcome of the comment on bug 43: interrupted while waiting for");
    expect(jobsOf(home, "open")).toEqual([`${jobIn(end.err)}.jsonl`]);
    expect(end.ms).toBeLessThan(9_000); // a first signal leaves it ten seconds
    expect(tracker.writes()).toHaveLength(1);
  });
});

test("C23 after kill -9 the next command offers the write, and resume resolves it", async () => {
  const { bt, tracker, home, env } = await underWay(silent);
  bt.kill("SIGKILL");
  expect((await bt.end).code).toBeNull();
  const [file = ""] = jobsOf(home, "open");
  const job = file.replace(".jsonl", "");
  expect((await start(["todo"], env).end).err).toContain("note: 1 job with unknown outcome: bt job list\n");
  const listed = await start(["job", "list", "--json"], env).end;
  expect(JSON.parse(listed.out)).toMatchObject([{ job, what: "comment on bug 43", state: "unknown outcome" }]);
  const resumed = await start(["job", "send", job], env).end;
  expect(resumed).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\n$/) });
  expect(tracker.count(COMMENTS)).toBe(1);
  expect(tracker.writes()).toHaveLength(1);
  expect(await start(["job", "send", job], env).end).toMatchObject({ code: 0, out: "" });
  expect(tracker.writes()).toHaveLength(1);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends a command at once if its TLS handshake never finishes", async (signal, code) => {
  const running: { bt?: Running } = {};
  const server = await faultServer(() => undefined, { onConnect: () => running.bt?.kill(signal) });
  onTestFinished(server.close);
  const { env, expectQuickEnd } = endingReport({ BT_BASE_URL: server.url.replace("http:", "https:") });
  running.bt = start(["bug", "get", "7"], env);
  expect(await running.bt.end).toMatchObject({ code, out: "", err: "" });
  expectQuickEnd();
});

test("H6 SIGINT while values are read before a change: what was done is reported, with the job that continues", async () => {
  const running: { bt?: Running } = {};
  const state = { writes: 0, isHeld: false };
  const tracker = await faultyTracker({
    write: async ({ pass }) => {
      state.writes += 1;
      await pass();
    },
    read: async ({ pass }) => {
      if (state.writes < 3) return pass();
      state.isHeld = true;
      running.bt?.kill("SIGINT");
    },
  });
  crowd(tracker, 200);
  const ids = [...Array(30).keys()].map((at) => String(101 + at));
  const flags = ["--add-whiteboard", "[seen]", "-m", "Seen again", "--yes", "--format", "tsv"];
  running.bt = start(["bug", "update", ...ids, ...flags], tracker.env);
  const end = await running.bt.end;
  expect([end.code, state.isHeld, end.out.match(/^\d+\tapplied$/gm)?.length]).toEqual([130, true, 3]);
  expect(end.err).toContain("3 applied, 27 not tried");
  expect(end.err).toMatch(/^note: undo: bt bug undo --job \w{26}$/m);
  expect(jobIn(end.err)).toMatch(/^\w{26}$/);
});
