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
