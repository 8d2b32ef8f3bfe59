// What reading from a mirror of 100,000 bugs and 500,000 comments costs as whole processes, in medians, beside a Node that
// does nothing: `npm run bench:mirror [rounds] [bugs]`. The data is generated; the page cache is warm.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import Database from "libsql";
import { measure, rehearse, report } from "./measure.js";
import { fileBug, launcher, scratchEnv, succeed, whileServed } from "./served.js";

const rounds = Number(process.argv[2] ?? 15);
const bugs = Number(process.argv[3] ?? 100_000);
const scratch = mkdtempSync(path.join(tmpdir(), "bt-mirror-"));
const file = path.join(scratch, "bt", "mirrors", "bench.db");
const env = scratchEnv(scratch);

try {
  await makeMirror();
  const start = process.hrtime.bigint();
  fill();
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const runs = candidates();
  for (const run of runs) rehearse(run);
  const times = measure(runs, rounds);
  const size = statSync(file).size / 2 ** 20;
  console.log(
    `Node ${process.version}, medians of ${rounds} rounds; ${bugs} bugs, ${5 * (bugs - 1) + 1} comments, file of ${size.toFixed(0)} MiB, filled in ${seconds.toFixed(0)} s.\n`,
  );
  report(runs, times);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** A mirror of a tracker with one bug. */
async function makeMirror() {
  const data = path.join(scratch, "tracker.db");
  fileBug(data, env);
  await whileServed(data, env, (base, key) =>
    succeed(["mirror", "create", "bench"], { ...env, BT_BASE_URL: base, BT_API_KEY: key }),
  );
}

/** Copies of the one bug with other values and words, each with five comments. */
function fill() {
  const database = new Database(file);
  const same = "product_id, component_id, version, platform, op_sys, assigned_to_id, creator_id";
  database.exec(`
PRAGMA synchronous = OFF;
BEGIN;
WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${bugs})
INSERT INTO bugs (id, summary, creation_time, last_change_time, status, resolution, priority, severity, ${same})
SELECT n,
  'The ' || ${of("n", "list", "window", "import", "menu", "photo")} || ' loses its place by column ' || n,
  strftime('%Y-%m-%dT%H:%M:%SZ', 1500000000 + n * 2000, 'unixepoch'),
  strftime('%Y-%m-%dT%H:%M:%SZ', 1500000000 + n * 2000 + (n * 7919 % 90000) * 600, 'unixepoch'),
  ${of("n", "CONFIRMED", "IN_PROGRESS", "RESOLVED", "VERIFIED", "UNCONFIRMED")}, ${of("n", "", "", "FIXED", "INVALID", "")},
  ${of("n / 5", "Highest", "High", "Normal", "Low", "Lowest")}, ${of("n / 25", "normal", "critical", "minor", "trivial", "enhancement")},
  ${same}
FROM numbers, bugs WHERE bugs.id = 1;
INSERT INTO comments (bug_id, creator_id, creation_time, text)
SELECT bugs.id, bugs.creator_id, bugs.creation_time, 'Seen again with build ' || (bugs.id * 5 + k)
  || CASE WHEN k % 2 = bugs.id % 2 THEN ' usually' ELSE '' END || CASE WHEN (bugs.id * 5 + k) % 10 = 0 THEN ' tenth' ELSE '' END
  || CASE WHEN (bugs.id * 5 + k) % 500 = 0 THEN ' seldom' ELSE '' END
  || ', on a machine with eight processors and a slow disk; nothing else was running. It does not happen with small files.'
FROM bugs JOIN (SELECT 0 AS k UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4)
WHERE bugs.id > 1 ORDER BY bugs.id, k;
INSERT INTO mirror_bugs (bug_id, state, last_change_time, read_time)
SELECT bugs.id, state, bugs.last_change_time, read_time FROM bugs, mirror_bugs WHERE bugs.id > 1 AND mirror_bugs.bug_id = 1;
COMMIT;`);
  database.close();
}

/** SQL for one of some texts, by a number. */
function of(/** @type {string} */ number, /** @type {readonly string[]} */ ...texts) {
  const cases = texts.map((text, at) => `WHEN ${at} THEN '${text}'`);
  return `CASE (${number}) % ${texts.length} ${cases.join(" ")} END`;
}

/** @returns {readonly import("./candidates.js").Candidate[]} */
function candidates() {
  const search = (/** @type {readonly string[]} */ ...words) => ({
    argv: [process.execPath, launcher, "--base-url", "mirror:bench", "bug", "search", ...words],
    env,
    expect: /^(.*\n)+$/,
  });
  return [
    { name: "node -e 0", argv: [process.execPath, "-e", "0"], env, expect: /^$/ },
    { ...search("--status", "CONFIRMED", "--limit", "20"), name: "20 newest of a status", goal: 2.5 },
    { ...search("fulltext:seldom", "--limit", "20"), name: "word with up to 1,000 hits", goal: 3 },
    { ...search("fulltext:tenth", "--limit", "20"), name: "word with 50,000 hits", goal: 10 },
    { ...search("fulltext:usually", "--limit", "20"), name: "word in every second comment, newest", goal: 3 },
    { ...search("--all", "--by", "status,priority"), name: "--by status,priority over all bugs", goal: 15 },
    {
      name: "one bug with comments",
      argv: [process.execPath, launcher, "--base-url", "mirror:bench", "bug", "get", String(bugs / 2)],
      env,
      expect: /\d/,
      goal: 2.5,
    },
    { ...search(`comment ~ "with build ${bugs * 2}"`), name: "substring over all comments" },
    { ...search(`summary ~ "column ${bugs / 2}"`), name: "substring over all summaries" },
    { ...search("is:open", "--count"), name: "--count of the open bugs" },
  ];
}
