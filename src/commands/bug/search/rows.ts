import type { VerbRow } from "../../verb.ts";
import { searchFlags } from "./input.ts";

/** `bt bug search`. */
export const SEARCH: VerbRow<ReturnType<typeof searchFlags>> = {
  name: "search",
  aliases: ["list", "query"],
  about: "Search for bugs. A bug must meet all criteria; repeat a flag or use commas to allow several values.",
  details: `Names and values are checked before the search is sent. Give complete logins; --summary and --whiteboard find parts of the
text. A value in "quotes" keeps its commas. --quicksearch finds open bugs only, unless --status or --resolution is given.

Valid times: 2026-10-03, 2026-10-03T14:00Z, today, yesterday, -2w, -36h; in your time zone, sent as UTC.

Results are sorted by number, newest first, and printed as they arrive.`,
  args: [{ name: "term", many: true, optional: true, completes: "terms" }],
  get flags() {
    return searchFlags();
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
  exits: ["no"],
  run: async () => (await import("./search.ts")).searchBugs,
};
