import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../call.ts";
import { Fault, faults } from "../fault.ts";
import { readTag } from "../rules/comment-tags.ts";
import { asText } from "../rules/text.ts";
import { findComment } from "./get.ts";
import { tagsOf } from "./read.ts";
import { refuseNonTaggers } from "./tag-search.ts";

/** Update Comment Tags: puts tags on a comment and takes tags off; answers those that it has then. */
export const tagUpdateRoutes: readonly Route[] = [
  { method: "PUT", path: "/bug/comment/{comment_id}/tags", handle: (call) => updateTags(call) },
];

function updateTags(call: Call): Json {
  refuseNonTaggers(call, "comment tags");
  const id = commentId(call);
  const add = tagsSent(call, "add").map(readTag);
  const remove = tagsSent(call, "remove");
  if (id === undefined) return [];
  for (const tag of add) {
    call.store.run("INSERT INTO comment_tags (comment_id, tag) VALUES (?, ?) ON CONFLICT DO NOTHING", [id, tag]);
  }
  for (const tag of remove) {
    call.store.run("DELETE FROM comment_tags WHERE comment_id = ? AND tag = ?", [id, tag]);
  }
  return tagsOf(call, id);
}

function tagsSent({ input }: Call, name: string): readonly string[] {
  const sent: Json = input[name] ?? [];
  if (!Array.isArray(sent)) throw faults.wrongShape(name, "a list of tags");
  return sent.filter((tag: Json) => tag !== null).map((tag: Json) => asText(tag, name));
}

// A comment named in the body counts before that in the path; one that there is not has no tags, as on a real server.
function commentId(call: Call): number | undefined {
  const text = asText(call.input["comment_id"] ?? call.path["comment_id"], "comment_id");
  if (!/^\d+$/.test(text)) {
    throw new Fault(400, 57, "The function Bug.update_comment_tags requires that comment_id be an integer.");
  }
  const id = Number(text);
  return call.store.get("SELECT id FROM comments WHERE id = ?", [id]) ? findComment(call, id).id : undefined;
}
