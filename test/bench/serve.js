// CPU time of `bt serve` for reads of a tracker of 100,000 bugs with five comments each, as medians beside that of
// `GET /rest/version` in the same run: `npm run bench serve [rounds] [bugs]`. One connection, one request at a time.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { whileManyServed } from "./many-bugs.js";
import { median, verdict } from "./measure.js";
import { cpuTime, scratchEnv } from "./served.js";

const rounds = Number(process.argv[2] ?? 51);
const bugs = Number(process.argv[3] ?? 100_000);
const scratch = mkdtempSync(path.join(tmpdir(), "bt-serve-"));
const env = scratchEnv(scratch);

const FIELDS = "id,summary,status,resolution,product,component,priority,severity,assigned_to,last_change_time";
const NEWEST = "order=bug_id%20DESC";

/** @typedef {{ name: string, query: () => string, goal?: number, hits?: number }} Read */
const words = (/** @type {string} */ word) => () => `bug?f1=content&o1=matches&v1=${word}&${NEWEST}`;
const comments = (/** @type {string} */ part) =>
  `bug?f1=longdesc&o1=substring&v1=${encodeURIComponent(part)}&${NEWEST}`;

/** Reads, and the most that they may take, in times of `GET /rest/version`. @type {readonly Read[]} */
const READS = [
  { name: "one bug", query: () => `bug/${bugs / 2}?`, goal: 4, hits: 1 },
  { name: "newest of a status", query: () => `bug?bug_status=CONFIRMED&${NEWEST}`, goal: 4 },
  { name: "  by last change", query: () => "bug?bug_status=CONFIRMED&order=changeddate%20DESC" },
  { name: "word in one comment", query: words("once"), goal: 8, hits: 1 },
  { name: "word in 100 comments", query: words("rarely"), goal: 8 },
  { name: "word in half of the comments", query: words("usually"), goal: 10 },
  { name: "  and a status", query: () => `${words("usually")()}&bug_status=VERIFIED`, goal: 10 },
  { name: "text in each comment", query: () => comments("with build"), goal: 40 },
  { name: "text in 100 comments", query: () => comments("rarely") },
  { name: "text in one comment", query: () => comments("once"), hits: 1 },
];

try {
  await whileManyServed({ count: bugs, folder: scratch, env }, async (base, key, pid) =>
    report(await timesOf(base, key, pid)),
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function timesOf(/** @type {string} */ base, /** @type {string} */ key, /** @type {number} */ pid) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (/** @type {string} */ where) => {
    const start = cpuTime(pid);
    const request = http.get(`${base}/rest/${where}&api_key=${key}`, { agent });
    const [response] = await once(request, "response");
    const body = await text(response);
    const ms = cpuTime(pid) - start;
    if (response.statusCode !== 200) throw new Error(`${where}: ${response.statusCode} ${body}`);
    return { ms, hits: JSON.parse(body).bugs?.length };
  };
  const paths = READS.map(({ query }) => `${query()}&limit=20&include_fields=${FIELDS}`);
  /** @type {number[][]} */
  const times = [[], ...READS.map(() => [])];
  for (let round = -3; round < rounds; round += 1) {
    for (const [at, where] of ["version?", ...paths].entries()) {
      const { ms, hits } = await ask(where);
      if (at > 0 && hits !== (READS[at - 1]?.hits ?? 20)) throw new Error(`${where}: ${hits} bugs`);
      if (round >= 0) times[at]?.push(ms);
    }
  }
  agent.destroy();
  return times.map(median);
}

function report(/** @type {number[]} */ [floor = Number.NaN, ...medians]) {
  console.log(
    `Node ${process.version}, ${bugs} bugs, medians of ${rounds} rounds; GET /rest/version: ${floor.toFixed(2)} ms.\n`,
  );
  for (const [at, { name, goal }] of READS.entries()) {
    const ms = medians[at] ?? Number.NaN;
    const ratio = `${(ms / floor).toFixed(1)}x ${goal === undefined ? "" : verdict(ms / floor, goal)}`;
    console.log([name.padEnd(30), `${ms.toFixed(2)} ms`.padStart(10), ratio].join("  ").trimEnd());
  }
}
