import { childEnv } from "./child-env.ts";
import type { Io } from "./io.ts";

/** Where a command writes its data: straight out, or through a pager once it is longer than the screen. */
export type Sheet = {
  readonly write: (text: string) => Promise<void>;
  /** Ends the output; with a pager, when its reader has left it. */
  readonly end: () => Promise<void>;
  /** Ends an output whose rest never comes; whether the part that came was shown. */
  readonly cut: () => Promise<boolean>;
};

/** A sheet that pages what does not fit the screen; without a pager command everything goes straight out. */
export function sheet(io: Io, pager: string | undefined): Sheet {
  if (!pager) return { write: io.out, end: async () => undefined, cut: async () => true };
  let kept = "";
  let paged: Paged | undefined;
  const end = () => (paged ? paged.end() : io.out(kept));
  return {
    write: async (text) => {
      if (paged) return paged.write(text);
      kept += text;
      if (lineCount(kept) < io.size().rows) return;
      paged = await pagerSheet(io, pager);
      await paged.write(kept);
    },
    end,
    cut: () => end().then(() => true),
  };
}

type Paged = Omit<Sheet, "cut">;

/**
 * What a pager sees of the environment: no credentials, no program of the current folder, and less told to keep colours and
 * to leave when all fits.
 */
function pagerEnv(env: Io["env"]): NodeJS.ProcessEnv {
  const { PAGER: _pager, BT_PAGER: _btPager, ...rest } = childEnv(env);
  return { LESS: "FRX", LV: "-c", ...rest };
}

/** What a shell ends with when it finds no such program, or may not run it. */
const NOT_RUN = [126, 127];

async function pagerSheet(io: Io, command: string): Promise<Paged> {
  const { spawn } = await import("node:child_process"); // loading it costs every command 2 ms
  const child = spawn("/bin/sh", ["-c", command], { stdio: ["pipe", "inherit", "inherit"], env: pagerEnv(io.env) });
  const ended = new Promise<number>((resolve) => {
    child.on("close", (code) => resolve(code ?? 0));
    child.on("error", () => resolve(127));
  });
  let unseen = "";
  child.stdin.on("error", () => undefined); // a pager that was left early
  return {
    write: async (text) => {
      unseen += text;
      if (!child.stdin.write(io.hide(text))) await Promise.race([ended, drained(child.stdin)]);
    },
    end: async () => {
      child.stdin.end();
      if (NOT_RUN.includes(await ended)) await io.out(unseen);
    },
  };
}

function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    stream.once("drain", () => resolve());
  });
}

function lineCount(text: string): number {
  return text.split("\n").length;
}
