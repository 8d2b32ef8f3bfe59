import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EMPTY_STORE } from "../../src/api/facts.ts";
import { runCommandLine } from "../../src/cli/run.ts";
import { TREE } from "../../src/commands/tree.ts";
import type { CommandTree, Verb } from "../../src/commands/verb.ts";
import { openJournal } from "../../src/jobs/journal.ts";
import { openSession } from "../../src/session/session.ts";
import type { OpenedTracker } from "../../src/tracker/open.ts";
import { withFileInBody } from "../../src/transport/file-data.ts";
import type { Exchange, Response } from "../../src/wire/exchange.ts";
import { ioFor, onNetwork, words } from "../bt.ts";
import { jobIn } from "../faults/ran.ts";
import { FIRST_FREE, MOST_FREE, WRITES, type Written } from "../faults/writes.ts";
import { freshDemo } from "../fresh-demo.ts";
import { crowd } from "../servers/demo-server.ts";
import { mutated } from "./mutate.ts";
import { type Chance, chance } from "./random.ts";

/** Outcome of commands whose answers were damaged. */
export type MutatedAnswers = {
  readonly commands: number;
  readonly answers: number; // damaged ones
  readonly ends: readonly string[]; // how each command ended, in a line
  readonly faults: readonly string[]; // a stack trace, a hang, a fault of bt, or a false "done"
};

/** Runs every command against the demo, over and over, until so many answers were damaged; a write of ten never reaches it. */
export async function mutatedAnswers(answers: number, seed: number): Promise<MutatedAnswers> {
  const dice = chance(seed);
  const commands = commandsOf(TREE);
  const clock = { ms: Date.parse("2026-11-20T12:00:00Z") };
  const count = { answers: 0 };
  const ends: string[] = [];
  const faults: string[] = [];
  while (count.answers < answers) {
    const demo = crowdedDemo(clock);
    const home = mkdtempSync(join(tmpdir(), "bt-mutated-")); // whose jobs are of this demo
    for (let n = FIRST_FREE; n < MOST_FREE - ROOM && count.answers < answers; n += 1) {
      const command = commands[ends.length % commands.length] as Command;
      const world: World = { demo, clock, home, dice, count };
      const { end, fault } = await tried(command, n, world);
      ends.push(end);
      if (fault) faults.push(`${command.line(n)}: ${fault}`);
      clock.ms += 7000;
    }
    demo.close();
    rmSync(home, { recursive: true, force: true });
  }
  return { commands: ends.length, answers: count.answers, ends, faults };
}

const ROOM = 30; // behind the last bug, for changes of many

/** A command, and for a write how often it was done. */
type Command = Pick<Written, "line" | "before" | "first"> & Partial<Pick<Written, "trace">>;

/** The commands of a tree that speak to a tracker: the examples of all that read, and every form of those that write. */
function commandsOf(tree: CommandTree): readonly Command[] {
  const reads = verbsOf(tree)
    .filter(({ verb }) => !isWriting(verb))
    .flatMap(({ verb }) => verb.examples.map(({ line }) => line))
    .filter((line) => !Object.keys(NOT_HERE).some((words) => line.startsWith(`bt ${words}`)))
    .filter((line) => !line.includes(" --every ")); // which end with a signal alone
  const lines = [...reads.map((line) => line.replace(/^bt (--base-url local: )?/, "")), ...MORE_READS];
  return [...lines.map((line) => ({ line: () => line })), ...Object.values(WRITES), ...Object.values(WRITES)];
}

/** The verbs that speak to a tracker and that no command tries. */
export function untried(tree: CommandTree): readonly string[] {
  const lines = commandsOf(tree).map(({ line }) => line(FIRST_FREE));
  const isTried = (words: string) => lines.some((line) => line === words || line.startsWith(`${words} `));
  return verbsOf(tree).flatMap(({ words }) => (isTried(words) || words in NOT_HERE ? [] : [words]));
}

/** Commands that cannot be tried in this way. */
const NOT_HERE: Readonly<Record<string, string>> = {
  "auth login": "finds out how to speak to a tracker, below what is damaged here",
  "auth status": "the same",
  "auth logout": "the same",
  resume: "follows every write whose outcome is unknown",
};

/** Commands that no example shows. */
const MORE_READS = [
  "bug search --where 'summary ~ photo' --json",
  "bug search --all --format ids",
  "bug search --status CONFIRMED --count",
  "bug get 12 43 99",
  "bug get 12 --format table",
  "bug history 12 1 --format table",
  "comment list 12 --format table",
  "comment get 5 6 --json",
  "group list --json",
  "group get staff --membership",
  "bug update 44 --priority High --dry-run",
  "api --include /rest/bug/12",
];

type Named = { readonly words: string; readonly verb: Verb };

