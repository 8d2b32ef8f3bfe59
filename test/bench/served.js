import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";

/** @typedef {Readonly<Record<string, string | undefined>>} Env */

/** The installed program. */
export const launcher = path.join(import.meta.dirname, "../../bin/bt.cjs");

/** Runs bt; a failure ends the whole. */
export function succeed(/** @type {readonly string[]} */ words, /** @type {Env} */ env) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...words], { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`bt ${words.join(" ")}: exit ${status}\n${stdout}${stderr}`);
}

/** Files the first bug of a tracker in a file as anybody does it, for copies of it. */
export function fileBug(/** @type {string} */ data, /** @type {Env} */ env, summary = "The list") {
  const place = ["--product", "Project", "--component", "General", "--version", "unspecified"];
  const texts = ["--summary", summary, "--description", "It jumps."];
  succeed(["--base-url", `local:${data}`, "bug", "create", ...place, ...texts], env);
}

/** Serves a tracker in a file while its address and first key are in use. */
export async function whileServed(
  /** @type {string} */ data,
  /** @type {Env} */ env,
  /** @type {(base: string, key: string, pid: number) => void | Promise<void>} */ use,
) {
  const server = spawn(process.execPath, [launcher, "serve", "--data", data, "--port", "0"], { env, stdio: "pipe" });
  try {
    const { base, key } = await toldBy(server);
    await use(base, key, server.pid ?? 0);
  } finally {
    server.kill();
    await once(server, "exit");
  }
}

/** The address and the first key that a server tells once it listens. */
async function toldBy(/** @type {import("node:child_process").ChildProcess} */ child) {
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (said += chunk));
  for (let tries = 0; tries < 1200; tries += 1) {
    const [, base] = /^(http:\/\/127\.0\.0\.1:\d+)$/m.exec(said) ?? [];
    const [, key] = /API key of \S+: (\w+)/.exec(said) ?? [];
    if (base && key) return { base, key };
    await setTimeout(50);
  }
  throw new Error(`the server did not start: ${said}`);
}

/**
 * CPU time (ms) of a process, its threads and its child processes so far, where Linux counts it; else the time of day.
 * @returns {number}
 */
export function cpuTime(/** @type {number} */ pid) {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`);
    const own = tasks.map((task) => Number(readFileSync(`${task}/schedstat`, "utf8").split(" ")[0]) / 1e6);
    const children = tasks.flatMap((task) =>
      readFileSync(`${task}/children`, "utf8").trim().split(" ").filter(Boolean),
    );
    return sum([...own, ...children.map((child) => cpuTime(Number(child)))]);
  } catch {
    return performance.now();
  }
}

/** @returns {number} */
function sum(/** @type {readonly number[]} */ numbers) {
  return numbers.reduce((one, other) => one + other, 0);
}

/** The environment of this process without settings of bt and Node, with all folders of bt in one. */
export function scratchEnv(/** @type {string} */ folder) {
  const kept = Object.entries(process.env).filter(([name]) => !/^(BT_|NODE_EXTRA_CA_CERTS|NODE_OPTIONS)/.test(name));
  const folders = ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"];
  return { ...Object.fromEntries(kept), ...Object.fromEntries(folders.map((name) => [name, folder])) };
}

/** The beginning of a command of python-bugzilla, which finds the key in a file; undefined where it is not installed. */
export function pythonBugzilla(/** @type {string} */ base, /** @type {Env} */ env) {
  if (spawnSync("bugzilla", ["--version"], { env, stdio: "ignore" }).error) return undefined;
  const folder = path.join(env["HOME"] ?? "", ".config", "python-bugzilla");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "bugzillarc"), `[${new URL(base).host}]\napi_key=${env["BT_API_KEY"]}\n`);
  return ["bugzilla", "--bugzilla", `${base}/rest/`];
}
