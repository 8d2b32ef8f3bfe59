import { FROM_TEXT, unlimitedCriteria } from "../shared-flags.ts";
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
  readsMirror: true,
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
    { name: "all", about: "all of several bugs have to match (default)", group: "Result" },
  ],
  output: "bugs",
  examples: [
    { line: "bt bug wait 12 is:closed --within 1h", about: "until a bug is closed" },
    { line: "bt bug wait 12 7 --any -o ids", about: "until one of two is closed" },
  ],
  run: async () => (await import("./wait.ts")).waitForBugs,
};

/** `bt bug watch`. */
export const WATCH: Verb = {
  name: "watch",
  about: "Report what happens to the bugs that match, as it happens.",
  details: `Events are entered and left (a bug matches, or no longer), changed (field, old and new value; of lists, the items) and
commented, each with who and when. A bug is followed until a change makes it leave, such as closing it for is:open. Criteria are
those of bt bug search.

On a terminal events are lines for people; in a pipe, or with --json, JSON on one line each: event, id, summary, when, who; with
changed field, old, new; with commented comment (its id), count (its number on the bug), is_private, text. when and who are null
where no change made a bug enter or leave, as for dates in the criteria.

--exec runs a command line in the shell for each event, with its JSON on stdin and without the API key; its output goes to
stderr. If it fails, it runs again at the next check.

--once reports what happened since the last --once with this tracker, login and criteria, for cron; the first reports nothing.
With --mark, a watch continues where the last one with this mark ended. Each event is reported once, and again only if bt is
killed before it wrote the mark. Private or deleted bugs, changed keywords and groups may be noticed a day later.

While the tracker cannot be reached, bt waits.`,
  args: [{ name: "term", many: true, optional: true, completes: "terms" }],
  get flags() {
    return [
      ...unlimitedCriteria(),
      { name: "every", value: "<duration>", about: "pause between two checks: 30s, 5m (2m)", group: "Result" },
      { name: "exec", value: "<command>", about: "command line to run for each event", group: "Result" },
      { name: "once", about: "check once, and keep the mark for the next time", group: "Result" },
      { name: "mark", value: "<name|file>", about: "keep the mark under a name, or in a file", group: "Result" },
      { name: "json", about: "print JSON on a terminal, too", group: "Result" },
    ];
  },
  mainFlags: ["status", "product", "component", "assigned-to", "where", "every", "exec", "once", "mark", "json"],
  mainTopic: "query",
  examples: [
    { line: "bt bug watch is:open -p Lantern --once", about: "what happened since the last time" },
    { line: "bt bug watch assignee:@me --every 5m --exec 'jq -r .summary | xargs notify-send'", about: "notify me" },
  ],
  run: async () => (await import("./watch.ts")).watchBugs,
};
