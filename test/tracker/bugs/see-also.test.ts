import { describe, expect, test } from "vitest";
import { parseSeeAlso } from "../../../src/tracker/bugs/see-also.ts";
import { outcome } from "../refusal.ts";

const BASE = "https://bugs.example.org/";
const OTHERWISE =
  "is not a valid URL to a bug. See Also URLs should point to one of: show_bug.cgi in a Bugzilla installation. A bug on launchpad.net An issue on code.google.com. A bug on bugs.debian.org. An issue in a JIRA installation. A ticket in a Trac installation. A bug in a MantisBT installation. A bug on sourceforge.net. An issue/pull request on github.com.";

test.each([
  ["https://bugzilla.mozilla.org/show_bug.cgi?id=42", "https://bugzilla.mozilla.org/show_bug.cgi?id=42"],
  ["http://example.org/sub/show_bug.cgi?ctype=xml&id=7#c3", "http://example.org/sub/show_bug.cgi?id=7"],
  ["http://localhost:8080/show_bug.cgi?id=7", "http://localhost:8080/show_bug.cgi?id=7"],
  ["bugzilla.example.com/show_bug.cgi?id=7", "http://bugzilla.example.com/show_bug.cgi?id=7"],
  ["https://bugs.launchpad.net/ubuntu/+bug/1234", "https://launchpad.net/bugs/1234"],
  ["https://launchpad.net/bugs/1234", "https://launchpad.net/bugs/1234"],
  ["http://code.google.com/p/chromium/issues/detail?id=9", "https://code.google.com/p/chromium/issues/detail?id=9"],
  ["https://bugs.debian.org/555", "https://bugs.debian.org/555"],
  ["http://bugs.debian.org/cgi-bin/bugreport.cgi?bug=555", "https://bugs.debian.org/555"],
  ["https://jira.example.org/browse/ABC-12", "https://jira.example.org/browse/ABC-12"],
  ["https://trac.example.org/project/ticket/8", "https://trac.example.org/project/ticket/8"],
  ["https://mantis.example.org/view.php?id=3", "https://mantis.example.org/view.php?id=3"],
  ["http://sourceforge.net/p/sdcc/bugs/17", "https://sourceforge.net/p/sdcc/bugs/17/"],
  ["http://github.com/a/b/issues/9", "https://github.com/a/b/issues/9"],
  ["https://github.com/a/b/pull/9?diff=split", "https://github.com/a/b/pull/9"],
])("%s is stored as %s", (text, url) => {
  expect(parseSeeAlso(text, BASE)).toEqual({ url });
});

test.each([
  ["20003", "20003"],
  ["https://bugs.example.org/show_bug.cgi?id=5", "5"],
])("%s is a bug of this tracker", (text, bug) => {
  expect(parseSeeAlso(text, BASE)).toEqual({ bug });
});

describe("a URL that is no bug page is rejected", () => {
  test.each([
    "no URL",
    "a nonsense word",
    "https://example.org/foo",
    "https://example.org/show_bug.cgi?id=alias",
    "https://github.com/a/b/issues/new",
    "ftp://example.org/show_bug.cgi?id=5",
    "javascript:alert(1)//show_bug.cgi?id=5",
  ])("%s", (text) => {
    expect(outcome(() => parseSeeAlso(text, BASE))).toBe(`400/112: ${text} ${OTHERWISE}`);
  });

  test("a page beyond 255 characters", () => {
    const path = `/a/b/issues/${"9".repeat(300)}`;
    expect(outcome(() => parseSeeAlso(`https://github.com${path}`, BASE))).toBe(
      `400/112: Bug URLs cannot be longer than 255 characters long. ${path} is too long.`,
    );
  });
});
