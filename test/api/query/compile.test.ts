import { expect, test } from "vitest";
import { type CompileOptions, compile } from "../../../src/api/query/compile.ts";
import { parse } from "../../../src/api/query/parse.ts";
import { resolve } from "../../../src/api/query/resolve.ts";
import { unparseQuery } from "../../../src/api/query/unparse.ts";
import { exampleContext } from "../example-catalog.ts";

/** What is sent, and after `then` what is left to check on the bugs by which of their fields. */
const sent = (text: string, options: CompileOptions = { serverZone: "UTC" }): string => {
  const { query, rest, fields } = compile(resolve(parse(text).tree, exampleContext), options);
  const left = rest === undefined ? "" : ` then ${unparseQuery(rest)} by ${fields.join(",")}`;
  return query.map((pair) => pair.join("=")).join("&") + left;
};

test("a negated alias is checked here, because rows lose the bugs that have none", () => {
  expect(sent("alias = zeb")).toBe("f1=alias&o1=equals&v1=zeb");
  expect(sent("is:confirmed -alias:zeb")).toBe("f1=everconfirmed&o1=equals&v1=1 then alias != zeb by alias");
  expect(sent("alias != zeb")).toBe("f1=bug_id&o1=greaterthan&v1=0 then alias != zeb by alias");
});

test("what cannot be asked exactly lets through more bugs in every place of a tree", () => {
  expect(sent("not (alias = zeb or priority = High)")).toBe(
    "f1=priority&o1=equals&n1=1&v1=High then not (alias = zeb or priority = High) by alias,priority",
  );
  expect(sent("alias != zeb or priority = High")).toBe(
    "f1=bug_id&o1=greaterthan&v1=0 then alias != zeb or priority = High by alias,priority",
  );
});

test("what a bug does not show cannot stand beside a condition that has to be checked on it", () => {
  expect(() => sent("alias != zeb or comment ~ crash")).toThrow('comment cannot be joined by "or"');
  expect(sent("alias != zeb and comment ~ crash")).toBe("f1=longdesc&o1=substring&v1=crash then alias != zeb by alias");
});

test("a custom number that is not set is no small number", () => {
  expect(sent("cf_points < 5")).toBe("f1=cf_points&o1=lessthan&v1=5 then cf_points < 5 by cf_points");
  expect(sent("no:cf_points")).toBe("f1=bug_id&o1=greaterthan&v1=0 then cf_points is empty by cf_points");
});

test("the parts of a flag are checked to be about one flag", () => {
  expect(sent("flag(review? requestee @me)")).toBe(
    "f1=flagtypes.name&o1=equals&v1=review?&f2=requestees.login_name&o2=equals&v2=%user% then flag(review? requestee @me) by flags",
  );
  expect(sent("flag:review")).toBe("f1=flagtypes.name&o1=anyexact&v1=review?&v1=review+&v1=review-");
});

test("rows take times in the server's zone; when that is not known they are made wider and checked here", () => {
  expect(sent("created < 2026-10")).toBe("f1=creation_ts&o1=lessthan&v1=2026-10-01T00:00:00Z");
  expect(sent("created < 2026-10", { serverZone: "Asia/Tokyo" })).toBe(
    "f1=creation_ts&o1=lessthan&v1=2026-10-01 09:00:00",
  );
  expect(sent("created < 2026-10", {})).toBe(
    "f1=creation_ts&o1=lessthan&v1=2026-10-01T14:00:00Z then creation_time < 2026-10-01T00:00:00Z by creation_time",
  );
  expect(sent("created >= 2026-10", {})).toBe("creation_time=2026-10-01T00:00:00Z");
  expect(compile(resolve(parse("status changed since 2026-10").tree, exampleContext)).notes).toEqual([
    "the server's time zone is taken to be UTC",
  ]);
});

test("of two lower bounds the later one is sent, since the parameter may be given once", () => {
  expect(sent("created >= 2026-10 created >= 2026-11 updated > 2026-11-03")).toBe(
    "creation_time=2026-11-01T00:00:00Z&last_change_time=2026-11-04T00:00:00Z",
  );
});

test("a link to the web interface has no parameters that only the REST interface knows", () => {
  expect(sent("created >= 2026-10", { chartsOnly: true, serverZone: "UTC" })).toBe(
    "f1=creation_ts&o1=greaterthaneq&v1=2026-10-01T00:00:00Z",
  );
});

test("a condition that no bug can meet asks for no bug", () => {
  expect(sent("priority > Highest")).toBe("f1=bug_id&o1=lessthan&v1=0");
  expect(sent("priority > Highest or id = 7")).toBe("f1=bug_id&o1=equals&v1=7");
  expect(sent("not priority > Highest")).toBe("f1=bug_id&o1=greaterthan&v1=0");
});

test("the blanks at the ends of a text survive the server's trimming", () => {
  expect(sent('summary ~ " a.b "')).toBe("f1=short_desc&o1=regexp&v1=[ ]a\\.b[ ]");
});

test("a day that is not set is not before another", () => {
  expect(sent("not due < 2027")).toBe(
    "f1=OP&j1=AND&n1=1&f2=deadline&o2=greaterthaneq&v2=1971-01-01&f3=deadline&o3=lessthan&v3=2027-01-01&f4=CP",
  );
  expect(sent("no:due")).toBe("f1=deadline&o1=greaterthaneq&n1=1&v1=1971-01-01");
});
