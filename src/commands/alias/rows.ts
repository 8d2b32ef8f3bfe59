import { type Noun, row } from "../verb.ts";

export const ALIAS: Noun = {
  name: "alias",
  about: "Create short names for command lines.",
  verbs: [
    row({
      name: "set",
      aliases: ["add"],
      about: "Create an alias for a command line.",
      details: `$1 to $9 are replaced by the arguments, $@ by all remaining ones; without $@, remaining arguments are appended. An
alias is the first word after bt, and cannot have the name of a command.`,
      args: [{ name: "name" }, { name: "command" }],
      flags: () => [],
      offline: true,
      examples: [
        { line: "bt alias set mine 'bug search -a @me --status @open'", about: "then: bt mine --json" },
        { line: "bt alias set in 'bug search --status @open --component $1'", about: "then: bt in Editor" },
      ],
      run: async ({ tree }) => (await import("./verbs.ts")).setAlias(tree),
    }),
    row({
      name: "list",
      aliases: ["ls"],
      about: "List aliases.",
      flags: () => [],
      output: "aliases",
      offline: true,
      examples: [{ line: "bt alias list", about: "all aliases with their command lines" }],
      run: async () => (await import("./verbs.ts")).listAliases,
    }),
    row({
      name: "delete",
      aliases: ["remove", "rm"],
      about: "Delete an alias; exits 1 if it does not exist.",
      args: [{ name: "name", completes: "aliases" }],
      flags: () => [],
      offline: true,
      examples: [{ line: "bt alias delete mine", about: "delete an alias" }],
      run: async () => (await import("./verbs.ts")).deleteAlias,
    }),
  ],
};
