import process from "node:process";
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

/** The environment of this process without settings of bt and Node, with all folders of bt in one. */
export function scratchEnv(/** @type {string} */ folder) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(BT_|NODE_EXTRA_CA_CERTS|NODE_OPTIONS)/.test(name));
  const folders = ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"];
  return { ...Object.fromEntries(kept), ...Object.fromEntries(folders.map((name) => [name, folder])) };
}
