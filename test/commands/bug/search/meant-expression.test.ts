import { describe, expect, test } from "vitest";
import { bt } from "../../../bt.ts";
import { mozillaServer, onMozilla } from "../../../mozilla/server.ts";
import { demo } from "../../demo.ts";

const run = demo();

describe("an expression of another tool is answered with one that runs", () => {
  test.each([
    ["status = Open ORDER BY created DESC", "is:open sort:created:desc"],
    [
      "project = Lantern AND resolution = Unresolved ORDER BY priority DESC, key",
      "product = Lantern and is:open sort:priority:desc sort:id",
    ],
    ["assignee = currentUser() order by updated", "assignee = @me sort:updated"],
    ["assignee = me ORDER BY created", "assignee = @me sort:created"],
    ["created > startOfWeek()", "created >= this-week"],
    ["created >= startOfMonth(-1) and created < startOfMonth()", "created >= last-month and created < this-month"],
    ["created > endOfDay(-1d)", "created > yesterday"],
    ["updated <= endOfDay() and updated >= startOfDay(-7)", "updated <= today and updated >= -7d"],
    ["updated = startOfDay() and created < now()", "updated = today and created < now"],
    [
      'status in (Open, "In Progress", NEW) AND project = Lantern',
      '(is:open or status in ("In Progress", CONFIRMED)) and product = Lantern',
    ],
    ["statusCategory != Done and priority in (Highest, Urgent)", "not is:closed and priority = Highest"],
    ["reporter in (currentUser()) AND NOT status = Closed", "reporter = @me and not is:closed"],
    ["project in (Lantern, Harbor) AND assignee is EMPTY", "product in (Lantern, Harbor) and is:unassigned"],
    ["is:issue state:open label:crash author:@me", "is:open and keywords:crash and author:@me"],
    ["priority = hihg and status = confrimed", "priority = High and status = CONFIRMED"],
    ["status = High and prodct = Lantern", "priority:High and product = Lantern"],
    ["text ~ crash and fixVersion = 3.2", "comment ~ crash and target_milestone = 3.2"],
    ["status NOT IN (Done, Closed)", "not is:closed"],
    ["status IN (NEW, ASSIGNED)", "status in (CONFIRMED, IN_PROGRESS)"],
    ["status <> RESOLVED", "status != RESOLVED"],
    ["status is not RESOLVED and resolution is FIXED", "status != RESOLVED and resolution = FIXED"],
    ["status changed to RESOLVED after -1w", "status changed to RESOLVED since -1w"],
    ["duedate <= endOfWeek() and watcher = currentUser()", "deadline <= this-week and cc = @me"],
    ["is:opn and label = crash", "is:open and keywords = crash"],
  ])("%s", async (foreign, own) => {
    const { code, err } = await run(`bug search '${foreign}'`);
    expect([code, err]).toEqual([2, expect.stringMatching(/\nhint: did you mean '?[^']+'?\?\n$/)]);
    expect(err).toContain(own);
    expect(await run(`bug search --count '${own}'`)).toMatchObject({ code: 0 });
  });

  test("also by --where, in several arguments, and of other verbs", async () => {
    const hint = "did you mean 'product = Lantern and is:open'?";
    for (const line of [
      "search --where 'project = Lantern and status = Open'",
      "search project = Lantern AND status = Open",
      "search 'status = Open' --where 'project = Lantern'",
      "export 'project = Lantern and status = Open'",
    ]) {
      const { code, err } = await run(`bug ${line}`);
      expect([code, err.replace("is:open and product = Lantern", "product = Lantern and is:open")]).toEqual([
        2,
        expect.stringContaining(`\nhint: ${hint}\n`),
      ]);
    }
  });
});

test.each([
  [
    "project = Firefox AND status = Open ORDER BY created DESC",
    'unknown product "Firefox"',
    "valid values: Handbook, Harbor, Lantern; in 'product = VALUE and is:open sort:created:desc'",
  ],
  ["state:open label:nosuch", 'unknown keyword "nosuch"', "; in 'is:open and keywords:VALUE'"],
  ["issuetype = Epic AND status = Open", 'unknown field "issuetype"', "this tracker has no types of bugs"],
  ["status = Open ORDER BY rank", 'the tracker cannot sort by "rank"', "valid values: id, "],
])("what is left is refused, in the expression with the rest mended: %s", async (foreign, message, hint) => {
  const { code, err } = await run(`bug search '${foreign}'`);
  expect([code, err]).toEqual([2, expect.stringContaining(`bt: ${message}\nhint: `)]);
  expect(err).toContain(hint);
});

test.each([
  ["priority = hihg", "did you mean High? others: Highest, Normal, Low, Lowest, ---"],
  ["is:open and priority = hihg", "did you mean High? others: Highest, Normal, Low, Lowest, ---"],
  ["status = Done", "did you mean RESOLVED? others: UNCONFIRMED, CONFIRMED, IN_PROGRESS, VERIFIED"],
  ["sprint = openSprints()", "there are no functions: @me is the user, this-week a date"],
  ["order by created", "a sort key is a term: sort:updated:desc"],
  ["is:open (", "expected a condition such as"],
  ["is:open type:bug", "this tracker has no types of bugs; enhancements: severity:enhancement"],
  ["since:2026-01-01", "a time is a field's: "],
])("one wrong value, and what has no translation, has a hint of its own: %s", async (foreign, hint) => {
  const { code, err } = await run(`bug search '${foreign}'`);
  expect([code, err]).toEqual([2, expect.stringContaining(`\nhint: ${hint}`)]);
});

test.each(['summary ~ "order by created()"', "order and by and date", "created >= 2026/10/01"])(
  "%s is an expression of this language",
  async (expression) => {
    expect(await run(`bug search --count '${expression}'`)).toMatchObject({ code: 0, err: "" });
  },
);

test("at Mozilla, the values are those of its server", async () => {
  const { err } = await onMozilla("bug search 'issuetype = Bug AND status = \"To Do\"'", mozillaServer());
  expect(err).toContain("\nhint: did you mean 'type = defect and status = NEW'?\n");
});

test("without the tracker's fields, the refusal is as it was", async () => {
  const { code, err } = await bt("bug search 'status = Open ORDER BY created'", {
    exchange: async () => ({ status: 500, headers: {}, body: "" }),
  });
  expect([code, err]).toEqual([2, expect.stringContaining("hint: a sort key is a term: sort:updated:desc\n")]);
});
