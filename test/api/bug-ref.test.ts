import { describe, expect, test } from "vitest";
import { bugRef, mentionedBugs } from "../../src/api/bug-ref.ts";
import { BtError } from "../../src/errors.ts";

const TRACKER = "https://bugs.example.org/bugzilla";

describe("a bug is referenced by", () => {
  test.each([
    ["12", "12"],
    ["#12", "12"],
    ["9007199254740991", "9007199254740991"],
    ["roadmap", "roadmap"],
    ["crash-on_start.2", "crash-on_start.2"],
    ["überblick", "überblick"],
    ["https://bugs.example.org/bugzilla/show_bug.cgi?id=12#c3", "12"],
    ["https://bugs.example.org/bugzilla/12", "12"],
    ["https://bugs.example.org/bugzilla/rest/bug/12", "12"],
    ["https://bugs.example.org/bugzilla/bug/12/", "12"],
  ])("%s", (text, ref) => {
    expect(bugRef(text, TRACKER)).toBe(ref);
  });
});

describe("any other word may be an alias, checked by the tracker only:", () => {
  test.each([
    ..."2024-roadmap 12a x=y it's x/97 p%22 ü-35 -dash 1e3 0x10 #roadmap 1/2 1;2 １２ .. ../version 1?x=1 %2e%2e * 1.0".split(
      " ",
    ),
    "a\u202eb",
    "x".repeat(40),
    "😀".repeat(40),
  ])("%j", (text) => {
    expect(bugRef(text, TRACKER)).toBe(text);
  });
});

describe("a word that cannot be an alias is rejected", () => {
  test.each([
    ..."-1 +1 0 00 007 #0 -0 1,2 a,b 9007199254740992 9007199254740993".split(" "),
    "",
    " ",
    "a b",
    "a\u00a0b",
    "\u0000",
    "a\u009bb",
    "x".repeat(41),
    "https://bugs.example.org/",
    "https://bugs.example.org/show_bug.cgi",
    "https://bugs.example.org/show_bug.cgi?id=",
    "https://bugs.example.org/show_bug.cgi?id=-1",
    "https://bugs.example.org/attachment.cgi?id=12",
    "https://bugs.example.org/rest/bug/attachment/12",
    "https://bugs.example.org/rest/bug/comment/12",
    "https://bugs.example.org.evil.test/show_bug.cgi?id=12",
    "http://bugs.example.org/show_bug.cgi?id=12",
    "https://bugs.example.org:8443/show_bug.cgi?id=12",
    "https://bugs.example.org/other/show_bug.cgi?id=12",
    "https://bugs.example.org/bugzilla/old/show_bug.cgi?id=12",
    "https://bugs.example.org/bugzilla2/12",
    "https://bugs.example.org/other/bug/12",
  ])("%j", (text) => {
    expect(() => bugRef(text, TRACKER)).toThrow(BtError);
  });
});

test("a tracker at rest.cgi has its pages beside it", () => {
  const rest = "https://bugs.example.org/bugzilla/rest.cgi";
  expect(bugRef("https://bugs.example.org/bugzilla/show_bug.cgi?id=12", rest)).toBe("12");
});

test.each([
  ["Bug 12 - the editor crashes", ["12"]],
  ["fixes bug #12, bug 7; see bug 12 again.", ["12", "7"]],
  ["bugs 3, 2 and 1", ["3", "2", "1"]],
  ["bugs 3 and #4", ["3", "4"]],
  ["bug\n12", ["12"]],
  ["In bug 12, 3 people agree", ["12"]],
  ["(bug 12)", ["12"]],
  ["see https://bugs.example.org/bugzilla/show_bug.cgi?id=12#c3.", ["12"]],
  ["<https://bugs.example.org/bugzilla/12>, [x](https://bugs.example.org/bugzilla/rest/bug/7)", ["12", "7"]],
  ["show_bug.cgi?id=12", ["12"]],
  ["bug-44-fix", ["44"]],
  ["ada/bug_44", ["44"]],
  ["Bug 48: crash on start", ["48"]],
  ["see bug 44 and #43, #42", ["44", "43", "42"]],
  ["bug 44, 3 tests, and #9", ["44"]],
  ["Bug 48, 3 tests failed", ["48"]],
  ["bug 48 and 3 others", ["48"]],
  ["bug 48, #49 and 3 others", ["48", "49"]],
  ["bug 48, 3.2 and 49-fix", ["48"]],
  ["bug 44 #43 and 5", ["44"]],
  ["Crash on start\n\nFixes #48, #49 and bug 50", ["48", "49", "50"]],
  ["Closes: #7", ["7"]],
])("%j mentions %j", (text, ids) => {
  expect(mentionedBugs(text, TRACKER)).toEqual(ids);
});

test.each([
  "#12",
  "Merge pull request #12 from ada/crash",
  "prefixes #12",
  "fixes 12 crashes",
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
