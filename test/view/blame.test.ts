import { expect, test } from "vitest";
import { blamedValues } from "../../src/view/blame.ts";
import type { Bug } from "../../src/wire/bug-fields.ts";
import type { HistoryEntry } from "../../src/wire/resources.ts";

const FILED = "2026-01-01T00:00:00Z";

/** Changes as `day who field removed -> added`. */
function history(...lines: readonly string[]): readonly HistoryEntry[] {
  return lines.map((line) => {
    const [, day, who = "", field_name = "", removed = "", added = ""] =
      /^(\d) (\w+) (\w+) (.*)->(.*)$/.exec(line) ?? [];
    const change = { field_name, removed: removed.trim(), added: added.trim() };
    return { when: `2026-02-0${day}T00:00:00Z`, who, changes: [change] };
  });
}

function setters(bug: Omit<Bug, "id">, changes: readonly HistoryEntry[]) {
  const values = blamedValues({ id: 7, creator: "ada", creation_time: FILED, ...bug }, changes);
  return values.map(({ field, value, who, when }) => [field, value, who, when?.slice(5, 10)]);
}

test.each<[string, Omit<Bug, "id">, readonly HistoryEntry[], readonly unknown[]]>([
  ["the reporter, without a change", { priority: "High" }, [], ["High", "ada", "01-01"]],
  [
    "the last change",
    { priority: "High" },
    history("1 ben priority Low->High", "2 cy priority High->Low", "3 di priority Low->High"),
    ["High", "di", "02-03"],
  ],
  [
    "nobody known, if the value was renamed",
    { priority: "P1" },
    history("1 ben priority Low->High"),
    ["P1", null, undefined],
  ],
  [
    "a change of hours with other decimals",
    { estimated_time: 3.5 },
    history("1 ben estimated_time 0.00->3.50"),
    ["3.5", "ben", "02-01"],
  ],
  [
    "a change of a day, which has a time in the history",
    { deadline: "2026-03-01" },
    history("1 ben deadline ->2026-03-01 00:00:00"),
    ["2026-03-01", "ben", "02-01"],
  ],
  [
    "a change of a day, which has a time in UTC in the history of Mozilla's tracker",
    { deadline: "2026-03-01" },
    history("1 ben deadline ->2026-03-01T00:00:00Z"),
    ["2026-03-01", "ben", "02-01"],
  ],
])("a value was set by %s", (...[, bug, changes, [value, who, when]]) => {
  expect(setters(bug, changes)).toEqual([[Object.keys(bug)[0], value, who, when]]);
});

test("items of a list were set one by one", () => {
  const changes = history("1 ben keywords ->crash, perf", "2 cy keywords crash->", "3 di keywords ->crash");
  expect(setters({ keywords: ["crash", "perf", "ui"] }, changes)).toEqual([
    ["keywords", "crash", "di", "02-03"],
    ["keywords", "perf", "ben", "02-01"],
    ["keywords", "ui", "ada", "01-01"],
  ]);
});

test("parts of a long text, which a tracker keeps as several changes, are one value", () => {
  const [first] = history("1 ben whiteboard ->");
  const parts = ["x".repeat(254), "y"].map((added) => ({ field_name: "whiteboard", removed: "", added }));
  const entry = { ...(first as HistoryEntry), changes: parts };
  expect(setters({ whiteboard: `${"x".repeat(254)}y` }, [entry])).toMatchObject([
    ["whiteboard", expect.any(String), "ben", "02-01"],
  ]);
});

test("flags know their setter, empty fields have none, and attachments are not the bug", () => {
  const flag = { id: 1, type_id: 1, name: "review", status: "?", requestee: "cy", setter: "ben" };
  const flags = [{ ...flag, creation_date: FILED, modification_date: "2026-02-05T00:00:00Z" }];
  const [entry] = history("1 ben summary ->Other");
  const changes = [
    { ...(entry as HistoryEntry), changes: [{ field_name: "summary", removed: "", added: "Other", attachment_id: 3 }] },
  ];
  expect(setters({ flags, url: "", summary: "Mine" }, changes)).toEqual([
    ["summary", "Mine", "ada", "01-01"],
    ["flags", "review?(cy)", "ben", "02-05"],
  ]);
});
