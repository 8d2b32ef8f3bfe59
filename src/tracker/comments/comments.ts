import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import {
  type BugDraft,
  type CommentPrivacyChange,
  EMPTY_COMMENT,
  emptyDraft,
  findBugId,
  isNew,
  makeWriteContext,
  type NewComment,
  presentCommentText,
  requestedBugIds,
  requireRight,
  type UpdateStep,
  type WriteContext,
  withBug,
} from "../bugs/draft.ts";
import { applyDraft, loadBug } from "../bugs/stored-bug.ts";
import { groupByBug } from "../fields.ts";
import { type Call, isInGroup, requireGroup, requireInsider, requireLogin } from "../http/call.ts";
import {
  type FieldSelection,
  firstTextValue,
  isTruthy,
  pickFields,
  readFieldSelection,
  readWholeNumbers,
  textsInPathAndInput,
} from "../http/input.ts";
import { refuseReadOnlyProduct } from "../products/products.ts";
import { presentLogin } from "../users/users.ts";
import { asText, Fault, faults, hoursLeft, readCommentText, readHours, readTimestamp } from "../values.ts";

/** Get Comments by bug, and by `comment_ids`; `new_since` (exclusive) applies to the comments by bug. */
export function getComments(call: Call): Json {
  const bugs = call.path["id"] === undefined ? {} : getCommentsOfBugs(call);
  return { bugs, comments: getCommentsById(call) };
}

function getCommentsOfBugs(call: Call): Json {
  const since = firstTextValue(call.input, "new_since");
  const after = since === undefined ? "" : readTimestamp(since);
  const ids = requestedBugIds(call);
  const selection = readFieldSelection(call.input);
  const rows = call.store.all<CommentRow>(OF_BUGS, { ids, after });
  const comments = groupByBug(rows, (row) => presentComment(call, row, selection));
  return Object.fromEntries(ids.map((id) => [String(id), { comments: comments.get(id) ?? [] }]));
}

/** The comments that a request names. @throws Fault comment_id_invalid, comment_is_private or bug_access_denied */
function getCommentsById(call: Call): Json {
  const selection = readFieldSelection(call.input);
  const texts = textsInPathAndInput(call, "comment_id", "comment_ids");
  const ids = readWholeNumbers(texts, "passed to Bugzilla::Comment::new_from_list");
  const rows = [...new Set(ids)].map((id) => findComment(call, id));
  return Object.fromEntries(rows.map((row) => [String(row.id), presentComment(call, row, selection)]));
}

/** @throws Fault comment_id_invalid, comment_is_private, or bug_access_denied for its bug */
function findComment(call: Call, id: number): CommentRow {
  const [bugId] = call.store.values("SELECT bug_id FROM comments WHERE id = ?", [id]);
  if (bugId === undefined) throw new Fault("comment_id_invalid", `${id} is not a valid comment id.`);
  findBugId(call, String(bugId));
  const comment = call.store.get<CommentRow>(BY_ID, { ids: [bugId], id });
  if (!comment) throw new Fault("comment_is_private", `Comment id ${id} is private.`);
  return comment;
}

/** A stored comment with its author's login and its number on the bug (`count`, description 0). */
type CommentRow = Pick<NewComment, "text" | "kind" | "about"> & {
  readonly id: number;
  readonly bug_id: number;
  readonly creator: string;
  readonly creation_time: string;
  readonly is_private: number;
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
    text: presentCommentText(row, row.file),
    creator: presentLogin(call, row.creator),
    is_private: is_private === 1,
    ...(hasTags ? { tags: loadTags(call, id) } : {}),
  };
  return pickFields(comment, selection);
}

function loadTags({ store }: Call, id: number): readonly string[] {
  return store.values("SELECT tag FROM comment_tags WHERE comment_id = ? ORDER BY tag", [id]);
}

/** Update Comment Tags; the response has all tags of the comment. */
export function updateCommentTags(call: Call): Json {
  requireCommentTagger(call, "comment tags");
  const id = findTaggedComment(call);
  const add = readTags(call, "add");
  for (const tag of add) checkCommentTag(tag);
  const remove = readTags(call, "remove");
  if (id === undefined) return [];
  for (const tag of add)
    call.store.run("INSERT OR IGNORE INTO comment_tags (comment_id, tag) VALUES (?, ?)", [id, tag]);
  for (const tag of remove) call.store.run("DELETE FROM comment_tags WHERE comment_id = ? AND tag = ?", [id, tag]);
  return loadTags(call, id);
}

function readTags({ input }: Call, name: string): string[] {
  const sent: Json = input[name] ?? [];
  if (!Array.isArray(sent)) throw faults.wrongShape(name, "a list of tags");
  return sent.filter((tag: Json) => tag !== null).map((tag: Json) => asText(tag, name));
}

