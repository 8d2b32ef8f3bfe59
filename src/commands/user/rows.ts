import type { CommandFlag } from "../../command-flag.ts";
import { LIMIT } from "../shared/flags.ts";
import { type Noun, row } from "../verb.ts";

const USER_SEARCH_FLAGS = [
  { ...LIMIT, about: "maximum number of users (default: the limit of the tracker)" },
  {
    name: "group",
    value: "<group>",
    many: true,
    about: "only members of these groups; you must be a member",
    group: "Criteria",
  },
  { name: "include-disabled", about: "include users that cannot log in", group: "Criteria" },
] as const satisfies readonly CommandFlag[];

export const USER: Noun = {
  name: "user",
  aliases: ["users"],
  about: "Search for users of the tracker.",
  verbs: [
    row({
      name: "search",
      aliases: ["list", "ls", "find"],
      about: "Search for users by a part of their login or name.",
      details: `A text of three or more characters matches any part of a login or name, a shorter one only a complete login; * matches
anything. Requires a login.`,
      args: [{ name: "text", many: true }],
      flags: () => USER_SEARCH_FLAGS,
      output: "users",
      examples: [
        { line: "bt user search mei", about: "login or name contains mei" },
        { line: "bt user search '*@example.org' --fields name", about: "logins, for a script" },
      ],
      run: async () => (await import("./search.ts")).searchUsers,
    }),
  ],
};
