import { describe, expect, test } from "vitest";
import { incompleteText, mirrorProgressText, mirrorSummary, privateBugsText } from "../../src/view/mirrors.ts";
import type { MirrorProgress } from "../../src/wire/mirror.ts";

const AT_61: MirrorProgress = { phase: "open", below: 390, top: 1000, done: 300, share: 0.61 };

describe("the progress of a sync has the phase, its share, the bugs, the rate and the time left", () => {
  test.each([
    [
      AT_61,
      { seconds: 30, done: 300, ofPhase: { seconds: 30, share: 0.6 } },
      "open bugs, 61 %, 300 bugs read, 10/s, 20 s left",
    ],
    [
      { ...AT_61, phase: "closed", done: 900 },
      { seconds: 61, done: 300, ofPhase: { seconds: 10, share: 0.1 } },
      "closed bugs, 61 %, 900 bugs read, 4.9/s, 39 s left",
    ],
    [
      { ...AT_61, share: 0.01, done: 1 },
      { seconds: 0, done: 1, ofPhase: { seconds: 0, share: 0.01 } },
      "open bugs, 1 %, 1 bug read",
    ],
    [
      { ...AT_61, phase: "check", share: 1 },
      { seconds: 1, done: 0, ofPhase: { seconds: 1, share: 1 } },
      "comparing numbers, 99 %, 300 bugs read, 0 s left",
    ],
  ] as const)("%j %j", (progress, times, text) => {
    expect(mirrorProgressText(progress, times)).toBe(text);
  });
});

test.each([
  [{ progress: AT_61, lastSync: null }, "incomplete: open bugs, 61 %"],
  [{ progress: null, lastSync: null }, "incomplete"],
  [{ progress: { ...AT_61, phase: "check" }, lastSync: "2026-11-20T12:00:00Z" }, ""],
  [{ progress: AT_61, lastSync: "2026-11-20T12:00:00Z" }, "incomplete: open bugs, 61 %"],
  [{ progress: null, lastSync: "2026-11-20T12:00:00Z" }, ""],
] as const)("%j is %j", ({ progress, lastSync }, text) => {
  expect(incompleteText(progress, lastSync)).toBe(text);
});

test.each([
  [
    { restricted: 2, withPrivateComments: 1 },
    "work: this mirror will keep 2 restricted bugs and private comments of 1 bug (--public-only leaves them out)",
  ],
  [
    { restricted: 1, withPrivateComments: 0 },
    "work: this mirror will keep 1 restricted bug (--public-only leaves them out)",
  ],
  [{ restricted: 0, withPrivateComments: 0 }, undefined],
])("%j are announced as %j", (counts, text) => {
  expect(privateBugsText("work", counts)).toBe(text);
});

test("the summary of a first sync has what the mirror holds, that of others what changed", () => {
  const counts = { held: 29, failed: 3, restrictedBugs: 4, privateComments: 5, privateAttachments: 0 };
  const sync = { name: "work", changed: 7, added: 2, removed: 1, counts };
  expect(mirrorSummary({ ...sync, isFirst: true })).toBe(
    "work: 29 bugs, 4 restricted, 5 private comments, 1 removed, 3 could not be read",
  );
  expect(mirrorSummary({ ...sync, isFirst: false })).toBe(
    "work: 7 bugs changed, 2 new, 1 removed, 3 could not be read",
  );
});
