import { expect, test } from "vitest";
import { addToCounts, type BugCounts, countColumns, countRows, countsText } from "../../src/view/bug-counts.ts";
import type { View } from "../../src/view/view.ts";
import type { Bug } from "../../src/wire/bug-fields.ts";

const VIEW: View = { terminal: true, color: false, width: 80, now: new Date("2026-11-20T12:00:00Z"), timeZone: "UTC" };
const BUGS: readonly Bug[] = [
  { id: 1, component: "Editor", severity: "major", keywords: ["crash", "perf"], qa_contact: "" },
  { id: 2, component: "Editor", severity: "minor", keywords: [], qa_contact: "ada@example.org" },
  { id: 3, component: "Library", severity: "major", keywords: ["crash"], qa_contact: "" },
];

function counted(fields: string[], bugs = BUGS) {
  const counts: BugCounts = { fields, groups: new Map() };
  for (const bug of bugs) addToCounts(counts, bug, 1);
  return {
    rows: () => countRows(counts),
    table: (view: View, orders: string[][] = []) => countsText(counts, countColumns(fields), orders, view),
  };
}

test("values are sorted by count", () => {
  expect(counted(["component"]).rows()).toEqual([
    { component: "Editor", count: 2 },
    { component: "Library", count: 1 },
  ]);
});

test("a bug counts for each of its values, a bug without a value for the empty one", () => {
  expect(counted(["keywords"]).rows()).toEqual([
    { keywords: "crash", count: 2 },
    { keywords: "", count: 1 },
    { keywords: "perf", count: 1 },
  ]);
});

test("totals count each bug once", () => {
  expect(counted(["keywords"]).table(VIEW)).toBe(
    "KEYWORDS  COUNT\ncrash         2\n(none)        1\nperf          1\ntotal         3\n",
  );
  expect(counted(["keywords", "severity"]).table(VIEW)).toMatchInlineSnapshot(`
    "KEYWORDS  MAJOR  MINOR  TOTAL
    crash         2      ·      2
    (none)        ·      1      1
    perf          1      ·      1
    total         2      1      3
    "
  `);
});

test("two fields make a grid with totals", () => {
  expect(counted(["component", "severity"]).table(VIEW)).toMatchInlineSnapshot(`
    "COMPONENT  MAJOR  MINOR  TOTAL
    Editor         1      1      2
    Library        1      ·      1
    total          2      1      3
    "
  `);
});

test("headings that would be cut to the same make no grid", () => {
  const bugs = ["one", "two"].map((end): Bug => {
    return { id: 1, component: "Editor", qa_contact: `somebody-${end}@example.org` };
  });
  expect(counted(["component", "qa_contact"], bugs).table({ ...VIEW, width: 40 })).toMatchInlineSnapshot(`
    "COMPONENT  QA CONTACT              COUNT
    Editor     somebody-one@example.…      1
    Editor     somebody-two@example.…      1
    total                                  2
    "
  `);
});

test("a grid that is too wide is a list, so that no line is longer than the terminal", () => {
  const narrow = counted(["component", "qa_contact"]).table({ ...VIEW, width: 30 });
  expect(narrow).toMatchInlineSnapshot(`
    "COMPONENT  QA CONTACT    COUNT
    Editor     (none)            1
    Editor     ada@example…      1
    Library    (none)            1
    total                        3
    "
  `);
  expect(Math.max(...narrow.split("\n").map((line) => line.length))).toBeLessThanOrEqual(30);
});
