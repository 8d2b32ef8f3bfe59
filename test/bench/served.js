import { setTimeout } from "node:timers/promises";

/** The address and the first key that a server tells once it listens. */
export async function toldBy(/** @type {import("node:child_process").ChildProcess} */ child) {
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += chunk));
  for (let tries = 0; tries < 200; tries += 1) {
    const [, base] = /^(http:\/\/127\.0\.0\.1:\d+)$/m.exec(said) ?? [];
    const [, key] = /API key of \S+: (\w+)/.exec(said) ?? [];
    if (base && key) return { base, key };
    await setTimeout(50);
  }
  throw new Error(`the server did not start: ${said}`);
}
