// What long reads cost as whole processes, in CPU time, beside a script that requests the same URLs, parses the responses
// and prints their objects (floor.js), and beside python-bugzilla where it is installed: `npm run bench reads [rounds]`.
// The answers come from memory, so that the tracker takes nothing. Last, the time of day of all 20,000 bugs, beside curl's.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { whileManyServed } from "./many-bugs.js";
import { measure, peakOf, rehearse, verdict, wallTimeOf } from "./measure.js";
import { launcher, pythonBugzilla, scratchEnv } from "./served.js";

const rounds = Number(process.argv[2] ?? 15);
const scratch = mkdtempSync(path.join(tmpdir(), "bt-reads-"));
const env = scratchEnv(scratch);
const BUGS = 20_000;
const MEMORY_GOAL = 128; // MiB
const CURL_GOAL = 1.3;
const PYTHON_GOAL = 1.1; // in times of bt's

const thousand = Array.from({ length: 1000 }, (_, at) => String(at + 1));
const FIELDS = ["id", "summary", "status", "resolution", "product", "component", "priority", "severity"];
const FORMAT = FIELDS.map((name) => `%{${name}}`).join("\t");
const SEARCH = ["bug", "search", "--product", "Project"];
const FEW = [...SEARCH, "--limit", "2500"];
const NDJSON = ["--format", "ndjson"];
const CHOSEN = ["--fields", FIELDS.join(",")];

/** @typedef {{ name: string, words: string[], goal?: number, memoryGoal?: number, python?: string[] }} Read */
/** @type {readonly Read[]} */
const READS = [
  { name: "2,500 bugs", words: [...FEW, ...NDJSON], goal: 1.8 },
  { name: "1,000 bugs by id", words: ["bug", "get", ...thousand, ...NDJSON], goal: 2.2 },
  { name: "comments of 1,000 bugs", words: ["comment", "list", ...thousand, ...NDJSON], goal: 2.2 },
  { name: "history of 200 bugs", words: ["bug", "history", ...thousand.slice(0, 200), ...NDJSON], goal: 2 },
  {
    name: "2,500, eight fields",
    words: [...FEW, ...CHOSEN],
    python: ["query", "--product", "Project", "--field", "limit=2500", "--outputformat", FORMAT],
  },
  {
    name: "1,000, eight fields",
    words: ["bug", "get", ...thousand, ...CHOSEN],
    python: ["query", "--id", thousand.join(","), "--outputformat", FORMAT],
  },
  { name: "20 bugs", words: [...SEARCH, "--limit", "20"], memoryGoal: 64 },
  { name: "2,500 bugs as json", words: [...FEW, "--json"] },
  { name: "2,500 bugs as a table", words: [...FEW, "--format", "table"] },
];

try {
  await whileManyServed({ count: BUGS, folder: scratch, env }, async (base, key) => {
    await measureReads(base, key);
    compareWithCurl(base, key);
  });
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function measureReads(/** @type {string} */ target, /** @type {string} */ key) {
  const memory = fork(new URL("memory.js", import.meta.url), [target]);
  try {
    const [{ port }] = await once(memory, "message");
    const own = { ...env, BT_BASE_URL: `http://127.0.0.1:${port}`, BT_API_KEY: key };
    const python = pythonBugzilla(own.BT_BASE_URL, own);
    console.log(`Node ${process.version}, CPU time, medians of ${rounds} rounds; answers from memory.\n`);
    for (const read of READS) {
      const of = (/** @type {readonly string[]} */ argv) => ({ name: read.name, argv, env: own, expect: /^(.*\n)+$/ });
      const bt = of([process.execPath, launcher, ...read.words]);
      rehearse(bt);
      memory.send("?");
      await once(memory, "message");
      rehearse(bt, 1);
      memory.send("?");
      const [/** @type {string[]} */ urls] = await once(memory, "message");
      const list = path.join(scratch, "urls.json");
      writeFileSync(list, JSON.stringify(urls.map((/** @type {string} */ url) => own.BT_BASE_URL + url)));
      const floor = of([process.execPath, path.join(import.meta.dirname, "floor.js"), list]);
      const other = python && read.python ? [of([...python, ...read.python])] : [];
      for (const run of [bt, ...other]) rehearse(run);
      report(read, measure([floor, bt, ...other], rounds), peakOf(bt), urls.length);
    }
  } finally {
    memory.disconnect();
  }
}

function report(
  /** @type {Read} */ { name, goal, memoryGoal = MEMORY_GOAL },
  /** @type {readonly number[]} */ [floor = Number.NaN, bt = Number.NaN, python],
  peak = Number.NaN,
  requests = 0,
) {
  const cells = [
    name.padEnd(26),
    `${requests} requests`.padStart(12),
    `bt ${bt.toFixed(0)} ms`.padStart(11),
    `floor ${floor.toFixed(0)} ms`.padStart(13),
    `bt/floor ${(bt / floor).toFixed(2)} ${goal === undefined ? "" : verdict(bt / floor, goal)}`,
    python === undefined ? "" : `python/bt ${(python / bt).toFixed(2)}, goal ${PYTHON_GOAL}`,
    `${peak.toFixed(0)} MiB ${verdict(peak, memoryGoal)}`,
  ];
  console.log(cells.join("  "));
}

function compareWithCurl(/** @type {string} */ base, /** @type {string} */ key) {
  const own = { ...env, BT_BASE_URL: base, BT_API_KEY: key };
  const rest = `include_fields=${FIELDS}&order=bug_id&api_key=${key}`;
  const urls = [0, 10_000].map((offset) => `${base}/rest/bug?product=Project&limit=10000&offset=${offset}&${rest}`);
  const bt = {
    name: "all",
    argv: [process.execPath, launcher, ...SEARCH, "--all", ...CHOSEN, ...NDJSON],
    env: own,
    expect: /^/,
  };
  rehearse(bt);
  const [curl = Number.NaN, ms = Number.NaN] = measure(
    [{ argv: ["curl", "-s", ...urls], env: own }, bt],
    rounds,
    wallTimeOf,
  );
  console.log(
    `\n20,000 bugs as ndjson  curl ${curl.toFixed(0)} ms  bt ${ms.toFixed(0)} ms  ${verdict(ms / curl, CURL_GOAL)}`,
  );
}
