import { type Operation, readOperation } from "./operation.ts";

/**
 * Get Attachment: all attachments of bugs.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/attachment.html#get-attachment
 */
export const GET_BUG_ATTACHMENTS = readOperation("Get Attachments of Bugs", "/rest/bug/{id}/attachment", "ids");

/** Get Attachment, in its other form: single ones by id. */
export const GET_ATTACHMENTS = readOperation(
  "Get Attachments",
  "/rest/bug/attachment/{attachment_id}",
  "attachment_ids",
);

/**
 * Create Attachment: one file on one bug. The file is no parameter, since its data is sent by the transport.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/attachment.html#create-attachment
 */
// biome-ignore format: a table
export const CREATE_ATTACHMENT = {
  name: "Create Attachment",
  method: "POST",
  path: "/rest/bug/{id}/attachment",
  parameters: [
    { name: "summary", kind: "text", short: "t", aliases: ["title"],
      about: "one-line summary (default the file name)" },
    { name: "file_name", kind: "text", about: "name of the file on the tracker" },
    { name: "content_type", kind: "text", aliases: ["type"],
      about: "MIME type (default detected)" },
    { name: "comment", kind: "prose", short: "m", aliases: ["body"], about: "add a comment" },
    { name: "is_patch", kind: "switch", aliases: ["patch"],
      about: "mark as a patch (default for a diff)" },
    { name: "is_private", kind: "switch", aliases: ["private"],
      about: "make private (insiders only)" },
    { name: "flags", kind: "flags", aliases: ["flag"],
      about: "set flags: review?(ada@example.org), review+" },
  ],
  list: "ids",
} as const satisfies Operation;

/**
 * Update Attachment: the same change of one or several.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/attachment.html#update-attachment
 */
// biome-ignore format: a table
export const UPDATE_ATTACHMENT = {
  name: "Update Attachment",
  method: "PUT",
  path: "/rest/bug/attachment/{attachment_id}",
  parameters: [
    { name: "summary", kind: "text", short: "t", aliases: ["title"], about: "one-line summary" },
    { name: "file_name", kind: "text", about: "name of the file" },
    { name: "content_type", kind: "text", aliases: ["type"], about: "MIME type" },
    { name: "comment", kind: "prose", short: "m", aliases: ["body"], about: "add a comment" },
    { name: "is_patch", kind: "bool", aliases: ["patch"], about: "mark as a patch" },
    { name: "is_obsolete", kind: "bool", aliases: ["obsolete"], about: "mark as obsolete" },
    { name: "is_private", kind: "bool", aliases: ["private"],
      about: "make private (insiders only)" },
    { name: "flags", kind: "flags", aliases: ["flag"],
      about: "change flags: review+, reviewX, review?(ada@example.org)" },
  ],
  list: "ids",
} as const satisfies Operation;
