import { expect, test } from "vitest";
import { statusDurations } from "../../src/view/durations.ts";
import { durationText } from "../../src/view/times.ts";
import type { HistoryEntry } from "../../src/wire/resources.ts";

const NOW = new Date("2026-02-10T00:00:00Z");
const DAY = 24 * 60 * 60;

/** Changes of the status as `day removed added`. */
function history(...lines: readonly string[]): readonly HistoryEntry[] {
  return lines.map((line) => {
    const [day, removed = "", added = ""] = line.split(" ");
    return { when: `2026-02-0${day}T00:00:00Z`, who: "ada", changes: [{ field_name: "status", removed, added }] };
  });
}

function durations(status: string, ...lines: readonly string[]) {
  const bug = { id: 7, status, creation_time: "2026-02-01T00:00:00Z" };
  return statusDurations(bug, history(...lines), NOW).map(
    (one) => `${one.status} ${one.seconds / DAY} ${one.entered}${one.isCurrent ? " now" : ""}`,
  );
}

test.each([
  ["without a change, from the creation until now", "NEW", [], ["NEW 9 1 now"]],
  ["a change ends a stay", "DONE", ["3 NEW DONE"], ["NEW 2 1", "DONE 7 1 now"]],
  [
    "stays of a reopened bug are added up",
    "DONE",
    ["2 NEW DONE", "4 DONE NEW", "9 NEW DONE"],
    ["NEW 6 2", "DONE 3 2 now"],
  ],
  [
    "a stay of no time counts as entered",
    "DONE",
    ["2 NEW OPEN", "2 OPEN DONE"],
    ["NEW 1 1", "OPEN 0 1", "DONE 8 1 now"],
  ],
  ["a status renamed since is told as it was then", "CLOSED", ["2 NEW DONE"], ["NEW 1 1", "CLOSED 8 1 now"]],
])("%s", (_, status, ...[lines, expected]) => {
  expect(durations(status, ...lines)).toEqual(expected);
});

test("other fields do not matter, and no time is negative if the clock here is behind", () => {
  const bug = { id: 7, status: "NEW", creation_time: "2026-02-11T00:00:00Z" };
  const [entry] = history("2 a b");
  const changes = [{ field_name: "priority", removed: "NEW", added: "Low" }];
  expect(statusDurations(bug, [{ when: "", who: "", ...entry, changes }], NOW)).toEqual([
    { id: 7, status: "NEW", seconds: 0, entered: 1, isCurrent: true },
  ]);
});

test.each([
  [0, "<1m"],
  [59, "<1m"],
  [60, "1m"],
  [3600, "1h"],
  [3660, "1h 1m"],
  [DAY - 1, "23h 59m"],
  [DAY + 60, "1d"],
  [400 * DAY + 7200, "400d 2h"],
])("%i seconds are %s", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
