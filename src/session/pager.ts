import { once } from "node:events";
import type { Io } from "../io.ts";
import { childEnv } from "../platform.ts";

/** Output of a command: direct, or through a pager if longer than the screen. */
export type PagedOutput = {
  readonly write: (text: string) => Promise<void>;
  /** Ends the output; with a pager, once the user has left it. */
  readonly end: () => Promise<void>;
};

/** Output that is paged if it does not fit the screen. */
export function pagedOutput(io: Io, pager: string): PagedOutput {
  let start = "";
  let paged: PagedOutput | undefined;
  return {
    write: async (text) => {
      if (paged) return paged.write(text);
      start += text;
      if (start.replace(/\n$/, "").split("\n").length < io.size().rows) return;
      paged = await startPager(io, pager);
      await paged.write(start);
    },
    end: () => (paged ? paged.end() : io.out(start)),
  };
}

/**
 * Command of the pager from the environment, the setting, or the system. Undefined if it is empty or `cat`, and on a
 * dumb terminal, where less would stop with a warning.
 */
export function pagerCommand({ env }: Io, setting: string | undefined): string | undefined {
  if (env["TERM"] === "dumb") return undefined;
  const command = env["BT_PAGER"] ?? setting ?? env["PAGER"] ?? "less";
  return ["", "cat"].includes(command.trim()) ? undefined : command;
}

/** Starts the pager, with `less` options to keep colours and quit if all fits. */
async function startPager(io: Io, command: string): Promise<PagedOutput> {
  const { spawn } = await import("node:child_process");
  const env = { LESS: "FRX", LV: "-c", ...childEnv(io.env) };
  const child = spawn("/bin/sh", ["-c", command], { stdio: ["pipe", "inherit", "inherit"], env });
  const ended = new Promise<number>((resolve) => {
    child.on("close", (code) => resolve(code ?? 0));
    child.on("error", () => resolve(127));
  });
  let unseen = "";
  child.stdin.on("error", () => undefined); // the user left the pager
  return {
    write: async (text) => {
      unseen += text;
      if (!child.stdin.write(io.hide(text)))
        await Promise.race([ended, once(child.stdin, "drain").catch(() => undefined)]);
    },
    end: async () => {
      child.stdin.end();
      if ([126, 127].includes(await ended)) await io.out(unseen); // the shell found no such program
    },
  };
}
