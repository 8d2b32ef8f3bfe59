import type { JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../call.ts";
import { Fault, faults } from "../fault.ts";
import { isGiven } from "../input.ts";
import { isIn } from "../people/requester.ts";
import { EMPTY_COMMENT, type NewComment } from "../rules/comment.ts";
import { hoursLeft, readHours } from "../rules/hours.ts";
import { asText, commentText } from "../rules/text.ts";
import { type Context, requireRight } from "./context.ts";
import { type Draft, type Privacy, type Step, withBug } from "./draft.ts";
import { isObject } from "./edits.ts";

/** The comment that goes with a change, and the hours worked, which are taken off what remains unless that is said too. */
export const comment: Step = (context, draft) => {
  const { input } = context;
  const workTime = readHours(input["work_time"], "work_time");
  const said = readComment(context, workTime);
  if (workTime !== 0) requireRight(context, draft.before, { field: "work_time", from: "", to: "" });
  if (!said) return draft;
  const commented = { ...draft, comment: said };
  return input["remaining_time"] === undefined
    ? withBug(commented, { remaining_time: hoursLeft(draft.after.remaining_time, workTime) })
    : commented;
};

function readComment({ call, input }: Context, workTime: number): NewComment | undefined {
  const sent = input["comment"] ?? {};
  if (!isObject(sent)) throw faults.wrongShape("comment", `an object like {"body": "..."}`);
  const text = commentText(asText(sent["body"] ?? sent["comment"], "comment.body"));
  if (text === "" && workTime === 0) return undefined;
  return { ...EMPTY_COMMENT, text, workTime, isPrivate: readPrivacy(call, sent) };
}

/** Whether a comment is to be private, refused when the requester may not decide that. */
export function readPrivacy(call: Call, sent: JsonObject): boolean {
  const isPrivate = isGiven(sent, "is_private");
  if (isPrivate) requireInsider(call);
  return isPrivate;
}

function requireInsider({ requester, parameters }: Call): void {
  if (!isIn(requester, parameters.insidergroup)) {
    throw new Fault(401, 113, "Sorry, but you are not allowed to (un)mark comments or attachments as private.");
  }
}

/** Which comments of the bug become private or public; only their ids count, and saying what is so already is free. */
export const commentPrivacy: Step = (context, draft) => {
  const { call, input } = context;
  const sent = input["comment_is_private"];
  if (sent === undefined || sent === null) return draft;
  if (!isObject(sent)) throw faults.wrongShape("comment_is_private", `an object like {"17": true}`);
  const privacy = Object.keys(sent).flatMap((id) => newPrivacy(context, draft, { id, isPrivate: isGiven(sent, id) }));
  if (privacy.length > 0) requireInsider(call);
  return { ...draft, privacy };
};

type Wish = { readonly id: string; readonly isPrivate: boolean };

function newPrivacy(context: Context, { after }: Draft, { id, isPrivate }: Wish): readonly Privacy[] {
  const row = context.call.store.get<CommentRow>("SELECT id, bug_id, is_private FROM comments WHERE id = ?", [
    /^\d+$/.test(id) ? Number(id) : -1,
  ]);
  if (!row || !context.bugIds.includes(row.bug_id)) {
    throw new Fault(
      400,
      117,
      `You tried to modify the privacy of comment id ${id}, but that is not a valid comment on this bug.`,
    );
  }
  const isNews = row.bug_id === after.id && (row.is_private === 1) !== isPrivate;
  return isNews ? [{ commentId: row.id, isPrivate }] : [];
}

type CommentRow = { readonly id: number; readonly bug_id: number; readonly is_private: number };
