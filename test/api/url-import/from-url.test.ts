import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluateQuery } from "../../../src/api/query/evaluate.ts";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import { allOf } from "../../../src/api/query/tree.ts";
import { unparseQuery } from "../../../src/api/query/unparse.ts";
import { compileQuery } from "../../../src/api/search/compile.ts";
import { searchFromParameters, searchFromUrl } from "../../../src/api/url-import/from-url.ts";
import { BtError } from "../../../src/errors.ts";
import { exampleContext } from "../example-catalog.ts";
import { bugs } from "../query/random-bugs.ts";
import { sensibleTrees } from "../query/random-trees.ts";

/** A search as an expression, or the pairs that are passed on when there are no words for it, or why it is refused. */
function read(query: string): string {
  try {
    const { tree, pairs, order } = searchFromUrl(query, { ...exampleContext, me: "alice@example.org" });
    const meaning =
      tree === undefined ? `sent as it is: ${pairs.map((pair) => pair.join("=")).join("&")}` : unparseQuery(tree);
    return order === undefined ? meaning : `${meaning} sort:${order}`;
  } catch (error) {
    if (!(error instanceof BtError) || error.kind !== "usage") throw error;
    return `refused: ${error.message}`;
  }
}

test.each([
  ["f1=bug_status&o1=equals&v1=CONFIRMED", "status = CONFIRMED"],
  ["f1=priority&o1=anyexact&v1=Highest&v1=Low", "priority in (Highest, Low)"],
  ["f1=priority&o1=anyexact&v1=highest,low", "priority in (Highest, Low)"],
  ["f1=priority&o1=notequals&v1=High&n1=1", "priority = High"],
  ["j_top=OR&f1=short_desc&o1=substring&v1=a&f4=short_desc&o4=notsubstring&v4=b", "summary ~ a or summary !~ b"],
  ["f1=OP&j1=OR&n1=1&f2=bug_id&o2=lessthan&v2=9&f3=bug_id&o3=equals&v3=12&f4=CP", "not (id < 9 or id = 12)"],
  ["f1=OP&f2=keywords&o2=anywords&v2=crash perf", "keywords in (crash, perf)"],
  ["f1=short_desc&o1=anywordssubstr&v1=hang, leak", "summary ~ hang or summary ~ leak"],
  ["f1=short_desc&o1=nowords&v1=hang leak", "summary has none (hang, leak)"],
  ["f1=assigned_to&o1=equals&v1=%25user%25", "assigned_to = @me"],
  [
    "f1=OP&j1=AND_G&f2=priority&o2=changedto&v2=High&f3=priority&o3=changedafter&v3=2026-11-10",
    "priority changed to High since 2026-11-10T00:00:00Z",
  ],
  ["f1=bug_status&o1=changedbefore&v1=2026-11-10 12:00:00", "status changed before 2026-11-10T12:00:01Z"],
  ["f1=delta_ts&o1=greaterthan&v1=-2w", "last_change_time >= 2026-11-06T04:34:53Z"],
  ["f1=deadline&o1=lessthan&v1=2027-01-01", "deadline < 2027-01-01 or deadline is empty"],
  ["f1=short_desc&o1=equals&v1=&f2=bug_id&o2=equals&v2=7", "id = 7"],
  [
    "f1=short_desc&o1=casesubstring&v1=Crash&f3=bug_id&o3=equals&v3=7",
    "sent as it is: f1=short_desc&o1=casesubstring&v1=Crash&f2=bug_id&o2=equals&v2=7",
  ],
  ["f1=delta_ts&o1=greaterthan&v1=1ws", "sent as it is: f1=delta_ts&o1=greaterthan&v1=1ws"],
  [
    "f1=delta_ts&o1=greaterthan&v1=yesterday",
    'refused: invalid date "yesterday": the tracker would compare it as text',
  ],
  ["f1=alias&o1=notsubstring&v1=a", "alias !~ a"],
  ["f1=alias&o1=nowords&v1=a b&n1=1", "alias in (a, b)"],
  ["f1=alias&o1=isempty", "alias is empty"],
  ["f1=flags&o1=isnotempty", "setter is not empty"],
  ["f1=attachments.filename&o1=isempty", "attacher is empty"],
  ["f1=comment_tag&o1=isempty", "comment_tag !=~ /./"],
  ["f1=longdesc&o1=isempty", "refused: comment is never empty"],
  [
    "f1=short_desc&o1=casesubstring&v1=C&f2=alias&o2=notequals&v2=a&f3=alias&o3=isempty",
    "sent as it is: f1=short_desc&o1=casesubstring&v1=C&f2=alias&o2=equals&n2=1&v2=a&f3=alias&o3=isnotempty&n3=1",
  ],
  ["f1=longdesc&o1=notsubstring&v1=a", "sent as it is: f1=longdesc&o1=notsubstring&v1=a"],
  ["f1=longdesc&o1=substring&v1=a&n1=1", "comment !~ a"],
  ["f1=resolution&o1=equals&v1=---", "sent as it is: f1=resolution&o1=equals&v1=---"],
  ["f1=no_such&o1=equals&v1=1", 'refused: unknown field "no_such"'],
  ["f1=priority&o1=sounds_like&v1=x", 'refused: unknown operator "sounds_like" in the custom search'],
  ["f1=priority&o1=equals&v1=Urgent", 'refused: unknown priority "Urgent"'],
  ["f1=CP&f2=bug_id&o2=equals&v2=7", 'refused: unmatched "CP" row: no "OP" row opens the group'],
])("rows: %s", (query, expected) => {
  expect(read(query)).toBe(expected);
});

