// What reading from a mirror of 100,000 bugs and 500,000 comments costs as whole processes, in medians, beside a Node that
// does nothing: `npm run bench mirror [rounds] [bugs]`. The data is generated; the page cache is warm.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import Database from "libsql";
import { manyBugs } from "./many-bugs.js";
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
  database.exec(`
PRAGMA synchronous = OFF;
BEGIN;
${manyBugs(bugs)}
INSERT INTO mirror_bugs (bug_id, state, last_change_time, read_time)
SELECT bugs.id, state, bugs.last_change_time, read_time FROM bugs, mirror_bugs WHERE bugs.id > 1 AND mirror_bugs.bug_id = 1;`);
  const row = database.prepare("SELECT bug, discussion FROM mirror_received").get();
  const { bug, discussion } = /** @type {{ bug: string; discussion: string }} */ (row);
  const [shape, [, comment]] = JSON.parse(discussion);
  database.exec(`
INSERT INTO mirror_received (bug_id, bug, discussion)
SELECT id, ${changed(database, JSON.parse(bug), "bugs", ["id", "summary", "status", "resolution", "priority", "severity"])},
  '[${shape},[0' || (SELECT group_concat(',' || ${changed(database, comment, "comments", ["id", "bug_id"])}, '')
    FROM comments WHERE bug_id = bugs.id) || '],[0],[0]]'
FROM bugs WHERE id > 1;
COMMIT;`);
  database.close();
}

/** SQL of a packed object with the values of columns in fields of the same names. */
function changed(
  /** @type {Database.Database} */ database,
  /** @type {readonly unknown[]} */ packed,
  /** @type {string} */ table,
  /** @type {readonly string[]} */ fields,
) {
  const row = database.prepare("SELECT names FROM mirror_names WHERE id = ?").get(packed[0]);
  const names = JSON.parse(/** @type {{ names: string }} */ (row).names);
  const values = fields.map((field) => `'$[${names.indexOf(field) + 1}]', ${table}.${field}`);
  return `json_set('${JSON.stringify(packed).replaceAll("'", "''")}', ${values.join(", ")})`;
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
    { ...search("--status", "CONFIRMED", "--limit", "20"), name: "20 newest of a status", goal: 4.2 },
    { ...search("fulltext:once"), name: "word in one comment" },
    { ...search("fulltext:rarely", "--limit", "20"), name: "word in 100 comments" },
    { ...search("fulltext:usually", "--limit", "20"), name: "word in half of the comments" },
    { ...search("fulltext:usually", "--status", "VERIFIED", "--limit", "20"), name: "  and a status", goal: 5 },
    { ...search("--all", "--by", "status,priority"), name: "--by status,priority over all bugs", goal: 5.5 },
    {
      name: "one bug with comments",
      argv: [process.execPath, launcher, "--base-url", "mirror:bench", "bug", "get", String(bugs / 2)],
      env,
      expect: /\d/,
      goal: 2.5,
    },
    { ...search('comment ~ "with build"', "--limit", "20"), name: "text in each comment", goal: 7 },
    { ...search('comment ~ "once"'), name: "text in one comment" },
    { ...search(`summary ~ "column ${bugs / 2}"`), name: "substring over all summaries" },
    { ...search("is:open", "--count"), name: "--count of the open bugs" },
  ];
}
