// What the syncs of a mirror cost as whole processes: `npm run bench first-sync [rounds] [bugs]`. The CPU time of a first one
// with answers from memory beside a script that stores them (floor.js), and the requests of a sync with nothing new. The tracker
// is `bt serve` on generated data with five comments a bug. In place of the number of bugs, the address of another tracker may
// stand, with the key in BT_API_KEY.
import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { whileManyServed } from "./many-bugs.js";
import { cpuTimeOf, median, verdict } from "./measure.js";
import { launcher, scratchEnv, succeed } from "./served.js";

const rounds = Number(process.argv[2] ?? 3);
const target = process.argv[3] ?? "20000";
const address = target.startsWith("http") ? target : undefined;
const bugs = Number(target); // of generated data
const scratch = mkdtempSync(path.join(tmpdir(), "bt-first-sync-"));
const file = path.join(scratch, "bt", "mirrors", "bench.db");
const env = scratchEnv(scratch);
const CREATE = ["mirror", "create", "bench"];
const SYNC = ["mirror", "sync", "bench"];
const CPU_GOAL = 1.8; // in times of the script's
const NOTHING_NEW_GOAL = 10; // requests
const SETTLING_MS = 11_000; // bugs with stamps near the newest are read once more after that time

try {
  if (address === undefined) await whileManyServed({ count: bugs, folder: scratch, env }, measureSyncs);
  else await measureSyncs(address, process.env["BT_API_KEY"] ?? "");
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function measureSyncs(/** @type {string} */ base, /** @type {string} */ key) {
  const own = { ...env, BT_BASE_URL: base, BT_API_KEY: key };
  const first = requested(CREATE, own);
  const size = address ?? `${bugs} bugs with ${5 * (bugs - 1) + 1} comments`;
  console.log(`Node ${process.version}, ${size}, ${first.length} requests.\n`);
  await measureCpu(base, first, own);
  await measureNothingNew(own);
}

/** CPU time of a first sync whose answers come from memory. */
async function measureCpu(/** @type {string} */ base, /** @type {readonly string[]} */ urls, /** @type {Env} */ own) {
  const memory = fork(new URL("memory.js", import.meta.url), [base]);
  try {
    const [{ port }] = await once(memory, "message");
    const near = `http://127.0.0.1:${port}`;
    const list = path.join(scratch, "urls.json");
    const stored = path.join(scratch, "stored.db");
    writeFileSync(list, JSON.stringify(urls.map((url) => `${near}${keyed(url, own)}`)));
    const script = [process.execPath, path.join(import.meta.dirname, "floor.js"), list, stored];
    /** @type {[number[], number[]]} */
    const times = [[], []];
    for (let round = -1; round < rounds; round += 1) {
      drop();
      for (const end of ["", "-wal", "-shm"]) rmSync(`${stored}${end}`, { force: true });
      const [floor, ms] = [cpuTimeOf(script, own), cpuTimeOf(bt(CREATE), { ...own, BT_BASE_URL: near })];
      if (round < 0) continue; // the tracker was asked
      times[0].push(floor);
      times[1].push(ms);
    }
    const [floor, ms] = [median(times[0]), median(times[1])];
    const cells = [
      "first sync from memory, CPU",
      `script ${floor.toFixed(0)} ms`,
      `bt ${ms.toFixed(0)} ms`,
      `bt/script ${(ms / floor).toFixed(2)} ${verdict(ms / floor, CPU_GOAL)}`,
    ];
    console.log(cells.join("  "));
  } finally {
    memory.disconnect();
  }
}

/** Requests of a sync in which nothing is read again. */
async function measureNothingNew(/** @type {Env} */ own) {
  drop();
  succeed(CREATE, own);
  await setTimeout(SETTLING_MS);
  succeed(SYNC, own);
  const { length } = requested(SYNC, own);
  console.log(`sync with nothing new  ${length} requests  ${verdict(length, NOTHING_NEW_GOAL)}`);
}

/** @typedef {import("./served.js").Env} Env */

function bt(/** @type {readonly string[]} */ words) {
  return [process.execPath, launcher, ...words];
}

/** Paths and queries of the requests of a command; its key is in a header. */
function requested(/** @type {readonly string[]} */ words, /** @type {Env} */ own) {
  const options = { env: own, encoding: /** @type {const} */ ("utf8"), maxBuffer: 1 << 30 };
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...words, "--verbose"], options);
  if (status !== 0 || !stderr.includes(address === undefined && words === CREATE ? `bench: ${bugs} bugs` : "bench: "))
    throw new Error(`exit ${status}\n${stdout}${stderr.slice(-2000)}`);
  return [...stderr.matchAll(/^> GET (\S+)/gm)].map(([, target = ""]) => target);
}

function keyed(/** @type {string} */ target, /** @type {Env} */ own) {
  return `${target}${target.includes("?") ? "&" : "?"}api_key=${own["BT_API_KEY"]}`;
}

function drop() {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
}
