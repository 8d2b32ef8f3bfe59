import { expect, test } from "vitest";
import { mentionedBugs } from "../../src/api/bug-ref.ts";

const TRACKER = "https://bugs.example.org/bugzilla";

test.each([
  ["Bug 12 - the editor crashes", ["12"]],
  ["fixes bug #12, bug 7; see bug 12 again.", ["12", "7"]],
  ["bugs 3, 2 and 1", ["3", "2", "1"]],
  ["bugs 3 and #4", ["3", "4"]],
  ["bug\n12", ["12"]],
  ["In bug 12, 3 people agree", ["12"]],
  ["(bug 12)", ["12"]],
  ["see https://bugs.example.org/bugzilla/show_bug.cgi?id=12#c3.", ["12"]],
  ["<https://bugs.example.org/bugzilla/12>, [x](https://bugs.example.org/rest/bug/7)", ["12", "7"]],
  ["show_bug.cgi?id=12", ["12"]],
])("%j mentions %j", (text, ids) => {
  expect(mentionedBugs(text, TRACKER)).toEqual(ids);
});

test.each([
  "#12",
  "comment 12",
  "debug 12",
  "bug 12abc",
  "bug 1.5",
  "bug 012",
  "bug 99999999999999999999",
  "https://other.example.org/show_bug.cgi?id=12",
  "other.example.org/show_bug.cgi?id=12",
  "https://github.com/a/b/issues/12",
  "https://bugs.example.org/bugzilla/attachment.cgi?id=12",
  "12 and 13",
])("%j mentions no bug of this tracker", (text) => {
  expect(mentionedBugs(text, TRACKER)).toEqual([]);
});
