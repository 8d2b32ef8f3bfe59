// What long results cost as whole processes, in medians, beside curl on the same tracker: `npm run bench bulk [rounds]`.
// The tracker is `bt serve` on a file of 20,000 bugs: one process, so two requests at once gain less than on servers with
// several.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import Database from "libsql";
import { median, wallTimeOf } from "./measure.js";
import { launcher as bt, fileBug, scratchEnv, whileServed } from "./served.js";

const rounds = Number(process.argv[2] ?? 5);
const scratch = mkdtempSync(path.join(tmpdir(), "bt-bulk-"));
const data = path.join(scratch, "tracker.db");
const env = scratchEnv(scratch);

const FIELDS = "id,summary,status,resolution,product,component,priority,severity";
const THOUSAND = Array.from({ length: 1000 }, (_, at) => at + 1);

const COUNT = 20_000;
const PAGE = 1000; // a maximum that servers set for one search

fill(COUNT);
try {
  await whileServed(data, env, measure);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** One bug filed as anybody does it, and copies of it, each with three comments. */
function fill(/** @type {number} */ count) {
  fileBug(data, env, "The list loses its place when it is sorted");
  const database = new Database(data);
  const columns =
    "status, product_id, component_id, version, priority, severity, platform, op_sys, assigned_to_id, creator_id";
  database.exec(`
WITH RECURSIVE numbers (number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count})
INSERT INTO bugs (id, summary, creation_time, last_change_time, ${columns})
SELECT number, summary || ' by column ' || number, creation_time, last_change_time, ${columns} FROM numbers, bugs;
INSERT INTO comments (bug_id, creator_id, creation_time, text)
SELECT bugs.id, bugs.creator_id, bugs.creation_time, 'Seen again, with ' || word
FROM bugs JOIN (SELECT 'one' AS word UNION ALL SELECT 'two' UNION ALL SELECT 'three');`);
  database.close();
}

function measure(/** @type {string} */ base, /** @type {string} */ key) {
  const search = (/** @type {string} */ rest) =>
    `${base}/rest/bug?f1=bug_id&o1=greaterthan&v1=0&include_fields=${FIELDS}&order=bug_id&${rest}&api_key=${key}`;
  const curl = (/** @type {readonly string[]} */ urls) => ["curl", "-s", ...urls];
  const ask = (/** @type {readonly string[]} */ ...words) => [process.execPath, bt, ...words];
  const list = ["bug", "search", "--format", "ndjson", "--fields", FIELDS];
  const ids = THOUSAND.slice(1).map((id) => `ids=${id}`);
  const own = { ...env, BT_BASE_URL: base, BT_API_KEY: key };
  const pairs = [
    {
      name: "5,000 bugs as ndjson",
      curl: curl([search("limit=5000")]),
      bt: ask(...list, "--limit", "5000"),
      lines: 5000,
    },
    {
      name: "20,000 bugs as ndjson",
      curl: curl([search("limit=10000"), search("limit=10000&offset=10000")]),
      bt: ask(...list, "--all"),
      lines: 20_000,
      goal: 1.15,
    },
    {
      name: "comments of 1,000 bugs",
      curl: curl(
        [ids.slice(0, 500), ids.slice(500)].map(
          (part) => `${base}/rest/bug/1/comment?${part.join("&")}&api_key=${key}`,
        ),
      ),
      bt: ask("comment", "list", "-", "--format", "ndjson"),
      lines: 3001,
      most: 4,
    },
  ];
  console.log(`Node ${process.version}, medians of ${rounds} rounds; to curl on bt serve.\n`);
  for (const pair of pairs) report(pair, own);
  limitPages();
  const pages = Array.from({ length: COUNT / PAGE }, (_, at) =>
    search(`limit=${PAGE}&offset=${at * PAGE}`).replace("order=bug_id", "order=bug_id%20DESC"),
  );
  const all = { bt: ask(...list, "--all"), lines: COUNT };
  const fresh = { ...own, XDG_CACHE_HOME: path.join(scratch, "pages") }; // where no longer page is remembered
  report({ ...all, name: "20 pages of 1,000 bugs", curl: curl(pages), goal: 0.75 }, fresh);
  const pairwise = curl(["-Z", "--parallel-max", "2", ...pages]);
  report({ ...all, name: "  two connections of curl", curl: pairwise, goal: 1.1 }, fresh);
}

/** Has the tracker return no more bugs for one search than a page. */
function limitPages() {
  const database = new Database(data);
  database.exec(`INSERT INTO parameters (name, value) VALUES ('max_search_results', '${PAGE}')`);
  database.close();
}

/** @typedef {{ name: string, curl: readonly string[], bt: readonly string[], lines: number, most?: number, goal?: number }} Pair */

function report(/** @type {Pair} */ pair, /** @type {NodeJS.ProcessEnv} */ own) {
  const requests = rehearse(pair, own);
  /** @type {[number[], number[]]} */
  const times = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    times[0].push(wallTimeOf(pair.curl, own));
    times[1].push(wallTimeOf(pair.bt, own, THOUSAND.join("\n")));
  }
  const [floor = Number.NaN, time = Number.NaN] = times.map(median);
  const cells = [
    pair.name.padEnd(26),
    `curl ${floor.toFixed(0)} ms`.padStart(13),
    `bt ${time.toFixed(0)} ms`.padStart(12),
    `${(time / floor).toFixed(2)}x`.padStart(7),
    `${requests} requests`.padStart(12),
    pair.most === undefined ? "" : `${requests <= pair.most ? "within" : "OVER"} ${pair.most}`,
    pair.goal === undefined ? "" : `${time / floor <= pair.goal ? "within" : "OVER"} ${pair.goal}x`,
  ];
  console.log(cells.join("  ").trimEnd());
}

/** A command that gives another number of lines is no measurement; says how many requests one run takes. */
function rehearse(
  /** @type {Pair} */ { name, bt: [command = "", ...rest], lines },
  /** @type {NodeJS.ProcessEnv} */ own,
) {
  const options = { env: own, encoding: /** @type {const} */ ("utf8"), input: THOUSAND.join("\n"), maxBuffer: 1 << 30 };
  for (let time = 0; time < 2; time += 1) {
    const { status, stdout, stderr } = spawnSync(command, rest, options);
    const count = stdout.split("\n").length - 1;
    if (status !== 0 || count !== lines) throw new Error(`${name}: exit ${status}, ${count} lines\n${stderr}`);
  }
  return spawnSync(command, [...rest, "--verbose"], options).stderr.match(/^>/gm)?.length ?? 0;
}
