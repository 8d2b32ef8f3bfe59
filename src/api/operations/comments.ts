import { type Operation, readOperation } from "./operation.ts";

/** Get Comments: all comments of a bug, or single ones by id. */
export const GET_COMMENTS = {
  name: "Get Comments",
  method: "GET",
  path: "/rest/bug/{id_or_alias}/comment",
  parameters: [{ name: "new_since", kind: "datetime", aliases: ["since"], about: "only comments after this time" }],
  list: "ids",
} as const satisfies Operation;

/** Get Comments, in its other form: single ones by their global ids. */
export const GET_COMMENTS_BY_ID = readOperation("Get Comments by Id", "/rest/bug/comment/{comment_id}", "comment_ids");

/** Create Comments: one comment on one bug. */
// biome-ignore format: a table
export const CREATE_COMMENT = {
  name: "Create Comments",
  method: "POST",
  path: "/rest/bug/{id}/comment",
  parameters: [
    { name: "comment", kind: "prose", short: "m", aliases: ["body", "message"],
      about: "text of the comment", required: true },
    { name: "is_private", kind: "switch", aliases: ["private"],
      about: "make the comment private (insiders only)" },
    { name: "work_time", kind: "hours", about: "hours worked" },
  ],
} as const satisfies Operation;

/** Search Comment Tags: tags in use that contain a text. */
export const SEARCH_COMMENT_TAGS = {
  name: "Search Comment Tags",
  method: "GET",
  path: "/rest/bug/comment/tags/{query}",
  parameters: [{ name: "limit", kind: "int", short: "L", about: "maximum number of tags (default 10)" }],
} as const satisfies Operation;

/** Update Comment Tags: adds and removes tags of one comment, whose id is a member of the body, too. */
export const UPDATE_COMMENT_TAGS = {
  name: "Update Comment Tags",
  method: "PUT",
  path: "/rest/bug/comment/{comment_id}/tags",
  parameters: [
    { name: "add", kind: "texts", about: "tags to add" },
    { name: "remove", kind: "texts", about: "tags to remove" },
  ],
} as const satisfies Operation;
