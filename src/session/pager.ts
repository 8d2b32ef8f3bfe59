import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BtError, fileReason } from "../errors.ts";
import type { Io } from "../io.ts";
import { childEnv, loadChildProcess, NOT_FOUND, shellCommand } from "../platform.ts";

/** Output of a command: direct, or through a pager if longer than the screen. */
export type PagedOutput = {
  readonly write: (text: string) => Promise<void>;
  /** Ends the output; with a pager, once the user has left it. */
  readonly end: () => Promise<void>;
  /** Ends an incomplete output. Returns true if the existing part was shown. */
  readonly cut: () => Promise<boolean>;
};

/** Output that is paged if it does not fit the screen. */
export function pagedOutput(io: Io, pager: string): PagedOutput {
  let start = "";
  let paged: Paged | undefined;
  const end = () => (paged ? paged.end() : io.out(start));
  return {
    write: async (text) => {
      if (paged) return paged.write(text);
      start += text;
      if (lineCount(start) < io.size().rows) return;
      paged = await startPager(io, pager);
      await paged.write(start);
    },
    end,
    cut: () => end().then(() => true),
  };
}

/**
 * Command of the pager from the environment, the setting, or the system. Undefined if it is empty or `cat`, and on a
 * dumb terminal, where less would stop with a warning.
 */
export function pagerCommand({ env }: Io, setting: string | undefined): string | undefined {
  if (env["TERM"] === "dumb") return undefined;
  const command = env["BT_PAGER"] ?? setting ?? env["PAGER"] ?? "less";
  return command.trim() === "" || command.trim() === "cat" ? undefined : command;
}

type Paged = Omit<PagedOutput, "cut">;

/**
 * Environment of the pager: no credentials, no programs of the current folder, and `less` options to keep colours and
 * quit if all fits.
 */
function pagerEnv(env: Io["env"]): NodeJS.ProcessEnv {
  const { PAGER: _pager, BT_PAGER: _btPager, ...rest } = childEnv(env);
  return { LESS: "FRX", LV: "-c", ...rest };
}

async function startPager(io: Io, command: string): Promise<Paged> {
  const { spawn } = await loadChildProcess();
  const [program, args] = shellCommand(command);
  const child = spawn(program, args, { stdio: ["pipe", "inherit", "inherit"], env: pagerEnv(io.env) });
  const ended = new Promise<number>((resolve) => {
    child.on("close", (code) => resolve(code ?? 0));
    child.on("error", () => resolve(127));
  });
  let unseen = "";
  child.stdin.on("error", () => undefined); // the user left the pager
  return {
    write: async (text) => {
      unseen += text;
      if (!child.stdin.write(io.hide(text.replace(LINKS, "")))) await Promise.race([ended, whenDrained(child.stdin)]);
    },
    end: async () => {
      child.stdin.end();
      if (NOT_FOUND.includes(await ended)) await io.out(unseen);
    },
  };
}

/** Links of the terminal, which older versions of `less` show as garbage. */
const LINKS = /\p{Cc}\]8;;\P{Cc}*\p{Cc}\\/gu;

function whenDrained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once("drain", () => resolve());
  });
}

/** Number of lines, also of a last one without an end. */
function lineCount(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/**
 * Output that is only forwarded once complete, for formats of which a part is useless. Buffers up to `most` bytes in
 * memory, then in an unlinked file readable by its owner only.
 * @throws BtError of kind local if the disk is full; nothing is forwarded then
 */
export function spooledOutput(target: PagedOutput, io: Pick<Io, "hide">, most = 16 * 1024 * 1024): PagedOutput {
  let buffered: Buffer[] = [];
  let size = 0;
  let spool: ReturnType<typeof openUnnamed> | undefined;
  const lengths: number[] = []; // of the parts in the file
  const store = () => {
    spool ??= openUnnamed();
    for (const part of buffered) writeWhole(spool.file, part);
    lengths.push(...buffered.map((part) => part.length));
    buffered = [];
    size = 0;
  };
  const close = () => {
    spool?.close();
    spool = undefined;
  };
  return {
    write: async (text) => {
      const part = Buffer.from(io.hide(text)); // the file must not contain secrets
      buffered.push(part);
      size += part.length;
      if (spool || size > most) withBufferError(store);
    },
    end: async () => {
      try {
        if (spool) for (const part of readParts(spool.file, lengths)) await target.write(part.toString());
        const parts = size > 0 && size <= PIPE_BYTES ? [Buffer.concat(buffered)] : buffered;
        for (const part of parts) await target.write(part.toString());
      } finally {
        close();
      }
      await target.end();
    },
    cut: async () => {
      close();
      return false;
    },
  };
}

/** Capacity of a pipe: a text that fits, written at once, is not mixed with the output of other processes. */
const PIPE_BYTES = 64 * 1024;

/** A new file and its folder, both unlinked at once where the system can. */
function openUnnamed(): { file: number; close: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "bt-"));
  try {
    const file = openSync(join(folder, "spool"), "wx+", 0o600);
    const close = () => {
      closeSync(file);
      removeFolder(folder);
    };
    return { file, close };
  } finally {
    removeFolder(folder);
  }
}

/** Removes a folder. Windows may keep one with an open file; it is removed with the second call. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // the output must not fail over it
  }
}

function writeWhole(file: number, part: Buffer): void {
  for (let done = 0; done < part.length; ) done += writeSync(file, part, done);
}

function* readParts(file: number, lengths: number[]): Generator<Buffer> {
  let position = 0;
  for (const length of lengths) {
    const part = Buffer.allocUnsafe(length);
    for (let done = 0; done < length; )
      done += withBufferError(() => readSync(file, part, done, length - done, position + done));
    position += length;
    yield part;
  }
}

function withBufferError<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    throw new BtError("local", `cannot buffer the output in ${tmpdir()}: ${fileReason(cause)}`, {
      cause,
      hint: "set TMPDIR to another folder, or use --format ndjson, which is not buffered",
    });
  }
}
