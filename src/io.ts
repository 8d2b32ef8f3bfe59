import { fstatSync, readFileSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { BtError } from "./errors.ts";
import type { PromptOptions } from "./prompt.ts";
import type { Redactor } from "./secret.ts";

/** Everything of the process that the rest of `bt` may see; tests hand in their own. */
export type Io = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  readonly size: () => { readonly columns: number; readonly rows: number };
  readonly now: () => Date;
  readonly ticks: () => number; // milliseconds since the process began, whatever is done to the system's clock
  readonly timeZone: () => string;
  /** Resolves when the system took the text; rejects with `READER_GONE` when the reader closed the pipe. */
  readonly out: (text: string) => Promise<void>;
  /** The text that `out` writes for a text: known secrets are hidden. For data that takes another way out. */
  readonly hide: (text: string) => string;
  /** Like `out` for what is said about the data; never rejects. */
  readonly err: (text: string) => Promise<void>;
  /** All of standard input as bytes. */
  readonly input: () => Promise<Uint8Array>;
  /** Asks the person at the terminal; only where both standard input and standard error are one. */
  readonly prompt: (question: string, asking?: PromptOptions) => Promise<string>;
  /** Waits, but not beyond a signal to stop. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly pid: number;
  readonly uid: number | undefined; // undefined where files have no owner
  readonly isAlive: (pid: number) => boolean;
  /** What tells a process from a later one of the same number; undefined where the system does not say. */
  readonly startOf: (pid: number) => string | undefined;
  /** V8's version for the one file that has to know it, or nothing when its doing is not wanted. */
  readonly engine: string;
  /** Aborted when a signal asks `bt` to stop; its reason is the signal's name. Reads end, a write under way goes on. */
  readonly signal: AbortSignal;
  /** Aborted by a second signal, or ten seconds after the first: a write under way is given up too. */
  readonly halt: AbortSignal;
};

/** What `Io.out` rejects with when the reader closed the pipe: the quiet end of a command, not an error. */
export const READER_GONE = new Error("the reader of the output closed the pipe");

/** The real process as an `Io`. */
export function processIo(): Io {
  const { signal, halt } = stopSignals();
  return {
    env: process.env,
    terminal: {
      get stdin() {
        return isTerminal(0, () => process.stdin);
      },
      get stdout() {
        return isTerminal(1, () => process.stdout);
      },
      get stderr() {
        return isTerminal(2, () => process.stderr);
      },
    },
    size: terminalSize,
    now: () => new Date(),
    ticks: () => performance.now(),
    timeZone,
    out: writer(),
    hide: (text) => text,
    err: quietWriter(),
    input: readStdin,
    prompt: async (question, asking) => {
      const { promptOn } = await import("./prompt.ts");
      const interrupt = () => process.kill(process.pid, "SIGINT");
      return promptOn({ input: process.stdin, output: process.stderr, signal, interrupt }, question, asking);
    },
    sleep: (ms) => sleepUntil(ms, signal),
    pid: process.pid,
    uid: process.getuid?.(),
    isAlive,
    startOf: processStart,
    engine: process.env["BT_NO_TIER_UP_GUARD"] ? "" : process.versions.v8,
    signal,
    halt,
  };
}

/** Answers what the process that has started this one asks by messages; without it nothing keeps this one going. */
export function answerParent<Question>(answer: (question: Question) => Promise<unknown>): void {
  process.on("message", (question) => void answer(question as Question).then((reply) => process.send?.(reply)));
}

/** A process whose output holds no secrets: talk loses all that looks like one, data only what is known to be one. */
export function redactingIo(io: Io, secrets: Pick<Redactor, "redact" | "hide">): Io {
  return {
    ...io,
    terminal: io.terminal,
    out: (text) => io.out(secrets.hide(text)),
    hide: secrets.hide,
    err: (text) => io.err(secrets.redact(text)),
  };
}

/** The exit code of a process that a signal ended, as shells count it. */
export function signalExitCode(name: string): number {
  return 128 + (constants.signals[name as NodeJS.Signals] ?? 2);
}

