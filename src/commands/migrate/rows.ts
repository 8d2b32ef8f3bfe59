import { unlimitedCriteria } from "../shared-flags.ts";
import type { CommandFlag, Noun, Verb } from "../verb.ts";
import { SENDING_FLAGS } from "../write-flags.ts";

const TRACKERS: readonly CommandFlag[] = [
  { name: "from", value: "<tracker>", about: "tracker to move bugs from: an address or a profile", group: "Move" },
  { name: "to", value: "<tracker>", about: "tracker to move them to", group: "Move" },
  {
    name: "map",
    value: "<file>",
    about: 'file ("-" for stdin) with JSON of names that change: {"version": {"1": "1.0"}}',
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
  about: "Show what a move needs in the target, and what is lost.",
  details: `Criteria are those of bt bug search, about the source; without any, every bug moves. All bugs are read, nothing is sent.

Actions: move, create (by bt migrate run), missing (an administrator has to create it, or --map names another value), text
(kept in a line of the text only), lose, and mail (that the target sends at most).

--map is a JSON object of fields: product, component, version, target_milestone, status, resolution, priority, severity,
platform, op_sys, keywords, groups, flags, users, and custom fields. "Product/Value" is about one product; null leaves a
keyword, a flag, a user or a milestone out. The resolution "DUPLICATE (not moved)" is that of duplicates whose originals
do not move.`,
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
  details: `Criteria are those of bt bug search, about the source; without any, every bug moves. The plan is made first, and nothing is sent
while something is missing. Products, components and groups that you may create come first, then all bugs in the order
of their numbers, then comments and attachments, then flags, links and status.

A restricted bug is created with its groups or not at all. Authors and times are in the first line of each text;
"bug 12" and "comment 3" get the new numbers and keep the old ones. A QA contact or CC that the target's component adds is
taken off. Bugs at the source stay; what your login does not see
there does not move.

In a local tracker (local:), authors, times and history stay, numbers where these are free, and everything that is missing
is created, groups with the members that your login sees. Users who are new there cannot log in until they get an API key.

The results file has the number of everything that was created. The same command continues an interrupted move and
repeats no request; run again, it adds bugs, comments and attachments that are new, and changes nothing else.`,
  args: [{ name: "term", many: true, optional: true, completes: "terms" }],
  get flags() {
    return [
      ...TRACKERS,
      ...unlimitedCriteria(),
      { name: "yes", short: "y", about: "skip the prompt", group: "Safety" },
      ...SENDING_FLAGS,
    ];
  },
  mainFlags: ["from", "to", "map", "results", "yes", ...CRITERIA],
  mainTopic: "query",
  connects: async () => (await import("./trackers.ts")).toTarget,
  missingFile: "create",
  output: "moves",
  examples: [
    { line: "bt migrate run --from demo: --to local: --yes", about: "everything, with authors and times" },
    { line: "bt migrate run --from demo: --to demo: is:open --yes", about: "a rehearsal in memory" },
  ],
  run: async () => (await import("./run.ts")).runMove,
};

/** `bt migrate`. */
export const MIGRATE: Noun = {
  name: "migrate",
  about: "Move bugs from one tracker to another.",
  verbs: [PLAN, RUN],
};
