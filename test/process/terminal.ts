import { on } from "node:events";
import type { Readable, Writable } from "node:stream";
import { execa } from "execa";
import { type Finished, type Given, surroundings } from "./real.ts";

/** True if this machine has `script`, which lends a command a real pseudo-terminal. */
export const HAS_TERMINAL = await execa("script", ["-qec", "true", "/dev/null"], {
  reject: false,
  stdin: "ignore",
}).then(({ exitCode, stdout }) => exitCode === 0 && stdout === "");

/** Size of the terminal. */
export type Screen = { readonly columns?: number; readonly rows?: number };

/** Keys that are typed once the terminal shows a prompt. */
export type Typed = { readonly at: string; readonly keys: string };

/** Runs a line of bash on a terminal of its own; `out` is every byte that reached it, with plain line breaks. */
export async function onTerminal(line: string, given: Given & Screen & { typed?: Typed } = {}): Promise<Finished> {
  const { columns = 80, rows = 24, env = {}, input = "", typed } = given;
  const running = execa("script", ["-qec", `stty cols ${columns} rows ${rows} -echo; ${line}`, "/dev/null"], {
    reject: false,
    extendEnv: false,
    stripFinalNewline: false,
    timeout: 60_000,
    env: { ...surroundings(), BT_BASE_URL: "demo:", BT_PAGER: "", TERM: "xterm-256color", SHELL: "/bin/bash", ...env },
    ...(typed ? {} : { input }),
  });
  if (typed) await type(typed, running.stdin, running.stdout);
  const run = await running;
  return { code: run.exitCode, out: run.stdout.replace(/\r+\n/g, "\n"), err: run.stderr };
}

async function type({ at, keys }: Typed, keyboard: Writable, screen: Readable): Promise<void> {
  let shown = "";
  for await (const [chunk] of on(screen, "data", { close: ["end"] })) {
    shown += String(chunk);
    if (shown.includes(at)) break;
  }
  keyboard.end(keys);
}
