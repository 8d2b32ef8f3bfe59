import type { Json, JsonObject } from "../../wire/exchange.ts";
import { applyDraft } from "../bugs/apply.ts";
import { emptyDraft, makeWriteContext } from "../bugs/draft.ts";
import { findBugId } from "../bugs/find.ts";
import { loadBug } from "../bugs/load.ts";
import type { Call, Route } from "../http/call.ts";
import { faults } from "../http/fault.ts";
import { refuseReadOnlyProduct } from "../products/access.ts";
import { isInGroup, requireLogin } from "../users/requester.ts";
import { asText } from "../values.ts";
import { addComment } from "./comment.ts";

/**
 * Route of Create Comments; `id` in the body overrides the path.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/comment.html#create-comments
 */
export const commentCreateRoutes: readonly Route[] = [
  { method: "POST", path: "/bug/{id}/comment", status: 201, handle: (call) => createComment(call) },
];

function createComment(call: Call): Json {
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
