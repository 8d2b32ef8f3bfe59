import { listBesidePath, type Operation } from "./operation.ts";

/**
 * Get Attachment: all attachments of bugs.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/attachment.html#get-attachment
 */
export const GET_BUG_ATTACHMENTS: Operation = {
  name: "Get Attachments of Bugs",
  method: "GET",
  path: "/rest/bug/{id}/attachment",
  parameters: [],
  build: listBesidePath("ids"),
};

/** Get Attachment, in its other form: single ones by id. */
export const GET_ATTACHMENTS: Operation = {
  name: "Get Attachments",
  method: "GET",
  path: "/rest/bug/attachment/{attachment_id}",
  parameters: [],
  build: listBesidePath("attachment_ids"),
};
