import process from "node:process";
import { execa } from "execa";
import { expect, test } from "vitest";
import { openMirror } from "../../src/tracker/mirror/open.ts";
import { createTracker } from "../../src/tracker/tracker.ts";
import { LAUNCHER } from "../built.ts";
import { machineClock } from "../clock.ts";
import { asUser, expectSame } from "../mirror/a-mirror.ts";
import { randomWrite } from "../mirror/writers.ts";
import { type Chance, chance } from "../reliability/random.ts";
import { much } from "../sampling.ts";
import { crowd, type DemoServer, demoServer } from "../servers/demo-server.ts";
import { surroundings } from "./real.ts";

const MINUTE = 60_000;
const runtime = { now: machineClock.now, random: (bytes: number) => new Uint8Array(bytes) };

/** A moment of a sync: so long (ms) after it sent a request, by its number. */
type Moment = { readonly request: number; readonly ms: number };

/** A server on which somebody changes bugs while it is read, and a `bt` for it that is killed at a moment. */
async function changingServer(luck: Chance) {
  const state: { kill?: () => void; moment?: Moment; sent: number; isChanging: boolean } = {
    sent: 0,
    isChanging: true,
  };
  const server: DemoServer = await demoServer(async () => {
    state.sent += 1;
    if (state.sent === state.moment?.request) setTimeout(() => state.kill?.(), state.moment.ms);
    if (state.isChanging && luck.below(4) === 0) await randomWrite(luck, { demo })(demo);
    return undefined;
  });
  crowd(server, 1500);
  const demo = { store: server.store, tracker: createTracker(server.store, runtime) };
  const home = surroundings();
  const env = { ...home, BT_BASE_URL: server.url, BT_API_KEY: server.key() };
  const bt = async (line: string, moment?: Moment) => {
    const running = execa(process.execPath, [LAUNCHER, ...line.split(" ")], { env, extendEnv: false, reject: false });
    Object.assign(state, { kill: () => running.kill("SIGKILL"), moment, sent: 0 });
    return running;
  };
  return { bt, demo, file: `${home["XDG_DATA_HOME"]}/bt/mirrors/work.db`, calm: () => (state.isChanging = false) };
}

test("a mirror whose syncs are killed at random moments is what its login sees in the end", {
  timeout: 10 * MINUTE,
}, async () => {
  const luck = chance(11);
  const { bt, demo, file, calm } = await changingServer(luck);
  await bt("mirror create work", { request: 12, ms: 0 });
  for (let kills = 0; kills < much(2, 30); ) {
    const { signal, exitCode, stderr } = await bt("mirror sync work", {
      request: 1 + luck.below(20),
      ms: luck.below(60),
    });
    if (signal === "SIGKILL") kills += 1;
    else expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^work: /)]);
  }
  calm();
  for (let sync = 0; sync < 6; sync += 1) expect(await bt("mirror sync work")).toMatchObject({ exitCode: 0 });
  const opened = openMirror(file, runtime);
  expect(opened.facts()).toMatchObject({ progress: null });
  await expectSame(opened.exchange, asUser(demo.tracker, 2));
  opened.close();
});
