import { setMaxListeners } from "node:events";
import { closeSync, fstatSync, openSync } from "node:fs";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { isatty } from "node:tty";
import { BtError, fileReason } from "./errors.ts";
import { processStart, TERMINAL_FILE } from "./platform.ts";
import type { PromptLook, Question } from "./prompt/question.ts";

/** Everything of the process that the program may access; tests provide their own. */
export type Io = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: () => string; // throws if the working directory was deleted
  /** Streams that are terminals; `control`: the process has a terminal, whatever its streams are. */
  readonly terminal: Readonly<Record<"stdin" | "stdout" | "stderr" | "control", boolean>>;
  readonly size: () => { readonly columns: number; readonly rows: number };
  readonly now: () => Date;
  readonly ticks: () => number; // monotonic clock (ms), the same for all processes until the machine restarts
  readonly timeZone: () => string;
  /**
   * Writes to stdout; resolves once the system has taken the text.
   * @throws READER_GONE if the reader closed the pipe
   */
  readonly out: (text: string) => Promise<void>;
  /** Like `out`, for bytes, which are written as they are. */
  readonly outBytes: (bytes: Uint8Array) => Promise<void>;
  /** The text with known secrets redacted, as `out` writes it; for data that leaves another way. */
  readonly hide: (text: string) => string;
  /** Writes to stderr; never rejects. */
  readonly err: (text: string) => Promise<void>;
  /** All of stdin as bytes. */
  readonly input: () => Promise<Uint8Array>;
  /** True if stdin is a pipe or a file, which may hold a text, or the rest of a loop's input: it is not read to find out. */
  readonly isFed: () => boolean;
  /** Stdin as it arrives. */
  readonly inputStream: () => AsyncIterable<Uint8Array>;
  /**
   * Prompts the user; requires stderr and stdin, or the controlling terminal, to be terminals.
   * @throws BtError if the user leaves the prompt, or the process is interrupted
   */
  readonly prompt: (question: Question, look?: PromptLook) => Promise<string>;
  /** Sleeps, until a stop signal at most. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly pid: number;
  readonly uid: number | undefined; // undefined where files have no owner
  /** Start time of a process, which distinguishes it from a later one of that pid; undefined if there is none. */
  readonly startOf: (pid: number) => string | undefined;
  /** Aborted by a stop signal, whose name is the reason. Reads end, a write in flight continues. */
  readonly signal: AbortSignal;
  /** Aborted by a second signal, or ten seconds after the first; also ends writes in flight. */
  readonly halt: AbortSignal;
};

/** Rejection of `Io.out` after the reader closed the pipe: a quiet end, except after a write. */
export const READER_GONE = new Error("its reader closed the pipe");

/** The error to report after an applied write: a closed pipe, else a quiet end, is one, too. */
export function errorAfterWrite(error: unknown): unknown {
  return error === READER_GONE ? new BtError("local", `cannot write the output: ${READER_GONE.message}`) : error;
}

/** The real process as an `Io`. */
export function createProcessIo(): Io {
  muteSqliteWarning();
  const { signal, halt, stop } = stopSignals();
  const write = streamWriter(() => process.stdout);
  const writeError = streamWriter(() => process.stderr);
  return {
    env: process.env,
    cwd: process.cwd,
    terminal: {
      stdin: isatty(0),
      stdout: isatty(1),
      stderr: isatty(2),
      get control() {
        return hasControllingTerminal();
      },
    },
    size: terminalSize,
    now: () => new Date(),
    ticks: () => Number(process.hrtime.bigint() / 1_000_000n),
    timeZone,
    out: (text) => write(Buffer.from(text)),
    outBytes: write,
    hide: (text) => text,
    err: (text) => writeError(Buffer.from(text)).catch(() => undefined), // an empty text waits for those before it
    input: async () => (await import("node:stream/consumers")).buffer(process.stdin),
    isFed,
    inputStream: () => process.stdin,
    prompt: async (question, look) => {
      const { openControllingTerminal, promptOn } = await import("./prompt/terminal.ts");
      const interrupt = () => stop("SIGINT");
      const opened = question.control ? openControllingTerminal() : undefined;
      const input = opened ?? process.stdin;
      const terminal = { input, output: process.stderr, signal, interrupt, suspend };
      return promptOn(terminal, question, look).finally(() => opened?.destroy());
    },
    sleep: (ms) => sleep(ms, undefined, { signal }).catch(() => undefined),
    pid: process.pid,
    uid: process.getuid?.(),
    startOf: processStart,
    signal,
    halt,
  };
}

