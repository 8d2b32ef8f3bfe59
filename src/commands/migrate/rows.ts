import { unlimitedCriteria } from "../shared-flags.ts";
import type { CommandFlag, Noun, Verb } from "../verb.ts";

const TRACKERS: readonly CommandFlag[] = [
  { name: "from", value: "<tracker>", about: "tracker to move bugs from: an address or a profile", group: "Move" },
  { name: "to", value: "<tracker>", about: "tracker to move them to", group: "Move" },
  {
    name: "map",
    value: "<file>",
    about: 'JSON file ("-" for stdin) of names to change: {"version": {"1": "1.0"}}',
    completes: "file",
    group: "Move",
  },
  {
    name: "results",
    value: "<file>",
    about: "file for old and new numbers (in the data folder)",
    completes: "file",
    group: "Move",
  },
];

const CRITERIA = ["status", "product", "component", "keywords", "where"];

const PLAN: Verb = {
  name: "plan",
  about: "Show what a move requires in the target, and what is lost.",
  details: `Criteria are those of bt bug search, for the source (default: all bugs). All bugs are read, nothing is sent.

Actions: move, create (by bt migrate run), missing (an administrator must create or allow it, or --map names another
value), check (its bugs fail unless the target accepts it from your login), text (only kept as text), lose, and mail (the
maximum number that the target sends).

--map is a JSON object of fields: product, component, version, target_milestone, status, resolution, priority,
severity, platform, op_sys, keywords, groups, flags, users, and custom fields. "Product/Value" applies to one product;
null omits a keyword, flag, user or milestone. The resolution "DUPLICATE (not moved)" is for duplicates whose
originals are not moved.`,
  args: [{ name: "term", many: true, optional: true, completes: "terms" }],
  get flags() {
    return [...TRACKERS, ...unlimitedCriteria()];
  },
  mainFlags: ["from", "to", "map", "results", ...CRITERIA],
  mainTopic: "query",
  connects: async () => (await import("./trackers.ts")).toTarget,
  missingFile: "imitate",
  output: "plan",
  examples: [{ line: "bt migrate plan --from demo: --to local: -p Lantern", about: "one product" }],
  run: async () => (await import("./plan.ts")).planMove,
};

const RUN: Verb = {
  name: "run",
  about: "Move bugs with comments, attachments, flags and links to another tracker.",
  details: `Criteria are those of bt bug search, for the source (default: all bugs). Nothing is sent while the plan lists
something as missing. Products, components and groups that you may create are created first, then all bugs in the
order of their numbers, then comments and attachments, then flags, links and status.

A restricted bug is created with its groups or not at all. Authors and times are in the first line of each text; "bug
12" and "comment 3" get the new numbers and keep the old ones. A QA contact or CC added by the target's component is
removed. The source is not changed; anything that is hidden from your login is not moved.

A local tracker (local:) keeps authors, times and history, and numbers that are free; everything missing is created,
groups with the members visible to your login. New users cannot log in until they get an API key.

The results file records the number of everything that was created. The same command continues an interrupted move and
repeats no request; after a complete move, it adds new bugs, comments and attachments, and changes nothing else.`,
  args: [{ name: "term", many: true, optional: true, completes: "terms" }],
  get flags() {
    return [
      ...TRACKERS,
      ...unlimitedCriteria(),
      { name: "yes", short: "y", about: "skip the prompt", group: "Safety" },
    ];
  },
  mainFlags: ["from", "to", "map", "results", "yes", ...CRITERIA],
  mainTopic: "query",
  connects: async () => (await import("./trackers.ts")).toTarget,
  missingFile: "create",
  output: "moves",
  examples: [
    { line: "bt migrate run --from demo: --to local: --yes", about: "everything, with authors and times" },
    { line: "bt migrate run --from demo: --to demo: is:open --yes", about: "a trial run in memory" },
  ],
  run: async () => (await import("./run.ts")).runMove,
};

/** `bt migrate`. */
export const MIGRATE: Noun = {
  name: "migrate",
  about: "Move bugs from one tracker to another.",
  verbs: [PLAN, RUN],
};
