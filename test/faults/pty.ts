import { spawn } from "node:child_process";
import { surroundings } from "../process/real.ts";

/** A person at a terminal: what they type once they have read something, or do instead and type nothing. */
export type Typing = { readonly after: RegExp; readonly type: string | ((seen: string) => unknown) };

/** Runs a line of bash on a terminal of its own while somebody answers it; `out` is every byte shown, with plain line breaks. */
export function talk(
  line: string,
  typing: readonly Typing[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly out: string }> {
  const child = spawn("script", ["-qec", `stty cols 80 rows 24; ${line}`, "/dev/null"], {
    env: { ...surroundings(), BT_BASE_URL: "demo:", BT_PAGER: "", TERM: "xterm", SHELL: "/bin/bash", ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let out = "";
  const rest = [...typing];
  child.stdout.on("data", (chunk) => {
    out += chunk;
    const [next] = rest;
    if (!next?.after.test(out)) return;
    rest.shift();
    if (typeof next.type === "string") child.stdin.write(next.type);
    else next.type(out);
  });
  return new Promise((resolve) => child.on("close", () => resolve({ out: out.replace(/\r+\n/g, "\n") })));
}
