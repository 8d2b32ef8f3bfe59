import { TEXT_FOLDINGS } from "../../wire/mirror.ts";
import { unlimitedCriteria } from "../shared-flags.ts";
import type { Argument, CommandFlag, Noun, Verb } from "../verb.ts";

/** Verbs of `bt mirror`. */
export const MIRROR: Noun = {
  name: "mirror",
  about: "Keep copies of a tracker's bugs on this machine.",
  get verbs() {
    return [CREATE, LIST, SYNC, VERIFY, DROP];
  },
};

const NAME: readonly Argument[] = [{ name: "name", completes: "mirrors" }];

const NAME_OR_ALL: readonly Argument[] = [{ name: "name", optional: true, completes: "mirrors" }];

const RATE: CommandFlag = {
  name: "rate",
  value: "<number>",
  about: "maximum number of requests per second",
  group: "Requests",
};

const CREATE: Verb = {
  name: "create",
  aliases: ["new"],
  about: "Create a mirror: a copy of the bugs that you see on a tracker.",
  details: `Criteria are those of bt bug search; without any, all bugs are copied, with their fields, comments, history and the names
of their attachments. Open bugs are read first, then the newest. An interrupted copy is continued by bt mirror sync.

The file has what your login sees, restricted bugs and private comments included: how many there are is reported before they are
copied. It is readable by you only, and holds no API key. Dates in criteria are those of now.`,
  args: [{ name: "name" }, { name: "term", many: true, optional: true, completes: "terms" }],
  get flags() {
    return [
      ...unlimitedCriteria().filter(({ name }) => !UNUSED.has(name)),
      {
        name: "attachments",
        value: "<which>",
        about: "content of attachments to keep: none (default) or all",
        choices: ["none", "all"],
        group: "Content",
      },
      {
        name: "collation",
        value: "<name>",
        about: "what the tracker ignores in texts: case, accents, or bytes as MySQL (found by a search)",
        choices: TEXT_FOLDINGS,
        group: "Content",
      },
      { name: "public-only", about: "leave out restricted bugs, private comments and attachments", group: "Content" },
      RATE,
    ];
  },
  mainFlags: ["attachments", "public-only", "rate", "status", "product", "component", "where"],
  mainTopic: "query",
  examples: [
    { line: "bt mirror create work -p Lantern", about: "all bugs of a product" },
    { line: "bt mirror create all --attachments all --rate 2", about: "everything, at two requests per second" },
  ],
  needs: "tracker",
  run: async () => (await import("./create.ts")).createMirrorFile,
};

/** Flags of searches that do not choose bugs by their fields. */
const UNUSED: ReadonlySet<string> = new Set(["quicksearch", "from-url", "param", "sort", "all"]);

const LIST: Verb = {
  name: "list",
  about: "List mirrors, with their age and what they lack.",
  details: `The oldest reading is when the bug that was not read for the longest time was last read in full. A sync reads bugs whose
time of change differs. What that time does not tell is noticed later or not at all, and is listed under "Cannot know":
tags of comments and of your own, votes, flags changed by their type's settings, renamed values where the tracker does not
tell when settings changed, and changes of your rights that it does not show. A bug that you could not see and that was removed
stays named by others. bt mirror verify --all reads every bug again.`,
  flags: [],
  output: "mirrors",
  offline: true,
  examples: [{ line: "bt mirror list", about: "names, trackers, numbers of bugs, and problems" }],
  run: async () => (await import("./list.ts")).listMirrors,
};

const SYNC: Verb = {
  name: "sync",
  aliases: ["update"],
  about: "Update a mirror, or all of them, with what changed on its tracker.",
  details: `Without a name, all mirrors are updated one after another, each from its own tracker, or with --base-url or --profile those of
that tracker; mirrors that fail are listed at the end. A mirror is only updated as the login that created it. With a name and
without other flags the mirror's own tracker is used.`,
  args: NAME_OR_ALL,
  connects: async () => {
    const { mirrorFlags } = await import("./mirror-tracker.ts");
    return async (input, { io }) => mirrorFlags(input, io);
  },
  flags: [RATE],
  examples: [
    { line: "bt mirror sync work", about: "read what changed since the last time" },
    { line: "bt mirror sync", about: "update all mirrors" },
  ],
  needs: "tracker",
  run: async () => (await import("./sync.ts")).syncMirrorFile,
};

const VERIFY: Verb = {
  name: "verify",
  about: "Compare all bugs of a mirror, or of all mirrors, with its tracker, and update it.",
  details: `Compares the numbers of all bugs and the times of their changes, both ways. With --all, every bug is read again in full,
as often as for a new mirror. Without a name, all mirrors are compared, as by bt mirror sync.`,
  args: NAME_OR_ALL,
  connects: SYNC.connects as NonNullable<Verb["connects"]>,
  flags: [{ name: "all", about: "read all bugs again", group: "Requests" }, RATE],
  examples: [{ line: "bt mirror verify work", about: "find bugs that are missing or gone" }],
  needs: "tracker",
  run: async () => (await import("./sync.ts")).verifyMirrorFile,
};

const DROP: Verb = {
  name: "drop",
  aliases: ["delete"],
  about: "Overwrite and delete the file of a mirror.",
  args: NAME,
  flags: [{ name: "yes", short: "y", about: "skip the prompt", group: "Safety" }],
  offline: true,
  examples: [{ line: "bt mirror drop work --yes", about: "delete it without a prompt" }],
  run: async () => (await import("./drop.ts")).dropMirror,
};
