// CPU time of a command as a whole process, in medians, beside a Node that does nothing: `npm run bench commands [rounds] [address]`.
// With the address of a tracker, and the key in BT_API_KEY, also the time of day of a search there.
import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { candidates, pythonBugzilla } from "./candidates.js";
import { measure, rehearse, report, verdict, wallTimeOf } from "./measure.js";
import { launcher } from "./served.js";

const rounds = Number(process.argv[2] ?? 21);
const address = process.argv[3];
const PYTHON_GOAL = 1.35; // in times of bt's
const SERVER_GOAL = 5; // ms beyond what curl and bt take
const scratch = mkdtempSync(path.join(tmpdir(), "bt-bench-"));
const stub = fork(new URL("stub.js", import.meta.url));
try {
  const [{ port }] = await once(stub, "message");
  const runs = candidates({ base: `http://127.0.0.1:${port}`, scratch });
  for (const run of runs) rehearse(run);
  const times = measure(runs, rounds);
  console.log(
    `Node ${process.version}, medians of ${rounds} rounds; NODE_EXTRA_CA_CERTS and NODE_OPTIONS are unset.\n`,
  );
  report(runs, times);
  if (address !== undefined) reportSearch(address, { ...runs[0]?.env });
} finally {
  stub.disconnect();
  rmSync(scratch, { recursive: true, force: true });
}

/** A search of 20 bugs on a tracker, beside the same on the stub, and beside curl and python-bugzilla on the tracker. */
function reportSearch(/** @type {string} */ address, /** @type {NodeJS.ProcessEnv} */ env) {
  const search = [process.execPath, launcher, "bug", "search", "--status", "CONFIRMED", "--limit", "20"];
  const there = { ...env, BT_BASE_URL: address };
  const python = pythonBugzilla(address, there);
  const once = { name: `search at ${address}`, argv: search, env: there, expect: /\d/ };
  rehearse(once); // the tracker's fields are known from then on
  const { stderr } = spawnSync(process.execPath, [...search.slice(1), "--verbose"], { env: there, encoding: "utf8" });
  const targets = [...stderr.matchAll(/^> GET (\S+)/gm)].map(([, target = ""]) => target);
  const url = `${address}${targets.at(-1)?.replace("api_key=***", `api_key=${env["BT_API_KEY"]}`)}`;
  const runs = [
    once,
    { argv: search, env },
    { argv: ["curl", "-sf", url], env },
    ...(python ? [{ argv: [...python, "query", "--status", "CONFIRMED", "--field", "limit=20"], env: there }] : []),
  ];
  const [bt = Number.NaN, onStub = Number.NaN, curl = Number.NaN, other] = measure(runs, rounds, wallTimeOf);
  const cells = [
    `\nsearch of 20 at ${address}: ${targets.length} requests`,
    `bt ${bt.toFixed(0)} ms, less curl's ${(bt - curl).toFixed(0)}, on the stub ${onStub.toFixed(0)}`,
    `${(bt - curl - onStub).toFixed(1)} ms more ${verdict(bt - curl - onStub, SERVER_GOAL)}`,
    other === undefined
      ? ""
      : `python/bt ${(other / bt).toFixed(2)} ${other / bt >= PYTHON_GOAL ? "within" : "UNDER"} ${PYTHON_GOAL}`,
  ];
  console.log(cells.join("  "));
}
