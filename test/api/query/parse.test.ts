import { expect, test } from "vitest";
import { parseExpression, parseTerms } from "../../../src/api/query/parse.ts";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import { unparseTree } from "../../../src/api/query/unparse.ts";
import { BtError } from "../../../src/errors.ts";
import { exampleContext } from "../example-catalog.ts";

/** Error of an expression that is refused. */
function complaint(text: string): string {
  try {
    return `accepted as ${unparseTree(parseExpression(text).tree)}, ${JSON.stringify(resolveQuery(parseExpression(text).tree, exampleContext))}`;
  } catch (error) {
    if (!(error instanceof BtError) || error.kind !== "usage") throw error;
    return [error.message, ...(error.facts.details ?? []), error.facts.hint].filter((line) => line).join("\n");
  }
}

test.each([
  ["crash startup", "summary ~ crash and summary ~ startup"],
  ["a or b c", "summary ~ a or (summary ~ b and summary ~ c)"],
  ["(a or b) && c || d", "((summary ~ a or summary ~ b) and summary ~ c) or summary ~ d"],
  ["not not a", "summary ~ a"],
  ["-is:open -(a b)", "not is:open and not (summary ~ a and summary ~ b)"],
  ["!is:open", "not is:open"],
  ['"hang problem"', 'summary ~ "hang problem"'],
  ['summary =~ "\\d+"', 'summary =~ "\\\\d+"'],
  ['summary =~ "\\\\d+"', 'summary =~ "\\\\d+"'],
  ["summary =~ /\\d+/", 'summary =~ "\\\\d+"'],
  ['comment ~ "C:\\Users"', 'comment ~ "C:\\\\Users"'],
  ["comment ~ 'C:\\\"don\\'t'", 'comment ~ "C:\\\\\\"don\'t"'],
  ["don't", 'summary ~ "don\'t"'],
  ["summary contains 'two words'", 'summary ~ "two words"'],
  ["C++ 404", "summary ~ C++ and summary ~ 404"],
  ['"Due by" = 2026-12', '"Due by" = 2026-12'],
  ["status not in (A, B)", "status not in (A, B)"],
  ["status:A,B", "status:A,B"],
  ["status eq A and status ne B", "status = A and status != B"],
  ["id:10..20", "id >= 10 and id <= 20"],
  ["id:10..<20", "id >= 10 and id < 20"],
  ["id:10..", "id >= 10"],
  ["id:..20", "id <= 20"],
  ['summary:"a..b"', 'summary:"a..b"'],
  ["summary =~ /a\\/b/", 'summary =~ "a/b"'],
  ["has:flag no:qa", "flag is not empty and qa is empty"],
  ["flag(needinfo? requestee @me)", "flag(needinfo? requestee @me)"],
  ["status CHANGED by @me", "status changed by @me"],
  [
    "crash in startup is open",
    "summary ~ crash and summary ~ in and summary ~ startup and summary ~ is and summary ~ open",
  ],
])("%s is parsed as %s", (text, expected) => {
  expect(unparseTree(parseExpression(text).tree)).toBe(expected);
});

test("an expression may contain sort keys", () => {
  expect(parseExpression("is:open sort:updated-desc sort:priority").sort).toEqual(["updated-desc", "priority"]);
});

test.each([
  [["hang problem"], 'summary ~ "hang problem"'],
  [["component:New Tab", "crash"], 'component:"New Tab" and summary ~ crash'],
  [["!component:New Tab", "crash"], 'not component:"New Tab" and summary ~ crash'],
  [["status", "=", "CONFIRMED"], "status = CONFIRMED"],
  [["status = CONFIRMED"], "status = CONFIRMED"],
  [["is:open component:Theme"], "is:open and component:Theme"],
  [["a or b"], "summary ~ a or summary ~ b"],
  [["C\\Users folder\\"], 'summary ~ "C\\\\Users folder\\\\"'],
  [["whiteboard:C\\\\a b\\"], 'whiteboard:"C\\\\\\\\a b\\\\"'],
  [["component:Import & Export", "crash"], 'component:"Import & Export" and summary ~ crash'],
])("the terms %j are parsed as %s", (terms, expected) => {
  expect(unparseTree(parseTerms(terms).tree)).toBe(expected);
});

