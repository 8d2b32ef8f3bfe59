import type { Noun, Verb } from "../verb.ts";

/** Verbs of `bt attachment`. */
export const ATTACHMENT: Noun = {
  name: "attachment",
  aliases: ["attach"],
  about: "Read, download and change the attachments of bugs.",
  get verbs() {
    return [LIST, GET, DOWNLOAD];
  },
};

const LIST: Verb = {
  name: "list",
  about: "List the attachments of bugs.",
  args: [{ name: "bug", many: true }],
  flags: [],
  output: "attachments",
  examples: [
    { line: "bt attachment list 21", about: "all attachments of a bug" },
    { line: "bt attachment list 16 21 --json=id,file_name,flags", about: "some keys of each, as JSON" },
  ],
  run: async () => (await import("./get.ts")).listAttachments,
};

const GET: Verb = {
  name: "get",
  aliases: ["view", "show"],
  about: "Show attachments by id, without their data.",
  args: [{ name: "attachment", many: true }],
  flags: [],
  output: "attachments",
  examples: [{ line: "bt attachment get 3", about: "one attachment" }],
  run: async () => (await import("./get.ts")).getAttachments,
};

const DOWNLOAD: Verb = {
  name: "download",
  about: "Save attachments as files, or print them to a pipe.",
  args: [{ name: "attachment", many: true }],
  flags: [
    {
      name: "output",
      short: "o",
      value: "<file>",
      about: 'file or folder to write to ("-" for stdout, the default in a pipe)',
      completes: "file",
    },
    { name: "force", about: "overwrite existing files" },
  ],
  examples: [
    { line: "bt attachment download 3 -o -", about: "print a patch, for git am" },
    { line: "bt attachment download 2 3 -o /tmp --force", about: "save files under their own names" },
  ],
  run: async () => (await import("./download.ts")).downloadAttachments,
};