function suspend(onResume: () => void): void {
  process.once("SIGCONT", onResume);
  process.kill(process.pid, "SIGTSTP");
}

/** Leaves out Node's warning that its SQLite is experimental: it concerns bt, not those who run it. */
function muteSqliteWarning(): void {
  const warn = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: []) => {
    if (!String(warning).startsWith("SQLite is an experimental feature")) warn.call(process, warning, ...rest);
  }) as typeof warn;
}

/** Exit code of a process ended by a signal, as in shells. */
export function signalExitCode(name: string): number {
  return 128 + (constants.signals[name as NodeJS.Signals] ?? constants.signals.SIGINT);
}

function hasControllingTerminal(): boolean {
  try {
    closeSync(openSync(TERMINAL_FILE, "r"));
    return true;
  } catch {
    return false;
  }
}

function terminalSize() {
  const stream = process.stdout.isTTY ? process.stdout : process.stderr;
  const [columns, rows] = stream.isTTY ? stream.getWindowSize() : [0, 0];
  return { columns: columnsFromEnv(process.env) ?? (columns || 80), rows: rows || 24 };
}

/** IANA zone of the process; UTC if `TZ` is empty or invalid, which ICU reports as "Etc/Unknown". */
function timeZone(): string {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  return zone === undefined || zone === "Etc/Unknown" ? "UTC" : zone;
}

/** Width in columns given by `COLUMNS`; undefined if unusable. */
export function columnsFromEnv(env: Io["env"]): number | undefined {
  const wanted = Number(env["COLUMNS"]);
  return Number.isInteger(wanted) && wanted >= 20 && wanted <= 1000 ? wanted : undefined;
}

/** Writer to a stream, which is opened at the first write; resolves once the system has taken the bytes. */
function streamWriter(open: () => NodeJS.WriteStream): (bytes: Uint8Array) => Promise<void> {
  let stream: NodeJS.WriteStream | undefined;
  let failure: Error | undefined; // of the first write that failed; the stream is destroyed by it
  return (bytes) =>
    new Promise((resolve, reject) => {
      stream ??= open().on("error", () => undefined); // reported by the callback of the failed write
      stream.write(bytes, (error) => {
        if (error) failure ??= outputError(error);
        if (failure) reject(failure);
        else resolve();
      });
    });
}

function outputError(error: NodeJS.ErrnoException): Error {
  if (error.code === "EPIPE") return READER_GONE;
  return new BtError("local", `cannot write the output: ${fileReason(error)}`, { cause: error });
}

function isFed(): boolean {
  try {
    const stats = fstatSync(0);
    return stats.isFIFO() || stats.isFile();
  } catch {
    return false; // stdin is closed
  }
}

function stopSignals() {
  const [soft, hard] = [new AbortController(), new AbortController()];
  setMaxListeners(0, soft.signal, hard.signal); // a sleep for each key that is typed fast is no leak
  // The first signal leaves time for writes in flight, the second for their report, a third ends the process.
  const stop = (name: string) => {
    if (hard.signal.aborted) process.exit(signalExitCode(name));
    const isSecond = soft.signal.aborted;
    (isSecond ? hard : soft).abort(name);
    setTimeout(() => stop(name), isSecond ? REPORT_MS : WRITE_MS).unref();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => stop(name));
  return { signal: soft.signal, halt: hard.signal, stop };
}

const WRITE_MS = 10_000; // time for a write in flight after a signal
const REPORT_MS = 1_000; // time to report it after a second signal
