import { CREATE_GROUP, GET_GROUP, UPDATE_GROUP } from "../../api/operations/groups.ts";
import type { Operation } from "../../api/operations/operation.ts";
import { parameterFlags } from "../shared/flags.ts";
import { DRY_RUN } from "../shared/write-flags.ts";
import type { CommandFlag, Noun, Verb } from "../verb.ts";

/** Verbs of `bt group`. */
export const GROUP: Noun = {
  name: "group",
  about: "Manage groups and list their members.",
  get verbs() {
    return [LIST, GET, CREATE, UPDATE];
  },
};

const LIST: Verb = {
  name: "list",
  aliases: ["search"],
  about: "List the groups visible to you.",
  get flags() {
    return flagsOf(GET_GROUP, "Criteria");
  },
  output: "groups",
  examples: [{ line: "bt --base-url local: group list", about: "all groups of your local tracker" }],
  run: async () => (await import("./get.ts")).listGroups,
};

const GET: Verb = {
  name: "get",
  aliases: ["view", "show"],
  about: "Show groups by id or name, and their members with --membership.",
  args: [{ name: "group", many: true }],
  get flags() {
    return flagsOf(
      { ...GET_GROUP, parameters: GET_GROUP.parameters.filter(({ name }) => name === "membership") },
      "Criteria",
    );
  },
  output: "groups",
  examples: [{ line: "bt --base-url local: group get editbugs --membership", about: "who may edit bugs" }],
  run: async () => (await import("./get.ts")).getGroups,
};

const CREATE: Verb = {
  name: "create",
  aliases: ["new"],
  about: "Create a group. Bugs can be restricted to it unless --is-active no is given.",
  get flags() {
    return [...flagsOf(CREATE_GROUP, "Fields"), DRY_RUN];
  },
  output: "changes",
  missingFile: "create",
  examples: [
    {
      line: "bt --base-url local: group create --name triage --description 'Bug triage' --dry-run",
      about: "preview the request",
    },
  ],
  run: async () => (await import("./write.ts")).createGroup,
};

const UPDATE: Verb = {
  name: "update",
  aliases: ["edit"],
  about: "Update groups by id or name, and print the changes.",
  args: [{ name: "group", many: true }],
  get flags() {
    return [...flagsOf(UPDATE_GROUP, "Fields"), DRY_RUN];
  },
  output: "changes",
  examples: [
    {
      line: "bt --base-url local: group update editbugs --description 'May edit bugs' --dry-run",
      about: "preview the request",
    },
  ],
  run: async () => (await import("./write.ts")).updateGroups,
};

function flagsOf(operation: Operation, heading: string): readonly CommandFlag[] {
  return operation.parameters.flatMap((parameter) => parameterFlags(parameter, heading));
}
