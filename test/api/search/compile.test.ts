import { describe, expect, test } from "vitest";
import { parseExpression } from "../../../src/api/query/parse.ts";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import { unparseQuery } from "../../../src/api/query/unparse.ts";
import { type CompileOptions, compileQuery } from "../../../src/api/search/compile.ts";
import { exampleContext } from "../example-catalog.ts";

/** Parameters that are sent, and after `then` the conditions left to check on the bugs by which of their fields. */
function sent(text: string, options: CompileOptions = { serverZone: "UTC" }): string {
  const { query, rest, fields } = compileQuery(resolveQuery(parseExpression(text).tree, exampleContext), options);
  const left = rest === undefined ? "" : ` then ${unparseQuery(rest)} by ${fields.join(",")}`;
  return query.map((pair) => pair.join("=")).join("&") + left;
}

test("a negated row is the complement of the row, also for bugs without an alias", () => {
  expect(sent("alias = zeb")).toBe("alias=zeb");
  expect(sent("alias != zeb")).toBe("f1=alias&o1=equals&n1=1&v1=zeb");
  expect(sent("alias !=~ /^z/")).toBe("f1=alias&o1=regexp&n1=1&v1=^z");
});

const BY_ADA = "flag(review? setter ada@example.org)";
const ROWS_BY_ADA = "f1=flagtypes.name&o1=equals&v1=review?&f2=setters.login_name&o2=equals&v2=ada@example.org";

test("an inexact condition matches more bugs, never fewer, wherever it is in a tree", () => {
  expect(sent(BY_ADA)).toBe(`${ROWS_BY_ADA} then ${BY_ADA} by flags`);
  expect(sent(`not (${BY_ADA} or priority = High)`)).toBe(
    `f1=priority&o1=equals&n1=1&v1=High then not (${BY_ADA} or priority = High) by flags,priority`,
  );
  expect(sent(`not ${BY_ADA} or priority = High`)).toBe(
    `creation_time=1970-01-01T00:00:00Z then not ${BY_ADA} or priority = High by flags,priority`,
  );
});

test("rows with which servers drop bugs without a QA contact are sent only where every bug has to meet them", () => {
  expect(sent("qa_contact_name ~ mei and priority = High")).toBe(
    "priority=High&f1=qa_contact_realname&o1=substring&v1=mei",
  );
  expect(sent("qa_contact_name !~ mei and priority = High")).toBe(
    "priority=High then qa_contact_name !~ mei by qa_contact",
  );
  expect(sent("no:qa_contact_name and priority = High")).toBe(
    "priority=High then qa_contact_name is empty by qa_contact",
  );
  expect(sent("(qa_contact_name ~ mei or priority = High) and id > 7")).toBe(
    "f1=bug_id&o1=greaterthan&v1=7 then qa_contact_name ~ mei or priority = High by qa_contact,priority",
  );
  expect(() => sent("not qa_contact_name =~ /^m/")).toThrow("servers return too few bugs for this condition");
});

test.each(["requestee", "qa_contact"])("%s = @qa needs a QA contact, which servers do not require", (field) => {
  const chart = field === "requestee" ? "requestees.login_name" : field;
  const rows = `f1=OP&j1=AND&n1=1&f2=${chart}&o2=equals&v2=%qacontact%&f3=qa_contact&o3=isnotempty&f4=CP`;
  expect(sent(`${field} != @qa`)).toBe(rows);
  expect(sent(`${field} = @assignee`)).toBe(`f1=${chart}&o1=equals&v1=%assignee%`);
});

test("rows with which servers drop bugs without a comment by a pronoun's user are sent only where every bug has to meet them", () => {
  expect(sent("commenter = @assignee")).toBe("f1=commenter&o1=equals&v1=%assignee%");
  expect(() => sent("commenter != @assignee")).toThrow("servers return too few bugs for this condition on commenter");
  expect(() => sent("commenter = @group.core or id = 7")).toThrow('inside "not" or "or"');
  expect(() => sent("commenter in (@assignee, bob@example.org)")).toThrow('inside "not" or "or"');
});

