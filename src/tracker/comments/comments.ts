import type { Json, JsonObject } from "../../wire/exchange.ts";
import { findBugId, requestedBugIds } from "../bugs/find.ts";
import { groupByBug } from "../fields.ts";
import { type Call, isInGroup } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import {
  type FieldSelection,
  firstTextValue,
  pickFields,
  readFieldSelection,
  textsInPathAndInput,
} from "../http/input.ts";
import type { Store } from "../store/store.ts";
import { presentLogin } from "../users/users.ts";
import { asText, readTimestamp } from "../values.ts";

/** Get Comments by bug, and by `comment_ids`; `new_since` (exclusive) applies to the comments by bug. */
export function getComments(call: Call): Json {
  const bugs = call.path["id"] === undefined ? {} : getCommentsOfBugs(call);
  return { bugs, comments: getCommentsById(call) };
}

function getCommentsOfBugs(call: Call): Json {
  const since = firstTextValue(call.input, "new_since");
  const after = since === undefined ? "" : readTimestamp(since);
  const ids = [...new Set(requestedBugIds(call))];
  const selection = readFieldSelection(call.input);
  const rows = call.store.all<CommentRow>(OF_BUGS, { ids, after });
  const comments = groupByBug(rows, (row) => presentComment(call, row, selection));
  return Object.fromEntries(ids.map((id) => [String(id), { comments: comments.get(id) ?? [] }]));
}

/** The comments that a request names. @throws Fault comment_id_invalid, comment_is_private or bug_access_denied */
function getCommentsById(call: Call): Json {
  const selection = readFieldSelection(call.input);
  const ids = textsInPathAndInput(call, "comment_id", "comment_ids");
  if (ids.some((id) => !/^\d+$/.test(id))) throw faults.notANumber("passed to Bugzilla::Comment::new_from_list");
  const rows = [...new Set(ids.map(Number))].map((id) => findComment(call, id));
  return Object.fromEntries(rows.map((row) => [String(row.id), presentComment(call, row, selection)]));
}

/**
 * The comment with this global id.
 * @throws Fault comment_id_invalid, comment_is_private, or bug_access_denied if its bug is not visible
 */
function findComment(call: Call, id: number): CommentRow {
  const [bugId] = call.store.values("SELECT bug_id FROM comments WHERE id = ?", [id]);
  if (bugId === undefined) throw new Fault("comment_id_invalid", `${id} is not a valid comment id.`);
  findBugId(call, String(bugId));
  const comment = call.store.get<CommentRow>(BY_ID, { ids: [bugId], id });
  if (!comment) throw new Fault("comment_is_private", `Comment id ${id} is private.`);
  return comment;
}

/** A stored comment with its author's login and its number on the bug (`count`, description 0). */
type CommentRow = {
  readonly id: number;
  readonly bug_id: number;
  readonly creator: string;
  readonly creation_time: string;
  readonly text: string;
  readonly is_private: number;
  readonly kind: string;
  readonly about: number | null;
  readonly count: number;
  readonly file: string | null; // summary of the related attachment
};

// `count` includes private comments, so that numbers are the same for everybody.
const COMMENTS = `
  SELECT shown.id, shown.bug_id, users.login AS creator, shown.creation_time, text, shown.is_private, kind, about,
    numbered.count, attachments.summary AS file
  FROM visible_comments AS shown
  JOIN users ON users.id = shown.creator_id
  JOIN (
    SELECT id, row_number() OVER (PARTITION BY bug_id ORDER BY creation_time, id) - 1 AS count FROM comments
    WHERE bug_id IN (SELECT value FROM json_each(@ids))) AS numbered ON numbered.id = shown.id
  LEFT JOIN attachments ON attachments.id = about AND kind IN ('attachment_created', 'attachment_updated')
  WHERE shown.bug_id IN (SELECT value FROM json_each(@ids))`;
