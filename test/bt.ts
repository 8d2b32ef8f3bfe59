import { createRequire } from "node:module";
import process from "node:process";
import { createServerFacts } from "../src/api/facts.ts";
import { requestBody, writeTargets } from "../src/api/write/changes.ts";
import { runCommandLine } from "../src/cli/run.ts";
import { TREE } from "../src/commands/tree.ts";
import type { Io } from "../src/io.ts";
import { openJournal } from "../src/jobs/journal.ts";
import { main } from "../src/main.ts";
import { processStart } from "../src/platform.ts";
import { PromptCancelled } from "../src/prompt/question.ts";
import { promptByLines } from "../src/prompt/terminal.ts";
import { type Connection, openConnection, type Session } from "../src/session/session.ts";
import type { Exchange, JsonObject, Request } from "../src/wire/exchange.ts";
import { clockOf, NOON } from "./clock.ts";

/** True in a test of the project "built". Processes of `bt` are built ones in both projects: what only starts them is skipped there. */
export const isBuilt = process.env["BT_TEST_BUILT"] !== undefined;

/** Surroundings of a `bt` in a test: the tracker behind it, and what the process around it looks like. */
export type Around = {
  readonly exchange: Exchange;
  readonly terminal?: boolean | undefined; // all three streams
  readonly columns?: number;
  readonly rows?: number;
  readonly color?: boolean;
  readonly cwd?: string; // default: the root of the file system
  readonly stdin?: string;
  readonly answers?: string[]; // to the questions of a prompt, in order
  readonly waits?: number[]; // takes down what was to be waited for, in milliseconds; nothing is
  readonly env?: Readonly<Record<string, string>>; // may name a clock
  readonly now?: string; // where it names none
  readonly ticks?: () => number; // a monotonic clock (ms) in place of the machine's
  readonly login?: string;
  readonly address?: string;
  readonly isInProcess?: boolean; // false: the tracker counts as one on the network
  readonly facts?: Map<string, JsonObject>; // what is remembered about it
  readonly cachedFields?: readonly JsonObject[]; // its field metadata, as it was a minute ago
  readonly refresh?: boolean; // nothing remembered counts
  readonly settings?: Session["settings"];
  readonly signal?: AbortSignal; // a signal to stop, writes under way too
  readonly out?: Io["out"]; // where output goes in place of what the run leaves behind
};

/** Result of a run: the exit code, both streams, and every request that was sent. */
export type Ran = {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly requests: readonly Request[];
};

/** Runs one command line in this process; words with blanks stand in single quotes. */
export async function bt(line: string, around: Around): Promise<Ran> {
  const said = { out: "", err: "" };
  const requests: Request[] = [];
  const exchange: Exchange = (request) => {
    requests.push(request);
    return around.exchange(request);
  };
  const io = ioFor(around, said);
  const code = await runCommandLine(words(line), {
    io,
    tree: TREE,
    version: "0.0.0",
    connect: async () => connection(exchange, around, io),
  });
  return { code, ...said, requests };
}

/**
 * The same with everything put together as the process does it, so that the tracker is the one that the words name. The
 * tests of the project "built" run what was built in place of the sources.
 */
export async function btConnected(line: string, around: Omit<Around, "exchange">): Promise<Omit<Ran, "requests">> {
  const said = { out: "", err: "" };
  const io = ioFor(around, said);
  const code = await (isBuilt ? await builtMain() : main)(words(line), io);
  return { code, ...said };
}

/** The requests of a run as short lines: `GET /rest/bug?limit=20`. */
export function asked(ran: Ran): readonly string[] {
  return ran.requests.map(({ method, path, query, body }) => {
    const pairs = query.map(([name, value]) => `${name}=${value}`).join("&");
    return `${method} ${path}${pairs ? `?${pairs}` : ""}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`;
  });
}

/** The updates of a run: bodies, each with the ids of its bugs, be they in the path or in the body. */
export function updates({ requests }: Pick<Ran, "requests">): readonly JsonObject[] {
  return requests
    .filter(({ method }) => method === "PUT")
    .map((request) => ({ ...requestBody(request), ids: writeTargets(request).map(Number) }));
}

/** What a client remembers of a Bugzilla on the network. */
export function bugzillaFacts(now = NOON): Map<string, JsonObject> {
  return new Map([["dialect", { name: "bugzilla", at: Date.parse(now), longest: 1000, ahead: 0 }]]);
}

