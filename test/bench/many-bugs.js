import path from "node:path";
import Database from "libsql";
import { fileBug, whileServed } from "./served.js";

/** Serves a tracker of so many bugs, kept in a folder, while its address and first key are in use. */
export async function whileManyServed(
  /** @type {{ count: number, folder: string, env: import("./served.js").Env }} */ { count, folder, env },
  /** @type {(base: string, key: string, pid: number) => void | Promise<void>} */ use,
) {
  const data = path.join(folder, "tracker.db");
  fileBug(data, env);
  const database = new Database(data);
  database.exec(`PRAGMA synchronous = OFF; BEGIN; ${manyBugs(count)} COMMIT;`);
  database.close();
  await whileServed(data, env, use);
}

/**
 * SQL that copies the first bug of a tracker with other values, times and words, up to this number of bugs, each with a
 * change and five comments: of these, one has the word "once", a hundred have "rarely", and half have "usually". The times
 * of last changes are not in the order of the numbers; some texts have letters beyond ASCII, and signs without a width.
 */
function manyBugs(/** @type {number} */ count) {
  const same = "product_id, component_id, version, platform, op_sys, assigned_to_id, creator_id";
  return `
WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
INSERT INTO bugs (id, summary, creation_time, last_change_time, status, resolution, priority, severity, ${same})
SELECT n,
  'The ' || ${of("n", "list", "window", "import", "menu", "façade")} || ' loses its place by column ' || n,
  strftime('%Y-%m-%dT%H:%M:%SZ', 1500000000 + n * 2000, 'unixepoch'),
  strftime('%Y-%m-%dT%H:%M:%SZ', 1500000000 + n * 2000 + (n * 7919 % 90000) * 600, 'unixepoch'),
  ${of("n", "CONFIRMED", "IN_PROGRESS", "RESOLVED", "VERIFIED", "UNCONFIRMED")}, ${of("n", "", "", "FIXED", "INVALID", "")},
  ${of("n / 5", "Highest", "High", "Normal", "Low", "Lowest")}, ${of("n / 25", "normal", "critical", "minor", "trivial", "enhancement")},
  ${same}
FROM numbers, bugs WHERE bugs.id = 1;
INSERT INTO comments (bug_id, creator_id, creation_time, text)
SELECT bugs.id, bugs.creator_id, bugs.creation_time, 'Seen again with build ' || (bugs.id * 5 + k)
  || CASE WHEN k % 2 = bugs.id % 2 THEN ' usually' ELSE '' END
  || CASE WHEN k = 3 AND bugs.id % ${Math.floor(count / 100)} = 1 THEN ' rarely' ELSE '' END
  || CASE WHEN k = 2 AND bugs.id = ${count >> 1} THEN ' once' ELSE '' END
  || CASE WHEN k = 4 AND bugs.id % 20 = 0 THEN ' \u26a0\ufe0f' ELSE '' END
  || ', on a machine with eight processors and a slow disk;\n"nothing" else was running. It does not happen with small files.'
FROM bugs JOIN (SELECT 0 AS k UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4)
WHERE bugs.id > 1 ORDER BY bugs.id, k;
INSERT INTO activity (bug_id, user_id, time, field, removed, added)
SELECT id, creator_id, last_change_time, 'priority', 'Normal', priority FROM bugs WHERE id > 1;`;
}

/** SQL for one of some texts, by a number. */
function of(/** @type {string} */ number, /** @type {readonly string[]} */ ...texts) {
  const cases = texts.map((text, at) => `WHEN ${at} THEN '${text}'`);
  return `CASE (${number}) % ${texts.length} ${cases.join(" ")} END`;
}