function verbsOf(tree: CommandTree): readonly Named[] {
  const all = [
    ...tree.nouns.flatMap((noun) => noun.verbs.map((verb) => ({ words: `${noun.name} ${verb.name}`, verb }))),
    ...tree.verbs.map((verb) => ({ words: verb.name, verb })),
  ];
  return all.filter(({ verb }) => !verb.offline);
}

/** Verbs that write can preview it. */
function isWriting({ flags }: Verb): boolean {
  return flags.some(({ name }) => name === "dry-run");
}

function crowdedDemo(clock: { readonly ms: number }): OpenedTracker {
  const demo = freshDemo({
    now: () => new Date(clock.ms),
    random: (bytes) => new Uint8Array(bytes),
  });
  crowd(demo, MOST_FREE);
  const date = () => new Date(clock.ms).toUTCString();
  const exchange: Exchange = async (request) => {
    const { status, headers, body } = await demo.exchange(withFileInBody(request));
    return { status, headers: { ...headers, date: date() }, body };
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

type Tried = { readonly end: string; readonly fault?: string | undefined };

/** Runs a command, and bt job send after a write whose outcome is unknown: under damage, which keeps writes away, and without. */
async function tried({ line, before, first, trace }: Command, n: number, world: World): Promise<Tried> {
  const { demo, dice, count } = world;
  const done = () => trace && Number(Object.values(demo.store.get(trace(n)) ?? {})[0]);
  if (before) demo.store.exec(before(n));
  if (first) await ranWith(first(n), demo.exchange, world);
  const damaged = damaging(demo.exchange, { dice, count, isCutOff: false });
  const ran = await ranWith(line(n), damaged, world);
  const end = `${line(n)}: ${ran?.code} ${ran?.out}${ran?.err}`.replace(JOB, "JOB").replaceAll(world.home, "HOME");
  const fault = faultOf(ran, done());
  if (fault !== undefined || ran?.code !== 9 || !trace) return { end, fault };
  const resume = `job send ${jobIn(ran.err)}`;
  const blind = await ranWith(resume, damaging(demo.exchange, { dice, count, isCutOff: true }), world);
  const blindFault = faultOf(blind, done());
  if (blindFault !== undefined) return { end, fault: `${resume}: ${blindFault}` };
  if (blind?.code !== 9) return { end }; // it was told that the tracker refuses it
  const last = await ranWith(`${resume} --yes`, demo.exchange, world);
  const isSettled = last?.code === 0 && done() === 1;
  return { end, fault: isSettled ? undefined : `resume: exit ${last?.code}, done ${done()}: ${ran.err}${last?.err}` };
}

const JOB = /\b[0-9A-HJKMNP-TV-Z]{26}\b/g;

type Damage = { readonly dice: Chance; readonly count: { answers: number }; readonly isCutOff: boolean };

/** Four answers of ten are damaged. Of ten writes one does not reach the tracker, and none of one that is cut off. */
function damaging(exchange: Exchange, { dice, count, isCutOff }: Damage): Exchange {
  return async (request) => {
    const isLost = request.method !== "GET" && (isCutOff || dice.number() < 0.1);
    if (isLost) return damagedBy(dice, count, { status: 200, headers: {}, body: "{}" });
    const reply = await exchange(request);
    return dice.number() < 0.4 ? damagedBy(dice, count, reply) : reply;
  };
}

function damagedBy(dice: Chance, count: { answers: number }, reply: Response): Response {
  count.answers += 1;
  return mutated(reply, dice);
}

type Ran = { readonly code: number; readonly out: string; readonly err: string } | undefined;

function faultOf(ran: Ran, done: number | undefined): string | undefined {
  if (ran === undefined) return "it does not end";
  if (/\n {4}at /.test(ran.err)) return `a stack trace: ${ran.err}`;
  if (ran.code === 70 || ran.code > 13) return `exit ${ran.code}: ${ran.err}`;
  if (done !== undefined && done > 1) return `done ${done} times`;
  if (done === 0 && ran.code === 0) return `it says done, and nothing was done: ${ran.out}${ran.err}`;
  return undefined;
}

/** Runs a line with a journal; undefined when it does not end. */
async function ranWith(line: string, exchange: Exchange, { clock, home, demo }: World): Promise<Ran> {
  const said = { out: "", err: "" };
  const io = ioFor({ env: { HOME: home }, now: new Date(clock.ms).toISOString() }, said);
  const address = "https://bugs.example.org";
  const ticking = { ...io, ticks: () => clock.ms };
  const session = openSession({
    ...onNetwork(exchange, address, ticking),
    address,
    login: async () => demo.login,
    memory: EMPTY_STORE,
    settings: {},
    io: ticking,
    openJournal: async (opened) => openJournal({ session: opened, io, version: "0.0.0" }),
  });
  const connect = async () => session;
  const code = await Promise.race([
    runCommandLine(words(line), { io, tree: TREE, version: "0.0.0", connect }),
    tooLong(),
  ]);
  return code === undefined ? undefined : { code, ...said };
}

function tooLong(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), 20_000).unref());
}
