import fc from "fast-check";
import type { BugValues } from "../../src/tracker/demo/bugs.ts";
import { DEMO_SETUP } from "../../src/tracker/demo/setup.ts";
import { openWorld } from "./open-world.ts";
import type { Story, StoryEvent } from "./stories.ts";

/** When the searches are made. */
export const NOW = new Date("2026-11-20T12:00:00Z");

/** The user who searches, and may see everything. */
export const ASKER = "ada@example.org";

/** Members of the group that conditions name. */
export const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  "release-drivers": ["ada@example.org", "priya@example.org"],
  security: ["ada@example.org", "mei@example.org"],
};

const people = fc.constantFrom("ada", "tomas", "mei", "seun", "lucia");

const homes = fc.constantFrom<Story["in"]>(
  ["Lantern", "Library", "3.1"],
  ["Lantern", "Import & Export", "3.2"],
  ["Lantern", "Editor", "main"],
  ["Harbor", "API", "main"],
  ["Harbor", "Accounts", "1.5"],
  ["Handbook", "Guides", "current"],
);

function some<Item>(...items: readonly Item[]) {
  return fc.subarray([...items]);
}

const texts = fc.constantFrom(
  "Crash at start",
  "crash, hang & [leak] 100%",
  "a.b is a_b",
  "Nothing works",
  "hang problem",
  "Größe \\ stimmt nicht",
);

const values: fc.Arbitrary<BugValues> = fc.record(
  {
    status: fc.constantFrom("UNCONFIRMED", "CONFIRMED", "IN_PROGRESS", "RESOLVED", "VERIFIED"),
    resolution: fc.constantFrom("FIXED", "INVALID", "WORKSFORME"),
    priority: fc.constantFrom("Highest", "High", "Normal", "Low", "Lowest", "---"),
    severity: fc.constantFrom("blocker", "normal", "enhancement"),
    assigned_to: people,
    qa_contact: people,
    cc: some("ada", "tomas", "lucia"),
    keywords: some("crash", "perf", "good-first-bug"),
    whiteboard: fc.constantFrom("[zoo]", "crash [zoo]", "x"),
    url: fc.constantFrom("https://a.example/?x=1,2", "x"),
    depends_on: some(61, 62, 63),
    deadline: fc.integer({ min: -40, max: 40 }),
    estimated_time: fc.constantFrom(1, 5.5),
    cf_devices: some("camera", "card reader", "phone"),
    cf_ship_by: fc.integer({ min: -40, max: 40 }),
    cf_last_seen: fc.integer({ min: -40, max: 0 }),
    cf_impact: fc.constantFrom("one person", "everybody"),
    cf_build: fc.constantFrom("a.b", "20261103"),
    cf_points: fc.constantFrom(0, 3, 8),
    see_also: some("https://bugs.example.net/1", "https://bugs.example.net/2"),
  },
  { requiredKeys: [] },
);

const flags = fc.array(
  fc.tuple(fc.constantFrom("needinfo", "review", "approval"), fc.constantFrom("?", "+", "X"), people, fc.boolean()),
  { maxLength: 2 },
);

const flagTexts = flags.map((list) =>
  list.map(([name, status, who, isAsked]) => `${name}${status}${isAsked && status === "?" ? `(${who})` : ""}`),
);

/** Some of the times are those that conditions name, to the second. */
const days = fc.oneof(
  fc.constantFrom(19, 14, 1),
  fc.integer({ min: 1, max: 5_000_000 }).map((seconds) => seconds / 86_400),
);

const events: fc.Arbitrary<StoryEvent> = fc
  .tuple(
    fc.record({ ago: days, by: people, set: values, flags: flagTexts }),
    fc.record({ say: texts, tags: some("spam", "obsolete-text"), isPrivate: fc.boolean() }, { requiredKeys: [] }),
  )
  .map(([event, comment]) => ({ ...event, ...comment }));

const tales = fc.record({
  in: homes,
  summary: texts,
  by: people,
  ago: days,
  text: texts,
  with: values,
  flags: flagTexts,
  later: fc.array(events, { maxLength: 3 }),
});

/** Sixty bugs with comments, flags and histories, the same in every run; three plain ones that others wait for. */
function stories(): readonly Story[] {
  const told = fc.sample(tales, { numRuns: 60, seed: 1 }).map((tale, index): Story => {
    const later = tale.later.filter(({ ago }) => ago < tale.ago);
    const alias =
      index % 3 === 0 ? { alias: index % 2 === 0 ? [`zeb-${index}`] : [`zeb-${index}`, `quagga-${index}`] } : {};
    const groups = index % 7 === 0 ? { groups: ["security"] } : {};
    return { ...tale, id: index + 1, with: { ...tale.with, ...alias, ...groups }, later };
  });
  const plain = [61, 62, 63].map(
    (id): Story => ({ id, in: ["Handbook", "Guides", "current"], summary: "x", by: "mei", ago: 60, text: "x" }),
  );
  return [...told, ...plain];
}

/** The tracker of this world as the asker uses it, its metadata, and all bugs with all that is known of them. */
export const {
  ask,
  catalog: worldCatalog,
  exchange: worldExchange,
  known: knownBugs,
} = await openWorld({
  setup: DEMO_SETUP,
  stories: stories(),
  now: NOW,
  asker: ASKER,
  attachments: `
INSERT INTO attachments (bug_id, creator_id, creation_time, last_change_time, file_name, summary, content_type, is_patch,
  is_obsolete, data, size)
SELECT bugs.id, users.id, creation_time, creation_time, file_name, 'x', content_type, is_patch, bugs.id % 2, 'eA==', 1
FROM bugs JOIN users ON users.id % 4 = bugs.id % 4 AND login LIKE '%e%' JOIN (
  SELECT 0 AS rest, 'crash.diff' AS file_name, 'text/plain' AS content_type, 1 AS is_patch
  UNION ALL SELECT 1, 'a.b[zoo].png', 'image/png', 0 UNION ALL SELECT 0, 'log 100%.txt', 'text/plain', 0
) ON bugs.id % 5 = rest`,
});
