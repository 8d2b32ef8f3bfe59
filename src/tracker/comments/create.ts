import type { Json, JsonObject } from "../../wire/exchange.ts";
import { findBug } from "../bugs/find.ts";
import type { Call, Route } from "../call.ts";
import { applyDraft } from "../changing/apply.ts";
import { comment } from "../changing/comments.ts";
import { makeContext } from "../changing/context.ts";
import { draftOf } from "../changing/draft.ts";
import { faults } from "../fault.ts";
import { loggedIn } from "../people/find.ts";
import { isIn } from "../people/requester.ts";
import { refuseReadOnly } from "../products/enter.ts";
import { loadBug } from "../record/load.ts";
import { asText } from "../rules/text.ts";

/** Create Comment: a change of a bug that only says something. A bug named in the body counts before that in the path. */
export const commentCreateRoutes: readonly Route[] = [
  { method: "POST", path: "/bug/{id}/comment", status: 201, handle: (call) => createComment(call) },
];

function createComment(call: Call): Json {
  loggedIn(call);
  const input = commentInput(call);
  const bugId = findBug(call, asText(call.input["id"] ?? call.path["id"], "id"));
  const context = makeContext(call, { input, bugIds: [bugId] });
  const bug = loadBug(call.store, bugId, context.customs);
  refuseReadOnly(call, bug.product);
  const { commentId = 0 } = applyDraft(context, comment(context, draftOf(bug)));
  return { id: commentId };
}

// Hours count for nothing from those who do not track time.
function commentInput({ input, requester, parameters }: Call): JsonObject {
  const body = asText(input["comment"], "comment");
  if (body.trim() === "") throw faults.parameterMissing("comment");
  return {
    comment: { body, is_private: input["is_private"] ?? input["private"] ?? false },
    work_time: isIn(requester, parameters.timetrackinggroup) ? (input["work_time"] ?? 0) : 0,
  };
}
