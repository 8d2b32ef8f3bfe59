import { describe, expect, test } from "vitest";
import { bugRef } from "../../src/api/bug-ref.ts";
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
    ["https://bugs.example.org/bugzilla/show_bug.cgi?id=12", "12"],
    ["https://bugs.example.org/show_bug.cgi?id=12#c3", "12"],
    ["https://bugs.example.org/12", "12"],
    ["https://bugs.example.org/rest/bug/12", "12"],
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
