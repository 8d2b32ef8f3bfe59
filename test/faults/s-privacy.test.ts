import { expect, test } from "vitest";
import { createTracker } from "../../src/tracker/tracker.ts";
import { OPERATORS } from "../tracker/search/operators.ts";
import { zebrasOnly } from "../tracker/search/two-trackers.ts";

const NO_HOURS = "UPDATE bugs SET estimated_time = 0, remaining_time = 0";
const HOURS = `
  UPDATE bugs SET estimated_time = id % 7, remaining_time = id % 5;
  UPDATE comments SET work_time = id % 3;
  INSERT INTO activity (bug_id, user_id, time, field, removed, added) VALUES
    (20002, 2, '2026-11-20T05:57:42Z', 'estimated_time', '0', '3'), (20003, 2, '2026-11-20T05:57:43Z', 'work_time', '', '2'),
    (20002, 5, '2026-11-20T05:57:44Z', 'remaining_time', '3', '1');`;

const TRACKERS = [HOURS, NO_HOURS].map((sql) => {
  const store = zebrasOnly();
  store.exec(sql);
  return createTracker(store, { now: () => new Date("2026-11-20T05:58:00Z"), random: (n) => new Uint8Array(n) });
});

/** Responses of a tracker with hours and of one without, but for the tokens, which every change changes. */
async function both(path: string, as: string): Promise<readonly string[]> {
  const [bare = "", search] = path.split("?");
  const key = as === "" ? [] : ([["api_key", `{${as}_key}`]] as const);
  const query = [...new URLSearchParams(search), ...key];
  const replies = await Promise.all(TRACKERS.map((tracker) => tracker({ method: "GET", path: bare, query })));
  return replies.map(({ status, body }) => `${status} ${body.replace(/"update_token":"[^"]*"/g, "")}`);
}

test.each(["estimated_time", "remaining_time", "work_time", "actual_time", "percentage_complete"])(
  "S8 users outside the time tracking group cannot read, sort or search by %s",
  async (field) => {
    const rows = Object.values(OPERATORS).flatMap((operators) =>
      operators.flatMap((o1) => ["0", "2", "alice@example.org", "-1h"].map((v1) => `f1=${field}&o1=${o1}&v1=${v1}`)),
    );
    const others = [
      ...["", " DESC"].map((direction) => `status=CONFIRMED&order=${field}${direction},bug_id DESC`),
      `chfield=${field}&chfieldfrom=2026-01-01&chfieldto=Now`,
      ...[`${field}=2`, `quicksearch=${field}:2`, `summary=zebra&include_fields=id,${field}`],
    ];
    for (const search of [...rows, ...others]) {
      for (const as of ["carol", ""]) {
        const [withHours, without] = await both(`/rest/bug?${search}`, as);
        expect(withHours, search).toBe(without);
      }
    }
  },
);

test.each(["20002", "20002/history", "20003/history", "20002/comment", "20002?include_fields=_all"])(
  "S8 /rest/bug/%s has hours for the time tracking group only",
  async (path) => {
    for (const as of ["carol", ""]) {
      const [withHours, without] = await both(`/rest/bug/${path}`, as);
      expect(withHours).toBe(without);
      expect(withHours).not.toMatch(/estimated_time|remaining_time|work_time|actual_time/);
    }
    const [withHours, without] = await both(`/rest/bug/${path}`, "admin");
    expect(withHours === without).toBe(path.endsWith("comment"));
  },
);
