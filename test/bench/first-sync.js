// What the first sync of a mirror costs as a whole process beside curl, which fetches the same URLs over one connection and
// stores nothing: `npm run bench:first-sync [rounds] [bugs]`. The tracker is `bt serve` on generated data with five comments
// a bug; both take turns on the same machine. In place of the number of bugs, the address of another tracker may stand,
// with the key in BT_API_KEY.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import Database from "libsql";
import { fileBug, launcher, scratchEnv, whileServed } from "./served.js";

const rounds = Number(process.argv[2] ?? 3);
const target = process.argv[3] ?? "20000";
const address = target.startsWith("http") ? target : undefined;
const bugs = Number(target); // of generated data
const scratch = mkdtempSync(path.join(tmpdir(), "bt-first-sync-"));
const data = path.join(scratch, "tracker.db");
const file = path.join(scratch, "bt", "mirrors", "bench.db");
const env = scratchEnv(scratch);
const SPEED_GOAL = 0.8;
const MEMORY_GOAL = 150; // MiB

try {
  if (address === undefined) {
    fill();
    await whileServed(data, env, measure);
  } else measure(address, process.env["BT_API_KEY"] ?? "");
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** One bug filed as anybody does it, and copies of it with other values, each with five comments and a change. */
function fill() {
  fileBug(data, env);
  const database = new Database(data);
  const same = "product_id, component_id, version, platform, op_sys, severity, assigned_to_id, creator_id";
  database.exec(`
PRAGMA synchronous = OFF;
BEGIN;
WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${bugs})
INSERT INTO bugs (id, summary, creation_time, last_change_time, status, resolution, priority, ${same})
SELECT n, 'The list loses its place by column ' || n,
  strftime('%Y-%m-%dT%H:%M:%SZ', 1500000000 + n * 200, 'unixepoch'),
  strftime('%Y-%m-%dT%H:%M:%SZ', 1500000000 + n * 200 + (n * 7919 % 90000) * 60, 'unixepoch'),
  CASE WHEN n % 3 = 0 THEN 'RESOLVED' ELSE 'CONFIRMED' END, CASE WHEN n % 3 = 0 THEN 'FIXED' ELSE '' END, 'High', ${same}
FROM numbers, bugs WHERE bugs.id = 1;
INSERT INTO comments (bug_id, creator_id, creation_time, text)
SELECT bugs.id, bugs.creator_id, bugs.creation_time, 'Seen again with build ' || (bugs.id * 5 + k)
  || ', on a machine with eight processors and a slow disk; nothing else was running. It does not happen with small files.'
FROM bugs JOIN (SELECT 0 AS k UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4)
WHERE bugs.id > 1;
INSERT INTO activity (bug_id, user_id, time, field, removed, added)
SELECT id, creator_id, last_change_time, 'priority', 'Normal', 'High' FROM bugs WHERE id > 1;
COMMIT;`);
  database.close();
}

function measure(/** @type {string} */ base, /** @type {string} */ key) {
  const own = { ...env, BT_BASE_URL: base, BT_API_KEY: key };
  const urls = requested(base, own).map((url) => url.replace("api_key=***", `api_key=${key}`));
  const list = path.join(scratch, "urls");
  writeFileSync(list, urls.map((url) => `url = "${url}"\noutput = "/dev/null"\n`).join(""));
  const curl = ["curl", "-sf", "-K", list];
  const size = address ?? `${bugs} bugs with ${5 * (bugs - 1) + 1} comments`;
  console.log(`Node ${process.version}, ${size}, ${urls.length} requests.\n`);
  for (let round = 0; round < rounds; round += 1) {
    const alone = run(curl, own);
    const { seconds, peak } = run([process.execPath, launcher, "mirror", "create", "bench"], own);
    const size = statSync(file).size / 2 ** 20;
    drop();
    const speed = alone.seconds / seconds;
    const cells = [
      `curl ${alone.seconds.toFixed(1)} s`,
      `bt ${seconds.toFixed(1)} s`,
      `speed ${speed.toFixed(2)} ${speed >= SPEED_GOAL ? "within" : "UNDER"} ${SPEED_GOAL}`,
      `peak ${peak.toFixed(0)} MiB ${peak <= MEMORY_GOAL ? "within" : "OVER"} ${MEMORY_GOAL}`,
      `file ${size.toFixed(0)} MiB`,
    ];
    console.log(cells.join("  "));
  }
}

/** The URLs of a first sync, with the key hidden. */
function requested(/** @type {string} */ base, /** @type {NodeJS.ProcessEnv} */ own) {
  const options = { env: own, encoding: /** @type {const} */ ("utf8"), maxBuffer: 1 << 30 };
  const { status, stderr } = spawnSync(process.execPath, [launcher, "mirror", "create", "bench", "--verbose"], options);
  if (status !== 0 || !stderr.includes(address === undefined ? `bench: ${bugs} bugs` : "bench: "))
    throw new Error(`exit ${status}\n${stderr.slice(-2000)}`);
  drop();
  return [...stderr.matchAll(/^> GET (\S+)/gm)].map(([, target]) => `${base}${target}`);
}

function drop() {
  for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
}

/** Runs a command that has to succeed; its time (s) and the maximum of its memory (MiB). */
function run(/** @type {readonly string[]} */ argv, /** @type {NodeJS.ProcessEnv} */ own) {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync("/usr/bin/time", ["--quiet", "-f", "%M", ...argv], {
    env: own,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${argv[0]}: exit ${status}\n${stderr}`);
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  return { seconds, peak: Number(stderr.trim().split("\n").at(-1)) / 1024 };
}
