import { CREATE_GROUP, GET_GROUP, UPDATE_GROUP } from "../../api/operations/groups.ts";
import { parameterFlags } from "../shared/parameter-flags.ts";
import { DRY_RUN } from "../shared/write-flags.ts";
import type { Noun, VerbRow } from "../verb.ts";

function listGroupFlags() {
  return parameterFlags(GET_GROUP.parameters, "Criteria");
}

function getGroupFlags() {
  return listGroupFlags().filter((flag) => flag.name === "membership");
}

function createGroupFlags() {
  return [...parameterFlags(CREATE_GROUP.parameters, "Fields"), DRY_RUN];
}

function updateGroupFlags() {
  return [...parameterFlags(UPDATE_GROUP.parameters, "Fields"), DRY_RUN];
}

const LIST: VerbRow<ReturnType<typeof listGroupFlags>> = {
  name: "list",
  aliases: ["search", "ls"],
  about: "List the groups visible to you.",
  get flags() {
    return listGroupFlags();
  },
  output: "groups",
  examples: [{ line: "bt --base-url local: group list", about: "all groups of your local tracker" }],
  run: async () => (await import("./get.ts")).listGroups,
};

const GET: VerbRow<ReturnType<typeof getGroupFlags>> = {
  name: "get",
  aliases: ["view", "show"],
  about: "Show groups by id or name, and their members with --membership.",
  args: [{ name: "group", many: true }],
  get flags() {
    return getGroupFlags();
  },
  output: "groups",
  examples: [{ line: "bt --base-url local: group get editbugs --membership", about: "who may edit bugs" }],
  run: async () => (await import("./get.ts")).getGroups,
};

const CREATE: VerbRow<ReturnType<typeof createGroupFlags>> = {
  name: "create",
  aliases: ["new"],
  about: "Create a group.",
  get flags() {
    return createGroupFlags();
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

const UPDATE: VerbRow<ReturnType<typeof updateGroupFlags>> = {
  name: "update",
  aliases: ["edit"],
  about: "Update groups by id or name, and print the changes.",
  args: [{ name: "group", many: true }],
  get flags() {
    return updateGroupFlags();
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

/** Verbs of `bt group`. */
export const GROUP: Noun = {
  name: "group",
  aliases: ["groups"],
  about: "Manage groups and list their members.",
  verbs: [LIST, GET, CREATE, UPDATE],
};
