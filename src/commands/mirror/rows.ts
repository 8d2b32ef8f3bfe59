import type { CommandFlag } from "../../command-flag.ts";
import { PRODUCTS, YES } from "../shared/flags.ts";
import { type Noun, row } from "../verb.ts";

const CREATE_FLAGS = [
  { ...PRODUCTS, group: "Content" },
  {
    name: "attachments",
    value: "<which>",
    about: "contents of attachments to copy: none (default) or all",
    choices: ["none", "all"],
    group: "Content",
  },
] as const satisfies readonly CommandFlag[];

export const MIRROR: Noun = {
  name: "mirror",
  aliases: ["mirrors"],
  about: "Keep copies of a tracker's bugs on this machine.",
  verbs: [
    row({
      name: "create",
      aliases: ["new"],
      about: "Create a mirror: a copy of the bugs visible to you on a tracker.",
      details: `Bugs are copied with fields, comments, history and the names of their attachments. bt mirror sync continues an
interrupted copy. The file has everything visible to your login, also restricted bugs and private comments, but no API key;
only you can read it. A tracker and login have one mirror.`,
      args: [{ name: "name" }],
      flags: () => CREATE_FLAGS,
      examples: [
        { line: "bt mirror create work -p Lantern", about: "all bugs of a product" },
        { line: "bt mirror create all --attachments all", about: "everything" },
      ],
      needs: "tracker",
      run: async () => (await import("./mirrors.ts")).createMirror,
    }),
    row({
      name: "list",
      aliases: ["ls"],
      about: "List mirrors.",
      flags: () => [],
      output: "mirrors",
      offline: true,
      examples: [{ line: "bt mirror list", about: "names, trackers, numbers of bugs, and age" }],
      run: async () => (await import("./mirrors.ts")).listMirrors,
    }),
    row({
      name: "sync",
      aliases: ["update"],
      about: "Update a mirror.",
      details: `A sync reads new and changed bugs and, once a day, finds deleted ones. Without a name, the only mirror is updated. Only
the login that created a mirror can update it.`,
      args: [{ name: "name", optional: true, completes: "mirrors" }],
      connects: async () => (await import("./mirrors.ts")).flagsForSync,
      flags: () => [],
      examples: [{ line: "bt mirror sync work", about: "read the changes since the last sync" }],
      needs: "tracker",
      run: async () => (await import("./mirrors.ts")).syncMirrorNamed,
    }),
    row({
      name: "drop",
      aliases: ["delete", "rm"],
      about: "Delete a mirror.",
      args: [{ name: "name", completes: "mirrors" }],
      flags: () => [YES],
      offline: true,
      examples: [{ line: "bt mirror drop work --yes", about: "delete it without a prompt" }],
      run: async () => (await import("./mirrors.ts")).dropMirrorNamed,
    }),
  ],
};
