import fc from "fast-check";
import { expect, test } from "vitest";
import type { Bug } from "../../../src/tracker/bug.ts";
import { diffBugs, type FieldChange } from "../../../src/tracker/bugs/diff.ts";
import { ADA, aBug, BEN, CORA } from "./a-bug.ts";

const words = fc.uniqueArray(fc.constantFrom("crash", "perf", "leak", "ui"), { maxLength: 4 });
const values = fc.record({
  summary: fc.string({ maxLength: 5 }),
  status: fc.constantFrom("CONFIRMED", "RESOLVED"),
  whiteboard: fc.string({ maxLength: 5 }),
  assigned_to: fc.constantFrom(ADA, BEN, CORA),
  alias: words,
  cc: fc.uniqueArray(fc.constantFrom(ADA, BEN, CORA), { selector: ({ id }) => id }),
  depends_on: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }),
  is_cc_accessible: fc.constantFrom(true, false),
  estimated_time: fc.integer({ min: 0, max: 9 }),
  custom: fc.record({ cf_text: fc.string({ maxLength: 3 }), cf_several: words }),
});

test("a reversed diff is the diff of the reverted change", () => {
  const backwards = ({ field, removed, added }: FieldChange) => ({
    field,
    removed: plain(added),
    added: plain(removed),
  });
  const plain = (text: string) => text.replace(/\.00$/, "");
  const told = (changes: readonly FieldChange[]) =>
    changes.map(({ field, removed, added }) => ({ field, removed: plain(removed), added: plain(added) }));
  fc.assert(
    fc.property(values, values, (some, others) => {
      const [before, after] = [aBug(some), aBug(others)];
      expect(told(diffBugs(after, before))).toEqual(diffBugs(before, after).map(backwards));
    }),
  );
});

// Applies what was removed and added to the texts of a bug, as somebody who only reads its history would.
function undone(
  shown: Readonly<Record<string, string>>,
  changes: readonly FieldChange[],
): Readonly<Record<string, string>> {
  return {
    ...shown,
    ...Object.fromEntries(
      changes.map(({ field, removed, added }) => {
        const come = added === "" ? [] : added.split(", ");
        const gone = removed === "" ? [] : removed.split(", ");
        const items = (shown[field] ?? "") === "" ? [] : (shown[field] ?? "").split(", ");
        const list = [...items.filter((item) => !come.includes(item)), ...gone];
        return [field, list.sort().join(", ")];
      }),
    ),
  };
}

function lists(bug: Bug): Readonly<Record<string, string>> {
  return {
    alias: [...bug.alias].sort().join(", "),
    cc: bug.cc
      .map(({ login }) => login)
      .sort()
      .join(", "),
    dependson: bug.depends_on.map(String).sort().join(", "),
    cf_several: [...(bug.custom["cf_several"] ?? [])].sort().join(", "),
  };
}

test("reverting the changes of a list restores it", () => {
  fc.assert(
    fc.property(values, values, (some, others) => {
      const [before, after] = [aBug(some), aBug(others)];
      const changes = diffBugs(before, after).filter(({ field }) => Object.hasOwn(lists(before), field));
      expect(undone(lists(after), changes)).toEqual(lists(before));
    }),
  );
});