const OF_BUGS = `${COMMENTS} AND shown.creation_time > @after ORDER BY shown.bug_id, numbered.count`;
const BY_ID = `${COMMENTS} AND shown.id = @id`;

/** JSON of a comment; `tags` only if comment tagging is enabled. */
function presentComment(call: Call, row: CommentRow, selection: FieldSelection): JsonObject {
  const { id, bug_id, count, creation_time, kind, about, is_private } = row;
  const hasTags = call.parameters.comment_taggers_group !== "" && selection.includes("tags");
  const comment = {
    ...{ id, bug_id, count, creation_time, time: creation_time },
    attachment_id: kind.startsWith("attachment") ? about : null,
    text: presentCommentText(row),
    creator: presentLogin(call, row.creator),
    is_private: is_private === 1,
    ...(hasTags ? { tags: commentTags(call, id) } : {}),
  };
  return pickFields(comment, selection);
}

/** Tags of a comment, sorted. */
function commentTags({ store }: Call, id: number): readonly string[] {
  return store.values("SELECT tag FROM comment_tags WHERE comment_id = ? ORDER BY tag", [id]);
}

/** Update Comment Tags; the response has all tags of the comment. */
export function updateCommentTags(call: Call): Json {
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

/** Search Comment Tags: tags that contain a text, most used first. */
export function searchCommentTags(call: Call): Json {
  requireCommentTagger(call, "search comment tags");
  const limit = firstTextValue(call.input, "limit") ?? "0";
  if (!/^\d+$/.test(limit)) throw faults.notANumber("limit passed to Bug.search_comment_tags");
  const bindings = { text: call.path["query"] ?? "", limit: Number(limit) || DEFAULT_LIMIT };
  return call.store.values(TAGS, bindings);
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

/** Kind of a comment; Bugzilla generates the text of all but plain ones. */
export type CommentKind = "plain" | "duplicate_of" | "has_duplicate" | "attachment_created" | "attachment_updated";

/** A new comment; `workTime` in hours, `about` the id of the related bug or attachment. */
export type NewComment = {
  readonly text: string;
  readonly isPrivate: boolean;
  readonly workTime: number;
  readonly kind: CommentKind;
  readonly about: number | null;
};

export const EMPTY_COMMENT: NewComment = { text: "", isPrivate: false, workTime: 0, kind: "plain", about: null };

export type CommentOrigin = { readonly bugId: number; readonly userId: number; readonly time: string };

/** Inserts a comment; returns its global id. */
export function insertComment(store: Store, origin: CommentOrigin, comment: NewComment): number {
  return store.run(INSERT, { ...origin, ...comment, isPrivate: Number(comment.isPrivate) }).id;
}

const INSERT = `
  INSERT INTO comments (bug_id, creator_id, creation_time, text, is_private, work_time, kind, about)
  VALUES (@bugId, @userId, @time, @text, @isPrivate, @workTime, @kind, @about)`;

/** Text of a comment with the generated text about a duplicate or attachment. @see Bugzilla/Comment.pm, body_full */
export function presentCommentText({ kind, text, about, file }: StoredText): string {
  const template = TEMPLATES[kind];
  return template ? template(text, { about, file: file ?? "" }) : text;
}

/** Parts of a comment that make up its shown text; `file` is the summary of the attachment that it is about. */
type StoredText = { kind: string; text: string; about: number | null; file: string | null };

type RelatedObject = { about: number | null; file: string };

const TEMPLATES: Readonly<Record<string, (text: string, about: RelatedObject) => string>> = {
  duplicate_of: (text, { about }) => `${text}\n\n*** This bug has been marked as a duplicate of bug ${about} ***`,
  has_duplicate: (_text, { about }) => `*** Bug ${about} has been marked as a duplicate of this bug. ***`,
  attachment_created: (text, { about, file }) => `Created attachment ${about}\n${file}\n\n${text}`,
  attachment_updated: (text, { about, file }) => `Comment on attachment ${about}\n${file}\n\n${text}`,
};
