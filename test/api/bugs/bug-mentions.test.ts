import { expect, test } from "vitest";
import { mentionedBugs } from "../../../src/api/bug-ref.ts";

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
  ["bug-44-fix", ["44"]],
  ["ada/bug_44", ["44"]],
  ["Bug 48: crash on start", ["48"]],
  ["see bug 44 and #43, #42", ["44", "43", "42"]],
  ["bug 44, 3 tests, and #9", ["44"]],
  ["Bug 48, 49", ["48", "49"]],
  ["Bug 48, 49: crash on start", ["48", "49"]],
  ["Bug 48, 49 - crash on start", ["48", "49"]],
  ["fixes bug 48, 49 and 50.", ["48", "49", "50"]],
  ["(bug 48 and 49)", ["48", "49"]],
  ["Bug 48, 49\n\nSigned-off-by: Ada", ["48", "49"]],
  ["fixes bug 48,\n49 and 50\n", ["48", "49", "50"]],
  ["Bug 48, 3 tests failed", ["48"]],
  ["Bug 48, 2, 3 tests failed", ["48"]],
  ["Bug 48, 3\ntests failed", ["48"]],
  ["bug 48 and 3 others", ["48"]],
  ["bug 48, #49 and 3 others", ["48", "49"]],
  ["bug 48, 3.2 and 49-fix", ["48"]],
  ["bug 44 #43 and 5", ["44"]],
  ["Crash on start\n\nFixes #48, #49 and bug 50", ["48", "49", "50"]],
  ["Closes: #7", ["7"]],
  ["Crash on start\n\nBug: 44\r\nSigned-off-by: Ada", ["44"]],
  ["Bugs: 44, #45 and 46\n12 more", ["44", "45", "46"]],
])("%j mentions %j", (text, ids) => {
  expect(mentionedBugs(text, TRACKER)).toEqual(ids);
});

test.each([
  "#12",
  "Merge pull request #12 from ada/crash",
  "prefixes #12",
  "fixes 12 crashes",
  "Bug: 12 crashes",
  "Debug: 12",
  "See-Bug: 12",
  "fixes #12abc",
  "debug-12",
  "bug-2026-11-20.log",
  "bug-1.5",
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
