import { spawn } from "node:child_process";
import { surroundings } from "../process/real.ts";

/** A person at a terminal: what they type once they have read something, or do instead and type nothing. */
export type Typing = { readonly after: RegExp; readonly type: string | ((seen: string) => unknown) };

/** Text that a person saw, every byte, with plain line breaks; and how long after the last typing the line ended, in milliseconds. */
export type Seen = { readonly out: string; readonly ms: number };

/** Runs a line of bash on a terminal of its own while somebody answers it. */
export function talk(
  line: string,
  typing: readonly Typing[],
  env: Readonly<Record<string, string>> = {},
): Promise<Seen> {
  const child = spawn("script", ["-qec", `stty cols 80 rows 24; ${line}`, "/dev/null"], {
    env: { ...surroundings(), BT_BASE_URL: "demo:", BT_PAGER: "", TERM: "xterm", SHELL: "/bin/bash", ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let out = "";
  let since = performance.now();
  const rest = [...typing];
  child.stdout.on("data", (chunk) => {
    out += chunk;
    const [next] = rest;
    if (!next?.after.test(out)) return;
    rest.shift();
    since = performance.now();
    if (typeof next.type === "string") child.stdin.write(next.type);
    else next.type(out);
  });
  return new Promise((resolve) =>
    child.on("close", () => resolve({ out: out.replace(/\r+\n/g, "\n"), ms: performance.now() - since })),
  );
}
