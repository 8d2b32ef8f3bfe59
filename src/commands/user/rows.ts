import type { Noun, Verb } from "../verb.ts";

/** Verbs of `bt user`. */
export const USER: Noun = {
  name: "user",
  about: "Search for users of the tracker.",
  get verbs() {
    return [SEARCH, GET];
  },
};

const SEARCH: Verb = {
  name: "search",
  aliases: ["list"],
  about: "Search for users by a part of their login or name.",
  details: `A search text matches a complete login, else any part of logins and names of at least three characters; * matches any
text. Requires a login.`,
  args: [{ name: "text", many: true }],
  flags: [
    { name: "limit", short: "L", value: "<number>", about: "maximum number of users", group: "Criteria" },
    {
      name: "group",
      value: "<group>",
      many: true,
      about: "only members of these groups; you must be a member",
      completes: "groups",
      group: "Criteria",
    },
    { name: "include-disabled", about: "include users that cannot log in", group: "Criteria" },
  ],
  output: "users",
  examples: [
    { line: "bt user search mei", about: "login or name contains mei" },
    { line: "bt user search '*@example.org' --fields name", about: "logins, for a script" },
  ],
  run: async () => (await import("./verbs.ts")).searchUsers,
};

const GET: Verb = {
  name: "get",
  aliases: ["view", "show"],
  about: "Show users by login or id; @me is your own account.",
  args: [{ name: "user", many: true }],
  flags: [],
  output: "users",
  examples: [
    { line: "bt user get mei@example.org", about: "a user as a card" },
    { line: "bt user get @me --json=name,groups", about: "your groups, as returned by the tracker" },
  ],
  run: async () => (await import("./verbs.ts")).getUsers,
};
