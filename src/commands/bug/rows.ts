import { inChunks } from "../../api/lists.ts";
import { COMMENTED_UPDATE_FLAGS } from "../shared/flags.ts";
import { type Noun, row } from "../verb.ts";
import {
  BUGS,
  closeFlags,
  createFlags,
  EDIT_FLAGS,
  IMPORT_FLAGS,
  NEEDINFO_FLAGS,
  newBugFlags,
  REOPEN_FLAGS,
  TAKE_FLAGS,
  TERMS,
  triageFlags,
  UNDO_FLAGS,
  updateBugFlags,
} from "./flags.ts";
import { FOLLOWING_ROWS, READING_ROWS } from "./read-rows.ts";
import { TRIAGE_KEYS } from "./triage/keys.ts";

/** List syntax, common to all flags that take one. */
const LIST_SYNTAX = 'Separate list values with commas or repeat the flag; a value in "double quotes" keeps its commas.';

/** Main flags of verbs that file a bug. */
const MAIN_OF_NEW = [
  ...["product", "component", "version", "summary", "description", "severity", "priority", "assigned-to", "cc"],
  ...["keywords", "depends-on", "field", "body-file", "editor", "dry-run"],
];

/** The keys of triage in two columns: `Enter send`, `s skip`. */
const KEYS = inChunks(
  Object.entries(TRIAGE_KEYS).map(([name, key]) => `${key || "Enter"} ${name}`),
  2,
).map(([left = "", right = ""]) => [left, right] as const);

