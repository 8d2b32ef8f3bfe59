import { describe, expect, test } from "vitest";
import { parseExpression } from "../../../src/api/query/parse.ts";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import { unparseQuery } from "../../../src/api/query/unparse.ts";
import { splitByIds } from "../../../src/api/search/compile.ts";
import { exampleContext } from "../example-catalog.ts";
import { sent } from "../sent.ts";

const BY_ADA = "flag(review? setter ada@example.org)";
const ROWS_BY_ADA = "f1=flagtypes.name&o1=equals&v1=review?&f2=setters.login_name&o2=equals&v2=ada@example.org";
const EVERY_BUG = "creation_time=1970-01-01T00:00:00Z";

describe("rows find too many bugs, never too few", () => {
  test.each([
    ["alias = zeb", "alias=zeb"],
    ["alias != zeb", "f1=alias&o1=equals&n1=1&v1=zeb"],
    ["url = http://x.example/", "f1=bug_file_loc&o1=equals&v1=http://x.example/"],
    ['summary ~ "two words"', "f1=short_desc&o1=substring&v1=two words"],
    ['summary ~ " a.b "', "f1=short_desc&o1=regexp&v1=[ ]a\\.b[ ]"],
    ["creator = bob@example.org", "f1=reporter&o1=equals&v1=bob@example.org"],
    [BY_ADA, `${ROWS_BY_ADA} then ${BY_ADA} by [${BY_ADA}]`],
    [
      `not (${BY_ADA} or priority = High)`,
      `f1=priority&o1=equals&n1=1&v1=High then not (${BY_ADA} or priority = High) by priority,[${BY_ADA}]`,
    ],
    [`not ${BY_ADA} or priority = High`, `${EVERY_BUG} then not ${BY_ADA} or priority = High by priority,[${BY_ADA}]`],
    [
      "qa_contact_name !~ mei and priority = High",
      "priority=High then not qa_contact_name ~ mei by [qa_contact_name ~ mei]",
    ],
    ["qa_contact_name ~ mei", "f1=qa_contact_realname&o1=substring&v1=mei"],
    ["commenter = @assignee", "f1=commenter&o1=equals&v1=%assignee%"],
    ["commenter != @assignee", `${EVERY_BUG} then not commenter = @assignee by [commenter = @assignee]`],
    ["comment changed by mei@example.org", "f1=commenter&o1=equals&v1=mei@example.org"],
    [
      "not actual_time changed by mei@example.org",
      `${EVERY_BUG} then not actual_time changed by mei@example.org by [actual_time changed by mei@example.org]`,
    ],
    ["not priority changed by mei@example.org", "f1=priority&o1=changedby&n1=1&v1=mei@example.org"],
    ["no:cf_points", "f1=cf_points&o1=isempty"],
    ["flag:review", "f1=flagtypes.name&o1=anyexact&v1=review?&v1=review+&v1=review-"],
    [
      "created < 2026-10",
      "f1=creation_ts&o1=lessthan&v1=-1203h then creation_time < 2026-10-01T00:00:00Z by creation_time",
    ],
    [
      "not created < 2026-10",
      "f1=creation_ts&o1=lessthan&n1=1&v1=-1206h then not creation_time < 2026-10-01T00:00:00Z by creation_time",
    ],
    ["created >= 2026-10", "creation_time=2026-10-01T00:00:00Z"],
    [
      "status changed since 2026-10 before 2026-11",
      "f1=OP&j1=AND_G&f2=bug_status&o2=changedafter&v2=2026-10-01T00:00:00Z&f3=bug_status&o3=changedbefore&v3=2026-10-31T23:59:59Z&f4=CP",
    ],
    ["priority > Highest", "f1=bug_id&o1=lessthan&v1=0"],
    ["priority > Highest or id = 7", "id=7"],
    ["not priority > Highest", EVERY_BUG],
    ["no:due", "f1=deadline&o1=greaterthaneq&n1=1&v1=1971-01-01"],
    [
      "cf_due >= 2026-05-30 or created < 2026-10",
      "f1=OP&j1=OR&f2=cf_due&o2=greaterthaneq&v2=2026-05-30&f3=creation_ts&o3=lessthan&v3=-1203h&f4=CP then cf_due >= 2026-05-30 or creation_time < 2026-10-01T00:00:00Z by creation_time,[cf_due >= 2026-05-30]",
    ],
    [
      "summary ~ ss or created < 2026-10",
      "f1=OP&j1=OR&f2=short_desc&o2=substring&v2=ss&f3=creation_ts&o3=lessthan&v3=-1203h&f4=CP then summary ~ ss or creation_time < 2026-10-01T00:00:00Z by creation_time,[summary ~ ss]",
    ],
    ["cf_upstream < 100", "f1=cf_upstream&o1=isnotempty&f2=cf_upstream&o2=lessthan&v2=100"],
  ])("%s", (text, pairs) => {
    expect(sent(text)).toBe(pairs);
  });
});

test.each(["requestee", "qa_contact"])("%s = @qa needs a QA contact, which servers do not require", (field) => {
  const chart = field === "requestee" ? "requestees.login_name" : field;
  const rows = `f1=OP&j1=AND&n1=1&f2=${chart}&o2=equals&v2=%qacontact%&f3=qa_contact&o3=isnotempty&f4=CP`;
  expect(sent(`${field} != @qa`)).toMatch(rows);
});

test("a change of hours is searched for in each form that histories have it", () => {
  const texts = (text: string) => [...sent(text).matchAll(/v\d+=([^&]*)/g)].map(([, value]) => value);
  expect(texts("remaining changed to 0")).toEqual(["0", "0.0", "0.00"]);
  expect(() => sent("cf_seen_at changed to 2026-10-05")).toThrow("in the zone of the server");
});

describe("a server of the interface alone gets its parameters", () => {
  test.each([
    ["creator:bob@example.org summary ~ crash", "creator=bob@example.org&summary=crash"],
    [
      "created < 2026-10 keywords:crash",
      `${EVERY_BUG} then creation_time < 2026-10-01T00:00:00Z and keywords = crash by creation_time,keywords`,
    ],
  ])("%s", (text, pairs) => {
    expect(sent(text, { dialect: "plain" })).toBe(pairs);
  });

  test("what bugs do not show is refused", () => {
    expect(() => sent("comment ~ crash", { dialect: "plain" })).toThrow("this tracker cannot search by comment");
  });
});

test("many ids are split into several requests, highest first, each with the other conditions", () => {
  const ids = Array.from({ length: 701 }, (_, at) => at + 1).join();
  const parts = splitByIds(resolveQuery(parseExpression(`id:${ids} priority:High`), exampleContext)).map(unparseQuery);
  expect(parts.map((part) => part.slice(0, 14))).toEqual(["id in (701, 70", "id = 1 and pri"]);
  expect(splitByIds(resolveQuery(parseExpression(`id:${ids} or priority:High`), exampleContext))).toHaveLength(1);
});
