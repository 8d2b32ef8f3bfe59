import { expect, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { crowd } from "../servers/demo-server.ts";
import { type Running, start } from "./child.ts";
import { faultyTracker } from "./faulty-tracker.ts";
import { jobIn, jobsOf } from "./ran.ts";

test("H6 SIGINT at bug 40 of 100: the current request is finished, the remaining bugs are listed, and resume updates them", async () => {
  const running: { bt?: Running } = {};
  const tracker = await faultyTracker({
    write: async ({ count, pass }) => {
      if (count === 40) running.bt?.kill("SIGINT");
      if (count === 40) await new Promise((resolve) => setTimeout(resolve, 100));
      await pass();
    },
  });
  crowd(tracker, 200);
  const ids = [...Array(100).keys()].map((at) => String(101 + at));
  const home = freshFolder();
  const env = { ...tracker.env, HOME: home, XDG_STATE_HOME: `${home}/.local/state` };
  running.bt = start(["bug", "update", ...ids, "-m", "Seen again", "--yes", "--format", "tsv"], env);
  const end = await running.bt.end;
  expect({ code: end.code, err: end.err }).toEqual({
    code: 130,
    err: expect.stringContaining("40 of 100 bugs done: 60 not tried"),
  });
  expect(end.out.match(/\tdone\t/g)).toHaveLength(40);
  const said = "SELECT count(DISTINCT bug_id) || ' ' || count(*) FROM comments WHERE text = 'Seen again'";
  expect(tracker.text(said)).toBe("40 40");
  const again = await start(["job", "send", jobIn(end.err)], env).end;
  expect(again).toMatchObject({ code: 0, err: "" });
  expect(tracker.text(said)).toBe("100 100");
  expect(jobsOf(home, "open")).toEqual([]);
});
