import { expect, test } from "vitest";
import { parseExpression, parseTerms } from "../../../src/api/query/parse.ts";
import { resolveQuery } from "../../../src/api/query/resolve.ts";
import { BtError } from "../../../src/errors.ts";
import { exampleContext } from "../example-catalog.ts";
import { treeText } from "./tree-text.ts";

/** Error of an expression that is refused. */
function complaint(text: string): string {
  try {
    resolveQuery(parseExpression(text), exampleContext);
    return `accepted as ${treeText(parseExpression(text))}`;
  } catch (error) {
    if (!(error instanceof BtError) || error.kind !== "usage") throw error;
    return [error.message, ...(error.facts.details ?? []), error.facts.hint].filter((line) => line).join("\n");
  }
}

test.each([
  ["crash startup", "summary ~ crash and summary ~ startup"],
  ["a or b c", "summary ~ a or (summary ~ b and summary ~ c)"],
  ["(a or b) and c or d", "((summary ~ a or summary ~ b) and summary ~ c) or summary ~ d"],
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
  ["C++ 404", "summary ~ C++ and summary ~ 404"],
  ['"Due by" = 2026-12', '"Due by" = 2026-12'],
  ["status not in (A, B)", "not status in (A, B)"],
  ["status:A,B", "status:A,B"],
  ["id:10..20", "id:10..20"],
  ["id:10..<20", "id:10..<20"],
  ["id:10..", "id >= 10"],
  ["id:..20", "id <= 20"],
  ['summary:"a..b"', 'summary:"a..b"'],
  ["summary =~ /a\\/b/", 'summary =~ "a/b"'],
  ["has:flag no:qa", "not flag is empty and qa is empty"],
  ["flag(needinfo? requestee @me)", "flag(needinfo? requestee @me)"],
  ["status CHANGED by @me", "status changed by @me"],
  [
    "crash in startup is open",
    "summary ~ crash and summary ~ in and summary ~ startup and summary ~ is and summary ~ open",
  ],
])("%s is parsed as %s", (text, expected) => {
  expect(treeText(parseExpression(text))).toBe(expected);
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
  [["album is renamed"], 'summary ~ "album is renamed"'],
  [["back to albums"], 'summary ~ "back to albums"'],
  [["summary:album is renamed"], 'summary:"album is renamed"'],
  [["status changed to RESOLVED", "crash"], "status changed to RESOLVED and summary ~ crash"],
  [["status changed", "to RESOLVED"], "status changed to RESOLVED"],
])("the terms %j are parsed as %s", (terms, expected) => {
  expect(treeText(parseTerms(terms))).toBe(expected);
});

test.each(["severity matches blocker", "priority contains Low", "crash keywords has any hang", "priority eq Low"])(
  "the term '%s' is no phrase of summaries",
  (term) => {
    expect(() => parseTerms([term])).toThrow("is no condition");
  },
);

test("a syntax error has its position and what was expected", () => {
  expect(complaint("(a or b")).toBe(`expected ")" for the "(" at column 1, but found the end (column 8)
(a or b
       ^
add ")", or go on with "and" or "or"`);
});

test.each([
  ["status = ", 'expected a value after "=", but found the end (column 10)'],
  ["status:A,", 'expected a value after ",", but found the end (column 10)'],
  ["is:open and", "expected a condition, but found the end (column 12)"],
  ["or b", 'expected a condition, but found "or" (column 1)'],
  ["a) b", 'unexpected ")" (column 2)'],
  ['summary ~ "toolbar', 'unclosed quote " (column 11)'],
  ["summary ~ a,b", "unexpected comma (column 12)"],
  ["status in CONFIRMED", '"status in" is no condition'],
  ["status is CONFIRMED", '"status is" is no condition'],
  ["id between 3 and 4", '"id between" is no condition'],
  ["status in (CONFIRMED RESOLVED)", 'expected "," or ")", but found "RESOLVED" (column 22)'],
  ["status changed by a by b", '"by" is repeated in one condition (column 24)'],
  ["is:", 'expected a name after "is:", but found the end (column 4)'],
  ["flag(review? by x)", 'expected ")", but found "by" (column 14)'],
  ["  ", "an empty expression would match every bug"],
  ["priority>=Urgent", 'unknown priority "Urgent" (column 1)'],
  ["is:open foo=1", 'unknown field "foo" (column 9)'],
  ['summary ~ ""', "an empty value for summary would match every bug (column 1)"],
  ["created>=lastweek", 'invalid date "lastweek" (column 1)'],
  ["is:weird", 'unknown state "weird" for is: (column 1)'],
  ["assignee=@foo", 'unknown name "@foo" (column 1)'],
  ["assignee = currentUser()", 'unexpected "(" after "currentUser" (column 23)'],
  ["created = 2026-02-30", 'invalid date "2026-02-30": there is no such day'],
  ["summary > a", '">" is not supported for summary (column 1)'],
  ["component >= Theme", '">=" is not supported for component (column 1)'],
  ["id = 12abc", '"12abc" is not a bug number (column 1)'],
  ["confirmed = maybe", 'is_confirmed must be yes or no, not "maybe" (column 1)'],
  ["fulltext > a", '">" is not supported for fulltext (column 1)'],
  ["idle > soon", "idle requires a duration (column 1)"],
  ["assignee ~ @me", "@me and similar names mean a complete login (column 1)"],
  ["no:id", "id is never empty (column 1)"],
  ["commenter changed by @me", "changes of commenter are not recorded (column 1)"],
  ["priority changed to Urgent", 'unknown priority "Urgent" (column 1)'],
  ["priority > ---", "--- has no rank among the values of priority (column 1)"],
])("%s is refused: %s", (text, message) => {
  expect(complaint(text)).toContain(message);
});

test.each([
  [["crash or hang", "slow or login"], "(summary ~ crash or summary ~ hang) and (summary ~ slow or summary ~ login)"],
  [["crash or hang", "is:open"], "(summary ~ crash or summary ~ hang) and is:open"],
  [["not", "crash or hang"], "not (summary ~ crash or summary ~ hang)"],
  [["crash", "or", "hang"], "summary ~ crash or summary ~ hang"],
  [["crash or", "hang"], "summary ~ crash or summary ~ hang"],
  [['"red eye" or crash', "is:open"], '(summary ~ "red eye" or summary ~ crash) and is:open'],
  [['"this or that"', "is:open"], 'summary ~ "this or that" and is:open'],
  [["status changed", "to", "RESOLVED"], "status changed to RESOLVED"],
])("terms %j mean %s: one with 'or' stands in brackets", (terms, meaning) => {
  expect(treeText(parseTerms(terms))).toBe(meaning);
});

test.each([
  ["status changed twice", 'unexpected "twice" (column 16)'],
  ["not assignee changed within 1w", 'unexpected "within" (column 22)'],
  ["flag(needinfo?) older", 'unexpected "older" (column 17)'],
  ['comment("patch" by ana@example.org)', 'unexpected "(" after "comment" (column 8)'],
  ["main(argc)", 'unexpected "(" after "main" (column 5)'],
  ["summary ~~ crash", 'expected a value after "~", but found "~" (column 10)'],
  ["id => 5", 'expected a value after "=", but found ">" (column 5)'],
  ["a && b", 'expected a condition, but found "&&" (column 3)'],
  ["crash||hang", 'expected a condition, but found "||hang" (column 6)'],
  ["status == NEW", 'expected a value after "=", but found "=" (column 9)'],
  ["summary:~crash", 'expected a value after ":", but found "~crash" (column 9)'],
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
