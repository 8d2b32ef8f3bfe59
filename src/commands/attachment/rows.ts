import { CREATE_ATTACHMENT, UPDATE_ATTACHMENT } from "../../api/operations/attachments.ts";
import type { Parameter } from "../../api/operations/operation.ts";
import type { CommandFlag } from "../../command-flag.ts";
import { COMMENT_SOURCES, DRY_RUN, FROM_TEXT, OUTPUT_FILE } from "../shared/flags.ts";
import { parameterFlags } from "../shared/parameter-flags.ts";
import { type Noun, row } from "../verb.ts";

const DOWNLOAD_FLAGS = [
  {
    name: "bug",
    value: "<bug>",
    many: true,
    about: "save all attachments of this bug in a folder",
    completes: "bugs",
    group: "File",
  },
  { ...OUTPUT_FILE, about: 'file or folder to write to ("-" for stdout, the default in a pipe)' },
  { name: "force", about: "overwrite existing files", group: "File" },
] as const satisfies readonly CommandFlag[];

const OBSOLETES = {
  name: "obsoletes",
  value: "<ids>",
  many: true,
  about: "mark these attachments of the bug as obsolete",
  group: "Attachment",
} as const;

/** Flags of a parameter table, and those of the comment that is added with it. */
function changeFlags<P extends Parameter>(parameters: readonly P[]) {
  const sources = COMMENT_SOURCES.map((flag) => ({ ...flag, group: "Attachment" }));
  return [...parameterFlags(parameters, "Attachment"), ...sources, DRY_RUN];
}

export const ATTACHMENT: Noun = {
  name: "attachment",
  aliases: ["attachments"],
  about: "Read, download and change the attachments of bugs.",
  verbs: [
    row({
      name: "list",
      aliases: ["ls"],
      about: "List the attachments of bugs.",
      args: [{ name: "bug", many: true }],
      flags: () => [FROM_TEXT],
      output: "attachments",
      examples: [
        { line: "bt attachment list 21", about: "all attachments of a bug" },
        { line: "bt attachment list 16 21 --json=id,file_name,flags", about: "selected keys, as JSON" },
      ],
      run: async () => (await import("./read.ts")).listAttachments,
    }),
    row({
      name: "get",
      aliases: ["view", "show"],
      about: "Show attachments by id, without their data.",
      args: [{ name: "attachment", many: true }],
      flags: () => [],
      output: "attachments",
      examples: [{ line: "bt attachment get 3", about: "one attachment" }],
      run: async () => (await import("./read.ts")).getAttachments,
    }),
    row({
      name: "download",
      aliases: ["save"],
      about: "Save attachments as files, or print them to a pipe.",
      details:
        "With --bug, --output is a folder (default the current one), which is created if it does not exist. If files have the same name, all get their ids in front.",
      args: [{ name: "attachment", many: true, optional: true }],
      flags: () => DOWNLOAD_FLAGS,
      examples: [
        { line: "bt attachment download 3 -o -", about: "print a patch, for git am" },
        { line: "bt attachment download 2 3 -o /tmp --force", about: "save files under their own names" },
        { line: "bt attachment download --bug 21 -o /tmp/bug-21 --force", about: "save all files of a bug" },
      ],
      run: async () => (await import("./read.ts")).downloadAttachments,
    }),
    row({
      name: "add",
      aliases: ["create", "new", "upload"],
      about: "Attach files to a bug.",
      details:
        "The comment is added with the first file. UTF-8 text is text/plain, a diff is a patch; other types are those of the file's name.",
      args: [{ name: "bug" }, { name: "file", many: true, completes: "file" }],
      flags: () => [...changeFlags(CREATE_ATTACHMENT.parameters), OBSOLETES],
      output: "changes",
      examples: [
        { line: "bt attachment add 21 README.md -m 'How it is meant.' --dry-run", about: "preview the request" },
        { line: "bt attachment add 21 README.md --obsoletes 3 --dry-run", about: "replace attachment 3" },
      ],
      run: async () => (await import("./write.ts")).addAttachments,
    }),
    row({
      name: "update",
      aliases: ["edit"],
      about: "Update attachments, all or none.",
      args: [{ name: "attachment", many: true }],
      flags: () => changeFlags(UPDATE_ATTACHMENT.parameters),
      output: "changes",
      examples: [
        { line: "bt attachment update 3 --is-obsolete yes -m 'Merged.'", about: "mark a patch as obsolete" },
        { line: "bt attachment update 2 --summary 'Log of the update' --dry-run", about: "preview the changes" },
      ],
      run: async () => (await import("./write.ts")).updateAttachments,
    }),
  ],
};
