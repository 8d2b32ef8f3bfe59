// What reading from a mirror of 100,000 bugs and 500,000 comments costs as whole processes, in medians, beside a Node that
// does nothing: `npm run bench mirror [rounds] [bugs]`. The data is generated; the page cache is warm.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { whileManyServed } from "./many-bugs.js";
import { measure, rehearse, report } from "./measure.js";
import { launcher, scratchEnv, succeed } from "./served.js";

const rounds = Number(process.argv[2] ?? 15);
const bugs = Number(process.argv[3] ?? 100_000);
const scratch = mkdtempSync(path.join(tmpdir(), "bt-mirror-"));
const env = scratchEnv(scratch);

try {
  await whileManyServed({ count: bugs, folder: scratch, env }, (base, key) =>
    succeed(["mirror", "create", "bench"], { ...env, BT_BASE_URL: base, BT_API_KEY: key }),
  );
  const runs = candidates();
  for (const run of runs) rehearse(run);
  const size = statSync(path.join(scratch, "bt", "mirrors", "bench.db")).size / 2 ** 20;
  console.log(`Node ${process.version}, medians of ${rounds} rounds; ${bugs} bugs, file of ${size.toFixed(0)} MiB.\n`);
  report(runs, measure(runs, rounds));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** @returns {readonly import("./measure.js").Candidate[]} */
function candidates() {
  const search = (/** @type {readonly string[]} */ ...words) => ({
    argv: [process.execPath, launcher, "--base-url", "mirror:bench", "bug", "search", ...words],
    env,
    expect: /^(.*\n)+$/,
  });
  return [
    { name: "node -e 0", argv: [process.execPath, "-e", "0"], env, expect: /^$/ },
    { ...search("--status", "CONFIRMED", "--limit", "20"), name: "20 newest of a status", goal: 4.5 },
    { ...search("fulltext:usually", "--status", "VERIFIED", "--limit", "20"), name: "word and status", goal: 6 },
    { ...search("--all", "--by", "status,priority"), name: "--by status,priority over all bugs", goal: 7 },
    { ...search('comment ~ "once"'), name: "text in one comment", goal: 15 },
    { ...search("is:open", "--sort", "priority", "--limit", "20"), name: "a sort by a choice", goal: 13 },
    { ...search('not comment ~ "build"', "--count"), name: "what only a test of each bug decides", goal: 120 },
  ];
}
