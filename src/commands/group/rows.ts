import { CREATE_GROUP, GET_GROUP, UPDATE_GROUP } from "../../api/operations/tracker.ts";
import { DRY_RUN } from "../shared/flags.ts";
import { parameterFlags } from "../shared/parameter-flags.ts";
import { type Noun, row } from "../verb.ts";

export const GROUP: Noun = {
  name: "group",
  aliases: ["groups"],
  about: "Manage groups and list their members.",
  verbs: [
    row({
      name: "list",
      aliases: ["search", "ls"],
      about: "List the groups visible to you.",
      flags: () => parameterFlags(GET_GROUP.parameters, "Criteria"),
      output: "groups",
      examples: [{ line: "bt --base-url local: group list", about: "all groups of your local tracker" }],
      run: async () => (await import("./groups.ts")).listGroups,
    }),
    row({
      name: "get",
      aliases: ["view", "show"],
      about: "Show groups by id or name, and their members with --membership.",
      args: [{ name: "group", many: true }],
      flags: () =>
        parameterFlags(
          GET_GROUP.parameters.filter(({ name }) => name === "membership"),
          "Criteria",
        ),
      output: "groups",
      examples: [{ line: "bt --base-url local: group get editbugs --membership", about: "who may edit bugs" }],
      run: async () => (await import("./groups.ts")).getGroups,
    }),
    row({
      name: "create",
      aliases: ["new"],
      about: "Create a group.",
      flags: () => [...parameterFlags(CREATE_GROUP.parameters, "Fields"), DRY_RUN],
      output: "changes",
      createsTracker: true,
      examples: [
        {
          line: "bt --base-url local: group create --name triage --description 'Bug triage' --dry-run",
          about: "preview the request",
        },
      ],
      run: async () => (await import("./groups.ts")).createGroup,
    }),
    row({
      name: "update",
      aliases: ["edit"],
      about: "Update groups by id or name, and print the changes.",
      args: [{ name: "group", many: true }],
      flags: () => [...parameterFlags(UPDATE_GROUP.parameters, "Fields"), DRY_RUN],
      output: "changes",
      examples: [
        {
          line: "bt --base-url local: group update editbugs --description 'May edit bugs' --dry-run",
          about: "preview the request",
        },
      ],
      run: async () => (await import("./groups.ts")).updateGroups,
    }),
  ],
};
