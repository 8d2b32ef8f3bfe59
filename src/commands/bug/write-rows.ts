import type { Operation } from "../../api/operations/operation.ts";
import { CREATE_BUG, CREATE_BUG_MORE, UPDATE_BUG } from "../../api/operations/write-bugs.ts";
import { parameterFlags, proseFlags, SAFETY_FLAGS, UPDATE_FLAGS } from "../shared-flags.ts";
import type { Argument, CommandFlag, Verb } from "../verb.ts";

/** How a list is written, the same for every flag that takes one. */
const LISTS =
  'Commas separate the values of a list, repeated flags add up, and a value in "double quotes" keeps its commas.';

const CUSTOM: CommandFlag = {
  name: "field",
  value: "<field=value>",
  many: true,
  about: "a custom field, by its name or its display name; values of a multi-select add up, +a,-b edits it",
  group: "Fields",
};
const PUBLIC: CommandFlag = {
  name: "public",
  about: "not even in the groups that its product gives it",
  group: "Fields",
};
const STRICT: CommandFlag = {
  name: "strict",
  about: "exit with 10 if the tracker did not apply a value; it is reported anyway",
  group: "Safety",
};
const PRIVATE: CommandFlag = { name: "private", about: "show the comment to insiders only", group: "Comment" };
const COMMENT: CommandFlag = {
  name: "comment",
  short: "m",
  aliases: ["body"],
  value: "<text>",
  about: "a comment that goes with the change; - reads standard input",
  group: "Comment",
};
const BUGS: readonly Argument[] = [{ name: "bug", many: true }];

/** Bugs of the demo that can be moved so. */
const EXAMPLES = { close: "44", reopen: "12", confirm: "46", dup: "40 2", take: "44" } as const;

/** The verbs that file and change bugs. */
export const WRITE_VERBS: readonly Verb[] = [
  {
    name: "create",
    aliases: ["new"],
    about: "File a bug.",
    details: `Every value is checked against the tracker's metadata first. What is left out gets the tracker's default.
${LISTS}

Trackers drop a status, people, a deadline, hours, dependencies, groups, flags or keywords that the account may not set.
Where one of these was given, the new bug is read back, and what was not applied is a warning, "not_applied" in JSON.`,
    get flags() {
      return [
        ...fieldsOf(CREATE_BUG),
        ...CREATE_BUG_MORE.flatMap((one) => parameterFlags(one, "Fields")),
        PUBLIC,
        CUSTOM,
        ...proseFlags("description", "Fields"),
        ...SAFETY_FLAGS,
        STRICT,
      ];
    },
    output: "changes",
    examples: [
      {
        line: "bt bug create -p Lantern -c 'Import & Export' --version 3.2 -t 'Import stops at 3 %' --op-sys Linux --platform PC -d 'Steps: ...'",
        about: "file a bug",
      },
    ],
    run: async () => (await import("./create.ts")).createBug,
  },
  {
    name: "update",
    aliases: ["edit", "modify"],
    about: "Change bugs and print what changed; several bugs in one request, all or none.",
    details: `A list is changed with --add-cc, --remove-cc, --set-keywords and so on, or with +added,-removed or =all,of,them.
${LISTS} The sign stands before the quotes: +"a, b".

--whiteboard replaces all of it; --add-whiteboard and --remove-whiteboard change single tokens, each a word or all that
stands in a pair of brackets. A multi-select takes +value and -value in the same way. Both start from what each bug holds,
and leave alone what somebody else has changed meanwhile.

A flag is review?, review+, review-, reviewX to clear it, needinfo?(ada@example.org) to ask somebody and
needinfoX(ada@example.org) to clear that request; #12+ is the set flag number 12, type:4? the flag type number 4, +review?
one more beside those there.

Up to 20 bugs are changed by one request, all or none, and every changed field is a line. More of them are changed one
after the other, and every bug is a line: done, unchanged, failed or unknown, with its changes. Bugs whose whiteboard or
multi-select becomes another value are changed by requests of their own.`,
    args: BUGS,
    get flags() {
      return [
        ...fieldsOf(UPDATE_BUG),
        CUSTOM,
        PRIVATE,
        ...proseFlags("comment", "Comment"),
        {
          name: "make-private",
          value: "<numbers>",
          many: true,
          about: "hide these comments, by their numbers on the bug",
          group: "Comment",
        },
        {
          name: "make-public",
          value: "<numbers>",
          many: true,
          about: "show these comments to everybody",
          group: "Comment",
        },
        { name: "public", about: "let a move to another product remove the last group", group: "Safety" },
        ...SAFETY_FLAGS,
        ...UPDATE_FLAGS,
      ];
    },
    output: "changes",
    examples: [
      { line: "bt bug update 44 --priority High --add-keywords crash", about: "change two fields" },
      {
        line: "bt bug update 44 --status RESOLVED -r FIXED -m 'Fixed in 3.3' --dry-run",
        about: "see what it would do",
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
        about: "how it ended (FIXED)",
        completes: "resolution",
        group: "Fields",
      },
      ...parameterFlagsOf(UPDATE_BUG, ["dupe_of", "work_time"]),
      {
        name: "comment-anyway",
        about: "add the comment and hours to unchanged bugs too",
        group: "Comment",
      },
    ]),
    details: `Open bugs become FIXED unless --resolution or --dupe-of is given; closed bugs are unchanged unless one of these differs.
Unchanged bugs get no comment and no hours. Of up to 20 bugs, open ones, closed ones that differ, and unchanged
ones with --comment-anyway are changed by one request each, all or none; after a refusal no other request is sent.`,
  },
  short("reopen", "Open closed bugs again.", [
    {
      name: "status",
      short: "s",
      value: "<status>",
      about: "status to reopen to (CONFIRMED)",
      completes: "status",
      group: "Fields",
    },
  ]),
  short("confirm", "Say that bugs are real.", []),
  {
    ...short("dup", "Close a bug as a duplicate of another.", []),
    args: [{ name: "bug" }, { name: "original" }],
  },
  short("take", "Make yourself the assignee of bugs.", [
    { name: "start", about: "say too that work has begun (IN_PROGRESS)", group: "Fields" },
  ]),
];

function fieldsOf(operation: Operation): readonly CommandFlag[] {
  return operation.parameters.flatMap((parameter) =>
    parameterFlags(parameter, parameter.name.startsWith("comment") ? "Comment" : "Fields"),
  );
}

function parameterFlagsOf(operation: Operation, names: readonly string[]): readonly CommandFlag[] {
  return operation.parameters
    .filter(({ name }) => names.includes(name))
    .flatMap((parameter) => parameterFlags(parameter, "Fields"));
}

type Short = keyof typeof EXAMPLES;

function short(name: Short, about: string, flags: readonly CommandFlag[]): Verb {
  return {
    name,
    about,
    args: BUGS,
    flags: [...flags, COMMENT, ...proseFlags("comment", "Comment"), ...SAFETY_FLAGS, ...UPDATE_FLAGS],
    output: "changes",
    examples: [{ line: `bt bug ${name} ${EXAMPLES[name]} --dry-run`, about: "see what it would do" }],
    run: async () => (await import("./moves.ts")).MOVE_VERBS[name],
  };
}
