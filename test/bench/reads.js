// What long reads cost as whole processes, in CPU time, beside a script that requests the same URLs, parses the responses
// and prints their objects (floor.js), and beside python-bugzilla where it is installed: `npm run bench reads [rounds]`.
// The answers come from memory, so that the tracker takes nothing.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import Database from "libsql";
import { pythonBugzilla } from "./candidates.js";
import { manyBugs } from "./many-bugs.js";
import { measure, peakOf, rehearse, verdict } from "./measure.js";
import { fileBug, launcher, scratchEnv, whileServed } from "./served.js";

const rounds = Number(process.argv[2] ?? 15);
const scratch = mkdtempSync(path.join(tmpdir(), "bt-reads-"));
const data = path.join(scratch, "tracker.db");
const env = scratchEnv(scratch);
const BUGS = 2500;
const MEMORY_GOAL = 128; // MiB

const thousand = Array.from({ length: 1000 }, (_, at) => String(at + 1));
const FIELDS = ["id", "summary", "status", "resolution", "product", "component", "priority", "severity"];
const FORMAT = FIELDS.map((name) => `%{${name}}`).join("\t");
const READS = [
  {
    name: "2,500 bugs",
    words: ["bug", "search", "--product", "Project", "--all", "--format", "ndjson"],
    goal: 1.7,
  },
  {
    name: "1,000 bugs by id",
    words: ["bug", "get", ...thousand, "--format", "ndjson"],
    goal: 1.7,
  },
  { name: "comments of 1,000 bugs", words: ["comment", "list", ...thousand, "--format", "ndjson"], goal: 1.7 },
  {
    name: "history of 200 bugs",
    words: ["bug", "history", ...thousand.slice(0, 200), "--format", "ndjson"],
    goal: 1.7,
  },
  {
    name: "2,500, eight fields",
    words: ["bug", "search", "--product", "Project", "--all", "--fields", FIELDS.join(",")],
    python: ["query", "--product", "Project", "--outputformat", FORMAT],
  },
  {
    name: "1,000, eight fields",
    words: ["bug", "get", ...thousand, "--fields", FIELDS.join(",")],
    python: ["query", "--id", thousand.join(","), "--outputformat", FORMAT],
  },
  { name: "20 bugs", words: ["bug", "search", "--product", "Project", "--limit", "20"], memoryGoal: 64 },
  { name: "2,500 bugs as json", words: ["bug", "search", "--product", "Project", "--all", "--json"] },
  { name: "2,500 bugs as a table", words: ["bug", "search", "--product", "Project", "--all", "--format", "table"] },
];

try {
  fileBug(data, env);
  const database = new Database(data);
  database.exec(manyBugs(BUGS));
  database.close();
  await whileServed(data, env, measureReads);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function measureReads(/** @type {string} */ target, /** @type {string} */ key) {
  const memory = fork(new URL("memory.js", import.meta.url), [target, "2"]);
  try {
    const [{ port }] = await once(memory, "message");
    const base = `http://127.0.0.1:${port}`;
    const own = { ...env, BT_BASE_URL: base, BT_API_KEY: key };
    /** @returns {Promise<{ urls: string[], connections: number }>} */
    const since = async () => {
      memory.send("?");
      return (await once(memory, "message"))[0];
    };
    const python = pythonBugzilla(base, own);
    const rows = READS.map((read) => ({
      ...read,
      bt: { name: read.name, argv: [process.execPath, launcher, ...read.words], env: own, expect: /^(.*\n)+$/ },
      floor: { name: `floor of ${read.name}`, argv: [""], env: own, expect: /^(.*\n)+$/ },
      python: python &&
        read.python && { name: read.name, argv: [...python, ...read.python], env: own, expect: /^(.*\n)+$/ },
    }));
    console.log(`Node ${process.version}, CPU time, medians of ${rounds} rounds; answers from memory.\n`);
    for (const row of rows) {
      rehearse(row.bt);
      await since();
      rehearse(row.bt, 1);
      const { urls, connections } = await since();
      const list = path.join(scratch, "urls.json");
      writeFileSync(list, JSON.stringify(urls.map((url) => base + url)));
      row.floor.argv = [process.execPath, path.join(import.meta.dirname, "floor.js"), list];
      const runs = [row.floor, row.bt, ...(row.python ? [row.python] : [])];
      for (const run of runs.slice(1)) rehearse(run);
      const [floor = Number.NaN, bt = Number.NaN, other] = measure(runs, rounds);
      const peak = peakOf(row.bt) ?? Number.NaN;
      console.log(
        [
          row.name.padEnd(26),
          `${urls.length} requests, ${connections} connections`.padStart(27),
          `bt ${bt.toFixed(0)} ms`.padStart(11),
          `floor ${floor.toFixed(0)} ms`.padStart(13),
          `bt/floor ${(bt / floor).toFixed(2)} ${row.goal === undefined ? "" : verdict(bt / floor, row.goal)}`,
          other === undefined
            ? ""
            : `python/bt ${(other / bt).toFixed(2)} ${other / bt >= 1.1 ? "within" : "UNDER"} 1.1`,
          `${peak.toFixed(0)} MiB ${verdict(peak, row.memoryGoal ?? MEMORY_GOAL)}`,
        ].join("  "),
      );
    }
  } finally {
    memory.disconnect();
  }
}
