import { flagName } from "../../../api/operations/operation.ts";
import { commentedUpdateFlags, USUALLY_CHANGED } from "../../shared/write-flags.ts";
import type { Argument, VerbRow } from "../../verb.ts";
import { LISTS } from "./create-rows.ts";
import { answerFlags, closeFlags, needinfoFlags, reopenFlags, takeFlags, updateFlags } from "./input.ts";

const BUGS: readonly Argument[] = [{ name: "bug", many: true }];

export const UPDATE: VerbRow<ReturnType<typeof updateFlags>> = {
  name: "update",
  aliases: ["modify"],
  about: "Update bugs and print the changes. Up to 20 bugs are updated atomically.",
  details: `Edit a list with --add-cc, --remove-cc, --set-keywords and so on. ${LISTS}

--whiteboard replaces the whole text; --add-whiteboard and --remove-whiteboard edit single tokens: words or
[bracketed text]. --field edits a multi-select with +value and -value. Both change each bug's current value, and fail if
it was modified in the meantime.

Flags: review? requests, review+ and review- decide, reviewX clears. needinfo?(ada@example.org) requests from a user,
needinfoX(ada@example.org) clears that. #12+ is the flag with id 12, type:4? a flag of type 4, +review? one more of its
name.

Up to 20 bugs are updated by one request, all or none; the output has one line per changed field. More than 20 bugs are
updated one by one; the output has one line per bug: done, unchanged, failed or unknown, with its changes.`,
  args: BUGS,
  get flags() {
    return updateFlags();
  },
  mainFlags: [
    ...USUALLY_CHANGED.map((name) => (name === "keywords" ? "add-keywords" : flagName(name))),
    ...["add-cc", "add-depends-on", "add-blocks", "flags", "field"],
    ...["comment", "body-file", "editor"],
    ...["dry-run", "yes", "if-unchanged"],
  ],
  output: "changes",
  examples: [
    { line: "bt bug update 44 --priority High --add-keywords crash", about: "update two fields" },
    {
      line: "bt bug update 44 --status RESOLVED -r FIXED -m 'Fixed in 3.3' --dry-run",
      about: "preview the changes",
    },
  ],
  run: async () => (await import("./update.ts")).updateBugs,
};

export const CLOSE: VerbRow<ReturnType<typeof closeFlags>> = {
  name: "close",
  about: "Close bugs.",
  details: `Open bugs become FIXED unless --resolution or --dupe-of is given; closed bugs are unchanged unless one of these
differs. Unchanged bugs get no comment and no hours. Up to 20 bugs take at most three requests; bt
stops at the first that is refused.`,
  args: BUGS,
  get flags() {
    return closeFlags();
  },
  output: "changes",
  examples: [{ line: "bt bug close 44 --dry-run", about: "preview the changes" }],
  run: async () => (await import("./moves.ts")).closeBugs,
};

export const REOPEN: VerbRow<ReturnType<typeof reopenFlags>> = {
  name: "reopen",
  about: "Reopen closed bugs.",
  args: BUGS,
  get flags() {
    return reopenFlags();
  },
  output: "changes",
  examples: [{ line: "bt bug reopen 12 --dry-run", about: "preview the changes" }],
  run: async () => (await import("./moves.ts")).reopenBugs,
};

export const CONFIRM: VerbRow<ReturnType<typeof commentedUpdateFlags>> = {
  name: "confirm",
  about: "Confirm unconfirmed bugs.",
  args: BUGS,
  get flags() {
    return commentedUpdateFlags();
  },
  output: "changes",
  examples: [{ line: "bt bug confirm 46 --dry-run", about: "preview the changes" }],
  run: async () => (await import("./moves.ts")).confirmBugs,
};

export const DUP: VerbRow<ReturnType<typeof commentedUpdateFlags>> = {
  name: "dup",
  about: "Close a bug as a duplicate of another bug.",
  args: [{ name: "bug" }, { name: "original" }],
  get flags() {
    return commentedUpdateFlags();
  },
  output: "changes",
  examples: [{ line: "bt bug dup 40 2 --dry-run", about: "preview the changes" }],
  run: async () => (await import("./moves.ts")).markDuplicate,
};

export const TAKE: VerbRow<ReturnType<typeof takeFlags>> = {
  name: "take",
  about: "Assign bugs to yourself.",
  args: BUGS,
  get flags() {
    return takeFlags();
  },
  output: "changes",
  examples: [{ line: "bt bug take 44 --dry-run", about: "preview the changes" }],
  run: async () => (await import("./moves.ts")).takeBugs,
};

export const NEEDINFO: VerbRow<ReturnType<typeof needinfoFlags>> = {
  name: "needinfo",
  about: "Request information from users, with a comment.",
  details: `Sets the flag needinfo, or that of the setting needinfo_flag, once for each user; requests to others are kept. Bugs
with all of these requests are unchanged and get no comment without --comment-anyway.`,
  args: BUGS,
  get flags() {
    return needinfoFlags();
  },
  output: "changes",
  examples: [
    {
      line: "bt bug needinfo 44 --from mei@example.org -m 'Which version?' --dry-run",
      about: "ask a user",
    },
  ],
  run: async () => (await import("./flag-requests.ts")).requestInfo,
};

export const ANSWER: VerbRow<ReturnType<typeof answerFlags>> = {
  name: "answer",
  about: "Answer requests for information to you: comment and clear them in one change.",
  details: `Clears every needinfo request (or that of the setting needinfo_flag) to you on these bugs, or passes it on with --to;
requests to others and other flags are kept. Bugs without a request to you are unchanged and get no comment without
--comment-anyway. Each bug is updated by a separate request. Without a comment or --to, the editor opens on a
terminal.`,
  args: BUGS,
  get flags() {
    return answerFlags();
  },
  output: "changes",
  examples: [{ line: "bt bug answer 44 -m 'Since 3.2.'", about: "comment, and clear the request to you" }],
  run: async () => (await import("./flag-requests.ts")).answerRequests,
};
