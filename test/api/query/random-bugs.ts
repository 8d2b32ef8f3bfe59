import fc from "fast-check";
import type { Bug } from "../../../src/wire/bug-fields.ts";

const PEOPLE = ["alice@example.org", "bob@example.org", "carol@example.org"] as const;

const people = fc.constantFrom(...PEOPLE);

const moments = fc
  .integer({ min: Date.UTC(2026, 8, 1), max: Date.UTC(2026, 10, 21) })
  .map((moment) => `${new Date(moment).toISOString().slice(0, 19)}Z`);

function some<Item>(...items: readonly Item[]) {
  return fc.subarray([...items]);
}

const flags = fc.array(
  fc.record({
    id: fc.nat(),
    type_id: fc.constant(1),
    name: fc.constantFrom("review", "landing"),
    status: fc.constantFrom("?", "+", "-"),
    setter: people,
    requestee: people,
    creation_date: moments,
    modification_date: moments,
  }),
  { maxLength: 2 },
);

/** Bugs of the recorded tracker, with values that the random conditions ask for and others. */
export const bugs: fc.Arbitrary<Bug> = fc.record({
  id: fc.integer({ min: 1, max: 9 }),
  alias: some("zeb", "zebra-two"),
  summary: fc.constantFrom("crash", "A crash at start", "hang, crash x", "nothing", "50% of a.b"),
  status: fc.constantFrom("UNCONFIRMED", "CONFIRMED", "IN_PROGRESS", "RESOLVED", "VERIFIED"),
  resolution: fc.constantFrom("", "FIXED", "INVALID", "DUPLICATE"),
  is_confirmed: fc.boolean(),
  product: fc.constantFrom("Firefox", "Toolkit"),
  component: fc.constantFrom("Theme", "Places", "New Tab, Start/Home & More"),
  priority: fc.constantFrom("Highest", "High", "Normal", "Low", "Lowest", "---"),
  assigned_to: people,
  creator: people,
  qa_contact: fc.oneof(fc.constant(""), people),
  cc: some(...PEOPLE),
  creation_time: moments,
  last_change_time: moments,
  deadline: fc.constantFrom(null, "2026-10-03", "2026-11-20", "2027-01-31"),
  depends_on: some(1, 2, 3),
  keywords: some("crash", "perf", "regression"),
  groups: some("core-security"),
  flags,
  url: fc.constantFrom("", "x", "http://a.b/"),
  whiteboard: fc.constantFrom("", "[zoo]", "crash [zoo] x"),
  cf_due: fc.constantFrom(null, "2026-10-03T00:00:00Z", "2026-12-24T00:00:00Z"),
  cf_seen_at: fc.oneof(fc.constant(null), moments),
  cf_points: fc.constantFrom(null, "0", "3", "8"),
  cf_platforms: some("tv", "mobile", "desktop"),
  cf_tracking: fc.constantFrom("---", "yes", "no"),
  cf_build_id: fc.constantFrom("", "a.b", "x crash"),
});
