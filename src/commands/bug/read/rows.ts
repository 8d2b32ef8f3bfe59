import { BUG_HISTORY } from "../../../api/operations/bugs.ts";
import type { CommandFlag } from "../../../command-flag.ts";
import { FROM_TEXT, LIMIT, PRODUCTS, WEB } from "../../shared/flags.ts";
import { parameterFlags } from "../../shared/parameter-flags.ts";
import type { VerbRow } from "../../verb.ts";

const GET_FLAGS = [
  { name: "comments", about: "show all comments", group: "Conversation" },
  { name: "history", about: "show all changes", group: "Conversation" },
  { name: "timeline", about: "show comments and changes in order of time", group: "Conversation" },
  FROM_TEXT,
  WEB,
] as const satisfies readonly CommandFlag[];

export const GET: VerbRow<typeof GET_FLAGS> = {
  name: "get",
  aliases: ["view", "show"],
  about: 'Show bugs by number, alias or URL ("-" reads them from stdin).',
  args: [{ name: "bug", many: true }],
  flags: GET_FLAGS,
  output: "bugs",
  examples: [
    { line: "bt bug get 12", about: "one bug as a card, with its description" },
    { line: "bt bug get 12 --timeline --json", about: "the bug, its comments and changes, as JSON" },
    {
      line: "bt bug get --from-text 'bug 12 and bug 14' --format ids",
      about: "the bugs that a text mentions, as in git log",
    },
    { line: "bt bug get 12,14 --fields id,summary,status --json", about: "two bugs, three fields, as JSON" },
  ],
  exits: ["no"],
  run: async () => (await import("./get.ts")).getBugs,
};

const CHANGE_FLAGS = [
  {
    name: "field",
    value: "<names>",
    many: true,
    about: "only changes of these fields",
    group: "Criteria",
    completes: "field names",
  },
  {
    name: "author",
    value: "<logins>",
    many: true,
    about: "only changes by these users",
    group: "Criteria",
    completes: "people",
  },
] as const satisfies readonly CommandFlag[];

const HISTORY_FLAGS = [...parameterFlags(BUG_HISTORY.parameters, "Criteria"), ...CHANGE_FLAGS, FROM_TEXT];

export const HISTORY: VerbRow<typeof HISTORY_FLAGS> = {
  name: "history",
  aliases: ["log"],
  about: "Show the change history of bugs.",
  args: [{ name: "bug", many: true }],
  flags: HISTORY_FLAGS,
  output: "history",
  examples: [
    { line: "bt bug history 12", about: "all changes, as a timeline" },
    { line: "bt bug history 49 --new-since -1w --json", about: "last week's changes, as JSON" },
    { line: "bt bug history 48 --field status --author mei@example.org", about: "one user's changes of the status" },
  ],
  run: async () => (await import("./history.ts")).showBugHistory,
};

const TREE_FLAGS = [
  { name: "depth", value: "<levels>", about: "levels to show (default all)", group: "Criteria" },
  { name: "open", about: "omit closed bugs, and bugs reached only through them", group: "Criteria" },
  FROM_TEXT,
] as const satisfies readonly CommandFlag[];

export const BUG_TREE: VerbRow<typeof TREE_FLAGS> = {
  name: "tree",
  about: "Show the bugs that a bug depends on and blocks, level by level.",
  details: `A bug seen before is marked "repeated" and not expanded again; a loop is marked "cycle".`,
  args: [{ name: "bug", many: true }],
  flags: TREE_FLAGS,
  output: "trees",
  examples: [
    { line: "bt bug tree 21", about: "the bugs that it depends on and blocks" },
    { line: "bt bug tree 21 --open --depth 2 --json", about: "open bugs of two levels, as JSON" },
  ],
  run: async () => (await import("./tree.ts")).showBugTrees,
};

const SIMILAR_FLAGS = [
  { name: "summary", short: "t", value: "<text>", about: "find bugs like this summary", group: "Criteria" },
  { ...PRODUCTS, about: "search this product (default the product of the bug; with --summary all)" },
  LIMIT,
] as const satisfies readonly CommandFlag[];

export const SIMILAR: VerbRow<typeof SIMILAR_FLAGS> = {
  name: "similar",
  about: "List probable duplicates of a bug, or of a summary.",
  details: `Bugs are ranked by the words that their summaries share: rare words and identifiers count more than common ones; the
same component or a close creation date adds a little. For a duplicate, its original is listed. Only bugs visible to
you are compared.`,
  args: [{ name: "bug", optional: true }],
  flags: SIMILAR_FLAGS,
  output: "similar",
  examples: [
    { line: "bt bug similar 12", about: "bugs like bug 12, with the reason" },
    { line: "bt bug similar --summary 'Import of CSV stops' --json", about: "bugs like a summary, as JSON" },
  ],
  run: async () => (await import("./similar.ts")).showSimilarBugs,
};
