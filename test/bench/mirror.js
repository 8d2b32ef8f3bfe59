// What reading from a mirror of 100,000 bugs and 500,000 comments costs as whole processes, in medians, beside a Node that
// does nothing: `npm run bench mirror [rounds] [bugs]`. The data is generated; the page cache is warm.
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

/** Copies of the one bug with other values and words, each with five comments, as a sync stores them. */
function fill() {
  const database = new Database(file);
  const one = /** @type {{ bug: string; comments: string }} */ (database.prepare("SELECT * FROM received").get());
  const [bug, [comment]] = [JSON.parse(one.bug), JSON.parse(one.comments)];
  const columns = /** @type {{ name: string }[]} */ (database.prepare("PRAGMA table_info(bug)").all()).map(
    ({ name }) => name,
  );
  const [own] = /** @type {Record<string, string>[]} */ (database.prepare("SELECT * FROM bug").all());
  const keep = database.prepare(`INSERT INTO bug VALUES (${columns.map(() => "?")})`);
  const keepReceived = database.prepare("INSERT INTO received VALUES (?, ?, ?, '[]', '[]')");
  const keepWords = database.prepare("INSERT INTO words (rowid, summary, comments) VALUES (?, ?, ?)");
  database.exec("PRAGMA synchronous = OFF; BEGIN");
  for (let id = 2; id <= bugs; id += 1) {
    const values = { ...valuesOf(id), last_change_time: time(id * 2000 + ((id * 7919) % 90_000) * 600) };
    const texts = [0, 1, 2, 3, 4].map((k) => commentText(id, k));
    const comments = texts.map((text, k) => ({ ...comment, id: id * 5 + k, bug_id: id, count: k, text }));
    const row = { ...own, ...values, summary: values.summary.toLowerCase(), id, read: values.last_change_time };
    keep.run(columns.map((name) => asColumn(name, /** @type {Record<string, string | number>} */ (row)[name] ?? "")));
    keepReceived.run([id, JSON.stringify({ ...bug, ...values, id }), JSON.stringify(comments)]);
    keepWords.run([id, values.summary.toLowerCase(), texts.join("\n").toLowerCase()]);
  }
  database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

function asColumn(/** @type {string} */ name, /** @type {string | number} */ value) {
  return name === "id" || /time$|^read$/.test(name) ? value : String(value).toLowerCase();
}

function valuesOf(/** @type {number} */ id) {
  return {
    summary: `The ${of(id, "list", "window", "import", "menu", "façade")} loses its place by column ${id}`,
    status: of(id, "CONFIRMED", "IN_PROGRESS", "RESOLVED", "VERIFIED", "UNCONFIRMED"),
    resolution: of(id, "", "", "FIXED", "INVALID", ""),
    priority: of(Math.floor(id / 5), "Highest", "High", "Normal", "Low", "Lowest"),
    severity: of(Math.floor(id / 25), "normal", "critical", "minor", "trivial", "enhancement"),
    creation_time: time(id * 2000),
  };
}

/** Of the comments, one has the word "once", a hundred have "rarely", and half have "usually". */
function commentText(/** @type {number} */ id, /** @type {number} */ k) {
  const usually = k % 2 === id % 2 ? " usually" : "";
  const rarely = k === 3 && id % Math.floor(bugs / 100) === 1 ? " rarely" : "";
  const once = k === 2 && id === bugs >> 1 ? " once" : "";
  return `Seen again with build ${id * 5 + k}${usually}${rarely}${once}, on a machine with eight processors and a slow disk;\n"nothing" else was running. It does not happen with small files.`;
}

function of(/** @type {number} */ number, /** @type {readonly string[]} */ ...texts) {
  return texts[number % texts.length] ?? "";
}

function time(/** @type {number} */ seconds) {
  return new Date((1_500_000_000 + seconds) * 1000).toISOString().replace(".000", "");
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
    { ...search("--status", "CONFIRMED", "--limit", "20"), name: "20 newest of a status", goal: 4.5 },
    { ...search("fulltext:once"), name: "word in one comment" },
    { ...search("fulltext:rarely", "--limit", "20"), name: "word in 100 comments" },
    { ...search("fulltext:usually", "--limit", "20"), name: "word in half of the comments" },
    { ...search("fulltext:usually", "--status", "VERIFIED", "--limit", "20"), name: "  and a status", goal: 6 },
    { ...search("--all", "--by", "status,priority"), name: "--by status,priority over all bugs", goal: 7 },
    {
      name: "one bug with comments",
      argv: [process.execPath, launcher, "--base-url", "mirror:bench", "bug", "get", String(bugs / 2)],
      env,
      expect: /\d/,
    },
    { ...search('comment ~ "with build"', "--limit", "20"), name: "text in each comment", goal: 7 },
    { ...search('comment ~ "once"'), name: "text in one comment", goal: 15 },
    { ...search("is:open", "--sort", "priority", "--limit", "20"), name: "a sort by a choice", goal: 13 },
    { ...search('not comment ~ "build"', "--count"), name: "what only a test of each bug decides", goal: 120 },
    { ...search(`summary ~ "column ${bugs / 2}"`), name: "substring over all summaries" },
    { ...search("is:open", "--count"), name: "--count of the open bugs" },
  ];
}
