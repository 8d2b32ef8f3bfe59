import { MAIN_CRITERIA } from "../shared/criteria/flags.ts";
import { row, type Verb } from "../verb.ts";
import {
  BUGS,
  exportFlags,
  GET_FLAGS,
  historyFlags,
  SIMILAR_FLAGS,
  searchFlags,
  TERMS,
  TREE_FLAGS,
  WAIT_FLAGS,
  watchFlags,
} from "./flags.ts";

/** Verbs that find and show bugs. */
export const READING_ROWS: readonly Verb[] = [
  row({
    name: "search",
    aliases: ["list", "query", "ls", "find"],
    about:
      "Search for bugs. A bug must meet all criteria; repeat a flag to allow several values, or use commas (not in texts).",
    details: `A term is a word of the summary or a condition, such as is:open or priority:High; bt help query has all of them.
Give complete logins, which bt user search finds; --summary and --whiteboard match a part of the text. A value in
"quotes" keeps its commas. Closed bugs are found, too, unless is:open, --status or --resolution excludes them;
--quicksearch without these finds open bugs only.

The newest bugs come first: on a terminal 30 (setting limit), unless --limit or --all is given; in a pipe all.`,
    table: {
      heading: "Times, in your time zone",
      rows: [
        ["2026-10-03, 2026-10", "a day or month"],
        ["2026-10-03T14:00Z", "a time"],
        ["today, friday, last-month", "today, the last Friday, the month before this one"],
        ["-2w, -36h, '7 days ago'", "that long ago (min h d w mo y)"],
      ],
    },
    args: TERMS,
    flags: searchFlags,
    mainFlags: [
      ...[...MAIN_CRITERIA, "creator", "summary", "creation-time", "last-change-time"],
      ...["limit", "all", "sort", "count", "by", "web"],
    ],
    mainTopic: "query",
    output: "bugs",
    examples: [
      { line: "bt bug search is:open component:Editor", about: "open bugs of a component" },
      { line: "bt bug search -a @me --status @open --sort priority", about: "your open bugs, by priority" },
      { line: "bt bug search --summary crash --created -2w --json", about: "recent crashes, for jq" },
      { line: "bt bug search 'is:open priority>=High not has:flag' --explain", about: "the query language, explained" },
      { line: "bt bug search --status @open --by component,severity", about: "a table of counts" },
      { line: "bt bug search -p Lantern --format ids", about: "bug numbers, for a loop" },
      { line: "bt bug search is:open priority:Highest --max 20", about: "exit with 1 if there are more than 20" },
    ],
    run: async () => (await import("./search.ts")).searchBugs,
  }),
  row({
    name: "get",
    aliases: ["view", "show"],
    about: 'Show bugs by number, alias or URL ("-" reads them from stdin).',
    args: BUGS,
    flags: () => GET_FLAGS,
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
    run: async () => (await import("./read/get.ts")).getBugs,
  }),
  row({
    name: "history",
    aliases: ["log"],
    about: "Show the change history of bugs.",
    args: BUGS,
    flags: historyFlags,
    output: "history",
    examples: [
      { line: "bt bug history 12", about: "all changes, as a timeline" },
      { line: "bt bug history 49 --new-since -1w --json", about: "last week's changes, as JSON" },
      { line: "bt bug history 48 --field status --author mei@example.org", about: "one user's changes of the status" },
    ],
    run: async () => (await import("./read/history.ts")).showBugHistory,
  }),
];

