import { BUG_HISTORY, SEARCH_BUGS, SEARCH_BUGS_MORE } from "../../api/operations/bugs.ts";
import { parameterFlags } from "../shared-flags.ts";
import type { CommandFlag, Noun, Verb } from "../verb.ts";
import { WRITE_VERBS } from "./write-rows.ts";

/** The verbs of bugs. */
export const BUG: Noun = {
  name: "bug",
  about: "Search, read and change bugs.",
  get verbs() {
    return [SEARCH, GET, HISTORY, ...WRITE_VERBS];
  },
};

const WEB: CommandFlag = { name: "web", short: "w", about: "open it in the browser instead", group: "Result" };

const SEARCH: Verb = {
  name: "search",
  aliases: ["list", "query"],
  about: "Search for bugs. Everything given must hold; a flag given again, or commas, mean any of the values.",
  details: `Names and values are checked against the tracker before anything is sent, and matched exactly: --assigned-to and
the other people by their login, --summary and --whiteboard as one piece of text. A value in "quotes" keeps its commas.

Times are read as 2026-10-03, 2026-10-03T14:00Z, today, yesterday, -2w, -36h: in your time zone, sent as UTC.

Results come by number, newest first, and are written as they arrive. With --sort, one answer of the tracker is enough
for some thousand bugs; a longer result is read twice, first what it is sorted by, then the bugs in that order.`,
  args: [{ name: "term", many: true, optional: true }],
  get flags() {
    return [
      ...[...SEARCH_BUGS.parameters, ...SEARCH_BUGS_MORE].flatMap((one) => parameterFlags(one, "Criteria")),
      {
        name: "where",
        value: "<expression>",
        many: true,
        about: "an expression; terms are the same language (bt help query)",
        group: "Criteria",
      },
      { name: "from-url", value: "<url>", about: "the search of a buglist.cgi address", group: "Criteria" },
      {
        name: "param",
        value: "<name=value>",
        many: true,
        about: "a parameter of the web form: f1=..., o1=..., chfield=...",
        group: "Criteria",
      },
      {
        name: "sort",
        value: "<keys>",
        many: true,
        aliases: ["order"],
        about: "updated:desc,id or -updated,id; newest first unless given",
        group: "Result",
        completes: "field names",
      },
      {
        name: "all",
        about: "every bug that matches, without a limit; also allows a search without criteria",
        group: "Result",
      },
      { name: "count", about: "print only how many there are", group: "Result" },
      {
        name: "by",
        value: "<fields>",
        about: "count by one or two fields: component,severity",
        group: "Result",
        completes: "field names",
      },
      { name: "explain", about: "say what the search means and what would be sent, and send nothing", group: "Result" },
      WEB,
      { name: "fail-empty", about: "exit with 1 when no bug matches", group: "Result" },
    ];
  },
  output: "bugs",
  examples: [
    { line: "bt bug search --status CONFIRMED", about: "confirmed bugs" },
    { line: "bt bug search -a @me --status @open --sort priority", about: "what waits for you, most pressing first" },
    { line: "bt bug search --summary crash --created -2w --json", about: "recent crashes, for jq" },
    { line: "bt bug search 'is:open priority>=High not has:flag' --explain", about: "the query language, explained" },
    { line: "bt bug search --status @open --by component,severity", about: "how many of each" },
    { line: "bt bug search -p Lantern --format ids", about: "numbers, for a loop" },
  ],
  run: async () => (await import("./search.ts")).searchBugs,
};

const GET: Verb = {
  name: "get",
  aliases: ["view", "show"],
  about: "Show bugs, named by number, alias or address; - reads names from standard input.",
  args: [{ name: "bug", many: true }],
  flags: [WEB],
  output: "bugs",
  examples: [
    { line: "bt bug get 12", about: "one bug as a card" },
    { line: "bt bug get 12 14 --fields id,summary,status --json", about: "two bugs, three fields, as JSON" },
  ],
  run: async () => (await import("./get.ts")).getBugs,
};

const HISTORY: Verb = {
  name: "history",
  aliases: ["log"],
  about: "Show what was changed on bugs, by whom and when.",
  args: [{ name: "bug", many: true }],
  get flags() {
    return BUG_HISTORY.parameters.flatMap((parameter) => parameterFlags(parameter, "Criteria"));
  },
  output: "history",
  examples: [
    { line: "bt bug history 12", about: "as a timeline" },
    { line: "bt bug history 49 --new-since -1w --json", about: "the last week, as JSON" },
  ],
  run: async () => (await import("./history.ts")).showBugHistory,
};