test.each([
  [
    "https://bugs.example.org/buglist.cgi?bug_status=__open__&product=Firefox&list_id=7&order=changeddate%20DESC#x",
    "status in (UNCONFIRMED, CONFIRMED, IN_PROGRESS) and product = Firefox sort:changeddate DESC",
  ],
  ["resolution=---&resolution=FIXED", "resolution is empty or resolution = FIXED"],
  ["component=New Tab, Start/Home %26 More", 'component = "New Tab, Start/Home & More"'],
  ["short_desc=hang problem&short_desc_type=allwordssubstr", "summary ~ hang and summary ~ problem"],
  ["short_desc=hang problem&short_desc_type=substring", 'summary ~ "hang problem"'],
  ["short_desc=^a&short_desc_type=regexp", "summary =~ /^a/"],
  ["summary=hang problem", "summary ~ hang and summary ~ problem"],
  ["short_desc=hang problem", 'summary = "hang problem"'],
  ["keywords=crash,perf", "keywords in (crash, perf)"],
  ["keywords=crash,perf&keywords_type=allwords", "keywords = crash and keywords = perf"],
  ["keywords=crash,perf&keywords_type=anywords", "keywords in (crash, perf)"],
  ["assigned_to=bob@example.org", "assigned_to = bob@example.org"],
  ["creator=bob", "creator ~ bob"],
  ["bug_id=1,2&bug_id_type=nowords", "id not in (1, 2)"],
  ["creation_time=2026-10-03", "creation_time >= 2026-10-03T00:00:00Z"],
  [
    "chfield=priority&chfield=resolution&chfieldfrom=-1w&chfieldto=Now",
    "priority changed since 2026-11-13T04:34:52Z or resolution changed since 2026-11-13T04:34:52Z",
  ],
  [
    "chfield=resolution&chfieldvalue=FIXED&chfieldfrom=2026-10-01&chfieldto=2026-10-02",
    "resolution changed to FIXED since 2026-10-01T00:00:00Z before 2026-10-03T00:00:00Z",
  ],
  ["chfield=[Bug creation]&chfieldfrom=2026-10-01", "creation_time >= 2026-10-01T00:00:00Z"],
  ["chfieldto=2026-09-01", "last_change_time < 2026-09-02T00:00:00Z"],
  ["email1=bob&emailtype1=substring&emailassigned_to1=1&emailcc1=1", "assigned_to ~ bob or cc ~ bob"],
  ["email1=bob@example.org&emailtype1=exact&emaillongdesc1=1&email2=", "commenter = bob@example.org"],
  ["content=zebra", "fulltext matches zebra"],
  ["flagtypes_name=review?", "flags = review?"],
  ["cf_tracking=yes", "cf_tracking = yes"],
  [
    "field0-0-0=short_desc&type0-0-0=substring&value0-0-0=zebra&field0-0-1=bug_id&type0-0-1=equals&value0-0-1=7&negate0=1",
    "not (summary ~ zebra or id = 7)",
  ],
  ["quicksearch=ALL zebra&product=Firefox", "sent as it is: quicksearch=ALL zebra&product=Firefox"],
  [
    "quicksearch=ALL zebra&short_desc=a b",
    "sent as it is: quicksearch=ALL zebra&short_desc=a b&short_desc_type=anyexact",
  ],
  [
    "quicksearch=ALL zebra&assigned_to=bob",
    "refused: assigned_to cannot be combined with the unsupported conditions of this search",
  ],
  ["alias=a&alias_type=nowords", "alias != a"],
  [
    "quicksearch=ALL zebra&alias=a&alias_type=nowords",
    "refused: alias cannot be combined with the unsupported conditions of this search",
  ],
  ["bug_status=REOPENED", 'refused: unknown status "REOPENED"'],
  ["prodct=Firefox", 'refused: unknown search parameter "prodct"; the tracker would ignore it'],
  ["groups=core-security", 'refused: unknown search parameter "groups"; the tracker would ignore it'],
  ["milestone=M1", 'refused: unknown search parameter "milestone"; the tracker would ignore it'],
  ["chfield=resolution", 'refused: "chfield" has no effect alone; the tracker would ignore it'],
  ["chfieldvalue=FIXED", 'refused: "chfieldvalue" has no effect alone; the tracker would ignore it'],
  ["f1=attachments.submitter&o1=equals&v1=%25user%25", "attacher = alice@example.org"],
  ["f1=attachments.submitter&o1=equals&v1=%25reporter%25", "refused: %reporter% cannot be used in attacher ="],
  [
    "f1=attachments.submitter&o1=equals&v1=%25user%25&f2=short_desc&o2=casesubstring&v2=C&f3=cc&o3=changedto&v3=%25user%25",
    "sent as it is: f1=attachments.submitter&o1=equals&v1=alice@example.org&f2=short_desc&o2=casesubstring&v2=C&f3=cc&o3=changedto&v3=alice@example.org",
  ],
  ["chfieldfrom=2026-10-02&chfieldto=2026-10-01", "refused: the range 2026-10-02..2026-10-01 is reversed"],
  [
    "chfieldfrom=2026-10-02&chfieldto=2026-10-02",
    "last_change_time >= 2026-10-02T00:00:00Z and last_change_time < 2026-10-03T00:00:00Z",
  ],
  ["chfieldfrom=-1w&chfieldto=-2w", "refused: the range -1w..-2w is reversed"],
  ["chfieldfrom=now&chfieldto=-2w", "refused: the range now..-2w is reversed"],
  ["deadlinefrom=2026-10-02&deadlineto=2026-10-01", "refused: the range 2026-10-02..2026-10-01 is reversed"],
  ["chfieldfrom=1ws", "sent as it is: chfieldfrom=1ws"],
  ["chfieldfrom=whenever", 'refused: invalid date "whenever": the tracker would compare it as text'],
  ["product=&f1=&limit=0", "refused: this search has no conditions and would match every bug"],
])("parameters: %s", (query, expected) => {
  expect(read(query)).toBe(expected);
});

test("a reversed range is rejected where the clock of the server is unknown", () => {
  const context = { ...exampleContext, isForeignClock: true };
  expect(() => searchFromUrl("chfieldfrom=2026-10-02&chfieldto=2026-10-01", context)).toThrow("is reversed");
});

test("a compiled search, imported again, has the same meaning for every bug", () => {
  fc.assert(
    fc.property(sensibleTrees(), fc.array(bugs, { minLength: 5, maxLength: 5 }), (typed, list) => {
      const query = resolveQuery(typed, exampleContext);
      const { query: pairs, rest } = compileQuery(query, { serverZone: "UTC" });
      const { tree } = searchFromParameters(pairs, exampleContext);
      if (tree === undefined) throw new Error(`no words for ${JSON.stringify(pairs)}`);
      const again = allOf([tree, ...(rest === undefined ? [] : [rest])]);
      const asker = { login: "alice@example.org" };
      for (const bug of list) expect(evaluateQuery(again, bug, asker)).toBe(evaluateQuery(query, bug, asker));
    }),
    { numRuns: 2000 },
  );
});
