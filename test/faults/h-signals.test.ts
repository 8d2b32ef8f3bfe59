import { expect, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { crowd } from "../servers/demo-server.ts";
import { answer } from "../servers/fault-server.ts";
import { type Running, start } from "./child.ts";
import { faultyTracker } from "./faulty-tracker.ts";
import { jobIn } from "./ran.ts";

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

test("H6 SIGINT among the bugs of a refused list: the others are not tried, and stay in the job", async () => {
  const running: { bt?: Running } = {};
  const tracker = await faultyTracker({
    write: async ({ count, pass, socket }) => {
      if (count === 1) return void socket.write(answer("", { status: "413 Too Large" }));
      if (count === 3) running.bt?.kill("SIGINT");
      if (count === 3) await new Promise((resolve) => setTimeout(resolve, 100));
      await pass();
    },
  });
  crowd(tracker, 200);
  const ids = [...Array(20).keys()].map((at) => String(101 + at));
  const home = freshFolder();
  const env = { ...tracker.env, HOME: home, XDG_STATE_HOME: `${home}/.local/state` };
  running.bt = start(["bug", "update", ...ids, "--priority", "Highest", "--yes"], env);
  const end = await running.bt.end;
  expect({ code: end.code, err: end.err }).toEqual({
    code: 130,
    err: expect.stringContaining("2 applied, 18 not tried"),
  });
  expect(tracker.writes()).toHaveLength(3);
  await start(["job", "send", jobIn(end.err), "--yes"], env).end;
  expect(tracker.count("SELECT count(*) FROM bugs WHERE priority = 'Highest' AND id BETWEEN 101 AND 120")).toBe(20);
  expect(tracker.writes()).toHaveLength(21);
});
