import type { Verb } from "../verb.ts";

/** Setting up a tracker of one's own. */
export const ADMIN: Verb = {
  name: "admin",
  about: "Set up a tracker of your own: its users and keys, products, fields, workflow, parameters and mails.",
  details: `bt admin alone lists what can be done, bt admin user what can be done with users. What an operation needs stands behind
it: first the names, then whatever else as name=value; lists are separated by commas. It works on the file that local:
uses or the one that --data names, also while bt serve has it open.`,
  args: [{ name: "word", many: true, optional: true }],
  flags: [
    {
      name: "data",
      value: "<file>",
      about: "the SQLite file of the tracker, as in bt serve --data",
      completes: "file",
      group: "Data",
    },
  ],
  output: "settings",
  offline: true,
  examples: [
    { line: "bt admin", about: "what can be done" },
    { line: "bt admin user add ada@example.org real_name=Ada groups=editbugs,canconfirm", about: "a new user" },
    { line: "bt admin key add owner@localhost", about: "a key for the owner, shown once" },
    { line: "bt admin product list", about: "the products" },
    { line: "bt admin mail list to=ada@example.org", about: "the mails that changes have caused" },
    { line: "bt admin setup show", about: "all of it as YAML, to keep or to load elsewhere" },
  ],
  run: async () => (await import("./admin.ts")).runAdmin,
};