describe("servers test each comment of a bug for its author, so that the opposite is met by any other comment", () => {
  test("the author alone is searched for as commenter, which they negate", () => {
    expect(sent("comment changed by mei@example.org")).toBe("f1=commenter&o1=equals&v1=mei@example.org");
    expect(sent("not comment changed by mei@example.org")).toBe("f1=commenter&o1=equals&n1=1&v1=mei@example.org");
  });

  test("no other condition on an author is sent with its opposite", () => {
    const since = "comment changed by mei@example.org since 2026-11-01";
    expect(sent(`priority = High or ${since}`)).toContain("AND_G");
    for (const query of [`not ${since}`, `not (priority = High and ${since})`, "not comment changed by @me"])
      expect(() => sent(query)).toThrow('servers return too many bugs for "not" with this condition on comment');
    expect(sent("not comment changed since 2026-11-01")).toContain("n1=1");
    expect(sent("actual_time changed by mei@example.org")).toBe("f1=work_time&o1=changedby&v1=mei@example.org");
    expect(() => sent("not actual_time changed by mei@example.org")).toThrow("servers return too many bugs");
    expect(sent("not priority changed by mei@example.org")).toContain("n1=1");
  });
});

test("a condition on fields that bugs lack cannot be combined with one that is evaluated locally", () => {
  expect(() => sent(`${BY_ADA} or comment ~ crash`)).toThrow('comment cannot be combined by "or"');
  expect(sent(`not ${BY_ADA} and comment ~ crash`)).toBe(
    `f1=longdesc&o1=substring&v1=crash then not ${BY_ADA} by flags`,
  );
});

test("an empty custom number is 0", () => {
  expect(sent("cf_points < 5")).toBe("f1=cf_points&o1=lessthan&v1=5");
  expect(sent("no:cf_points")).toBe("f1=cf_points&o1=isempty");
});

test("the parts of a flag condition refer to one flag", () => {
  expect(sent("flag(review? requestee @me)")).toBe(
    "f1=flagtypes.name&o1=equals&v1=review?&f2=requestees.login_name&o2=equals&v2=%user% then flag(review? requestee @me) by flags",
  );
  expect(sent("flag:review")).toBe("f1=flagtypes.name&o1=anyexact&v1=review?&v1=review+&v1=review-");
});

test("times in rows use the zone of the server; if that is unknown, rows are widened and evaluated locally", () => {
  expect(sent("created < 2026-10")).toBe("f1=creation_ts&o1=lessthan&v1=2026-10-01 00:00:00");
  expect(sent("created < 2026-10", { serverZone: "Asia/Tokyo" })).toBe(
    "f1=creation_ts&o1=lessthan&v1=2026-10-01 09:00:00",
  );
  expect(sent("created < 2026-10", {})).toBe(
    "f1=creation_ts&o1=lessthan&v1=2026-10-01 14:00:00 then creation_time < 2026-10-01T00:00:00Z by creation_time",
  );
  expect(sent("created >= 2026-10", {})).toBe("creation_time=2026-10-01T00:00:00Z");
});

test("a custom time is compared as the text stored by the server", () => {
  expect(sent("cf_seen_at >= 2026-12-01T23:30Z")).toBe("f1=cf_seen_at&o1=greaterthaneq&v1=2026-12-01 23:30:00");
});

test("rows on changes use their explicit zone, regardless of the server", () => {
  const rows = "f1=OP&j1=AND_G&f2=bug_status&o2=changedafter&v2=2026-10-01T00:00:00Z";
  for (const options of [{}, { serverZone: "Asia/Tokyo" }]) {
    expect(sent("status changed since 2026-10 before 2026-11", options)).toBe(
      `${rows}&f3=bug_status&o3=changedbefore&v3=2026-10-31T23:59:59Z&f4=CP`,
    );
  }
});

