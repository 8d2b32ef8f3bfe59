import { SEARCH_COMMENT_TAGS, UPDATE_COMMENT_TAGS } from "../../api/operations/comments.ts";
import { parameterFlags } from "../shared/parameter-flags.ts";
import { DRY_RUN } from "../shared/write-flags.ts";
import type { Noun, VerbRow } from "../verb.ts";

function searchTagFlags() {
  return parameterFlags(SEARCH_COMMENT_TAGS.parameters, "Criteria");
}

function updateTagFlags() {
  return [...parameterFlags(UPDATE_COMMENT_TAGS.parameters, "Tags"), DRY_RUN];
}

const SEARCH: VerbRow<ReturnType<typeof searchTagFlags>> = {
  name: "search",
  aliases: ["list"],
  about: "List the comment tags that contain a text.",
  args: [{ name: "text" }],
  get flags() {
    return searchTagFlags();
  },
  output: "tags",
  examples: [{ line: "bt tag search form", about: "tags that contain form" }],
  run: async () => (await import("./search.ts")).searchTags,
};

const UPDATE: VerbRow<ReturnType<typeof updateTagFlags>> = {
  name: "update",
  aliases: ["edit"],
  about: "Add tags to a comment, or remove them.",
  args: [{ name: "comment" }],
  get flags() {
    return updateTagFlags();
  },
  output: "tags",
  examples: [{ line: "bt tag update 12.1 --add obsolete", about: "tag comment 1 on bug 12" }],
  run: async () => (await import("./update.ts")).updateTags,
};

/** Verbs of `bt tag`. */
export const TAG: Noun = {
  name: "tag",
  aliases: ["tags"],
  about: "Search and edit comment tags.",
  verbs: [SEARCH, UPDATE],
};
