import { describe, expect, test } from "vitest";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import { unparseQuery } from "../../../src/api/query/unparse.ts";
import { namedConditions } from "../../../src/api/search/named-parameters.ts";
import { conditionsIn, urlParameters, webSearch } from "../../../src/api/search/web-search.ts";
import { BtError } from "../../../src/errors.ts";
import { exampleContext } from "../example-catalog.ts";

const context = { ...exampleContext, me: "alice@example.org" };

function text(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map((pair) => pair.join("=")).join("&");
}

/** What is sent for a search, or why it is refused. */
function sent(url: string): string {
  try {
    return text(webSearch(urlParameters(url), context).pairs);
  } catch (error) {
    if (!(error instanceof BtError) || error.kind !== "usage") throw error;
    return `refused: ${error.message}`;
  }
}

describe("conditions that the search page and the REST interface read alike are passed on", () => {
  test.each([
    "f1=bug_status&o1=equals&v1=CONFIRMED",
    "f1=priority&o1=anyexact&v1=Highest&v1=Low",
    "f1=OP&j1=OR&n1=1&f2=bug_id&o2=lessthan&v2=9&f3=bug_id&o3=equals&v3=12&f4=CP",
    "j_top=OR&f1=short_desc&o1=substring&v1=a&f2=short_desc&o2=notsubstring&v2=b",
    "f1=OP&j1=AND_G&f2=priority&o2=changedto&v2=High&f3=priority&o3=changedafter&v3=2026-11-10&f4=CP",
    "f1=delta_ts&o1=greaterthan&v1=1ws",
    "f1=longdesc&o1=notsubstring&v1=a",
    "f1=resolution&o1=equals&v1=---",
    "f1=status_whiteboard&o1=isempty",
    "field0-0-0=short_desc&type0-0-0=substring&value0-0-0=zebra&field0-0-1=bug_id&type0-0-1=equals&value0-0-1=7&negate0=1",
    "email1=bob&emailassigned_to1=1&emailcc1=1&emailtype1=substring",
    "email1=bob@example.org&emaillongdesc1=1&emailtype1=exact",
    "chfield=priority&chfield=resolution&chfieldfrom=-1w",
    "chfield=resolution&chfieldfrom=2026-10-01&chfieldto=2026-10-02&chfieldvalue=FIXED",
    "chfield=[Bug creation]&chfieldfrom=1ws",
    "chfieldfrom=2026-10-02&chfieldto=2026-10-02",
    "deadlinefrom=2026-10-01&deadlineto=-1w",
    "bug_status=__open__&product=Firefox",
    "component=New Tab, Start/Home %26 More",
    "short_desc=hang problem&short_desc_type=allwordssubstr",
    "keywords=crash,perf&keywords_type=allwords",
    "bug_id=1,2&bug_id_type=nowords",
    "content=zebra",
    "flagtypes_name=review?",
    "cf_tracking=yes",
    "quicksearch=ALL zebra&product=Firefox",
    "creation_time=2026-10-03",
  ])("%s", (query) => {
    expect(sent(query)).toBe(decodeURIComponent(query));
  });
});

test.each([
  [
    "https://bugs.example.org/buglist.cgi?bug_status=__open__&list_id=7&order=changeddate&limit=0#x",
    "bug_status=__open__",
  ],
  ["email1=bob&emailcc1=1&email2=&emailtype2=substring&emailcc2=1&chfieldto=Now", "email1=bob&emailcc1=1"],
  ["short_desc_type=allwordssubstr&product=Firefox", "product=Firefox"],
  ["f1=short_desc&o1=equals&v1=&f2=bug_id&o2=equals&v2=7", "f1=bug_id&o1=equals&v1=7"],
  ["field0-0-0=noop&type0-0-0=noop&value0-0-0=&product=Firefox", "product=Firefox"],
])("other parameters are dropped: %s", (url, expected) => {
  expect(sent(url)).toBe(expected);
});

