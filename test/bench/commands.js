// CPU time of a command as a whole process, in medians, beside a Node that does nothing: `npm run bench commands [rounds] [address]`.
// With the address of a tracker, and the key in BT_API_KEY, also the time of day of a search there, beside python-bugzilla's.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { measure, rehearse, report, wallTimeOf } from "./measure.js";
import { launcher, pythonBugzilla, scratchEnv } from "./served.js";

const rounds = Number(process.argv[2] ?? 21);
const address = process.argv[3];
const PYTHON_GOAL = 1.5; // in times of bt's
const scratch = mkdtempSync(path.join(tmpdir(), "bt-bench-"));
const env = scratchEnv(scratch);
const search = [process.execPath, launcher, "bug", "search", "--quicksearch", "ALL", "--limit", "20"];
const stub = fork(new URL("stub.js", import.meta.url));
try {
  const [{ port }] = await once(stub, "message");
  const own = { ...env, BT_BASE_URL: `http://127.0.0.1:${port}` };
  const bt = (/** @type {string[]} */ ...words) => ({
    name: `bt ${words[0]}`,
    argv: [process.execPath, launcher, ...words],
  });
  const runs = [
    { name: "node -e 0", argv: [process.execPath, "-e", "0"], env: own, expect: /^$/ },
    { ...bt("--version"), env: own, expect: /^bt \d/, goal: 1.3 },
    { ...bt("--help"), env: own, expect: /\bbug\b/, goal: 1.6 },
    { name: "search of 20", argv: search, env: own, expect: /^(.*\b10\d\d\b.*\n){20}/, goal: 2.8, memoryGoal: 64 },
  ];
  for (const run of runs) rehearse(run);
  console.log(`Node ${process.version}, medians of ${rounds} rounds\n`);
  report(runs, measure(runs, rounds));
  if (address !== undefined)
    reportSearch(address, { ...env, BT_BASE_URL: address, BT_API_KEY: process.env["BT_API_KEY"] });
} finally {
  stub.disconnect();
  rmSync(scratch, { recursive: true, force: true });
}

/** A search of 20 bugs on a tracker, beside python-bugzilla's where it is installed. */
function reportSearch(/** @type {string} */ base, /** @type {NodeJS.ProcessEnv} */ there) {
  const argv = [process.execPath, launcher, "bug", "search", "--status", "CONFIRMED", "--limit", "20"];
  const python = pythonBugzilla(base, there);
  const query = ["query", "--status", "CONFIRMED", "--field", "limit=20"];
  rehearse({ name: `search at ${base}`, argv, env: there, expect: /\d/ }); // the fields are known from then on
  const runs = [{ argv, env: there }, ...(python ? [{ argv: [...python, ...query], env: there }] : [])];
  const [bt = Number.NaN, other] = measure(runs, rounds, wallTimeOf);
  const ratio = other === undefined ? "" : `python/bt ${(other / bt).toFixed(2)}, goal ${PYTHON_GOAL}`;
  console.log(`\nsearch of 20 at ${base}  bt ${bt.toFixed(0)} ms  ${ratio}`);
}
