import { expect, test } from "vitest";
import { isPortablePattern } from "../../../src/tracker/mirror/judged-search.ts";

test.each([
  "^Browser (hang|leak) problem",
  "crash",
  "#42$",
  "^crash|leak$",
  "[0-9]+%$",
  "x{2,3}",
  "a+b*c?",
  "\\[zoo\\]",
  "größe",
  "[ ]foo",
  "[A-Za-z_]",
])("%s means the same in all databases", (pattern) => {
  expect(isPortablePattern(pattern, { isOneLine: true })).toBe(true);
  expect(isPortablePattern(pattern, { isOneLine: false })).toBe(true);
});

test.each(["a.b", "[^x]y", ".*"])("%s means the same for texts of one line", (pattern) => {
  expect(isPortablePattern(pattern, { isOneLine: true })).toBe(true);
  expect(isPortablePattern(pattern, { isOneLine: false })).toBe(false);
});

test.each([
  "\\d+",
  "\\bcrash",
  "\\w",
  "a*?",
  "a++",
  "x{2}?",
  "(?i)x",
  "(?:a)",
  "[[:alpha:]]",
  "[a\\d]",
  "[]a]",
  "[a&&b]",
  "(|a)",
  "a||b",
  "()",
  "^*a",
  "*a",
  "a|",
  "a{",
  "]",
  "\\",
])("%s does not", (pattern) => {
  expect(isPortablePattern(pattern, { isOneLine: true })).toBe(false);
});