const row = (chart: number, field: string, type: string, value: string) =>
  `field${chart}-0-0=${field}&type${chart}-0-0=${type}&value${chart}-0-0=${value}`;

test.each([
  ["short_desc=hang problem", "short_desc=hang problem&short_desc_type=anyexact"],
  [
    "status_whiteboard=a&keywords=perf",
    "status_whiteboard=a&status_whiteboard_type=anyexact&keywords=perf&keywords_type=anyexact",
  ],
  ["summary=hang problem", "short_desc=hang problem&short_desc_type=allwordssubstr"],
  ["status=CONFIRMED&id=1", "bug_status=CONFIRMED&bug_id=1"],
  ["assigned_to=bob@example.org", row(0, "assigned_to", "anyexact", "bob@example.org")],
  ["cc=a,b&cc=c", row(0, "cc", "anyexact", "a,b,c")],
  ["reporter=bob&reporter_type=regexp", row(0, "reporter", "regexp", "bob")],
  ["creator=bob", row(0, "reporter", "anywordssubstr", "bob")],
  ["longdesc=a b&longdesc_type=allwordssubstr", row(0, "longdesc", "allwordssubstr", "a b")],
  ["creation_ts=2026-10-03", row(0, "creation_ts", "anyexact", "2026-10-03")],
  [
    `${row(3, "bug_id", "lessthan", "9")}&negate4=1&assigned_to=bob`,
    `${row(3, "bug_id", "lessthan", "9")}&${row(4, "assigned_to", "anyexact", "bob")}`,
  ],
  ["quicksearch=ALL zebra&assigned_to=bob", `quicksearch=ALL zebra&${row(1000, "assigned_to", "anyexact", "bob")}`],
])(
  "conditions that the REST interface reads otherwise are sent so that they compare as on the page: %s",
  (url, expected) => {
    expect(sent(url)).toBe(expected);
  },
);

test.each([
  ["bug_status=confirmed", "bug_status=CONFIRMED"],
  ["resolution=---&resolution=FIXED", "resolution=&resolution=FIXED&resolution=---"],
  ["alias=a,b", "alias=a&alias=b"],
  ["priority=High&priority_type=notequals", row(0, "priority", "notequals", "High")],
  ["bug_status=__all__", row(0, "bug_id", "greaterthan", "0")],
  ["f1=flags&o1=isnotempty", "f1=setters.login_name&o1=isempty&n1=1"],
  ["f1=alias&o1=notsubstring&v1=a", "f1=alias&o1=substring&n1=1&v1=a"],
  ["f1=alias&o1=nowords&v1=a b&n1=1", "f1=alias&o1=anywords&v1=a b"],
  ["f1=alias&o1=isempty", "f1=alias&o1=isnotempty&n1=1"],
  ["f1=attachments.filename&o1=isempty", "f1=attachments.submitter&o1=isempty"],
  ["f1=comment_tag&o1=isempty", "f1=comment_tag&o1=regexp&n1=1&v1=."],
  ["alias=a&alias_type=nowords", `${row(0, "alias", "anywords", "a")}&negate0=1`],
  ["f1=attachments.submitter&o1=equals&v1=%25user%25", "f1=attachments.submitter&o1=equals&v1=alice@example.org"],
  ["f1=cc&o1=changedto&v1=%25user%25", "f1=cc&o1=changedto&v1=alice@example.org"],
  ["assigned_to=%25user%25", row(0, "assigned_to", "equals", "%user%")],
  ["f1=bug_id&o1=lessthan&v1=9&f3=bug_id&o3=equals&v3=7", "f1=bug_id&o1=lessthan&v1=9&f2=bug_id&o2=equals&v2=7"],
  [
    "j_top=OR&f1=bug_id&o1=lessthan&v1=9&creation_time=2026-10-03",
    "f1=OP&j1=OR&f2=bug_id&o2=lessthan&v2=9&f3=CP&creation_time=2026-10-03",
  ],
])("conditions that some tracker reads wrongly are sent in a form that works: %s", (url, expected) => {
  expect(sent(url)).toBe(expected);
});

