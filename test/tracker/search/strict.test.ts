import { expect, test } from "vitest";
import { type Parameters, searcher } from "./ask.ts";
import { zebraStore } from "./zebra-store.ts";

const store = zebraStore();
const strict = searcher(store, { isStrict: true });
const lenient = searcher(store);

test.each<[Parameters, string]>([
  [{ prodct: "Firefox" }, "prodct"],
  [{ groups: "core-security" }, "groups"],
  [{ ids: "20002" }, "ids"],
  [{ is_open: "1" }, "is_open"],
  [{ login: "alice@example.org" }, "login"],
  [{ "product[]": "Firefox" }, "product[]"],
  [{ status: "resolved" }, "status"],
  [{ status: ["REOPENED", "RESOLVED"] }, "status"],
  [{ product: "" }, "product"],
  [{ summary: "," }, "short_desc"],
  [{ limit: "ten" }, "limit"],
  [{ order: "last_change_time" }, "order"],
  [{ order: "relevance" }, "order"],
  [{ order: ["bug_id", "priority"] }, "order"],
  [{ creation_time: ["2026-01-01", "2026-02-01"] }, "creation_time"],
  [{ f1: "priority", v1: "High" }, "f1"],
  [{ f1: "priority", o1: "equals" }, "f1"],
  [{ f1: "delta_ts", o1: "greaterthan", v1: "yesterday" }, "delta_ts"],
  [{ f2: "priority", o2: "equals", v2: "High", assigned_to: "bob" }, "f2"],
  [{ chfield: "priority" }, "chfield"],
  [{ chfieldfrom: "whenever" }, "chfieldfrom"],
  [{ deadlinefrom: ["2026-01-01", "2026-02-01"] }, "deadline"],
  [{ email1: "bob", emailcc1: "1" }, "email1"],
  [{ "field0-0-0": "priority", "type0-0-0": "equals", "value0-0-0": "High" }, "field0-0-0"],
])("%j is rejected by a strict tracker and ignored by others", async (parameters, named) => {
  expect(await strict(parameters)).toMatchObject({ code: 53, message: expect.stringContaining(named) as string });
  expect(await lenient(parameters)).toBeInstanceOf(Array);
});

test.each(["22 Nov 2026", "Nov 22, 2026", "11/22/2026"])(
  "a date that only Bugzilla reads is rejected: %s",
  async (date) => {
    const rows = [{ f1: "delta_ts", o1: "greaterthan", v1: date }, { chfieldfrom: date }, { deadlinefrom: date }];
    for (const parameters of rows) expect(await lenient(parameters)).toMatchObject({ code: 56 });
  },
);

test("--- stands for no resolution in lists of values alone", async () => {
  const zebras = (type: string) => strict({ summary: "zebra", resolution: "---", resolution_type: type });
  expect(await zebras("anyexact")).toEqual([20003, 20004]);
  expect(await zebras("substring")).toEqual([]);
  expect(await zebras("notequals")).toEqual([20002, 20003, 20004, 20005]);
});
