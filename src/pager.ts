import type { Io } from "./io.ts";

/** Where a command writes its data: straight out, or through a pager once it is longer than the screen. */
export type Sheet = {
  readonly write: (text: string) => Promise<void>;
  /** Ends the output; with a pager, when its reader has left it. */
  readonly end: () => Promise<void>;
};

/** A sheet that pages what does not fit the screen; without a pager command everything goes straight out. */
export function sheet(io: Io, pager: string | undefined): Sheet {
  if (!pager) return { write: io.out, end: async () => undefined };
  let kept = "";
  let paged: Sheet | undefined;
  return {
    write: async (text) => {
      if (paged) return paged.write(text);
      kept += text;
      if (lineCount(kept) < io.size().rows) return;
      paged = await pagerSheet(io, pager);
      await paged.write(kept);
    },
    end: () => (paged ? paged.end() : io.out(kept)),
  };
}

/** The pager's environment: no credentials, and less set to keep colours and to leave when all fits. */
function pagerEnv(env: Io["env"]): NodeJS.ProcessEnv {
  const { BT_API_KEY: _key, PAGER: _pager, BT_PAGER: _btPager, ...rest } = env;
  return { LESS: "FRX", LV: "-c", ...rest };
}

async function pagerSheet(io: Io, command: string): Promise<Sheet> {
  const { spawn } = await import("node:child_process"); // loading it costs every command 2 ms
  const child = spawn(command, { shell: true, stdio: ["pipe", "inherit", "inherit"], env: pagerEnv(io.env) });
  const gone = new Promise<void>((resolve) => {
    child.on("close", () => resolve());
    child.on("error", () => resolve());
  });
  child.stdin.on("error", () => undefined);
  return {
    write: (text) =>
      new Promise((resolve) => {
        if (!child.stdin.write(text)) void Promise.race([gone, drained(child.stdin)]).then(() => resolve());
        else resolve();
      }),
    end: async () => {
      child.stdin.end();
      await gone;
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