/** Only what may be a terminal is opened to find out: a pipe or a file is told by its kind. */
function isTerminal(descriptor: number, open: () => { readonly isTTY?: boolean }): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && open().isTTY === true;
  } catch {
    return false;
  }
}

function terminalSize() {
  const stream = process.stdout.isTTY ? process.stdout : process.stderr;
  const [columns, rows] = stream.isTTY ? stream.getWindowSize() : [0, 0];
  return { columns: columnsFromEnv(process.env) ?? (columns || 80), rows: rows || 24 };
}

/** The zone of the process; UTC where `TZ` is empty or no zone, which ICU calls "Etc/Unknown", and takes from nobody. */
function timeZone(): string {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  return zone === undefined || zone === "Etc/Unknown" ? "UTC" : zone;
}

/** The width, in columns, that `COLUMNS` gives; undefined where it gives none that can be used. */
export function columnsFromEnv(env: Io["env"]): number | undefined {
  const wanted = Number(env["COLUMNS"]);
  return Number.isInteger(wanted) && wanted >= 20 && wanted <= 1000 ? wanted : undefined;
}

/**
 * Writes to standard output at once. Node's own stream of it costs every command 2 ms to set up, so it is only used from
 * the moment on when the output does not take more for now.
 */
function writer(): (text: string) => Promise<void> {
  let stream: ((rest: Uint8Array) => Promise<void>) | undefined;
  return async (text) => {
    const bytes = Buffer.from(text);
    const taken = stream ? 0 : writeNow(bytes);
    if (taken === bytes.length) return;
    stream ??= streamWriter(process.stdout);
    await stream(bytes.subarray(taken));
  };
}

/** Writes until all is taken or no more for now, and tells how many bytes were. */
function writeNow(bytes: Uint8Array): number {
  let taken = 0;
  try {
    while (taken < bytes.length) taken += writeSync(1, bytes, taken);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw outputError(error as NodeJS.ErrnoException);
  }
  return taken;
}

function streamWriter(stream: NodeJS.WriteStream): (bytes: Uint8Array) => Promise<void> {
  stream.on("error", () => undefined); // the callback of the write that failed tells
  return (bytes) =>
    new Promise((resolve, reject) => {
      stream.write(bytes, (error) => (error ? reject(outputError(error)) : resolve()));
    });
}

function outputError(error: NodeJS.ErrnoException): Error {
  if (error.code === "EPIPE") return READER_GONE;
  const reason = error.message.replace(/^\w+: |, write$/g, "");
  return new BtError("local", `the output could not be written: ${reason}`, { cause: error });
}

function quietWriter(): (text: string) => Promise<void> {
  let write: ((bytes: Uint8Array) => Promise<void>) | undefined;
  return async (text) => {
    write ??= streamWriter(process.stderr);
    await write(Buffer.from(text)).catch(() => undefined);
  };
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The moment at which a process began, as Linux counts it: field 22, behind a name that may hold anything. */
export function processStart(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\)/s, "").trim().split(" ")[19];
  } catch {
    return undefined;
  }
}

async function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  const { setTimeout: sleep } = await import("node:timers/promises");
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

function stopSignals(): Pick<Io, "signal" | "halt"> {
  const [soft, hard] = [new AbortController(), new AbortController()];
  const stop = (name: string) => {
    if (hard.signal.aborted) process.exit(signalExitCode(name));
    const isSecond = soft.signal.aborted;
    (isSecond ? hard : soft).abort(name);
    const next = () => stop(name);
    setTimeout(next, isSecond ? LAST_WORDS_MS : WRITE_MS).unref();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stop(name));
  return { signal: soft.signal, halt: hard.signal };
}

const WRITE_MS = 10_000; // what a write under way has after a signal
const LAST_WORDS_MS = 1_000; // what is left to say of it after a second one

/** The environment of a program that `bt` starts: without the key, and without programs of the current folder. */
export function childEnv(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const { BT_API_KEY: _, ...rest } = env;
  const folders = (env["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"));
  return { ...rest, PATH: folders.join(":") };
}
