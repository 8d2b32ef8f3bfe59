import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { timeOf } from "../src/jobs/job-files.ts";
import { btConnected } from "./bt.ts";
import { runningClock, stoppedClock } from "./clock.ts";
import { faultyTracker } from "./faults/faulty-tracker.ts";
import { jobsOf } from "./faults/ran.ts";
import { freshFolder } from "./fresh-folder.ts";
import { real, surroundings } from "./process/real.ts";

const TOLD = "[new Date().toISOString(), new Date(Date.now()).toISOString(), new Date(Date()).toISOString()].join(' ')";

test("a process and its children report the time of the given clock", () => {
  const clock = stoppedClock("1999-12-31T23:59:58.000Z");
  const env = { ...surroundings(), ...clock.env };
  const told = execFileSync("bash", ["-c", `node -p "${TOLD}"`], { env, encoding: "utf8" });
  expect(told.trim().split(" ")).toEqual(Array(3).fill("1999-12-31T23:59:58.000Z"));
});

test("a process notices a clock change while it runs", () => {
  const clock = stoppedClock("2026-11-20T12:00:00.000Z");
  const set = `require("node:fs").writeFileSync(process.env.TEST_CLOCK, "stands 0")`;
  const env = { ...surroundings(), ...clock.env };
  const told = execFileSync("node", ["-p", `const was = new Date().toISOString(); ${set}; was + " " + Date.now()`], {
    env,
    encoding: "utf8",
  });
  expect(told).toBe("2026-11-20T12:00:00.000Z 0\n");
  clock.step(-1000);
  expect(clock.now().toISOString()).toBe("2026-11-20T11:59:59.000Z");
});

test("an explicit date is the same with every clock", () => {
  const env = { ...surroundings(), ...stoppedClock().env };
  const script =
    "[new Date(5).getTime(), new Date(2020, 0).getFullYear(), new Date() instanceof Date, Date.UTC(1970, 0)]";
  expect(execFileSync("node", ["-p", `${script}.join()`], { env, encoding: "utf8" })).toBe("5,2020,true,0\n");
});

test.each(["in this process", "in a child process"])("bt %s uses the clock of its tracker", async (where) => {
  const tracker = await faultyTracker({ clock: stoppedClock("2031-03-30T00:59:59Z") });
  const home = freshFolder();
  const env = { ...tracker.env, HOME: home };
  const argv = ["comment", "add", "43", "-m", "ping"];
  if (where === "in this process") await btConnected(argv.join(" "), { env });
  else await real(argv, { env: { ...env, XDG_STATE_HOME: `${home}/.local/state` } });
  const [job = ""] = jobsOf(home, "finished");
  expect(timeOf(job)).toBe(tracker.clock.now().getTime());
  expect(tracker.text("SELECT creation_time FROM comments ORDER BY id DESC LIMIT 1")).toBe("2031-03-30T00:59:59Z");
});

test("a running clock continues from its start time", () => {
  const clock = runningClock("2031-03-30T00:59:59Z");
  const ahead = clock.now().getTime() - Date.parse("2031-03-30T00:59:59Z");
  expect(ahead).toBeGreaterThanOrEqual(0);
  expect(ahead).toBeLessThan(60_000);
});
