import { expect, test } from "vitest";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import { unparseQuery } from "../../../src/api/query/unparse.ts";
import { readWeb, urlPairs } from "../../../src/api/search/web.ts";
import { exampleCatalog, exampleContext } from "../example-catalog.ts";

/** The conditions of a URL, and what is passed on. */
function read(url: string): readonly [conditions: string, passed: string] {
  const { tree, passed } = readWeb(urlPairs(url), exampleCatalog, false);
  return [unparseQuery(resolveQuery(tree, exampleContext)), passed.map((pair) => pair.join("=")).join("&")];
}

test.each([
  [
    "https://bugs.example.org/buglist.cgi?bug_status=confirmed&list_id=7&order=changeddate&limit=0#x",
    "status = CONFIRMED",
  ],
  ["bug_status=__open__&bug_status=RESOLVED", "status = RESOLVED or status in (UNCONFIRMED, CONFIRMED, IN_PROGRESS)"],
  ["resolution=---&resolution=FIXED", "resolution = FIXED or resolution is empty"],
  ["component=New Tab, Start/Home %26 More", 'component = "New Tab, Start/Home & More"'],
  ["summary=hang problem", 'summary ~ "hang problem"'],
  ["assigned_to=bob@example.org&reporter=%25user%25", "assigned_to = bob@example.org and creator = @me"],
  ["bug_id=1,2&priority=High&priority_type=anyexact", "id in (1, 2) and priority = High"],
  ["creation_time=2026-10-03", "creation_time >= 2026-10-03T00:00:00Z"],
])("parameters of the interface are conditions: %s", (url, conditions) => {
  expect(read(url)).toEqual([conditions, ""]);
});

test.each([
  ["priority=High&priority_type=notequals"],
  ["short_desc=hang&short_desc_type=allwordssubstr"],
  ["short_desc=hang problem&short_desc_type=allwordssubstr"],
  ["keywords=crash,perf&keywords_type=allwords"],
  ["bug_id=1,2&bug_id_type=nowords"],
  ["email1=bob&emailassigned_to1=1&emailtype1=substring"],
  ["chfield=priority&chfieldfrom=-1w"],
  ["deadlinefrom=2026-10-01"],
  ["quicksearch=ALL zebra"],
  ["f1=delta_ts&o1=greaterthan&v1=1ws"],
  ["f1=OP&j1=OR&n1=1&f2=bug_id&o2=lessthan&v2=9&f3=bug_id&o3=equals&v3=12&f4=CP"],
])("other names of the search page pass on: %s", (url) => {
  expect(read(url)).toEqual(["", url]);
});

test.each([
  ["f1=priority&o1=equals&v1=High&f3=bug_id&o3=equals&v3=7", "f1=priority&o1=equals&v1=High&f2=bug_id&o2=equals&v2=7"],
  ["j_top=OR&f1=bug_id&o1=lessthan&v1=9", "f1=OP&j1=OR&f2=bug_id&o2=lessthan&v2=9&f3=CP"],
  ["f1=OP&f2=bug_status&o2=equals&v2=NEW&f3=noop", "f1=OP&f2=bug_status&o2=equals&v2=NEW&f3=CP"],
])("rows are numbered without a gap, in groups that are closed: %s", (url, passed) => {
  expect(read(url)).toEqual(["", passed]);
});

test.each([
  ["f1=no_such&o1=equals&v1=1", 'unknown field "no_such"'],
  ["prodct=Firefox", 'unknown search parameter "prodct"'],
  ["prodct_type=equals", 'unknown search parameter "prodct_type"'],
  ["groups=core-security", 'unknown search parameter "groups"'],
  ["bug_status=REOPENED", 'unknown status "REOPENED"'],
  [
    "product=&short_desc_type=equals&email1=bob&emailtype1=exact&chfield=priority&chfieldto=Now&j_top=OR&f1=&limit=0",
    "has no conditions",
  ],
  ["cmdtype=runnamed&namedcmd=my%20bugs", 'the saved search "my bugs" cannot be run by its name'],
])("refused: %s", (url, message) => {
  expect(() => read(url)).toThrow(message);
});
