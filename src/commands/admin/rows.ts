import { TRACKER_FLAGS } from "../shared-flags.ts";
import type { Verb } from "../verb.ts";

/** `bt admin`: administration of an embedded tracker. */
export const ADMIN: Verb = {
  name: "admin",
  about: "Set up your own tracker: users, API keys, products, fields, workflow, parameters and mail.",
  details: `bt admin lists all operations, bt admin user those of users. Arguments: names first, then name=value pairs; separate
list items with commas. The tracker is the file given with --data, else the one of --base-url, --profile, BT_BASE_URL
or the configuration, by default local:. It may be in use by bt serve. A tracker on the network is refused if a flag
or variable names it; if only the configuration does, local: is used instead.`,
  args: [{ name: "word", many: true, optional: true }],
  flags: [
    {
      name: "data",
      value: "<file>",
      about: "SQLite file of the tracker, as in bt serve --data",
      completes: "file",
      group: "Data",
    },
    ...TRACKER_FLAGS.filter(({ name }) => name === "base-url" || name === "profile"),
  ],
  output: "settings",
  offline: true,
  examples: [
    { line: "bt admin", about: "all operations" },
    { line: "bt admin user add ada@example.org real_name=Ada groups=editbugs,canconfirm", about: "a new user" },
    { line: "bt admin key add owner@localhost", about: "an API key for the owner, shown once" },
    { line: "bt admin product list", about: "the products" },
    { line: "bt admin mail list to=ada@example.org", about: "mail sent about changes" },
    { line: "bt admin setup show", about: "the whole setup as YAML, to back up or load elsewhere" },
  ],
  run: async () => (await import("./admin.ts")).runAdmin,
};