/** Verbs that compare, follow and export bugs. */
export const FOLLOWING_ROWS: readonly Verb[] = [
  row({
    name: "similar",
    about: "List probable duplicates of a bug, or of a summary.",
    details: `Bugs are ranked by the words that their summaries share: rare words and identifiers count more than common ones. For a
duplicate, its original is listed.`,
    args: [{ name: "bug", optional: true }],
    flags: () => SIMILAR_FLAGS,
    output: "similar",
    examples: [
      { line: "bt bug similar 12", about: "bugs like bug 12, with the reason" },
      { line: "bt bug similar --summary 'Import of CSV stops' --json", about: "bugs like a summary, as JSON" },
    ],
    run: async () => (await import("./read/similar.ts")).showSimilarBugs,
  }),
  row({
    name: "tree",
    about: "Show the bugs that a bug depends on and blocks, level by level.",
    details: `A bug seen before is marked "repeated" and not expanded again; a loop is marked "cycle".`,
    args: BUGS,
    flags: () => TREE_FLAGS,
    output: "trees",
    examples: [
      { line: "bt bug tree 21", about: "the bugs that it depends on and blocks" },
      { line: "bt bug tree 21 --open --depth 2 --json", about: "open bugs of two levels, as JSON" },
    ],
    run: async () => (await import("./read/tree.ts")).showBugTrees,
  }),
  row({
    name: "wait",
    about: "Wait until bugs match a condition, and print them.",
    details: `Numbers and URLs select the bugs, other arguments are the condition, as in bt bug search (default is:closed). The pause
between requests grows to 5 minutes. bt exits with 1 when the time of --within is over.`,
    args: [{ name: "bug or term", many: true, completes: "terms" }],
    flags: () => WAIT_FLAGS,
    output: "bugs",
    needs: "tracker",
    examples: [
      { line: "bt bug wait 12 is:closed --within 1h", about: "until a bug is closed" },
      { line: "bt bug wait 12 7 --format ids", about: "until both are closed" },
    ],
    run: async () => (await import("./read/follow.ts")).waitForBugs,
  }),
  row({
    name: "watch",
    about: "Report changes of matching bugs as they happen.",
    details: `Events are entered and left (a bug starts or stops matching), changed (field, old and new value) and commented, each with
user and time. A bug is watched until a change makes it stop matching. Numbers alone are bugs.

On a terminal events are text; in a pipe, or with --json, one JSON object per line: event, id, summary, when, who; for
changed also field, old, new; for commented also comment (its id), count (its number on the bug), is_private, text.
when and who are null if only time passed, such as a deadline.

--once reports the events since the last --once with this tracker, login and criteria, for cron; the first run reports
nothing. After a first response, bt keeps watching while the tracker is unreachable.`,
    args: TERMS,
    flags: watchFlags,
    mainFlags: [...MAIN_CRITERIA, "every", "once", "json"],
    mainTopic: "query",
    needs: "tracker",
    examples: [
      { line: "bt bug watch is:open -p Lantern --once", about: "changes since the last run" },
      { line: "bt bug watch 44 46 --once", about: "changes of two bugs" },
      { line: "bt bug watch assignee:@me --every 5m | jq -r --unbuffered .summary", about: "your bugs, for a program" },
    ],
    run: async () => (await import("./read/follow.ts")).watchBugs,
  }),
  row({
    name: "export",
    about: "Write matching bugs to a file for spreadsheets, scripts or bt bug import.",
    details: `Columns are the editable fields, and id, creator, creation_time and last_change_time; without the last, bt bug import
overwrites changes by others. JSON lines also have the tracker's name, comments, history and attachment metadata.

CSV cells that look like formulas are prefixed with an apostrophe; --raw omits it. The file is only created when it is
complete.`,
    args: TERMS,
    flags: exportFlags,
    mainFlags: [...MAIN_CRITERIA, "all", "output", "format", "fields", "raw", "force"],
    mainTopic: "query",
    examples: [
      { line: "bt bug export is:open -p Lantern -o /tmp/lantern.csv --force", about: "open bugs, for a spreadsheet" },
      { line: "bt bug export --all --format ndjson", about: "everything, with comments and history" },
      { line: "bt bug export is:open --fields id,priority,keywords,last_change_time", about: "four columns" },
    ],
    run: async () => (await import("./import/export.ts")).exportBugs,
  }),
];
