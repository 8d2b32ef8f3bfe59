import { MAIN_CRITERIA } from "../../shared/criteria/flags.ts";
import type { VerbRow } from "../../verb.ts";
import { WAIT_FLAGS, watchFlags } from "./flags.ts";

export const WAIT: VerbRow<typeof WAIT_FLAGS> = {
  name: "wait",
  about: "Wait until bugs match a condition, and print them.",
  details: `Numbers and URLs select the bugs, other arguments are the condition, as in bt bug search (default is:closed). The
pause between requests grows from 5 seconds to 5 minutes. After a first response, bt keeps waiting while the tracker is
unreachable, and exits with 1 when the time of --within is over.`,
  args: [{ name: "bug or term", many: true, completes: "terms" }],
  flags: WAIT_FLAGS,
  output: "bugs",
  needs: "tracker",
  examples: [
    { line: "bt bug wait 12 is:closed --within 1h", about: "until a bug is closed" },
    { line: "bt bug wait 12 7 --format ids", about: "until both are closed" },
  ],
  exits: ["no"],
  run: async () => (await import("./wait.ts")).waitForBugs,
};

export const WATCH: VerbRow<ReturnType<typeof watchFlags>> = {
  name: "watch",
  about: "Report changes of matching bugs as they happen.",
  details: `Events are entered and left (a bug starts or stops matching), changed (field, old and new value; for lists, the items)
and commented, each with user and time. A bug is watched until a change makes it stop matching, such as closing it for
is:open. Criteria are those of bt bug search; numbers alone are bugs.

On a terminal events are text; in a pipe, or with --json, one JSON object per line: event, id, summary, when, who; for
changed also field, old, new; for commented also comment (its id), count (its number on the bug), is_private, text.
when and who are null if only time passed, such as a deadline.

--exec runs a shell command for each event, with its JSON on stdin and without the API key; its output goes to stderr.
If it fails, it is run again at the next check.

--once reports the events since the last --once with this tracker, login and criteria, for cron; the first run reports
nothing. An event is reported twice only if bt is killed before it saved its place.

After a first response, bt keeps watching while the tracker is unreachable.`,
  args: [{ name: "term", many: true, optional: true, completes: "terms" }],
  flags: watchFlags(),
  mainFlags: [...MAIN_CRITERIA, "every", "exec", "once", "json"],
  mainTopic: "query",
  needs: "tracker",
  examples: [
    { line: "bt bug watch is:open -p Lantern --once", about: "changes since the last run" },
    { line: "bt bug watch 44 46 --once", about: "changes of two bugs" },
    { line: "bt bug watch assignee:@me --every 5m --exec 'jq -r .summary | xargs notify-send'", about: "notify me" },
  ],
  run: async () => (await import("./watch.ts")).watchBugs,
};
