import { execa } from "execa";
import { expect, test } from "vitest";
import { LAUNCHER } from "../built.ts";
import { demoServer } from "../servers/demo-server.ts";
import { surroundings } from "./real.ts";

/** Runs of `bt` on one served demo by one user, as jobs of cron do; each gives the lines of its output. */
async function served() {
  const { url, key } = await demoServer();
  const env = { ...surroundings(), BT_BASE_URL: url, BT_API_KEY: key() };
  return async (line: string, ...more: readonly string[]) => {
    const argv = [LAUNCHER, ...line.split(" "), ...more];
    const { stdout, exitCode, signal } = await execa(process.execPath, argv, { env, extendEnv: false, reject: false });
    return { ended: signal ?? exitCode, lines: stdout.split("\n").filter((one) => one !== "") };
  };
}

const WATCH = "bug watch is:open component:Editor --once";

test("a watch that is killed between a line and its place has that line again, and no other", async () => {
  const bt = await served();
  expect(await bt(WATCH)).toEqual({ ended: 0, lines: [] });
  await bt("bug update 46 --priority Low --severity minor");
  await bt("comment add 46 -m Twice.");

  const killed = await bt(WATCH, "--exec", "kill -9 $PPID");
  expect(killed).toEqual({ ended: "SIGKILL", lines: [expect.stringContaining('"field":"priority"')] });

  const second = await bt(WATCH, "--exec", "grep -q severity && kill -9 $PPID; true");
  expect(second).toEqual({
    ended: "SIGKILL",
    lines: [...killed.lines, expect.stringContaining('"field":"severity"')],
  });

  const last = await bt(WATCH);
  expect(last).toEqual({ ended: 0, lines: [second.lines[1], expect.stringContaining('"text":"Twice."')] });
  expect(await bt(WATCH)).toEqual({ ended: 0, lines: [] });
});
