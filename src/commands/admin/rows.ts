import type { CommandFlag } from "../../command-flag.ts";
import { BASE_URL_FLAG, PROFILE_FLAG } from "../../session/flags.ts";
import { type Noun, row } from "../verb.ts";

/** The flags that choose the data of a tracker. */
const DATA_FLAGS = [
  {
    name: "data",
    value: "<file>",
    about: "SQLite file, which bt serve may be using (default: the tracker of the settings, else local:)",
    completes: "file",
    group: "Data",
  },
  BASE_URL_FLAG,
  PROFILE_FLAG,
] as const satisfies readonly CommandFlag[];

const SETUP_EXPORT_FLAGS = [
  { name: "json", about: "print JSON instead of YAML", group: "Data" },
  ...DATA_FLAGS,
] as const satisfies readonly CommandFlag[];

const KEY_FLAGS = [
  { name: "description", short: "d", value: "<text>", about: "description of the new key", group: "Key" },
  { name: "revoke", value: "<number>", least: 1, about: "revoke the key with this number", group: "Key" },
  ...DATA_FLAGS,
] as const satisfies readonly CommandFlag[];

export const ADMIN: Noun = {
  name: "admin",
  about: "Set up your own tracker.",
  verbs: [
    row({
      name: "apply",
      about: "Apply a document with users, groups, products, fields, flags, workflow and parameters.",
      details: `The document is YAML or JSON, in the form of bt admin export, or a part of it. Missing objects are created; existing
ones keep what the document omits. A list of names, such as the groups of a user, replaces the old list. "renamed_from:
NAME" renames an object; "password: true" gives a user a new password, which is printed once. All changes are applied, or
none; applying a document again changes nothing else.`,
      args: [{ name: "file", completes: "file" }],
      flags: () => DATA_FLAGS,
      offline: true,
      examples: [
        { line: "bt admin apply team.yaml", about: "create and update what the file names" },
        {
          line: `echo 'products: [{name: Kettle, versions: ["1.0"], components: [{name: Lid, default_assignee: owner@localhost}]}]' | bt admin apply -`,
          about: "a product, with all that a bug needs",
        },
        {
          line: "echo 'users: [{login: ada@example.org, groups: [editbugs]}]' | bt admin apply -",
          about: "a user; bt admin key creates their API key",
        },
      ],
      run: async () => (await import("./verbs.ts")).applySetupDocument,
    }),
    row({
      name: "export",
      about: "Print the whole setup as a document, without secrets or bugs.",
      flags: () => SETUP_EXPORT_FLAGS,
      offline: true,
      examples: [
        { line: "bt admin export", about: "to back up, to edit, or to apply to another tracker" },
        { line: "bt admin export --json", about: "as JSON" },
      ],
      run: async () => (await import("./verbs.ts")).exportSetup,
    }),
    row({
      name: "key",
      about: "Create an API key, list all, or revoke one.",
      details: `Prints a new key for the user once: only its hash is stored. Without a user, lists the keys with their numbers.`,
      args: [{ name: "login", optional: true }],
      flags: () => KEY_FLAGS,
      output: "keys",
      offline: true,
      examples: [
        { line: "bt admin key owner@localhost -d laptop", about: "a key for the owner" },
        { line: "bt admin key", about: "all keys: number, user, description" },
        { line: "bt admin key --revoke 1", about: "revoke a key" },
      ],
      run: async () => (await import("./verbs.ts")).manageKeys,
    }),
  ],
};
