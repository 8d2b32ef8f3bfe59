import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { EMPTY_COMMENT } from "../comments/comments.ts";
import { type Call, isInGroup, requireInsider, requireLogin } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { isFlagSet } from "../http/input.ts";
import { refuseReadOnlyProduct } from "../products/products.ts";
import { asText, hoursLeft, readCommentText, readHours } from "../values.ts";
import { applyDraft } from "./apply.ts";
import {
  type BugDraft,
  type CommentPrivacyChange,
  emptyDraft,
  isNew,
  makeWriteContext,
  type UpdateStep,
  type WriteContext,
  withBug,
} from "./draft.ts";
import { findBugId } from "./find.ts";
import { requireRight } from "./rights.ts";
import { loadBug } from "./stored-bug.ts";

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
  const isPrivate = isFlagSet(sent, "is_private");
  if (isPrivate) requireInsider(call);
  if (workTime !== 0) requireRight(context, draft.before, { field: "work_time", from: "", to: "" });
  const remaining_time = hoursLeft(draft.after.remaining_time, workTime);
  const commented = input["remaining_time"] === undefined ? withBug(draft, { remaining_time }) : draft;
  return { ...commented, comment: { ...EMPTY_COMMENT, text, workTime, isPrivate } };
};

/**
 * Update of the privacy of existing comments by id; unchanged ones are ignored.
 * @throws Fault user_not_insider or comment_invalid_isprivate
 */
export const updateCommentPrivacy: UpdateStep = (context, draft) => {
  const { call, input } = context;
  const sent = input["comment_is_private"];
  if (sent === undefined || sent === null) return draft;
  if (!isObject(sent)) throw faults.wrongShape("comment_is_private", `an object like {"17": true}`);
  const privacy = Object.keys(sent).flatMap((id) =>
    privacyChange(context, draft, { id, isPrivate: isFlagSet(sent, id) }),
  );
  if (privacy.length > 0) requireInsider(call);
  return { ...draft, privacy };
};

type PrivacyInput = { id: string; isPrivate: boolean };

function privacyChange(
  context: WriteContext,
  { after }: BugDraft,
  { id, isPrivate }: PrivacyInput,
): CommentPrivacyChange[] {
  const row = context.call.store.get<CommentRow>("SELECT id, bug_id, is_private FROM comments WHERE id = ?", [
    /^\d+$/.test(id) ? Number(id) : -1,
  ]);
  if (!row || !context.bugIds.includes(row.bug_id))
    throw new Fault(
      "comment_invalid_isprivate",
      `You tried to modify the privacy of comment id ${id}, but that is not a valid comment on this bug.`,
    );
  const isChange = row.bug_id === after.id && (row.is_private === 1) !== isPrivate;
  return isChange ? [{ commentId: row.id, isPrivate }] : [];
}

type CommentRow = { id: number; bug_id: number; is_private: number };

/** Create Comments; `id` in the body overrides the path. */
export function createComment(call: Call): Json {
  requireLogin(call);
  const input = commentInput(call);
  const bugId = findBugId(call, asText(call.input["id"] ?? call.path["id"], "id"));
  const context = makeWriteContext(call, { input, bugIds: [bugId] });
  const bug = loadBug(call.store, bugId, context.customFields);
  refuseReadOnlyProduct(call, bug.product);
  const { commentId = 0 } = applyDraft(context, addComment(context, emptyDraft(bug)));
  return { id: commentId };
}

// `work_time` is ignored outside the time-tracking group.
function commentInput({ input, requester, parameters }: Call): JsonObject {
  const body = asText(input["comment"], "comment");
  if (body.trim() === "") throw faults.parameterMissing("comment");
  return {
    comment: { body, is_private: input["is_private"] ?? input["private"] ?? false },
    work_time: isInGroup(requester, parameters.timetrackinggroup) ? (input["work_time"] ?? 0) : 0,
  };
}
