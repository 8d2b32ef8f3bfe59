import { SEARCH_COMMENT_TAGS, UPDATE_COMMENT_TAGS } from "../../api/operations/comments.ts";
import { DRY_RUN } from "../shared/flags.ts";
import { parameterFlags } from "../shared/parameter-flags.ts";
import { type Noun, row } from "../verb.ts";

export const TAG: Noun = {
  name: "tag",
  aliases: ["tags"],
  about: "Search and edit comment tags.",
  verbs: [
    row({
      name: "search",
      aliases: ["list"],
      about: "List the comment tags that contain a text.",
      args: [{ name: "text" }],
      flags: () => parameterFlags(SEARCH_COMMENT_TAGS.parameters, "Criteria"),
      output: "tags",
      examples: [{ line: "bt tag search form", about: "tags that contain form" }],
      run: async () => (await import("./tags.ts")).searchTags,
    }),
    row({
      name: "update",
      aliases: ["edit"],
      about: "Add tags to a comment, or remove them.",
      args: [{ name: "comment" }],
      flags: () => [...parameterFlags(UPDATE_COMMENT_TAGS.parameters, "Tags"), DRY_RUN],
      output: "tags",
      examples: [{ line: "bt tag update 12.1 --add obsolete", about: "tag comment 1 on bug 12" }],
      run: async () => (await import("./tags.ts")).updateTags,
    }),
  ],
};
