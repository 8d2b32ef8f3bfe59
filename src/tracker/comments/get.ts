import type { Json, JsonObject } from "../../wire/exchange.ts";
import { findBug, namedBugs } from "../bugs/find.ts";
import type { Call, Route } from "../call.ts";
import { Fault, faults } from "../fault.ts";
import { firstText, texts } from "../input.ts";
import { readSelection } from "../selection.ts";
import { readTime } from "../times.ts";
import { type CommentRow, commentById, commentsOfBugs, shownComment } from "./read.ts";

/** Get Comments: all of some bugs, and single ones by id; `new_since` (exclusive) is for those of the bugs. */
export const commentRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/bug/comment/{comment_id}",
    mayTakeLong: true,
    handle: (call) => ({ bugs: {}, comments: single(call) }),
  },
  {
    method: "GET",
    path: "/bug/{id}/comment",
    mayTakeLong: true,
    handle: (call) => ({ bugs: ofBugs(call), comments: single(call) }),
  },
];

function ofBugs(call: Call): Json {
  const since = firstText(call.input, "new_since");
  const after = since === undefined ? "" : readTime(since);
  const ids = [...new Set(namedBugs(call))];
  const comments = commentsOfBugs(call, ids, after);
  const selection = readSelection(call.input);
  const shown = (id: number): JsonObject => ({
    comments: (comments.get(id) ?? []).map((row) => shownComment(call, row, selection)),
  });
  return Object.fromEntries(ids.map((id) => [String(id), shown(id)]));
}

function single(call: Call): Json {
  const part = call.path["comment_id"];
  const ids = [...(part === undefined ? [] : [part]), ...texts(call.input, "comment_ids")];
  if (ids.some((id) => !/^\d+$/.test(id))) throw faults.notANumber("passed to Bugzilla::Comment::new_from_list");
  const selection = readSelection(call.input);
  const comments = [...new Set(ids.map(Number))].map((id) => findComment(call, id));
  return Object.fromEntries(comments.map((row) => [String(row.id), shownComment(call, row, selection)]));
}

/** One comment by its global id, refused when there is none or the requester may not see it or its bug. */
export function findComment(call: Call, id: number): CommentRow {
  const stored = call.store.get<{ readonly bug_id: number }>("SELECT bug_id FROM comments WHERE id = ?", [id]);
  if (!stored) throw new Fault(400, 111, `${id} is not a valid comment id.`);
  findBug(call, String(stored.bug_id));
  const comment = commentById(call, id);
  if (!comment) throw new Fault(401, 110, `Comment id ${id} is private.`);
  return comment;
}
