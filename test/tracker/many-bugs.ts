import type { Store } from "../../src/tracker/store/store.ts";
import { freshDemo } from "../fresh-demo.ts";

/** The demo tracker with so many bugs, copies of its own with times of their own, and a maximum for one answer. */
export function manyBugs(count: number, maximum: number, now = () => new Date("2026-11-20T12:00:00Z")) {
  return freshDemo(
    { now, random: (length) => new Uint8Array(length).fill(7) },
    {
      name: `${count} bugs, ${maximum} at once`,
      fill: (store) => {
        copyBugs(store, count);
        store.run("INSERT INTO parameters (name, value) VALUES ('max_search_results', ?)", [String(maximum)]);
      },
    },
  );
}

/** Fills a tracker with copies of its bugs until there are so many. */
export function copyBugs(store: Store, count: number): void {
  store.transaction("write", () => fill(store, count));
}

function fill(store: Store, count: number): void {
  store.run(COPIES, { count });
  store.exec(COMMENTS);
}

const SAME =
  "product_id, component_id, version, priority, severity, platform, op_sys, assigned_to_id, creator_id, is_confirmed";

const COPIES = `
INSERT INTO bugs (id, summary, status, resolution, creation_time, last_change_time, ${SAME})
WITH RECURSIVE numbers (number) AS (
  SELECT max(id) + 1 FROM bugs UNION ALL SELECT number + 1 FROM numbers WHERE number < @count)
SELECT number, summary || ' ' || number, status, resolution,
  strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + 3600 * number, 'unixepoch'),
  strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + 3600 * number + 40000 * (number * 7919 % 101), 'unixepoch'),
  ${SAME}
FROM numbers JOIN bugs ON bugs.id = 1 + number * 7919 % (SELECT min(max(id), 50) FROM bugs)`;

const COMMENTS = `
INSERT INTO comments (bug_id, creator_id, creation_time, text)
SELECT id, creator_id, creation_time, 'What happened with ' || summary FROM bugs
WHERE id NOT IN (SELECT bug_id FROM comments)`;