export const BUG: Noun = {
  name: "bug",
  aliases: ["issue", "issues", "bugs"],
  about: "Search, read and change bugs.",
  verbs: [
    ...READING_ROWS,
    row({
      name: "create",
      aliases: ["new", "file", "post"],
      about: "File a bug; on a terminal bt prompts for what is missing.",
      details: `The bug is shown for review before it is sent. What was typed is kept as a draft for bt job send if it is not sent. Without
prompts (in a pipe, or after "bt config set prompts off"), missing fields are errors. On a terminal, probable duplicates
are listed first.

Omitted fields get the tracker's defaults. ${LIST_SYNTAX}
Trackers silently drop values that you may not set: bt warns about them ("not_applied" in JSON).

--or-comment is for CI: the first run files a bug with this alias; while it is open, later runs add their description as
a comment, and nothing else. If it was closed, a new bug gets the alias, and refers to the old one.

A template has fields first, one "name: value" per line with the names of bt field list, then an empty line and the
description. Flags override its values.`,
      flags: createFlags,
      mainFlags: [...MAIN_OF_NEW, "op-sys", "platform", "template", "or-comment"],
      output: "changes",
      createsTracker: true,
      examples: [
        {
          line: "bt bug create -p Lantern -c 'Import & Export' --version 3.2 -t 'Import stops at 3 %' --op-sys Linux --platform PC -d 'Steps: ...'",
          about: "file a bug",
        },
        {
          line: "bt bug create --or-comment nightly -p Lantern -c Installer --version main -t 'Nightly failed' -d 'Log: ...'",
          about: "in CI: file one bug, and comment on it while it is open",
        },
      ],
      run: async () => (await import("./write/create.ts")).createBug,
    }),
    row({
      name: "update",
      aliases: ["modify", "set"],
      about: "Update bugs and print the changes.",
      details: `${LIST_SYNTAX}

More than 20 bugs, or the others where some cannot be updated, require a prompt or --yes. Each is then printed as
applied, unchanged, refused, unknown or not tried, and the exit code is 10 if one was refused.

--whiteboard replaces the whole text; --add-whiteboard and --remove-whiteboard change a part of it. --field sets a
multi-select to a,b or edits it with +a,-b.`,
      table: {
        heading: "Values of --flags",
        rows: [
          ["review?(ada@example.org)", "request a review from a user; review? from anybody"],
          ["review+, review-", "grant it, deny it"],
          ["reviewX", "clear it; reviewX(ada@example.org) clears the request to a user"],
          ["#12+", "grant the flag with id 12, if a bug has several flags of a name"],
          ["+review?(ada@example.org)", "request another review"],
          ["type:4+", "grant a flag of the type with id 4"],
        ],
      },
      args: BUGS,
      flags: updateBugFlags,
      mainFlags: [
        ...["status", "resolution", "priority", "severity", "assigned-to", "target-milestone", "add-keywords"],
        ...["add-whiteboard", "summary", "add-cc", "add-depends-on", "flags", "field", "comment", "body-file"],
        ...["editor", "dry-run", "yes", "if-unchanged"],
      ],
      output: "changes",
      examples: [
        { line: "bt bug update 44 --priority High --add-keywords crash", about: "update two fields" },
        {
          line: "bt bug search -p Harbor --format ids | bt bug update - --priority Low -n",
          about: "preview a change of all bugs that a search finds",
        },
      ],
      run: async () => (await import("./write/update.ts")).updateBugs,
    }),
    row({
      name: "close",
      aliases: ["resolve"],
      about: "Close bugs.",
      details: `Open bugs are closed as FIXED unless --resolution is given. A closed bug is only updated if --resolution is
given and differs.`,
      args: BUGS,
      flags: closeFlags,
      output: "changes",
      examples: [
        { line: "bt bug close 44 -m 'Fixed in 3.3.'", about: "as FIXED, with a comment" },
        {
          line: "bt bug search -p Harbor --format ids | bt bug close - --as WONTFIX -n",
          about: "preview it for all bugs that a search finds",
        },
      ],
      run: async () => (await import("./write/status.ts")).closeBugs,
    }),
    row({
      name: "reopen",
      about: "Reopen closed bugs.",
      args: BUGS,
      flags: () => REOPEN_FLAGS,
      output: "changes",
      examples: [{ line: "bt bug reopen 12 -m 'Still happens in 3.2.'", about: "with a comment" }],
      run: async () => (await import("./write/status.ts")).reopenBugs,
    }),
    row({
      name: "confirm",
      about: "Confirm unconfirmed bugs.",
      args: BUGS,
      flags: () => COMMENTED_UPDATE_FLAGS,
      output: "changes",
      examples: [{ line: "bt bug confirm 46", about: "set its status to CONFIRMED" }],
      run: async () => (await import("./write/status.ts")).confirmBugs,
    }),
    row({
      name: "take",
      aliases: ["claim", "accept"],
      about: "Assign bugs to yourself.",
      args: BUGS,
      flags: () => TAKE_FLAGS,
      output: "changes",
      examples: [{ line: "bt bug take 44 --start", about: "assign it to you and set IN_PROGRESS" }],
      run: async () => (await import("./write/status.ts")).takeBugs,
    }),
    row({
      name: "dup",
      aliases: ["duplicate"],
      about: "Close a bug as a duplicate of another bug.",
      args: [{ name: "bug" }, { name: "original" }],
      flags: () => COMMENTED_UPDATE_FLAGS,
      output: "changes",
      examples: [{ line: "bt bug dup 40 2", about: "close 40 as a duplicate of 2" }],
      run: async () => (await import("./write/status.ts")).markDuplicate,
    }),
    row({
      name: "needinfo",
      about: "Request information from users, with a comment.",
      details: `Sets the flag needinfo (or the flag of the setting needinfo_flag) for each user. A bug that already has these requests is
unchanged, and gets no comment.`,
      args: BUGS,
      flags: () => NEEDINFO_FLAGS,
      output: "changes",
      examples: [
        {
          line: "bt bug needinfo 44 --from mei@example.org -m 'Which version?'",
          about: "request it from a user",
        },
      ],
      run: async () => (await import("./write/needinfo.ts")).setNeedinfo,
    }),
    row({
      name: "answer",
      about: "Answer requests for information to you: comment, and clear them.",
      details: `Clears every needinfo request (or the flag of the setting needinfo_flag) to you, or to nobody in particular. A bug without
such a request is unchanged, and gets no comment. Without a comment, the editor opens on a terminal.`,
      args: BUGS,
      flags: () => COMMENTED_UPDATE_FLAGS,
      output: "changes",
      examples: [{ line: "bt bug answer 44 -m 'Since 3.2.'", about: "comment, and clear the request to you" }],
      run: async () => (await import("./write/needinfo.ts")).answerRequests,
    }),
    row({
      name: "triage",
      about: "Walk through bugs on a terminal and change each with a few keys.",
      details: `Keys add to a change, which is shown as a command line; Enter sends it and shows the next bug. u takes back the last
key, or goes back to the previous bug and undoes its change. Esc or Ctrl-C leaves a list. An empty comment opens the
editor. Saved replies are settings: reply.thanks 'Thank you!'.

With the same criteria, bt bug triage continues where it ended; bugs that somebody changed since are shown again.`,
      table: { heading: "Keys", rows: KEYS, isMain: true },
      args: TERMS,
      flags: triageFlags,
      mainFlags: ["status", "product", "component", "priority", "where", "sort", "limit", "restart", "dry-run"],
      mainTopic: "query",
      examples: [
        { line: "bt bug triage -s UNCONFIRMED -p Lantern", about: "the unconfirmed bugs of a product" },
        { line: "bt bug triage is:open is:unassigned --sort priority -L 10", about: "ten unassigned bugs by priority" },
      ],
      run: async () => (await import("./triage/triage.ts")).triageBugs,
    }),
    row({
      name: "edit",
      about: "Edit a bug in your editor.",
      details: `Only what you change is sent. An empty value clears its field, a deleted line leaves it unchanged, and text below the last
line is added as a comment. Put list items that contain a comma in double quotes.`,
      args: [{ name: "bug" }],
      flags: () => EDIT_FLAGS,
      output: "changes",
      examples: [{ line: "bt bug edit 44", about: "one bug in the editor" }],
      run: async () => (await import("./write/edit.ts")).editBug,
    }),
    row({
      name: "undo",
      about: "Undo your last change of bugs, or what a job changed.",
      details: `Only changes made by bt on this machine in the last month can be undone. A field gets its old value back unless it
was changed again.

Comments, hours, product moves and values changed since stay, and are listed (exit code 10); exit code 1
means that there is nothing to undo. An undo is a job, too, and can itself be undone with --job.`,
      args: [{ name: "bug", many: true, optional: true }],
      connects: async () => {
        const { flagsForJob } = await import("../../jobs/job-files.ts");
        return async (input, { io }) => flagsForJob(input.job, input, io);
      },
      flags: () => UNDO_FLAGS,
      output: "changes",
      examples: [
        { line: "bt bug undo 49 --dry-run", about: "preview the restored values" },
        { line: "bt bug undo 11 -m 'Wrong bug.'", about: "undo your last change, with a comment" },
        { line: "bt bug undo --job 01KB3XQ8Z5T4M7W2N9P6R1S0VA", about: "undo a bulk update" },
      ],
      run: async () => (await import("./write/undo.ts")).undoBugs,
    }),
    row({
      name: "clone",
      aliases: ["copy"],
      about: "File a copy of a bug; the copy depends on the bug, and blocks the same bugs.",
      details: `The clone has the values and the description of the bug, but no status, people but CC, milestone, flags, alias, comments
and attachments. It depends on the bug and on its dependencies, and blocks the bugs that it blocks. Flags override copied
values; with another product the version is omitted.

The clone of a restricted bug is restricted: a private description stays private, people who could not see the clone
are not in CC, and if its groups were not applied, the exit code is 10.`,
      args: [{ name: "bug" }],
      flags: newBugFlags,
      mainFlags: [...MAIN_OF_NEW, "blocks", "groups"],
      output: "changes",
      examples: [
        { line: "bt bug clone 44 --version 3.1 --dry-run", about: "preview the same bug for another version" },
      ],
      run: async () => (await import("./write/clone.ts")).cloneBug,
    }),
    ...FOLLOWING_ROWS,
    row({
      name: "import",
      about: "File and update bugs from a CSV, TSV or JSON lines file.",
      details: `A row with an id updates that bug, a row without one files a new bug. Columns are named as in JSON or by their labels;
the id and the columns to change are enough. description is for new bugs, comment for existing ones.

A row with a last_change_time is refused if its bug has changed since, and its empty cells clear their fields; without
one, empty cells change nothing, and newer changes by others are overwritten.

--new moves bugs to another tracker: every row is filed as a new bug, with its comments in the description. Status,
resolution and links between the bugs of the file are kept; private comments, comments beyond 65,535 characters,
attachments, flags, history, remaining hours and links to other bugs are not.

All rows are checked before the first is sent. After an interruption the same command with the same file continues, and
sends no row twice; another file is a new import. Files are UTF-8; CSV has commas, semicolons or tabs between cells.`,
      args: [{ name: "file", completes: "file" }],
      flags: () => IMPORT_FLAGS,
      mainFlags: ["dry-run", "yes", "new"],
      output: "changes",
      createsTracker: true,
      examples: [
        { line: "bt bug import bugs.csv --dry-run", about: "check all rows, and show what would be sent" },
        { line: "bt bug import bugs.csv --yes", about: "file and update them" },
        { line: "bt -P work bug import --new bugs.jsonl --yes", about: "file the bugs of another tracker" },
      ],
      run: async () => (await import("./import/import.ts")).importBugs,
    }),
  ],
};