/** Id of the comment in the body, else in the path; undefined if it is unknown, as in Bugzilla. */
function findTaggedComment(call: Call): number | undefined {
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
  const sent = firstTextValue(call.input, "limit") ?? "0";
  const [limit] = readWholeNumbers([sent], "limit passed to Bug.search_comment_tags");
  const bindings = { text: call.path["query"] ?? "", limit: limit || DEFAULT_LIMIT };
  return call.store.values(TAGS, bindings);
}

const TAGS = `
  SELECT tag FROM comment_tags JOIN visible_comments ON visible_comments.id = comment_id
  WHERE instr(lower(tag), lower(@text)) > 0 GROUP BY tag ORDER BY count(*) DESC, tag LIMIT @limit`;

/** @throws Fault login_required, comment_tag_disabled or auth_failure */
function requireCommentTagger(call: Call, action: string): void {
  const group = call.parameters.comment_taggers_group;
  requireLogin(call);
  if (group === "") throw new Fault("comment_tag_disabled", "The comment tagging is not enabled.");
  requireGroup(call, group, action);
}

const MIN_TAG_LENGTH = 3;
const MAX_TAG_LENGTH = 24;

/** @throws Fault comment_tag_invalid, comment_tag_too_long or comment_tag_too_short */
function checkCommentTag(tag: string): void {
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
}

/**
 * Comment and hours worked of an update; the hours reduce the remaining time unless `remaining_time` is set too. The first
 * comment of a new bug may be empty.
 */
export const addComment: UpdateStep = (context, draft) => {
  const { call, input } = context;
  const sent = input["comment"] ?? {};
  if (!isObject(sent)) throw faults.wrongShape("comment", `an object like {"body": "..."}`);
  const workTime = readHours(input["work_time"], "work_time");
  const text = readCommentText(asText(sent["body"] ?? sent["comment"], "comment.body"));
  if (text === "" && workTime === 0 && !isNew(draft)) return draft;
  const isPrivate = isTruthy(sent, "is_private");
  if (isPrivate) requireInsider(call);
  if (workTime !== 0) requireRight(context, draft.before, { field: "work_time", from: "", to: "" });
  const remaining_time = hoursLeft(draft.after.remaining_time, workTime);
  const commented = input["remaining_time"] === undefined ? withBug(draft, { remaining_time }) : draft;
  return { ...commented, comment: { ...EMPTY_COMMENT, text, workTime, isPrivate } };
};

/** Update of privacy by comment id. @throws Fault user_not_insider, comment_invalid_isprivate */
export const updateCommentPrivacy: UpdateStep = (context, draft) => {
  const { call, input } = context;
  const sent = input["comment_is_private"];
  if (sent === undefined || sent === null) return draft;
  if (!isObject(sent)) throw faults.wrongShape("comment_is_private", `an object like {"17": true}`);
  const privacy = Object.keys(sent).flatMap((id) => readPrivacyChange(context, draft, id, isTruthy(sent, id)));
  if (privacy.length > 0) requireInsider(call);
  return { ...draft, privacy };
};

/** The change of a comment; [] if it is of another bug of the update, or is as requested already. */
function readPrivacyChange(
  { call, bugIds }: WriteContext,
  { after }: BugDraft,
  id: string,
  isPrivate: boolean,
): CommentPrivacyChange[] {
  const number = /^\d+$/.test(id) ? Number(id) : -1;
  const row = call.store.get<{ id: number; bug_id: number; is_private: number }>(PRIVACY, [number]);
  if (!row || !bugIds.includes(row.bug_id))
    throw new Fault(
      "comment_invalid_isprivate",
      `You tried to modify the privacy of comment id ${id}, but that is not a valid comment on this bug.`,
    );
  const isChange = row.bug_id === after.id && (row.is_private === 1) !== isPrivate;
  return isChange ? [{ commentId: row.id, isPrivate }] : [];
}

const PRIVACY = "SELECT id, bug_id, is_private FROM comments WHERE id = ?";

/** Create Comments; `id` in the body overrides the path. */
export function createComment(call: Call): Json {
  requireLogin(call);
  const input = readCommentInput(call);
  const bugId = findBugId(call, asText(call.input["id"] ?? call.path["id"], "id"));
  const context = makeWriteContext(call, [bugId], input);
  const bug = loadBug(call.store, bugId, context.customFields);
  refuseReadOnlyProduct(call, bug.product);
  const { commentId = 0 } = applyDraft(context, addComment(context, emptyDraft(bug)));
  return { id: commentId };
}

// `work_time` is ignored outside the time-tracking group.
function readCommentInput({ input, requester, parameters }: Call): JsonObject {
  const body = asText(input["comment"], "comment");
  if (body.trim() === "") throw faults.parameterMissing("comment");
  return {
    comment: { body, is_private: input["is_private"] ?? input["private"] ?? false },
    work_time: isInGroup(requester, parameters.timetrackinggroup) ? (input["work_time"] ?? 0) : 0,
  };
}