test("of two lower bounds the later one is sent, since the parameter is single-valued", () => {
  expect(sent("created >= 2026-10 created >= 2026-11 updated > 2026-11-03")).toBe(
    "creation_time=2026-11-01T00:00:00Z&last_change_time=2026-11-04T00:00:00Z",
  );
});

test("a link to the web interface omits parameters of the REST API", () => {
  expect(sent("created >= 2026-10", { rowsOnly: true, serverZone: "UTC" })).toBe(
    "f1=creation_ts&o1=greaterthaneq&v1=2026-10-01 00:00:00",
  );
});

test("a condition that no bug can match requests no bug", () => {
  expect(sent("priority > Highest")).toBe("f1=bug_id&o1=lessthan&v1=0");
  expect(sent("priority > Highest or id = 7")).toBe("id=7");
  expect(sent("not priority > Highest")).toBe("creation_time=1970-01-01T00:00:00Z");
});

test("leading and trailing blanks of a text survive trimming by the server", () => {
  expect(sent('summary ~ " a.b "')).toBe("summary= a.b &short_desc_type=substring");
});

test("an empty day is not before another", () => {
  expect(sent("not due < 2027")).toBe(
    "f1=OP&j1=AND&n1=1&f2=deadline&o2=greaterthaneq&v2=1971-01-01&f3=deadline&o3=lessthan&v3=2027-01-01&f4=CP",
  );
  expect(sent("no:due")).toBe("f1=deadline&o1=greaterthaneq&n1=1&v1=1971-01-01");
});

test("texts of lists are searched for words: in one comment or alias, else in any of the list", () => {
  expect(sent("comment has any (crash, start)")).toBe("f1=longdesc&o1=anywords&v1=crash start");
  expect(sent("comment has all (crash, start)")).toBe("f1=longdesc&o1=allwords&v1=crash start");
  expect(sent("alias has none (zeb)")).toBe("f1=alias&o1=anywords&n1=1&v1=zeb");
  expect(sent("attachment has all (fix, txt)")).toBe(
    "f1=attachments.filename&o1=anywords&v1=fix&f2=attachments.filename&o2=anywords&v2=txt",
  );
  expect(sent("keywords has any (crash, perf)")).toBe("f1=keywords&o1=anyexact&v1=crash&v1=perf");
});

test("a change of hours is searched for in each form that histories have it, a time by the clock of the server", () => {
  const texts = (text: string, options?: CompileOptions) =>
    [...sent(text, options).matchAll(/v\d+=([^&]*)/g)].map(([, value]) => value);
  expect(texts("remaining changed to 0")).toEqual(["0", "0.0", "0.00"]);
  expect(texts("remaining changed from 1 to 0.25")).toEqual(["1", "0.25", "1.0", "0.25", "1.00", "0.25"]);
  expect(texts("cf_seen_at changed to 2026-10-05T14:00Z", { serverZone: "Asia/Tokyo" })).toEqual([
    "2026-10-05 23:00:00",
  ]);
  expect(() => sent("cf_seen_at changed to 2026-10-05")).toThrow('requires a time, not "2026-10-05"');
  expect(texts("confirmed changed to yes")).toEqual(["1"]);
  expect(texts("deadline changed to 2026-12-05")).toEqual(["2026-12-05"]);
  expect(() => sent("deadline changed to 2026-12")).toThrow('"deadline changed" requires a day, not "2026-12"');
});

test("bugs without a value in a field of bugs are not among those below a number, although servers take it for 0", () => {
  expect(sent("cf_upstream < 100")).toBe("f1=cf_upstream&o1=isnotempty&f2=cf_upstream&o2=lessthan&v2=100");
  expect(sent("not cf_upstream < 100")).toContain("j1=AND&n1=1&f2=cf_upstream&o2=isnotempty");
  expect(sent("cf_upstream = 44")).toBe("f1=cf_upstream&o1=equals&v1=44");
});
