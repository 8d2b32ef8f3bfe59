import type { Json } from "../../wire/exchange.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { firstTextValue } from "../http/input.ts";
import { isInGroup } from "../http/requester.ts";
import { asText } from "../values.ts";
import { commentTags, findComment } from "./read.ts";

/**
 * Routes of Search Comment Tags (tags that contain a text, most used first) and of Update Comment Tags, whose response has
 * all tags of the comment.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/comment.html#search-comment-tags
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/comment.html#update-comment-tags
 */
export const commentTagRoutes: readonly Route[] = [
  { method: "GET", path: "/bug/comment/tags/{query}", handle: (call) => searchCommentTags(call) },
  { method: "PUT", path: "/bug/comment/{comment_id}/tags", handle: (call) => updateCommentTags(call) },
];

function updateCommentTags(call: Call): Json {
  requireCommentTagger(call, "comment tags");
  const id = commentId(call);
  const add = readSentTags(call, "add").map(readCommentTag);
  const remove = readSentTags(call, "remove");
  if (id === undefined) return [];
  for (const tag of add)
    call.store.run("INSERT OR IGNORE INTO comment_tags (comment_id, tag) VALUES (?, ?)", [id, tag]);
  for (const tag of remove) call.store.run("DELETE FROM comment_tags WHERE comment_id = ? AND tag = ?", [id, tag]);
  return commentTags(call, id);
}

function readSentTags({ input }: Call, name: string): string[] {
  const sent: Json = input[name] ?? [];
  if (!Array.isArray(sent)) throw faults.wrongShape(name, "a list of tags");
  return sent.filter((tag: Json) => tag !== null).map((tag: Json) => asText(tag, name));
}

// `comment_id` in the body overrides the path; an unknown comment has no tags, as in Bugzilla.
function commentId(call: Call): number | undefined {
  const text = asText(call.input["comment_id"] ?? call.path["comment_id"], "comment_id");
  if (!/^\d+$/.test(text))
    throw new Fault(
      "param_integer_required",
      "The function Bug.update_comment_tags requires that comment_id be an integer.",
    );
  const id = Number(text);
  return call.store.get("SELECT id FROM comments WHERE id = ?", [id]) ? findComment(call, id).id : undefined;
}

const DEFAULT_LIMIT = 10;

function searchCommentTags(call: Call): Json {
  requireCommentTagger(call, "search comment tags");
  const limit = firstTextValue(call.input, "limit") ?? "0";
  if (!/^\d+$/.test(limit)) throw faults.notANumber("limit passed to Bug.search_comment_tags");
  const bindings = { text: call.path["query"] ?? "", limit: Number(limit) || DEFAULT_LIMIT };
  return call.store.all<{ tag: string }>(TAGS, bindings).map(({ tag }) => tag);
}

const TAGS = `
  SELECT tag FROM comment_tags JOIN visible_comments ON visible_comments.id = comment_id
  WHERE instr(lower(tag), lower(@text)) > 0 GROUP BY tag ORDER BY count(*) DESC, tag LIMIT @limit`;

/**
 * Checks that comment tagging is enabled and the requester may tag.
 * @throws Fault login_required, comment_tag_disabled or auth_failure
 */
function requireCommentTagger({ requester, parameters }: Call, action: string): void {
  const group = parameters.comment_taggers_group;
  if (!requester.user) throw faults.loginRequired();
  if (group === "") throw new Fault("comment_tag_disabled", "The comment tagging is not enabled.");
  if (!isInGroup(requester, group)) throw faults.notInGroup(group, action);
}

const MIN_TAG_LENGTH = 3;
const MAX_TAG_LENGTH = 24;

/** The tag unchanged. @throws Fault comment_tag_invalid, comment_tag_too_long or comment_tag_too_short */
function readCommentTag(tag: string): string {
  const length = [...tag].length;
  if (length < MIN_TAG_LENGTH)
    throw new Fault("comment_tag_too_short", `Comment tags must be at least ${MIN_TAG_LENGTH} characters.`);
  if (length > MAX_TAG_LENGTH)
    throw new Fault("comment_tag_too_long", `Comment tags cannot be longer than ${MAX_TAG_LENGTH} characters.`);
  if (!/^[\p{L}\p{N}_.-]+$/u.test(tag))
    throw new Fault(
      "comment_tag_invalid",
      `The comment tag "${tag.replace(/\s+/g, " ")}" contains invalid characters or words.`,
    );
  return tag;
}
