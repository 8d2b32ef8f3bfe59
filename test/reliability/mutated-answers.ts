import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenedTracker } from "../../src/tracker/open.ts";
import { withFileInBody } from "../../src/transport/file-data.ts";
import type { Exchange, Response } from "../../src/wire/exchange.ts";
import { bt } from "../bt.ts";
import { FIRST_FREE, MOST_FREE, READING_LINES, WRITES, type Written } from "../faults/lines.ts";
import { jobIn } from "../faults/ran.ts";
import { freshDemo } from "../fresh-demo.ts";
import { crowd } from "../servers/demo-server.ts";
import { mutated } from "./mutate.ts";
import { type Chance, chance } from "./random.ts";

/** Outcome of commands whose answers were damaged. */
export type MutatedAnswers = {
  readonly commands: number;
  readonly answers: number; // damaged ones
  readonly faults: readonly string[]; // a stack trace, a hang, a fault of bt, or a false "done"
};

/** Runs reads and writes against the demo, over and over, until so many answers were damaged; a write of ten never reaches it. */
export async function mutatedAnswers(answers: number, seed: number): Promise<MutatedAnswers> {
  const count = { answers: 0, commands: 0 };
  const faults: string[] = [];
  const clock = { ms: Date.parse("2026-11-20T12:00:00Z") };
  const dice = chance(seed);
  while (count.answers < answers) {
    const demo = crowdedDemo(clock);
    const home = mkdtempSync(join(tmpdir(), "bt-mutated-")); // whose jobs are of this demo
    for (let n = FIRST_FREE; n < MOST_FREE - ROOM && count.answers < answers; n += 1) {
      const command = COMMANDS[count.commands % COMMANDS.length] as Command;
      const fault = await faultOf(command, n, { demo, clock, home, dice, count });
      if (fault) faults.push(`${command.line(n)}: ${fault}`);
      count.commands += 1;
      clock.ms += 7000;
    }
    demo.close();
    rmSync(home, { recursive: true, force: true });
  }
  return { ...count, faults };
}

const ROOM = 30; // behind the last bug, for changes of many

/** A command, and for a write how often it was done. */
type Command = Pick<Written, "line" | "before" | "first"> & Partial<Pick<Written, "trace">>;

const COMMANDS: readonly Command[] = [
  ...READING_LINES.map((line) => ({ line: () => line })),
  ...Object.values(WRITES),
  ...Object.values(WRITES),
];

function crowdedDemo(clock: { readonly ms: number }): OpenedTracker {
  const demo = freshDemo({ now: () => new Date(clock.ms), random: (bytes) => new Uint8Array(bytes) });
  crowd(demo, MOST_FREE);
  const exchange: Exchange = async (request) => {
    const { status, headers, body } = await demo.exchange(withFileInBody(request));
    return { status, headers: { ...headers, date: new Date(clock.ms).toUTCString() }, body };
  };
  return { ...demo, exchange };
}

type World = {
  readonly demo: OpenedTracker;
  readonly clock: { readonly ms: number };
  readonly home: string;
  readonly dice: Chance;
  readonly count: { answers: number };
};

/** Runs a command, and bt job send after a write whose outcome is unknown: under damage, which keeps writes away, and without. */
async function faultOf({ line, before, first, trace }: Command, n: number, world: World): Promise<string | undefined> {
  const { demo } = world;
  const done = () => trace && Number(Object.values(demo.store.get(trace(n)) ?? {})[0]);
  if (before) demo.store.exec(before(n));
  if (first) await ranWith(first(n), demo.exchange, world);
  const ran = await ranWith(line(n), damaging(world, { isCutOff: false }), world);
  const fault = faultIn(ran, done());
  if (fault !== undefined || ran?.code !== 9 || !trace) return fault;
  const resume = `job send ${jobIn(ran.err)}`;
  const blind = await ranWith(resume, damaging(world, { isCutOff: true }), world);
  const blindFault = faultIn(blind, done());
  if (blindFault !== undefined) return `${resume}: ${blindFault}`;
  if (blind?.code !== 9) return undefined; // it was told that the tracker refuses it
  const last = await ranWith(`${resume} --yes`, demo.exchange, world);
  const isSettled = last?.code === 0 && done() === 1;
  return isSettled ? undefined : `resume: exit ${last?.code}, done ${done()}: ${ran.err}${last?.err}`;
}

/** Four answers of ten are damaged. Of ten writes one does not reach the tracker, and none of one that is cut off. */
function damaging({ demo, dice, count }: World, { isCutOff }: { readonly isCutOff: boolean }): Exchange {
  const damaged = (reply: Response) => {
    count.answers += 1;
    return mutated(reply, dice);
  };
  return async (request) => {
    const isLost = request.method !== "GET" && (isCutOff || dice.number() < 0.1);
    if (isLost) return damaged({ status: 200, headers: {}, body: "{}" });
    const reply = await demo.exchange(request);
    return dice.number() < 0.4 ? damaged(reply) : reply;
  };
}

type Ran = { readonly code: number; readonly out: string; readonly err: string } | undefined;

function faultIn(ran: Ran, done: number | undefined): string | undefined {
  if (ran === undefined) return "it does not end";
  if (/\n {4}at /.test(ran.err)) return `a stack trace: ${ran.err}`;
  if (ran.code === 70 || ran.code > 13) return `exit ${ran.code}: ${ran.err}`;
  if (done !== undefined && done > 1) return `done ${done} times`;
  if (done === 0 && ran.code === 0) return `it says done, and nothing was done: ${ran.out}${ran.err}`;
  return undefined;
}

/** Runs a line with a journal; undefined when it does not end. */
function ranWith(line: string, exchange: Exchange, { clock, home, demo }: World): Promise<Ran> {
  const network = { address: "https://bugs.example.org", isInProcess: false, ticks: () => clock.ms };
  const around = {
    ...network,
    exchange,
    login: demo.login,
    env: { HOME: home },
    now: new Date(clock.ms).toISOString(),
  };
  const tooLong = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 20_000).unref());
  return Promise.race([bt(line, around), tooLong]);
}
