import { expect, test } from "vitest";
import { zebraStore } from "../search/zebra-store.ts";

test.each(["last_change_time DESC, id", "last_change_time, id", "id DESC"])(
  "visible bugs in the order %s are read by an index, not sorted all",
  (order) => {
    const plan = zebraStore().all(
      `EXPLAIN QUERY PLAN SELECT id FROM visible_bugs WHERE id > 0 ORDER BY ${order} LIMIT 20`,
    );
    const steps = plan.map(({ detail }) => detail);
    expect(steps).toContain("SCAN viewer");
    expect(steps).not.toContain("USE TEMP B-TREE FOR ORDER BY");
  },
);
