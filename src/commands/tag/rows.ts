import { SEARCH_COMMENT_TAGS, UPDATE_COMMENT_TAGS } from "../../api/operations/comments.ts";
import { parameterFlags } from "../shared/flags.ts";
import { DRY_RUN } from "../shared/write-flags.ts";
import type { Noun, Verb } from "../verb.ts";

/** Verbs of `bt tag`. */
export const TAG: Noun = {
  name: "tag",
  about: "Search and edit comment tags.",
  get verbs() {
    return [SEARCH, UPDATE];
  },
};

const SEARCH: Verb = {
  name: "search",
  aliases: ["list"],
  about: "List the comment tags in use that contain a string.",
  args: [{ name: "text" }],
  get flags() {
    return SEARCH_COMMENT_TAGS.parameters.flatMap((parameter) => parameterFlags(parameter, "Criteria"));
  },
  output: "tags",
  examples: [{ line: "bt tag search form", about: "tags that contain form" }],
  run: async () => (await import("./verbs.ts")).searchTags,
};

const UPDATE: Verb = {
  name: "update",
  aliases: ["edit"],
  about: "Add or remove tags of a comment, and print its tags.",
  args: [{ name: "comment" }],
  get flags() {
    return [...UPDATE_COMMENT_TAGS.parameters.flatMap((parameter) => parameterFlags(parameter, "Tags")), DRY_RUN];
  },
  output: "tags",
  examples: [{ line: "bt tag update 12.1 --add obsolete", about: "tag comment 1 on bug 12" }],
  run: async () => (await import("./verbs.ts")).updateTags,
};
