import type { Argument, Noun, VerbRow } from "../verb.ts";
import { MIRROR_CREATE_FLAGS, MIRROR_DROP_FLAGS, MIRROR_SYNC_FLAGS } from "./flags.ts";

const NAME: readonly Argument[] = [{ name: "name", completes: "mirrors" }];

const NAME_OR_ALL: readonly Argument[] = [{ name: "name", optional: true, completes: "mirrors" }];

const CREATE: VerbRow<typeof MIRROR_CREATE_FLAGS> = {
  name: "create",
  aliases: ["new"],
  about: "Create a mirror: a copy of the bugs visible to you on a tracker.",
  details: `Bugs are copied with fields, comments, history and the names of their attachments, open bugs first, then the newest.
bt mirror sync continues an interrupted copy.

The file has everything visible to your login, also restricted bugs and private comments, unless --public-only is
given; their number is printed first. Only you can read the file. It contains no API key, and what a sync removes is overwritten.`,
  args: [{ name: "name" }],
  flags: MIRROR_CREATE_FLAGS,
  examples: [
    { line: "bt mirror create work -p Lantern", about: "all bugs of a product" },
    { line: "bt mirror create all --attachments all --rate 2", about: "everything, at two requests per second" },
  ],
  needs: "tracker",
  exits: ["partial"],
  run: async () => (await import("./create.ts")).createMirrorFile,
};

const LIST: VerbRow = {
  name: "list",
  aliases: ["ls"],
  about: "List mirrors, with their age and gaps.",
  details: `No bug in a mirror is older than its "oldest reading".

Some changes do not update a bug's last change time: a sync finds them late or never. They are listed under "Cannot
know": comment and personal tags, votes, flags changed by their type's settings, groups changed by a product's settings
(of bugs that you still see), custom fields that were added or became obsolete, renamed values if the tracker does not
report when settings changed, changes of your permissions that it does not report, and references to a bug that was
hidden from you and then removed. Drop the mirror and create it again to have them all.`,
  flags: [],
  output: "mirrors",
  offline: true,
  examples: [{ line: "bt mirror list", about: "names, trackers, numbers of bugs, and problems" }],
  run: async () => (await import("./list.ts")).listMirrors,
};

const SYNC: VerbRow<typeof MIRROR_SYNC_FLAGS> = {
  name: "sync",
  aliases: ["update"],
  about: "Update a mirror, or all mirrors of your tracker.",
  details: `Without a name, the mirrors of your tracker are updated one after another, those of all trackers if none is
configured; mirrors that fail are listed at the end. Only the login that created a mirror can update it.

A sync reads changed and new bugs, and rechecks some of the others each time, to find late and imported changes and
deleted bugs, and all of a tracker that was restored from a backup. A hundred changed bugs take five requests.`,
  args: NAME_OR_ALL,
  connects: async () => (await import("./mirror-tracker.ts")).mirrorFlags,
  flags: MIRROR_SYNC_FLAGS,
  examples: [
    { line: "bt mirror sync work", about: "read the changes since the last sync" },
    { line: "bt mirror sync", about: "update all mirrors of your tracker" },
  ],
  needs: "tracker",
  exits: ["partial"],
  run: async () => (await import("./sync.ts")).syncMirrorFile,
};

const DROP: VerbRow<typeof MIRROR_DROP_FLAGS> = {
  name: "drop",
  aliases: ["delete", "rm"],
  about: "Delete a mirror; its file is overwritten first.",
  args: NAME,
  flags: MIRROR_DROP_FLAGS,
  offline: true,
  examples: [{ line: "bt mirror drop work --yes", about: "delete it without a prompt" }],
  exits: ["guard"],
  run: async () => (await import("./drop.ts")).dropMirror,
};

/** Verbs of `bt mirror`. */
export const MIRROR: Noun = {
  name: "mirror",
  aliases: ["mirrors"],
  about: "Keep copies of a tracker's bugs on this machine.",
  verbs: [CREATE, LIST, SYNC, DROP],
};
