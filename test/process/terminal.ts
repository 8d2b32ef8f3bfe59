import { execa } from "execa";
import { type Finished, type Given, surroundings } from "./real.ts";

/** True if this machine has `script`, which lends a command a real pseudo-terminal. */
export const HAS_TERMINAL = await execa("script", ["-qec", "true", "/dev/null"], {
  reject: false,
  stdin: "ignore",
}).then(({ exitCode, stdout }) => exitCode === 0 && stdout === "");

/** Size of the terminal. */
export type Screen = { readonly columns?: number; readonly rows?: number };

/** Runs a line of bash on a terminal of its own; `out` is every byte that reached it, with plain line breaks. */
export async function onTerminal(line: string, given: Given & Screen = {}): Promise<Finished> {
  const { columns = 80, rows = 24, env = {}, input = "" } = given;
  const run = await execa("script", ["-qec", `stty cols ${columns} rows ${rows} -echo; ${line}`, "/dev/null"], {
    reject: false,
    extendEnv: false,
    stripFinalNewline: false,
    timeout: 60_000,
    env: { ...surroundings(), BT_BASE_URL: "demo:", BT_PAGER: "", TERM: "xterm-256color", SHELL: "/bin/bash", ...env },
    input,
  });
  return { code: run.exitCode, out: run.stdout.replace(/\r+\n/g, "\n"), err: run.stderr };
}
