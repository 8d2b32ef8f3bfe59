// What `bt serve` takes for searches of a tracker of 20,000 bugs, as medians beside its answer to `GET /rest/version` in the
// same run: `npm run bench:serve [rounds]`. One connection, one request at a time.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import Database from "libsql";
import { manyBugs } from "./many-bugs.js";
import { fileBug, scratchEnv, whileServed } from "./served.js";

const rounds = Number(process.argv[2] ?? 101);
const scratch = mkdtempSync(path.join(tmpdir(), "bt-serve-"));
const data = path.join(scratch, "tracker.db");
const env = scratchEnv(scratch);

const FIELDS = "id,summary,status,resolution,product,component,priority,severity,assigned_to,last_change_time";
const NEWEST = "order=bug_id%20DESC";

/** Searches: the condition and order, and the most that they may take, in times of `GET /rest/version`. */
const SEARCHES = [
  { name: "newest 20", query: `f1=bug_id&o1=greaterthan&v1=0&${NEWEST}`, goal: 6 },
  { name: "newest 20 by last change", query: "f1=bug_id&o1=greaterthan&v1=0&order=changeddate%20DESC", goal: 6 },
  { name: "newest 20 of a status by last change", query: "bug_status=CONFIRMED&order=changeddate%20DESC" },
  { name: "word in one comment of 500", query: `f1=content&o1=matches&v1=seldom&${NEWEST}`, goal: 6 },
  { name: "word in one comment of 10", query: `f1=content&o1=matches&v1=tenth&${NEWEST}`, goal: 6 },
  { name: "word in every second comment", query: `f1=content&o1=matches&v1=usually&${NEWEST}`, goal: 6 },
];

try {
  fileBug(data, env);
  const database = new Database(data);
  database.exec(manyBugs(20_000));
  database.close();
  await whileServed(data, env, measure);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function measure(/** @type {string} */ base, /** @type {string} */ key) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (/** @type {string} */ where) => {
    const start = process.hrtime.bigint();
    const request = http.get(`${base}/rest/${where}api_key=${key}`, { agent });
    const [response] = await once(request, "response");
    const body = await text(response);
    const ms = Number(process.hrtime.bigint() - start) / 1e6;
    if (response.statusCode !== 200) throw new Error(`${where}: ${response.statusCode} ${body}`);
    return { ms, bugs: JSON.parse(body).bugs?.length };
  };
  const searches = SEARCHES.map(({ query }) => `bug?${query}&limit=20&include_fields=${FIELDS}&`);
  /** @type {number[][]} */
  const times = [[], ...SEARCHES.map(() => [])];
  for (let round = -10; round < rounds; round += 1) {
    for (const [at, where] of ["version?", ...searches].entries()) {
      const { ms, bugs } = await ask(where);
      if (at > 0 && bugs !== 20) throw new Error(`${where}: ${bugs} bugs`);
      if (round >= 0) times[at]?.push(ms);
    }
  }
  agent.destroy();
  report(times.map(median));
}

function report(/** @type {readonly number[]} */ [floor = Number.NaN, ...medians]) {
  console.log(
    `Node ${process.version}, medians of ${rounds} rounds, beside GET /rest/version: ${floor.toFixed(2)} ms.\n`,
  );
  for (const [at, { name, goal }] of SEARCHES.entries()) {
    const ratio = (medians[at] ?? Number.NaN) / floor;
    const verdict = goal === undefined ? "" : `${ratio <= goal ? "within" : "OVER"} ${goal}x`;
    console.log(
      [name.padEnd(38), `${(medians[at] ?? 0).toFixed(2)} ms`.padStart(9), `${ratio.toFixed(2)}x`.padStart(7), verdict]
        .join("  ")
        .trimEnd(),
    );
  }
}

function median(/** @type {readonly number[]} */ numbers) {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN;
}
