import { FROM_TEXT } from "../shared-flags.ts";
import type { Verb } from "../verb.ts";

/** `bt bug blame`. */
export const BLAME: Verb = {
  name: "blame",
  about: "Show who set each present value of bugs, and when.",
  details: `Lists are shown item by item. A value without a change is the reporter's. A value that the history does not explain was
renamed on the tracker, or changed without history.`,
  args: [{ name: "bug", many: true }],
  flags: [FROM_TEXT],
  output: "blame",
  examples: [
    { line: "bt bug blame 48", about: "who set what" },
    { line: "bt bug blame 48 --json", about: "as JSON" },
  ],
  run: async () => (await import("./blame.ts")).blameBugs,
};

/** `bt bug tree`. */
export const BUG_TREE: Verb = {
  name: "tree",
  about: "Show the bugs that a bug depends on and blocks, level by level.",
  details: `Each bug has its own below it where it is first met: a bug above itself is marked as cycle, one that was met before as
repeated. One request is sent for each level.`,
  args: [{ name: "bug", many: true }],
  flags: [
    { name: "depth", value: "<levels>", about: "levels to read (default: all)", group: "Criteria" },
    { name: "open", about: "leave out closed bugs, and what is only behind them", group: "Criteria" },
    FROM_TEXT,
    {
      name: "graph",
      value: "<language>",
      about: "print a graph for Graphviz (dot) or Mermaid",
      choices: ["dot", "mermaid"],
      group: "Result",
    },
  ],
  output: "trees",
  examples: [
    { line: "bt bug tree 21", about: "what it waits for, and what waits for it" },
    { line: "bt bug tree 21 --open --depth 2 --json", about: "open bugs of two levels, as JSON" },
    { line: "bt bug tree 21 --graph dot", about: "for dot -Tsvg" },
  ],
  run: async () => (await import("./tree.ts")).showBugTrees,
};

/** `bt bug similar`. */
export const SIMILAR: Verb = {
  name: "similar",
  about: "List probable duplicates of a bug, or of a summary.",
  details: `Bugs are ranked by the words that their summaries share: rare words and identifiers count more than common ones, bugs of the
same component and of the same months a little more. In place of a duplicate, the bug that it is a duplicate of is listed.
Only summaries of bugs that you may see are compared. At most three requests find candidates, among
them the possible duplicates that Mozilla's Bugzilla finds itself.`,
  args: [{ name: "bug", optional: true }],
  flags: [
    { name: "summary", short: "t", value: "<text>", about: "a summary instead of a bug", group: "Criteria" },
    {
      name: "product",
      short: "p",
      value: "<name>",
      many: true,
      about: "search this product (default: that of the bug; with --summary all)",
      completes: "product",
      group: "Criteria",
    },
    { name: "all-products", about: "search all products", group: "Criteria" },
    { name: "limit", short: "L", value: "<number>", about: "maximum number of bugs (10)", group: "Result" },
  ],
  output: "similar",
  examples: [
    { line: "bt bug similar 12", about: "bugs like bug 12, with the reason" },
    { line: "bt bug similar --summary 'Import of CSV stops' --json", about: "bugs like a summary, as JSON" },
  ],
  run: async () => (await import("./similar.ts")).showSimilarBugs,
};

/** `bt bug wait`. */
export const WAIT: Verb = {
  name: "wait",
  about: "Wait until bugs match a condition, and print them.",
  details: `Numbers and addresses are bugs, other words the condition, as in bt bug search; without one, it is is:closed. The first pause is 5 seconds, the longest 5 minutes.
While the tracker cannot be reached, bt waits, too. Exit code 1 means that the time is over.`,
  args: [{ name: "bug or term", many: true, completes: "terms" }],
  flags: [
    {
      name: "within",
      value: "<duration>",
      about: "fail after this time: 90s, 30m, 1h, 2d (default: never)",
      group: "Result",
    },
    { name: "every", value: "<duration>", about: "first pause between two requests (5s)", group: "Result" },
    { name: "any", about: "one of several bugs is enough", group: "Result" },
  ],
  output: "bugs",
  examples: [
    { line: "bt bug wait 12 is:closed --within 1h", about: "until a bug is closed" },
    { line: "bt bug wait 12 7 --any -o ids", about: "until one of two is closed" },
  ],
  run: async () => (await import("./wait.ts")).waitForBugs,
};
