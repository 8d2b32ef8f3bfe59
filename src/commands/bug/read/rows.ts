import type { VerbRow } from "../../verb.ts";
import { BLAME_FLAGS, GET_FLAGS, historyFlags, SIMILAR_FLAGS, TREE_FLAGS } from "./input.ts";

/** `bt bug get`. */
export const GET: VerbRow<typeof GET_FLAGS> = {
  name: "get",
  aliases: ["view", "show"],
  about: 'Show bugs by number, alias or URL ("-" reads them from stdin).',
  args: [{ name: "bug", many: true }],
  flags: GET_FLAGS,
  output: "bugs",
  examples: [
    { line: "bt bug get 12", about: "one bug as a card, with its description" },
    { line: "bt bug get 12 --timeline --json", about: "with its comments and changes, as JSON" },
    {
      line: "bt bug get --from-text 'bug 12 and bug 14' --format ids",
      about: "the bugs that a text mentions, as in git log",
    },
    { line: "bt bug get 12,14 --fields id,summary,status --json", about: "two bugs, three fields, as JSON" },
  ],
  exits: ["no"],
  run: async () => (await import("./get.ts")).getBugs,
};

/** `bt bug history`. */
export const HISTORY: VerbRow<ReturnType<typeof historyFlags>> = {
  name: "history",
  aliases: ["log"],
  about: "Show the change history of bugs.",
  args: [{ name: "bug", many: true }],
  get flags() {
    return historyFlags();
  },
  output: "history",
  examples: [
    { line: "bt bug history 12", about: "as a timeline" },
    { line: "bt bug history 49 --new-since -1w --json", about: "last week's changes, as JSON" },
    { line: "bt bug history 48 --field status --author mei@example.org", about: "one user's changes of the status" },
  ],
  run: async () => (await import("./history.ts")).showBugHistory,
};

/** `bt bug blame`. */
export const BLAME: VerbRow<typeof BLAME_FLAGS> = {
  name: "blame",
  about: "Show who set each current value of bugs, and when.",
  details: `Lists are shown item by item. Values that never changed were set by the reporter. If a value is not in the
history, the tracker renamed it or did not record the change.`,
  args: [{ name: "bug", many: true }],
  flags: BLAME_FLAGS,
  output: "blame",
  examples: [
    { line: "bt bug blame 48", about: "who set what" },
    { line: "bt bug blame 48 --json", about: "as JSON" },
  ],
  run: async () => (await import("./blame.ts")).blameBugs,
};

/** `bt bug tree`. */
export const BUG_TREE: VerbRow<typeof TREE_FLAGS> = {
  name: "tree",
  about: "Show the bugs that a bug depends on and blocks, level by level.",
  details: `A bug seen before is marked "repeated" and not expanded again; a loop is marked "cycle". Sends one request per level.`,
  args: [{ name: "bug", many: true }],
  flags: TREE_FLAGS,
  output: "trees",
  examples: [
    { line: "bt bug tree 21", about: "the bugs that it depends on and blocks" },
    { line: "bt bug tree 21 --open --depth 2 --json", about: "open bugs of two levels, as JSON" },
  ],
  run: async () => (await import("./tree.ts")).showBugTrees,
};

/** `bt bug similar`. */
export const SIMILAR: VerbRow<typeof SIMILAR_FLAGS> = {
  name: "similar",
  about: "List probable duplicates of a bug, or of a summary.",
  details: `Bugs are ranked by the words that their summaries share: rare words and identifiers count more than common ones, and
the same component or a close creation date a little more. Duplicates are listed as the bug that they are a duplicate
of. Only summaries of bugs visible to you are compared. Sends at most three
requests.`,
  args: [{ name: "bug", optional: true }],
  flags: SIMILAR_FLAGS,
  output: "similar",
  examples: [
    { line: "bt bug similar 12", about: "bugs like bug 12, with the reason" },
    { line: "bt bug similar --summary 'Import of CSV stops' --json", about: "bugs like a summary, as JSON" },
  ],
  run: async () => (await import("./similar.ts")).showSimilarBugs,
};
