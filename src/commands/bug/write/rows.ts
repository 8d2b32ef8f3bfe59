import { flagName } from "../../../api/operations/operation.ts";
import { UPDATE_BUG } from "../../../api/operations/write-bugs.ts";
import type { CommandFlag } from "../../../session/flags.ts";
import { proseFlags } from "../../shared/flags.ts";
import { fieldFlags, parameterFlags } from "../../shared/parameter-flags.ts";
import {
  ALLOW_NO_GROUPS,
  commentedUpdateFlags,
  DRY_RUN,
  UPDATE_FLAGS,
  USUALLY_CHANGED,
} from "../../shared/write-flags.ts";
import type { Argument, Verb } from "../../verb.ts";
import { CREATE_VERBS, CUSTOM, LISTS } from "./create-rows.ts";

const PRIVATE: CommandFlag = { name: "private", about: "make the comment private (insiders only)", group: "Comment" };
const BUGS: readonly Argument[] = [{ name: "bug", many: true }];

/** Bugs of the demo to which each verb applies. */
const EXAMPLES = { close: "44", reopen: "12", confirm: "46", dup: "40 2", take: "44" } as const;

const COMMENT_ANYWAY: CommandFlag = {
  name: "comment-anyway",
  about: "add the comment to unchanged bugs too",
  group: "Comment",
};

/** Verbs that create and change bugs. */
export const WRITE_VERBS: readonly Verb[] = [
  ...CREATE_VERBS,
  {
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
      return [...changeFlags(), ALLOW_NO_GROUPS, DRY_RUN, ...UPDATE_FLAGS];
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
  },
  {
    ...short("close", "Close bugs.", [
      {
        name: "resolution",
        short: "r",
        aliases: ["as"],
        value: "<resolution>",
        about: "resolution (FIXED)",
        completes: "resolution",
        group: "Fields",
      },
      ...closeParameters(),
      {
        name: "comment-anyway",
        about: "add comment and hours to unchanged bugs too",
        group: "Comment",
      },
    ]),
    details: `Open bugs become FIXED unless --resolution or --dupe-of is given; closed bugs are unchanged unless one of these
differs. Unchanged bugs get no comment and no hours. Up to 20 bugs take at most three requests; bt
stops at the first that is refused.`,
  },
  short("reopen", "Reopen closed bugs.", [
    {
      name: "status",
      short: "s",
      value: "<status>",
      about: "status to reopen to (CONFIRMED)",
      completes: "status",
      group: "Fields",
    },
  ]),
  short("confirm", "Confirm unconfirmed bugs.", []),
  {
    ...short("dup", "Close a bug as a duplicate of another bug.", []),
    args: [{ name: "bug" }, { name: "original" }],
  },
  short("take", "Assign bugs to yourself.", [
    { name: "start", about: "also set the status to IN_PROGRESS", group: "Fields" },
  ]),
  {
    name: "needinfo",
    about: "Request information from users, with a comment.",
    details: `Sets the flag needinfo, or that of the setting needinfo_flag, once for each user; requests to others are kept. Bugs
with all of these requests are unchanged and get no comment without --comment-anyway.`,
    args: BUGS,
    flags: [
      {
        name: "from",
        value: "<login>",
        many: true,
        about: "user to ask; repeat or separate with commas for several",
        completes: "people",
        group: "Fields",
      },
      ...commentedUpdateFlags(COMMENT_ANYWAY),
    ],
    output: "changes",
    examples: [
      {
        line: "bt bug needinfo 44 --from mei@example.org -m 'Which version?' --dry-run",
        about: "ask a user",
      },
    ],
    run: async () => (await import("./flag-requests.ts")).REQUEST_VERBS.needinfo,
  },
  {
    name: "answer",
    about: "Answer requests for information to you: comment and clear them in one change.",
    details: `Clears every needinfo request (or that of the setting needinfo_flag) to you on these bugs, or passes it on with --to;
requests to others and other flags are kept. Bugs without a request to you are unchanged and get no comment without
--comment-anyway. Each bug is updated by a separate request. Without a comment or --to, the editor opens on a
terminal.`,
    args: BUGS,
    flags: [
      {
        name: "to",
        aliases: ["redirect"],
        value: "<login>",
        about: "pass the request on to another user instead of clearing it",
        completes: "people",
        group: "Fields",
      },
      ...commentedUpdateFlags(COMMENT_ANYWAY),
    ],
    output: "changes",
    examples: [{ line: "bt bug answer 44 -m 'Since 3.2.'", about: "comment, and clear the request to you" }],
    run: async () => (await import("./flag-requests.ts")).REQUEST_VERBS.answer,
  },
];

function changeFlags(): readonly CommandFlag[] {
  return [...fieldFlags(UPDATE_BUG.parameters), CUSTOM, PRIVATE, ...proseFlags("comment", "Comment")];
}

function closeParameters() {
  const names = ["dupe_of", "work_time"];
  return parameterFlags(
    UPDATE_BUG.parameters.filter(({ name }) => names.includes(name)),
    "Fields",
  );
}

type Short = keyof typeof EXAMPLES;

function short(name: Short, about: string, flags: readonly CommandFlag[]): Verb {
  return {
    name,
    about,
    args: BUGS,
    flags: [...flags, ...commentedUpdateFlags()],
    output: "changes",
    examples: [{ line: `bt bug ${name} ${EXAMPLES[name]} --dry-run`, about: "preview the changes" }],
    run: async () => (await import("./moves.ts")).MOVE_VERBS[name],
  };
}
