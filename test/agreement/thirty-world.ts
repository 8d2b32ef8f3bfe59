import fc from "fast-check";
import type { BugValues } from "../../src/tracker/demo/bugs.ts";
import type { Setup } from "../../src/tracker/setup/setup.ts";
import { openWorld } from "./open-world.ts";
import type { Story, StoryEvent } from "./stories.ts";

/** When the expressions are asked, and who asks. */
export const NOW = new Date("2026-11-20T04:34:52Z");
export const ME = "alice@example.org";

const PEOPLE = ["alice", "bob", "carol", "dave"] as const;
const COMPONENTS = ["Bookmarks", "Places", "Theme", "Startup", "General", "Alerts"] as const;

const SETUP: Setup = {
  groups: [{ name: "drivers", description: "Decide what goes into a release" }],
  users: [
    { login: "alice@example.org", real_name: "Alice", groups: ["admin", "editbugs"] },
    { login: "bob@example.org", real_name: "Bob", groups: ["editbugs"] },
    { login: "carol@example.org", real_name: "Carol" },
    { login: "dave@example.org", real_name: "Dave", groups: ["drivers"] },
  ],
  keywords: [
    { name: "crash", description: "The program stops" },
    { name: "perf", description: "It is slow" },
  ],
  products: ["Firefox", "Toolkit"].map((name) => ({
    name,
    description: name,
    versions: ["120", "121", "trunk"],
    components: COMPONENTS.map((component) => ({
      name: component,
      description: component,
      default_assignee: "carol@example.org",
    })),
  })),
  flag_types: [{ name: "review", description: "Look at it", target: "bug" }],
};

const people = fc.constantFrom(...PEOPLE);

function some<Item>(...items: readonly Item[]) {
  return fc.subarray([...items]);
}

function mostly<Item>(arbitrary: fc.Arbitrary<Item>, otherwise: Item) {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary });
}

const SUBJECTS = ["Browser", "Bookmark", "Toolbar", "browser"];
const TROUBLES = [
  "hang problem",
  "leak problem",
  "font, wrong",
  "crash",
  "problem after a hang",
  "crash of the toolbar",
];

const summaries = fc
  .tuple(
    fc.constantFrom(...SUBJECTS),
    fc.constantFrom(...TROUBLES),
    fc.constantFrom("", " #42", " #421", " 3", " cookie"),
  )
  .map(([subject, trouble, end]) => `${subject} ${trouble}${end}`);

const texts = fc.constantFrom(
  "Patch is up for review",
  "the patch is UP",
  "Patch was up",
  "my bookmark is gone",
  "bookmarks are gone",
  "Works for me",
);

const values: fc.Arbitrary<BugValues> = fc.record({
  status: fc.constantFrom("UNCONFIRMED", "CONFIRMED", "IN_PROGRESS", "RESOLVED", "VERIFIED"),
  resolution: fc.constantFrom("FIXED", "INVALID", "WONTFIX", "WORKSFORME"),
  priority: fc.constantFrom("Highest", "High", "Normal", "Low", "Lowest", "---"),
  severity: fc.constantFrom("blocker", "critical", "major", "normal", "minor", "trivial", "enhancement"),
  assigned_to: people,
  cc: mostly(some(...PEOPLE), []),
  keywords: mostly(some("crash", "perf"), []),
  platform: fc.constantFrom("PC", "Macintosh"),
  op_sys: fc.constantFrom("Linux", "Windows"),
});

const changes: fc.Arbitrary<BugValues> = fc.record(
  {
    priority: fc.constantFrom("High", "Low"),
    status: fc.constantFrom("UNCONFIRMED", "CONFIRMED", "RESOLVED"),
    resolution: fc.constantFrom("FIXED", "INVALID"),
  },
  { requiredKeys: [] },
);

const days = fc.integer({ min: 1, max: 130 * 86_400 }).map((seconds) => seconds / 86_400);

const events: fc.Arbitrary<StoryEvent> = fc
  .tuple(
    fc.record({ ago: days, by: people, set: changes }),
    fc.record({ say: texts, tags: mostly(some("spam", "obsolete"), []) }, { requiredKeys: [] }),
  )
  .map(([event, comment]) => ({ ...event, ...comment }));

const tales = fc.record({
  in: fc.tuple(
    fc.constantFrom("Firefox", "Toolkit"),
    fc.constantFrom(...COMPONENTS),
    fc.constantFrom("120", "121", "trunk"),
  ),
  summary: summaries,
  by: people,
  ago: days,
  text: texts,
  with: values,
  flags: mostly(fc.constantFrom<readonly string[]>(["review?(bob)"], ["review+"]), []),
  later: fc.array(events, { maxLength: 4 }),
});

/** Five hundred and twenty bugs; the first four are plain, so that some have nothing that others have. */
function stories(): readonly Story[] {
  return fc.sample(tales, { numRuns: 520, seed: 11 }).map((tale, index): Story => {
    const later = tale.later.filter(({ ago }) => ago < tale.ago);
    const alias = index % 5 === 4 ? { alias: [`also-${index}`] } : {};
    if (index >= 4) return { ...tale, id: index + 1, later, with: { ...tale.with, ...alias } };
    return { ...tale, id: index + 1, later: [], flags: [], with: { ...tale.with, cc: [], keywords: [] } };
  });
}

/** The tracker, asked by alice, its metadata, and all bugs with all that is known of them. */
export const { exchange, catalog, known } = await openWorld({
  setup: SETUP,
  stories: stories(),
  now: NOW,
  asker: ME,
  attachments: `
INSERT INTO attachments
  (bug_id, creator_id, creation_time, last_change_time, file_name, summary, content_type, is_patch, data, size)
SELECT id, creator_id, creation_time, creation_time, 'a.diff', 'A change', 'text/plain', id % 2, 'eA==', 1
FROM bugs WHERE id % 6 = 0`,
});
