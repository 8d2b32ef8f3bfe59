import process from "node:process";
import { execa } from "execa";
import { expect, test } from "vitest";
import { createTracker } from "../../src/tracker/http/tracker.ts";
import { openMirror } from "../../src/tracker/mirror/open.ts";
import { asUser, expectSame } from "../api/mirror/a-mirror.ts";
import { LAUNCHER } from "../built.ts";
import { machineClock } from "../clock.ts";
import { much } from "../much.ts";
import { chance } from "../reliability/random.ts";
import { crowd, demoServer } from "../servers/demo-server.ts";
import { surroundings } from "./real.ts";

const MINUTE = 60_000;
const runtime = { now: machineClock.now, random: (bytes: number) => new Uint8Array(bytes) };

test("a mirror whose syncs are killed at random requests has everything in the end, and reads no page twice", {
  timeout: 10 * MINUTE,
}, async () => {
  const luck = chance(11);
  const state: { running?: { readonly kill: (signal: "SIGKILL") => unknown }; left: number } = {
    left: Number.POSITIVE_INFINITY,
  };
  const server = await demoServer(() => {
    state.left -= 1;
    if (state.left < 0) state.running?.kill("SIGKILL");
    return undefined;
  });
  crowd(server, 1500);
  const home = surroundings();
  const env = { ...home, BT_BASE_URL: server.url, BT_API_KEY: server.key() };
  const bt = async (line: string, left = Number.POSITIVE_INFINITY) => {
    state.left = left;
    const running = execa(process.execPath, [LAUNCHER, ...line.split(" ")], { env, extendEnv: false, reject: false });
    state.running = running;
    return running;
  };
  await bt("mirror create work", 12);
  for (let kills = much(3, 30); kills > 0; kills -= 1) await bt("mirror sync work", 4 + luck.below(16));
  const read = server.requests.length;
  expect(await bt("mirror sync work")).toMatchObject({ exitCode: 0 });
  const file = `${home["XDG_DATA_HOME"]}/bt/mirrors/work.db`;
  const opened = openMirror(file, runtime);
  expect(opened.facts()).toMatchObject({ progress: null });
  expect(server.requests.length - read).toBeLessThan(much(100, 40));
  const tracker = createTracker(server.store, runtime);
  await expectSame(opened.exchange, asUser(tracker, 2));
  opened.close();
});
