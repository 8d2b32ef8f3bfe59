import { expect, test } from "vitest";
import type { Store } from "../../../src/tracker/store/store.ts";
import { type Parameters, searcher } from "./ask.ts";
import { zebraStore } from "./zebra-store.ts";

const WORDS = ["red", "green", "blue"];

/** Forty bugs with some of the words in comments, of which every fifth comes late, and in summaries. */
function manyBugs(lateBy: number): Store {
  const store = zebraStore();
  store.exec(`
WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 40)
INSERT INTO bugs (id, summary, creation_time, last_change_time, status, product_id, component_id, version, priority,
  severity, platform, op_sys, assigned_to_id, creator_id)
SELECT 30000 + n, CASE WHEN n % 4 = 0 THEN 'a blue bug' ELSE 'a bug' END, creation_time, last_change_time, status,
  product_id, component_id, version, priority, severity, platform, op_sys, assigned_to_id, creator_id
FROM numbers, bugs WHERE bugs.id = 20004;
INSERT INTO comments (id, bug_id, creator_id, creation_time, is_private, text)
SELECT 40000 + id * 2 + CASE WHEN id % 5 = 0 THEN ${lateBy} ELSE 0 END, id, creator_id, creation_time, id % 6 = 0,
  CASE id % 3 WHEN 0 THEN 'red' WHEN 1 THEN 'green and red' ELSE 'nothing' END
FROM bugs WHERE id > 30000;`);
  return store;
}

const SEARCHES: readonly Parameters[] = [
  ...WORDS.map((word) => ({ f1: "content", o1: "matches", v1: word })),
  { f1: "content", o1: "matches", v1: "+red +green" },
  { f1: "content", o1: "notmatches", v1: "red" },
  { f1: "content", o1: "matches", v1: "red -green" },
  { f1: "content", o1: "matches", v1: "+red -green -blue" },
  { f1: "longdesc", o1: "substring", v1: "green and" },
  { f1: "longdesc", o1: "notsubstring", v1: "red" },
  { f1: "longdesc", o1: "regexp", v1: "gr.*red" },
  { f1: "longdesc", o1: "equals", v1: "r\u00e9d" },
  { f1: "longdesc", o1: "isempty", n1: "1" },
  { f1: "longdescs.count", o1: "greaterthan", v1: "0", f2: "short_desc", o2: "regexp", v2: "blue|zebra" },
  { f1: "longdesc", o1: "changedafter", v1: "2001-01-01" },
  {
    f1: "OP",
    j1: "OR",
    f2: "longdesc",
    o2: "substring",
    v2: "green",
    f3: "product",
    o3: "notregexp",
    v3: "^F",
    f4: "CP",
  },
  { f1: "OP", j1: "OR", f2: "content", o2: "matches", v2: "blue", f3: "bug_id", o3: "equals", v3: "30037", f4: "CP" },
];

test.each([0, 1_000_000])(
  "the newest bugs of a search by words or comments are the first of all that match; late comments are %d numbers later",
  async (lateBy) => {
    const search = searcher(manyBugs(lateBy));
    for (const asked of SEARCHES) {
      for (const limit of [1, 3, 12]) {
        const all = await search({ ...asked, order: "bug_id DESC" });
        const newest = await search({ ...asked, order: "bug_id DESC", limit: String(limit) });
        expect([asked, newest]).toEqual([asked, (all as readonly number[]).slice(0, limit)]);
      }
    }
  },
);
