import { expect, test } from "vitest";
import { type Renumbering, renumbered } from "../../../src/api/migrate/references.ts";

const SOURCE = "https://old.example.org/bugzilla";

const KNOWN: Readonly<Record<number, number>> = { 0: 0, 3: 3, 4: 4 };

const MOVED: Renumbering = {
  source: SOURCE,
  bug: (old) => ({ 12: 45, 13: 46, 7: 7 })[old],
  comment: (bug, old) => (bug === 12 && old === 3 ? 2 : KNOWN[old]),
  attachment: (old) => ({ 5: 9 })[old],
};

test.each([
  ["see bug 12", "see bug 45 (was 12)"],
  ["Bug #12 and bug12", "Bug #45 (was 12) and bug45 (was 12)"],
  ["bug 7 stays", "bug 7 stays"],
  ["bug 99.", "bug no. 99 (old number)."],
  ["bugs 12, 13 and 99", "bugs 45 (was 12), 46 (was 13) and no. 99 (old number)"],
  ["bug 12 comment 3", "bug 45 comment 2 (was 12#c3)"],
  ["bug 13, comment #3", "bug 46, comment #3 (was 13#c3)"],
  ["bug 99 comment 3", "bug no. 99, comment no. 3 (old numbers)"],
  ["bug 7 comment 3", "bug 7 comment 3"],
  ["bug 12 comment 8", "bug 45 (was 12), comment no. 8 (old number)"],
  ["bug 7, comment 8", "bug 7, comment no. 8 (old number)"],
  ["comment 8 of bug 99", "comment no. 8 (old number) of bug no. 99 (old number)"],
  [`${SOURCE}/show_bug.cgi?id=12#c8`, `bug 45 (was ${SOURCE}/show_bug.cgi?id=12#c8)`],
  ["comment 3 and comment 4", "comment 2 (was 3) and comment 4"],
  ["Created attachment 5", "Created attachment 9 (was 5)"],
  ["attachment 6", "attachment no. 6 (old number)"],
  [`${SOURCE}/show_bug.cgi?id=12#c3.`, `bug 45 comment 2 (was ${SOURCE}/show_bug.cgi?id=12#c3).`],
  [`${SOURCE}/show_bug.cgi?id=99`, `${SOURCE}/show_bug.cgi?id=99`],
  [`${SOURCE}/attachment.cgi?id=5`, `attachment 9 (was ${SOURCE}/attachment.cgi?id=5)`],
  ["https://other.example.org/show_bug.cgi?id=12", "https://other.example.org/show_bug.cgi?id=12"],
  ["debug 12, bug 12.5, a/bug 12, bug 12-3", "debug 12, bug 12.5, a/bug 12, bug 12-3"],
  ["*** This bug has been marked as a duplicate of bug 12 ***", /of bug 45 \(was 12\) \*\*\*/],
])("%s", (text, expected) => {
  const now = renumbered(text, 12, MOVED);
  if (expected instanceof RegExp) expect(now).toMatch(expected);
  else expect(now).toBe(expected);
});

test("a long text without references takes time in proportion to its length", () => {
  const text = "bugs , ".repeat(20_000);
  expect(renumbered(text, 12, MOVED)).toBe(text);
});
