import { CREATE_ATTACHMENT, UPDATE_ATTACHMENT } from "../../api/operations/attachments.ts";
import type { CommandFlag } from "../../command-flag.ts";
import type { InputOf } from "../input.ts";
import { DRY_RUN } from "../shared/changes/write-flags.ts";
import { FROM_TEXT, proseFlags } from "../shared/flags.ts";
import { parameterFlags } from "../shared/parameter-flags.ts";

export const ATTACHMENT_LIST_FLAGS = [FROM_TEXT] as const;

export const DOWNLOAD_FLAGS = [
  { name: "bug", value: "<bug>", many: true, about: "save all attachments of this bug in a folder", completes: "bugs" },
  {
    name: "output",
    short: "o",
    value: "<file>",
    about: 'file or folder to write to ("-" for stdout, the default in a pipe)',
    completes: "file",
  },
  { name: "force", about: "overwrite existing files" },
] as const satisfies readonly CommandFlag[];

export function addAttachmentFlags() {
  return [
    ...parameterFlags(CREATE_ATTACHMENT.parameters, "Attachment"),
    ...proseFlags("comment", "Attachment"),
    {
      name: "obsoletes",
      value: "<ids>",
      many: true,
      about: "mark these attachments of the bug as obsolete",
      group: "Attachment",
    } as const,
    DRY_RUN,
  ];
}

export function updateAttachmentFlags() {
  return [
    ...parameterFlags(UPDATE_ATTACHMENT.parameters, "Attachment"),
    ...proseFlags("comment", "Attachment"),
    DRY_RUN,
  ];
}

/** Input of `bt attachment list`. */
export type AttachmentListInput = InputOf<typeof ATTACHMENT_LIST_FLAGS>;

/** Input of `bt attachment download`. */
export type DownloadInput = InputOf<typeof DOWNLOAD_FLAGS>;

/** Input of `bt attachment add`. */
export type AttachmentAddInput = InputOf<ReturnType<typeof addAttachmentFlags>>;

/** Input of `bt attachment update`. */
export type AttachmentUpdateInput = InputOf<ReturnType<typeof updateAttachmentFlags>>;
