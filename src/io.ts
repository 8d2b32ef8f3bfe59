import { constants } from "node:os";

/** Everything of the process that the rest of `bt` may see; tests hand in their own. */
export type Io = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly terminal: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  readonly size: () => { readonly columns: number; readonly rows: number };
  readonly now: () => Date;
  readonly timeZone: () => string;
  /** Resolves when the system took the text; rejects with `READER_GONE` when the reader closed the pipe. */
  readonly out: (text: string) => Promise<void>;
  /** Like `out` for what is said about the data; never rejects. */
  readonly err: (text: string) => Promise<void>;
  /** All of standard input as bytes. */
  readonly input: () => Promise<Uint8Array>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly pid: number;
  readonly uid: number | undefined; // undefined where files have no owner
  readonly isAlive: (pid: number) => boolean;
  /** V8's version, for the one file that has to know it. */
  readonly engine: string;
  /** Aborted when a signal asks `bt` to stop; its reason is the signal's name. */
  readonly signal: AbortSignal;
};

/** What `Io.out` rejects with when the reader closed the pipe: the quiet end of a command, not an error. */
export const READER_GONE = new Error("the reader of the output closed the pipe");

/** The real process as an `Io`. */
export function processIo(): Io {
  return {
    env: process.env,
    terminal: {
      get stdin() {
        return process.stdin.isTTY === true;
      },
      get stdout() {
        return process.stdout.isTTY === true;
      },
      get stderr() {
        return process.stderr.isTTY === true;
      },
    },
    size: terminalSize,
    now: () => new Date(),
    timeZone: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    out: writer(),
    err: quietWriter(),
    input: readStdin,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    pid: process.pid,
    uid: process.getuid?.(),
    isAlive,
    engine: process.versions.v8,
    signal: stopSignal(),
  };
}

/** The exit code of a process that a signal ended, as shells count it. */
export function signalCode(name: string): number {
  return 128 + (constants.signals[name as NodeJS.Signals] ?? 2);
}

function terminalSize() {
  const stream = process.stdout.isTTY ? process.stdout : process.stderr;
  const [columns, rows] = stream.isTTY ? stream.getWindowSize() : [0, 0];
  const wanted = Number(process.env["COLUMNS"]);
  const usable = Number.isInteger(wanted) && wanted >= 20 && wanted <= 1000;
  return { columns: usable ? wanted : columns || 80, rows: rows || 24 };
}

function writer(): (text: string) => Promise<void> {
  let failure: NodeJS.ErrnoException | undefined;
  let listening = false;
  return (text) =>
    new Promise((resolve, reject) => {
      if (!listening) {
        listening = true;
        process.stdout.on("error", (error) => {
          failure = error;
        });
      }
      if (failure) return reject(outputError(failure));
      if (text === "") return resolve();
      process.stdout.write(text, (error) => (error ? reject(outputError(error)) : resolve()));
    });
}

function outputError(error: NodeJS.ErrnoException): Error {
  return error.code === "EPIPE" ? READER_GONE : error;
}

function quietWriter(): (text: string) => Promise<void> {
  let listening = false;
  return (text) =>
    new Promise((resolve) => {
      if (!listening) {
        listening = true;
        process.stderr.on("error", () => undefined);
      }
      process.stderr.write(text, () => resolve());
    });
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

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(signalCode(name));
      controller.abort(name);
    });
  }
  return controller.signal;
}
