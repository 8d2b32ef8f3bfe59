import { expect, test } from "vitest";
import { SORT_FIELDS } from "../../../src/tracker/search/search.ts";
import { SEARCH_FIELDS } from "../../../src/tracker/search/search-fields.ts";
import { FIELD_NAMES } from "../../../src/wire/search-names.ts";
import { sampled } from "../../sampling.ts";
import { type Parameters, searcher } from "./ask.ts";
import { OPERATORS } from "./operators.ts";
import { twoTrackers } from "./two-trackers.ts";

const { secretive, open } = twoTrackers();
const [whole, rest] = [searcher(secretive), searcher(open)];

async function expectAlike(parameters: Parameters, as = "carol"): Promise<void> {
  expect(await whole(parameters, as), JSON.stringify(parameters)).toEqual(await rest(parameters, as));
}

const fields = [...SEARCH_FIELDS, "content", "owner_idle_time"];

const DAVE = "dave@example.org";
const CHANGE_VALUES: Readonly<Record<string, string>> = {
  changedafter: "-1h",
  changedbefore: "+1h",
  changedby: DAVE,
  changedfrom: "0",
  changedto: "secret",
};

const OWN_VALUES: Readonly<Record<string, string>> = { "flagtypes.name": "approval", owner_idle_time: "1h" };

function valuesFor(field: string, operator: string): readonly string[] {
  const change = CHANGE_VALUES[operator];
  const isPeople = /person|people/.test(FIELD_NAMES.find(({ chart }) => chart === field)?.family ?? "");
  return change === undefined ? [OWN_VALUES[field] ?? (isPeople ? DAVE : "secret"), "1"] : [change];
}

test.each(fields.map((f1, nth) => [f1, nth] as const))("S7 rows on %s reveal nothing hidden", async (f1, nth) => {
  for (const [at, o1] of sampled(Object.values(OPERATORS).flat(), 2, nth).entries()) {
    const values = valuesFor(f1, o1);
    for (const v1 of sampled(values, values.length, at)) {
      await expectAlike({ f1, o1, v1 });
    }
  }
});

test.each<[Parameters]>([
  [{ quicksearch: "ALL secret" }],
  [{ quicksearch: "ALL secret|comment:secret|attachment:secret|flag:secret|setter:dave|tag:mine" }],
  [{ content: "secret", order: "relevance DESC" }],
  [{ content: "zebra secret", order: "relevance DESC,bug_id" }],
  [{ chfield: "[Bug creation]", chfieldfrom: "-1h" }],
  [{ chfield: ["work_time", "priority"], chfieldvalue: "secret" }],
  [{ commenter: "dave@example.org" }],
  [{ tags: ["mine", "later"] }],
  [{ id: "20004,20002" }],
  [{ limit: "1", order: "bug_id DESC", f1: "bug_id", o1: "lessthan", v1: "20005" }],
  [{ limit: "1", offset: "2", order: "bug_id" }],
  [{ bug_group: "core-security" }],
  [{ j_top: "AND_G", f1: "longdesc", o1: "substring", v1: "secret", f2: "longdesc", o2: "substring", v2: "word" }],
])("S7 %j reveals nothing", async (parameters) => {
  await expectAlike(parameters);
  await expectAlike(parameters, "");
});

test.each([...SORT_FIELDS.keys(), "relevance"])("S7 the order by %s reveals nothing", async (column) => {
  await expectAlike({ summary: "zebra", order: `${column} DESC` });
});

test("users who may see what is private find all of it", async () => {
  const found = (parameters: Parameters) => whole(parameters, "admin");
  expect(await found({ f1: "longdesc", o1: "substring", v1: "secret" })).toEqual([20002, 20003, 20004]);
  expect(await found({ f1: "flagtypes.name", o1: "equals", v1: "approval+" })).toEqual([20002]);
  expect(await found({ f1: "comment_tag", o1: "equals", v1: "secret" })).toEqual([20002]);
  expect(await found({ f1: "work_time", o1: "changedto", v1: "secret" })).toEqual([]);
  expect(await found({ f1: "longdescs.isprivate", o1: "equals", v1: "1" })).toEqual([20002, 20003]);
  expect(await found({ content: "secret" })).toEqual([20002, 20003, 20004]);
});

test("the fields of rows are those in the table of names but two, and no others", () => {
  const lacking = ["attach_data.thedata", "last_visit_ts"];
  expect([...fields, ...lacking].sort()).toEqual(FIELD_NAMES.map(({ chart }) => chart).sort());
});