/** Splits a line as a shell does: at blanks, except inside single quotes. */
export function words(line: string): readonly string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ""));
}

function connection(exchange: Exchange, around: Around, io: Io): Connection {
  const kept = around.facts ?? new Map<string, JsonObject>();
  const { cachedFields, settings = {} } = around;
  const memory = {
    read: async (name: string, oldest = Number.POSITIVE_INFINITY) => {
      if (name === "fields") return cachedFields && { fields: cachedFields };
      const { at = 0 } = kept.get(name) ?? {};
      return io.now().getTime() - Number(at) > oldest ? undefined : kept.get(name);
    },
    write: async (name: string, facts: JsonObject) =>
      void (name !== "fields" && kept.set(name, { at: io.now().getTime(), ...facts })),
  };
  const isInProcess = around.isInProcess ?? true;
  const address = around.address ?? "demo:";
  return openConnection({
    ...{ address, memory, shared: memory, refresh: around.refresh ?? false, settings, io },
    ...(isInProcess
      ? { exchange, webAddress: () => (address.startsWith("http") ? address : undefined) }
      : onNetwork(exchange, address, io)),
    account: async () => {
      const set = isInProcess ? undefined : settings.login;
      return {
        state: "logged in",
        login: around.login ?? set,
        isFromSettings: around.login === undefined && set !== undefined,
      };
    },
    openJournal: async (tracker) => openJournal({ ...tracker, isInProcess: true, time: () => undefined }, io),
  });
}

/** An exchange that counts as one of a tracker on the network, with what its responses tell. */
function onNetwork(exchange: Exchange, address: string, io: Pick<Io, "ticks">) {
  const facts = createServerFacts(io.ticks);
  const learning: Exchange = async (request) => {
    const response = await exchange(request);
    facts.learn(response);
    return response;
  };
  const webAddress = () => (facts.hasWebPages() ? address : undefined);
  return { exchange: learning, time: facts.time, webAddress };
}

/** The same main as the sources', as it is installed. */
async function builtMain(): Promise<typeof main> {
  const { DIST } = await import("./built.ts");
  return createRequire(import.meta.url)(`${DIST}/main.cjs`).main;
}

/** The next line that is typed; Ctrl-D after the last. */
function typedIn({ answers = [] }: Pick<Around, "answers">): string {
  const [next] = answers.splice(0, 1);
  if (next === undefined) throw new PromptCancelled();
  return next;
}

/** A process as a test wants it; what it writes is kept in `said`. */
export function ioFor(around: Omit<Around, "exchange">, said = { out: "", err: "" }): Io {
  const terminal = around.terminal ?? false;
  let sleptMs = 0; // takes no time, but the clock shows it
  return {
    env: { BT_PAGER: "", LANG: "C.UTF-8", ...(around.color ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" }), ...around.env },
    cwd: () => around.cwd ?? "/",
    terminal: { stdin: terminal && !around.stdin, stdout: terminal, stderr: terminal, control: terminal },
    size: () => ({ columns: around.columns ?? 80, rows: around.rows ?? 24 }),
    now: clockOf(around.env, around.now),
    ticks: around.ticks ?? (() => performance.now() + sleptMs),
    timeZone: () => "UTC",
    out:
      around.out ??
      (async (text) => {
        said.out += text;
      }),
    outBytes: async (bytes) => {
      said.out += Buffer.from(bytes).toString();
    },
    hide: (text) => text,
    err: async (text) => {
      said.err += text;
    },
    prompt: (question) =>
      promptByLines(question, {
        read: async (prompt) => {
          said.err += prompt;
          return typedIn(around);
        },
        write: (text) => {
          said.err += text;
        },
      }),
    inputStream: async function* () {
      yield new TextEncoder().encode(around.stdin ?? "");
    },
    isFed: () => around.stdin !== undefined,
    input: async () => new TextEncoder().encode(around.stdin ?? ""),
    sleep: async (ms) => {
      sleptMs += ms;
      around.waits?.push(ms);
    },
    pid: process.pid,
    uid: process.getuid?.(),
    startOf: processStart,
    signal: around.signal ?? new AbortController().signal,
    halt: around.signal ?? new AbortController().signal,
  };
}
