import { run } from "../../src/cli/run.ts";
import { trackerOf } from "../../src/cli/tracker.ts";
import { TREE } from "../../src/commands/tree.ts";
import { openWriting } from "../../src/connect-writing.ts";
import { redactor } from "../../src/secret.ts";
import { type Opened, openTracker } from "../../src/tracker/open.ts";
import type { Exchange, Reply } from "../../src/wire/exchange.ts";
import { ioFor, words } from "../bt.ts";
import { mutated } from "./mutate.ts";
import { type Chance, chance } from "./random.ts";

/** What came of commands whose answers were damaged. */
export type MutatedAnswers = {
  readonly commands: number;
  readonly answers: number; // damaged ones
  readonly faults: readonly string[]; // a stack trace, a hang, a fault of bt, or a false "done"
};

/** A command, and for a write how often its trace stands in the tracker. */
type Command = { readonly line: (n: number) => string; readonly trace?: (n: number) => string };

const READS = [
  "bug search --status CONFIRMED --limit 5",
  "bug search --where 'summary ~ photo' --json",
  "bug search --all --format ids",
  "bug search --status CONFIRMED --count",
  "bug get 12 43",
  "bug get 12 --json",
  "bug get 12 --format table",
  "bug history 12 1",
  "comment list 12",
  "comment get 5",
  "tag search spam",
  "field list",
  "field get product",
  "field values severity",
  "group list",
  "group get staff --membership",
  "api /rest/version",
];

const WRITES: readonly Command[] = [
  {
    line: (n) => `comment add 43 -m Comment-${n}`,
    trace: (n) => `SELECT count(*) FROM comments WHERE text = 'Comment-${n}'`,
  },
  {
    line: (n) =>
      `bug create -p Lantern -c Library --bug-version 3.1 -t Title-${n} --op-sys Linux --platform PC -d Text`,
    trace: (n) => `SELECT count(*) FROM bugs WHERE summary = 'Title-${n}'`,
  },
  {
    line: (n) => `bug update 41 --whiteboard note-${n}`,
    trace: (n) => `SELECT count(*) FROM activity WHERE field = 'status_whiteboard' AND added = 'note-${n}'`,
  },
  {
    line: (n) => `tag update 5 --add tag-${n}`,
    trace: (n) => `SELECT count(*) FROM comment_tags WHERE tag = 'tag-${n}'`,
  },
  {
    line: (n) => `group create --name group-${n} --description Text`,
    trace: (n) => `SELECT count(*) FROM groups WHERE name = 'group-${n}'`,
  },
];

const COMMANDS: readonly Command[] = [...READS.map((line) => ({ line: () => line })), ...WRITES, ...WRITES];

/** Runs commands against the demo until so many answers were damaged; a write of ten does not reach the tracker at all. */
export async function mutatedAnswers(answers: number, seed: number): Promise<MutatedAnswers> {
  const dice = chance(seed);
  const demo = openTracker("demo:", {
    now: () => new Date(),
    random: (bytes) => new Uint8Array(bytes),
    dataDirectory: "",
  });
  const faults: string[] = [];
  const count = { commands: 0, answers: 0 };
  while (count.answers < answers) {
    const n = count.commands;
    const command = COMMANDS[n % COMMANDS.length] as Command;
    const exchange = damaging(demo.exchange, dice, () => {
      count.answers += 1;
    });
    const fault = await faultOf(command, n, { demo, exchange });
    if (fault) faults.push(`${command.line(n)}: ${fault}`);
    count.commands += 1;
  }
  demo.close();
  return { ...count, faults };
}

/** Four answers of ten are damaged. */
function damaging(exchange: Exchange, dice: Chance, count: () => void): Exchange {
  return async (request) => {
    const isLost = request.method !== "GET" && dice.number() < 0.1;
    const reply: Reply = isLost ? { status: 200, headers: {}, body: '{"id":1}' } : await exchange(request);
    if (!isLost && dice.number() >= 0.4) return reply;
    count();
    return mutated(isLost ? { ...reply, body: "{}" } : reply, dice);
  };
}

type Around = { readonly demo: Opened; readonly exchange: Exchange };

async function faultOf({ line, trace }: Command, n: number, { demo, exchange }: Around): Promise<string | undefined> {
  const ran = await Promise.race([ranWith(line(n), exchange), tooLong()]);
  if (ran === undefined) return "it does not end";
  if (/\n {4}at /.test(ran.err)) return `a stack trace: ${ran.err}`;
  if (ran.code === 70 || ran.code > 13) return `exit ${ran.code}: ${ran.err}`;
  const done = trace && Number(Object.values(demo.store.get(trace(n)) ?? {})[0]);
  if (done !== undefined && done > 1) return `done ${done} times`;
  if (done === 0 && ran.code === 0) return "it says done, and nothing was done";
  return undefined;
}

async function ranWith(line: string, exchange: Exchange) {
  const said = { out: "", err: "" };
  const io = ioFor({}, said);
  const login = async () => "tomas@example.org";
  const where = { address: "https://bugs.example.org", isNear: false, login };
  const code = await run(words(line), {
    io,
    tree: TREE,
    version: "0.0.0",
    connect: async () => ({
      tracker: trackerOf({
        ...where,
        exchange,
        metadata: { read: async () => undefined, write: async () => undefined },
        memory: { read: async () => undefined, write: async () => undefined },
        refresh: false,
        now: io.now,
        writing: async (heard) =>
          openWriting({
            ...where,
            ...heard,
            io,
            version: "0.0.0",
            secrets: redactor(),
            isKept: false,
            resendIfAbsent: false,
          }),
      }),
      settings: {},
      close: async () => undefined,
    }),
  });
  return { code, ...said };
}

function tooLong(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), 20_000).unref());
}