test("a syntax error has its position and what was expected", () => {
  expect(complaint("(a or b")).toMatchInlineSnapshot(`
    "expected ")" for the "(" at column 1, but found the end (column 8)
    (a or b
           ^
    or continue with and, or"
  `);
  expect(complaint("status = ")).toMatchInlineSnapshot(`
    "expected a value after "=", but found the end (column 10)
    status = 
             ^
    expected a value, or text in quotes"
  `);
  expect(complaint("status:A,")).toMatchInlineSnapshot(`
    "expected a value after ",", but found the end (column 10)
    status:A,
             ^
    expected a value, a list a,b, a range a..b, or >= and a value"
  `);
  expect(complaint("is:open and")).toMatchInlineSnapshot(`
    "expected a condition, but found the end (column 12)
    is:open and
               ^
    expected a condition such as status:RESOLVED, is:open, a word of the summary, not, or ( )"
  `);
  expect(complaint("or b")).toMatchInlineSnapshot(`
    "expected a condition, but found "or" (column 1)
    or b
    ^
    expected a condition such as status:RESOLVED, is:open, a word of the summary, not, or ( )"
  `);
  expect(complaint("a) b")).toMatchInlineSnapshot(`
    "unmatched ")" (column 2)
    a) b
     ^"
  `);
  expect(complaint('summary ~ "toolbar')).toMatchInlineSnapshot(`
    "unclosed quote " (column 11)
    summary ~ "toolbar
              ^"
  `);
  expect(complaint("summary ~ a,b")).toMatchInlineSnapshot(`
    "unexpected comma (column 12)
    summary ~ a,b
               ^
    quote a value that contains a comma, or use in (a, b)"
  `);
  expect(complaint("status in CONFIRMED")).toMatchInlineSnapshot(`
    "expected "(", but found "CONFIRMED" (column 11)
    status in CONFIRMED
              ^
    use status in (a, b)"
  `);
  expect(complaint("status is CONFIRMED")).toMatchInlineSnapshot(`
    "expected "empty" or "not empty", but found "CONFIRMED" (column 11)
    status is CONFIRMED
              ^
    to compare with a value, use status:VALUE"
  `);
  expect(complaint("status in (CONFIRMED RESOLVED)")).toMatchInlineSnapshot(`
    "expected "," or ")", but found "RESOLVED" (column 22)
    status in (CONFIRMED RESOLVED)
                         ^
    quote a value that contains spaces"
  `);
  expect(complaint("id between 3 or 4")).toMatchInlineSnapshot(`
    "expected "and", but found "or" (column 14)
    id between 3 or 4
                 ^
    use between A and B"
  `);
  expect(complaint("status changed to")).toMatchInlineSnapshot(`
    "expected a value after "to", but found the end (column 18)
    status changed to
                     ^
    expected a value, or text in quotes"
  `);
  expect(complaint("status changed by a by b")).toMatchInlineSnapshot(`
    ""by" is repeated in one change condition (column 24)
    status changed by a by b
                           ^"
  `);
  expect(complaint("is:")).toMatchInlineSnapshot(`
    "expected a name after "is:" (column 4)
    is:
       ^
    such as is:open, is:mine, is:overdue"
  `);
  expect(complaint("a or sort:id")).toMatchInlineSnapshot(`
    ""sort:" is only valid at the top level, not inside ( ), after "or" or after "not" (column 6)
    a or sort:id
         ^"
  `);
  expect(complaint("flag(review? by x)")).toMatchInlineSnapshot(`
    "expected ")", but found "by" (column 14)
    flag(review? by x)
                 ^
    the user is requestee or setter: flag(needinfo? requestee @me)"
  `);
  expect(complaint("  ")).toMatchInlineSnapshot(`
    "an empty expression would match every bug
    for example: is:open assignee:@me, or priority >= High and created > -2w"
  `);
});

