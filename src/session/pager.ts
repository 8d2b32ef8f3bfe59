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
      if (!child.stdin.write(io.hide(text))) await Promise.race([ended, whenDrained(child.stdin)]);
    },
    end: async () => {
      child.stdin.end();
      if (NOT_FOUND.includes(await ended)) await io.out(unseen);
    },
  };
}

function whenDrained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once("drain", () => resolve());
  });
}

/** Number of lines, also of a last one without an end. */
function lineCount(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** Output that is only forwarded once complete, for formats of which a part is useless. */
export function wholeOutput(target: PagedOutput): PagedOutput {
  const parts: Buffer[] = []; // outside of the heap, which would grow to twice their size
  return {
    write: async (text) => void parts.push(Buffer.from(text)),
    end: async () => {
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      for (const part of length <= PIPE_BYTES ? [Buffer.concat(parts)] : parts) await target.write(part.toString());
      await target.end();
    },
    cut: async () => false,
  };
}

/** A text that fits a pipe, written at once, is not mixed with other processes' output. */
const PIPE_BYTES = 64 * 1024;