test.each([
  ["f1=no_such&o1=equals&v1=1", 'unknown field "no_such"'],
  ["field0-0-0=no_such&type0-0-0=equals&value0-0-0=1", 'unknown field "no_such"'],
  ["chfield=no_such&chfieldfrom=-1w", 'unknown field "no_such"'],
  ["f1=priority&o1=sounds_like&v1=x", 'unknown operator "sounds_like" in the custom search'],
  ["short_desc=a&short_desc_type=like", 'unknown operator "like" in the custom search'],
  ["email1=a&emailcc1=1&emailtype1=like", 'unknown operator "like" in the custom search'],
  ["f1=priority&o1=equals&v1=Urgent", 'unknown priority "Urgent"'],
  ["f1=priority&o1=anyexact&v1=High,Urgent", 'unknown priority "Urgent"'],
  ["field0-0-0=priority&type0-0-0=equals&value0-0-0=Urgent", 'unknown priority "Urgent"'],
  ["chfield=priority&chfieldvalue=Urgent", 'unknown priority "Urgent"'],
  ["f1=keywords&o1=nowords&v1=crsh", 'unknown keyword "crsh"'],
  ["bug_status=REOPENED", 'unknown status "REOPENED"'],
  ["bug_status=__closed__&bug_status=REOPENED", 'unknown status "REOPENED"'],
  ["f1=CP&f2=bug_id&o2=equals&v2=7", 'unmatched "CP" row: no "OP" row opens the group'],
  ["f1=longdesc&o1=isempty", "comment is never empty"],
  ["field0-0-0=alias&type0-0-0=notequals&value0-0-0=a", 'trackers evaluate "notequals" on alias wrongly'],
  ["prodct=Firefox", 'unknown search parameter "prodct"; the tracker would ignore it'],
  ["prodct_type=equals", 'unknown search parameter "prodct_type"; the tracker would ignore it'],
  ["groups=core-security", 'unknown search parameter "groups"; the tracker would ignore it'],
  ["milestone=M1", 'unknown search parameter "milestone"; the tracker would ignore it'],
  ["chfield=resolution", '"chfield" has no effect alone; the tracker would ignore it'],
  ["chfield=resolution&chfieldto=Now", '"chfield" has no effect alone; the tracker would ignore it'],
  ["chfieldvalue=FIXED", '"chfieldvalue" has no effect alone; the tracker would ignore it'],
  ["email1=bob", '"email1" has no effect alone; the tracker would ignore it'],
  ["f1=attachments.submitter&o1=equals&v1=%25reporter%25", "%reporter% cannot be used in attacher ="],
  ["f1=delta_ts&o1=greaterthan&v1=yesterday", 'invalid date "yesterday": the tracker would compare it as text'],
  ["f1=priority&o1=changedafter&v1=soon", 'invalid date "soon": the tracker would compare it as text'],
  ["chfieldfrom=whenever", 'invalid date "whenever": the tracker would compare it as text'],
  ["chfieldfrom=2026-10-02&chfieldto=2026-10-01", "the range 2026-10-02..2026-10-01 is reversed"],
  ["chfieldfrom=-1w&chfieldto=-2w", "the range -1w..-2w is reversed"],
  ["chfieldfrom=now&chfieldto=-2w", "the range now..-2w is reversed"],
  ["deadlinefrom=2026-10-02&deadlineto=2026-10-01", "the range 2026-10-02..2026-10-01 is reversed"],
  ["product=&f1=&limit=0", "this search has no conditions and would match every bug"],
  ["f1=OP&f2=CP&chfieldto=Now&short_desc_type=substring", "this search has no conditions and would match every bug"],
])("refused, since a tracker would find other bugs: %s", (url, message) => {
  expect(sent(url)).toBe(`refused: ${message}`);
});

