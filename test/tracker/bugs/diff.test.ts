import fc from "fast-check";
import { expect, test } from "vitest";
import { diffBugs, type FieldChange } from "../../../src/tracker/bugs/draft.ts";
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