test("a name or value that the tracker would ignore is rejected", () => {
  expect(complaint("priority>=Urgent")).toMatchInlineSnapshot(`
    "unknown priority "Urgent" (column 1)
    valid values: Highest, High, Normal, Low, Lowest, ---"
  `);
  expect(complaint("is:open foo=1")).toMatchInlineSnapshot(`
    "unknown field "foo" (column 9)
    bt field list shows the fields"
  `);
  expect(complaint('summary ~ ""')).toMatchInlineSnapshot(`
    "an empty value for summary would match every bug (column 1)
    to find bugs where it is not set, use no:summary"
  `);
  expect(complaint("created>=lastweek")).toMatchInlineSnapshot(`
    "invalid date "lastweek" (column 1)
    did you mean last-week?"
  `);
  expect(complaint("is:weird")).toMatchInlineSnapshot(`
    "unknown state "weird" for is: (column 1)
    valid values: open, closed, confirmed, unconfirmed, mine, reported, unassigned, assigned, self-assigned, overdue, stale, unread, private, dup"
  `);
  expect(complaint("assignee=@foo")).toMatchInlineSnapshot(`
    "unknown name "@foo" (column 1)
    valid values: @me, @reporter, @assignee, @qa, @group.NAME"
  `);
  expect(complaint("assignee = currentUser() ORDER BY created DESC")).toMatchInlineSnapshot(`
    "unexpected "(" after "currentUser" (column 23)
    assignee = currentUser() ORDER BY created DESC
                          ^
    there are no functions: @me is the user, this-week a date"
  `);
  expect(complaint("created > 5m")).toMatchInlineSnapshot(`
    "ambiguous unit in "5m": minutes or months (column 1)
    months are 5mo, minutes 5min"
  `);
  expect(complaint("created = 2026-02-30")).toMatchInlineSnapshot(
    `"invalid date "2026-02-30": 2026-02 has 28 days (column 1)"`,
  );
  expect(complaint("summary > a")).toMatchInlineSnapshot(`
    "">" is not supported for summary (column 1)
    use = ~ =~ ^= $="
  `);
  expect(complaint("component >= Theme")).toMatchInlineSnapshot(`
    "">=" is not supported for component (column 1)
    use = ~ =~ ^= $=, or in (a, b)"
  `);
  expect(complaint("id = 12abc")).toMatchInlineSnapshot(`
    ""12abc" is not a bug number (column 1)
    use a number such as 44, or several: 44,45"
  `);
  expect(complaint("confirmed = maybe")).toMatchInlineSnapshot(
    `"is_confirmed must be yes or no, not "maybe" (column 1)"`,
  );
  expect(complaint('summary has any ("two words")')).toMatchInlineSnapshot(`
    ""two words" is more than one word (column 1)
    for a phrase use summary ~ "two words""
  `);
  expect(complaint("fulltext > a")).toMatchInlineSnapshot(`
    "">" is not supported for fulltext (column 1)
    use fulltext matches "words""
  `);
  expect(complaint("idle > soon")).toMatchInlineSnapshot(`
    "idle requires a duration (column 1)
    use idle > 4w (h d w mo y)"
  `);
  expect(complaint("assignee ~ @me")).toMatchInlineSnapshot(`
    "@me and similar names mean a complete login (column 1)
    use assigned_to = @me"
  `);
  expect(complaint("no:id")).toMatchInlineSnapshot(`"id is never empty (column 1)"`);
  expect(complaint("commenter changed by @me")).toMatchInlineSnapshot(
    `"changes of commenter are not recorded (column 1)"`,
  );
  expect(complaint("priority changed to Urgent")).toMatchInlineSnapshot(`
    "unknown priority "Urgent" (column 1)
    valid values: Highest, High, Normal, Low, Lowest, ---"
  `);
  expect(complaint("priority > ---")).toMatchInlineSnapshot(
    `"--- has no rank among the values of priority (column 1)"`,
  );
});

test.each([
  [["crash or hang", "slow or login"], "(summary ~ crash or summary ~ hang) and (summary ~ slow or summary ~ login)"],
  [["crash or hang", "is:open"], "(summary ~ crash or summary ~ hang) and is:open"],
  [["not", "crash or hang"], "not (summary ~ crash or summary ~ hang)"],
  [["crash", "or", "hang"], "summary ~ crash or summary ~ hang"],
  [["crash or", "hang"], "summary ~ crash or summary ~ hang"],
  [["status changed", "crash"], "status changed and summary ~ crash"],
  [["status changed", "to", "RESOLVED"], "status changed to RESOLVED"],
])("terms %j mean %s: each that is an expression stands in brackets", (terms, meaning) => {
  expect(unparseTree(parseTerms(terms).tree)).toBe(meaning);
});

test.each([
  ["status changed twice", 'unexpected "twice" (column 16)'],
  ["not assignee changed within 1w", 'unexpected "within" (column 22)'],
  ["flag(needinfo?) older", 'unexpected "older" (column 17)'],
  ['comment("patch" by ana@example.org)', 'unexpected "(" after "comment" (column 8)'],
  ["main(argc)", 'unexpected "(" after "main" (column 5)'],
  ["summary ~~ crash", 'unknown operator "~~" (column 9)'],
  ["id => 5", 'unknown operator "=>" (column 4)'],
  ["summary:~crash", 'unknown operator ":~" (column 8)'],
  ["@me", 'unexpected "@me" (column 1)'],
  ["is:open @me", 'unexpected "@me" (column 9)'],
  ["changed by @me since monday", '"changed by" without a field (column 1)'],
  ["is:open changed by mei@example.org", '"changed by" without a field (column 9)'],
  ["mine", 'unexpected "mine" (column 1)'],
])("words of the language that are left over are no words of the summary: %s", (text, message) => {
  expect(complaint(text)).toContain(message);
  expect(complaint(text)).toContain("^");
});

test("words of the language are accepted where they have their place, and quoted", () => {
  for (const text of [
    ...[
      "status changed and twice",
      'status changed "twice"',
      "flag(needinfo?) and older",
      "is:open changed",
      "not(crash)",
    ],
    ...['summary ~ "~x"', "created:>=2026-10", '"me"', "me too", "id:=5", '"main(argc)"'],
  ])
    expect(() => parseExpression(text)).not.toThrow();
});
