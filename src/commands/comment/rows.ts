import { CREATE_COMMENT, GET_COMMENTS } from "../../api/operations/comments.ts";
import { COMMENT_SOURCES, DRY_RUN, FROM_TEXT } from "../shared/flags.ts";
import { parameterFlags } from "../shared/parameter-flags.ts";
import { type Noun, row } from "../verb.ts";

const REPLY = {
  name: "reply",
  value: "<numbers>",
  many: true,
  about: "quote these comments, by their numbers on the bug",
  group: "Comment",
} as const;

export const COMMENT: Noun = {
  name: "comment",
  aliases: ["comments"],
  about: "Read and add comments on bugs.",
  verbs: [
    row({
      name: "list",
      aliases: ["ls"],
      about: "List the comments on bugs; 12.0 is the description of bug 12.",
      args: [{ name: "bug", many: true }],
      flags: () => [...parameterFlags(GET_COMMENTS.parameters, "Criteria"), FROM_TEXT],
      output: "comments",
      examples: [
        { line: "bt comment list 12", about: "all comments on a bug" },
        { line: "bt comment list 48 49 --new-since -1w --json", about: "this week's comments, as JSON" },
      ],
      run: async () => (await import("./comments.ts")).listComments,
    }),
    row({
      name: "get",
      aliases: ["view", "show"],
      about: "Show comments by bug and number, as in 12.1, by URL or by id.",
      args: [{ name: "comment", many: true }],
      flags: () => [],
      output: "comments",
      examples: [
        { line: "bt comment get 12.1", about: "comment 1 on bug 12" },
        { line: "bt comment get c:5", about: "a comment by its id" },
      ],
      run: async () => (await import("./comments.ts")).getComments,
    }),
    row({
      name: "add",
      aliases: ["create", "new", "post"],
      about: "Add a comment to a bug; on a terminal, your editor opens if there is no -m.",
      args: [{ name: "bug" }],
      flags: () => [...parameterFlags(CREATE_COMMENT.parameters, "Comment"), ...COMMENT_SOURCES, REPLY, DRY_RUN],
      output: "changes",
      examples: [
        { line: "bt comment add 12 -m 'I can see this too.'", about: "one line" },
        {
          line: "bt comment add 12 --reply 1 -m 'Yes, in 1.5.' --dry-run",
          about: "preview a reply to comment 1",
        },
      ],
      run: async () => (await import("./comments.ts")).addComment,
    }),
  ],
};
