import { BUG_HISTORY } from "../../api/operations/bugs.ts";
import { criteriaFlags, FROM_TEXT, parameterFlags } from "../shared-flags.ts";
import type { CommandFlag, Noun, Verb } from "../verb.ts";
import { EDIT } from "./edit-rows.ts";
import { EXPORT, IMPORT } from "./file-rows.ts";
import { BLAME, BUG_TREE, SIMILAR, WAIT, WATCH } from "./follow-rows.ts";
import { TRIAGE } from "./triage-rows.ts";
import { UNDO } from "./undo-rows.ts";
import { WRITE_VERBS } from "./write-rows.ts";

/** Verbs of `bt bug`. */
export const BUG: Noun = {
  name: "bug",
  about: "Search, read and change bugs.",
  get verbs() {
    return [
      SEARCH,
      GET,
      HISTORY,
      BLAME,
      BUG_TREE,
      SIMILAR,
      WAIT,
      WATCH,
      EXPORT,
      IMPORT,
      ...WRITE_VERBS,
      EDIT,
      TRIAGE,
      UNDO,
    ];
  },
};

const WEB: CommandFlag = { name: "web", short: "w", about: "open in the browser instead", group: "Result" };

const SEARCH: Verb = {
  name: "search",
  aliases: ["list", "query"],
  about: "Search for bugs. A bug must meet all criteria; repeat a flag or use commas to allow several values.",
  details: `Names and values are checked before the search is sent. Give complete logins; --summary and --whiteboard find parts of the
text. A value in "quotes" keeps its commas. --quicksearch finds open bugs only, unless --status or --resolution is given.

Valid times: 2026-10-03, 2026-10-03T14:00Z, today, yesterday, -2w, -36h; in your time zone, sent as UTC.

Results are sorted by number, newest first, and printed as they arrive.`,
  args: [{ name: "term", many: true, optional: true, completes: "terms" }],
  get flags() {
    return [
      ...criteriaFlags(),
      {
        name: "sort",
        value: "<keys>",
        many: true,
        aliases: ["order"],
        about: "sort order: updated:desc,id or -updated,id (default: -id)",
        group: "Result",
        completes: "sort keys",
      },
      {
        name: "all",
        about: "no result limit; also allows a search without criteria",
        group: "Result",
      },
      { name: "count", about: "print only the number of bugs", group: "Result" },
      {
        name: "by",
        value: "<fields>",
        about: "count bugs by one or two fields: component,severity",
        group: "Result",
        completes: "field names",
      },
      { name: "explain", about: "explain the query and print the request without sending it", group: "Result" },
      WEB,
      { name: "max", value: "<number>", about: "list all bugs, and exit with 1 if there are more", group: "Result" },
      { name: "min", value: "<number>", about: "list all bugs, and exit with 1 if there are fewer", group: "Result" },
      { name: "fail-empty", about: "exit with 1 if no bug matches", group: "Result" },
    ];
  },
  mainFlags: [
    ...["status", "product", "component", "assigned-to", "creator", "priority", "severity", "keywords", "summary"],
    ...["creation-time", "last-change-time", "where"],
    ...["limit", "all", "sort", "count", "by", "web"],
  ],
  mainTopic: "query",
  output: "bugs",
  examples: [
    { line: "bt bug search --status CONFIRMED", about: "confirmed bugs" },
    { line: "bt bug search -a @me --status @open --sort priority", about: "your open bugs, by priority" },
    { line: "bt bug search --summary crash --created -2w --json", about: "recent crashes, for jq" },
    { line: "bt bug search 'is:open priority>=High not has:flag' --explain", about: "the query language, explained" },
    { line: "bt bug search --status @open --by component,severity", about: "a table of counts" },
    { line: "bt bug search -p Lantern --format ids", about: "bug numbers, for a loop" },
    { line: "bt bug search is:open priority:Highest --max 20", about: "exit with 1 if there are more than 20" },
  ],
  run: async () => (await import("./search.ts")).searchBugs,
};

const GET: Verb = {
  name: "get",
  aliases: ["view", "show"],
  about: 'Show bugs by number, alias or URL ("-" reads them from stdin).',
  args: [{ name: "bug", many: true }],
  flags: [
    { name: "comments", about: "with all comments", group: "Conversation" },
    { name: "last", value: "<number>", about: "with the last comments", group: "Conversation" },
    { name: "history", about: "with all changes", group: "Conversation" },
    { name: "timeline", about: "with comments and changes, in order of time", group: "Conversation" },
    { name: "since", value: "<time>", about: "only comments and changes since this time", group: "Conversation" },
    { name: "keep-unread", about: "do not mark the bug as read for bt todo" },
    FROM_TEXT,
    WEB,
  ],
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
  run: async () => (await import("./get.ts")).getBugs,
};

const HISTORY: Verb = {
  name: "history",
  aliases: ["log"],
  about: "Show the change history of bugs.",
  args: [{ name: "bug", many: true }],
  get flags() {
    return [
      ...BUG_HISTORY.parameters.flatMap((parameter) => parameterFlags(parameter, "Criteria")),
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
        completes: "assigned_to",
      },
      FROM_TEXT,
    ];
  },
  output: "history",
  examples: [
    { line: "bt bug history 12", about: "as a timeline" },
    { line: "bt bug history 49 --new-since -1w --json", about: "last week's changes, as JSON" },
    { line: "bt bug history 48 --field status --author mei@example.org", about: "one user's changes of the status" },
  ],
  run: async () => (await import("./history.ts")).showBugHistory,
};