test("the link of a saved search names it", () => {
  const search = () => webSearch(urlParameters("buglist.cgi?cmdtype=runnamed&namedcmd=my%20bugs"), context);
  const hint = 'a saved search: bt bug search --saved "my bugs"';
  expect(search).toThrow(expect.objectContaining({ facts: expect.objectContaining({ hint }) }));
});

test.each([
  ["bug_status=CONFIRMED&product=Firefox", "status=CONFIRMED&product=Firefox"],
  ["bug_status=__open__", "status=UNCONFIRMED&status=CONFIRMED&status=IN_PROGRESS"],
  ["resolution=---", "resolution="],
  ["bug_id=1,2", "id=1&id=2"],
  ["reporter=a@example.org&bug_file_loc=http://x.example/", "creator=a@example.org&url=http://x.example/"],
  ["short_desc=hang&short_desc_type=allwordssubstr", "summary=hang"],
  ["short_desc=a b&short_desc_type=substring", "summary=a b"],
  ["summary=a b&creation_time=2026-10-03", "summary=a b&creation_time=2026-10-03"],
  ["quicksearch=ALL zebra&priority=High", "quicksearch=ALL zebra&priority=High"],
  ["bug_status=__all__", ""],
  ["short_desc=hang", undefined],
  ["short_desc=a b&short_desc_type=allwordssubstr", undefined],
  ["creation_ts=2026-10-03", undefined],
  ["keywords=crash", undefined],
  ["assigned_to=%25user%25", undefined],
  ["priority=High&f1=bug_id&o1=lessthan&v1=9", undefined],
])("in the words of the interface: %s", (url, expected) => {
  const { plain } = webSearch(urlParameters(url), context);
  expect(plain && text(plain)).toBe(expected);
});

test.each([
  ["bug_status=confirmed&bug_status=IN_PROGRESS", ["CONFIRMED", "IN_PROGRESS"]],
  ["bug_status=__open__&bug_status=RESOLVED", []],
  ["bug_status=CONFIRMED&bug_status_type=notequals", []],
])("statuses that all bugs have one of: %s", (url, statuses) => {
  expect(webSearch(urlParameters(url), context).statuses).toEqual(statuses);
});

test.each([
  ["status=CONFIRMED&product=Firefox", "status = CONFIRMED and product = Firefox"],
  ["bug_status=__open__&bug_status=RESOLVED", "status = RESOLVED or status in (UNCONFIRMED, CONFIRMED, IN_PROGRESS)"],
  ["resolution=---&resolution=FIXED", "resolution = FIXED or resolution is empty"],
  ["component=New Tab, Start/Home %26 More", 'component = "New Tab, Start/Home & More"'],
  ["summary=hang problem", "summary ~ hang and summary ~ problem"],
  ["short_desc=hang problem", 'summary = "hang problem"'],
  ["keywords=crash,perf", "keywords in (crash, perf)"],
  ["assigned_to=bob@example.org", "assigned_to = bob@example.org"],
  ["creator=bob", "creator ~ bob"],
  ["id=1,2", "id in (1, 2)"],
  ["creation_time=2026-10-03", "creation_time >= 2026-10-03T00:00:00Z"],
  ["content=zebra", "fulltext matches zebra"],
  ["cf_tracking=yes&limit=3", "cf_tracking = yes"],
  ["status=CONFIRMED&f1=bug_id&o1=lessthan&v1=9", undefined],
  ["short_desc=a&short_desc_type=regexp", undefined],
  ["chfieldfrom=-1w", undefined],
  ["prodct=Firefox", undefined],
])("conditions of parameters that name fields: %s", (query, expected) => {
  const conditions = namedConditions(conditionsIn(urlParameters(query)), context.catalog);
  expect(conditions && unparseQuery(resolveQuery(conditions, context))).toBe(expected);
});
