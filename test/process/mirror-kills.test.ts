import process from "node:process";
import { execa } from "execa";
import { expect, test } from "vitest";
import { LAUNCHER } from "../built.ts";
import { expectSame, ownExchange, write } from "../mirror/written.ts";
import { chance } from "../reliability/random.ts";
import { much } from "../sampling.ts";
import { crowd, demoServer } from "../servers/demo-server.ts";
import { surroundings } from "./real.ts";

/** A moment of a sync: so long (ms) after it sent a request, by its number. */
type Moment = { readonly request: number; readonly ms: number };

test("a mirror whose syncs are killed at random moments is what its login sees in the end", {
  timeout: 600_000,
}, async () => {
  const luck = chance(11);
  const state: { kill?: () => void; moment?: Moment | undefined; sent: number; isChanging: boolean } = {
    sent: 0,
    isChanging: true,
  };
  const server = await demoServer(async () => {
    state.sent += 1;
    if (state.sent === state.moment?.request) setTimeout(() => state.kill?.(), state.moment.ms);
    if (state.isChanging && luck.below(4) === 0) await write(luck, server);
    return undefined;
  });
  crowd(server, 1500);
  const home = surroundings();
  const env = { ...home, BT_BASE_URL: server.url, BT_API_KEY: server.key() };
  const bt = async (line: string, moment?: Moment) => {
    const running = execa(process.execPath, [LAUNCHER, ...line.split(" ")], { env, extendEnv: false, reject: false });
    Object.assign(state, { kill: () => running.kill("SIGKILL"), moment, sent: 0 });
    return running;
  };
  await bt("mirror create work", { request: 12, ms: 0 });
  for (let kills = 0; kills < much(2, 30); ) {
    const moment = { request: 1 + luck.below(20), ms: luck.below(60) };
    const { signal, exitCode, stderr } = await bt("mirror sync work", moment);
    if (signal === "SIGKILL") kills += 1;
    else expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^note: work: /)]);
    expect((await bt("bug search --count id>0 --base-url mirror:work")).exitCode).toBe(0);
  }
  state.isChanging = false;
  for (let sync = 0; sync < 2; sync += 1) expect(await bt("mirror sync work")).toMatchObject({ exitCode: 0 });
  await expectSame(`${home["XDG_DATA_HOME"]}/bt/mirrors/work.db`, ownExchange(server));
});
