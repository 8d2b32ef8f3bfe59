import type { Json, JsonObject } from "../../wire/exchange.ts";
import { addComment, updateCommentPrivacy } from "../comments/comment.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { refuseReadOnlyProduct } from "../products/access.ts";
import { isInGroup, requireLogin } from "../users/requester.ts";
import { asText } from "../values.ts";
import { updateAliases } from "./aliases.ts";
import { type AppliedChange, applyDraft } from "./apply.ts";
import type { Bug } from "./bug.ts";
import { updateDependencies } from "./dependencies.ts";
import { diffBugs } from "./diff.ts";
import {
  type BugDraft,
  emptyDraft,
  makeWriteContext,
  requireRight,
  type UpdateStep,
  type WriteContext,
} from "./draft.ts";
import { TIME_TRACKING_FIELDS, wireFieldName } from "./field-names.ts";
import { findBugId } from "./find.ts";
import { updateBugFlags } from "./flags.ts";
import { updateBugGroups, updateKeywords } from "./list-fields.ts";
import { loadBug } from "./load.ts";
import { updateAssignees, updateCc } from "./people.ts";
import { refuseModifiedSince } from "./precondition.ts";
import { updateProductFields } from "./product-fields.ts";
import { updateSeeAlso } from "./see-also.ts";
import { updateStatus } from "./status.ts";
import { updateCustomFields, updatePlainFields } from "./value-fields.ts";

/** Update Bug: the same change for all bugs named, in the path and in `ids`; all of them are changed or none is. */
export const bugUpdateRoutes: readonly Route[] = [
  { method: "PUT", path: "/bug/{id_or_alias}", handle: (call) => updateBugs(call) },
];

function updateBugs(call: Call): Json {
  requireLogin(call);
  const bugIds = bugIdsToUpdate(call);
  refuseModifiedSince(call, bugIds);
  const context = makeWriteContext(call, { input: call.input, bugIds });
  const bugs = bugIds.map((id) => loadBug(call.store, id, context.customs));
  for (const { product } of bugs) {
    refuseReadOnlyProduct(call, product);
  }
  refuseInBulk(context);
  const drafts = bugs.map((bug) => draftUpdate(context, bug));
  return { bugs: drafts.map((draft) => presentUpdate(context, draft, applyDraft(context, draft))) };
}

// A bug named twice, or by number and alias, is changed once.
function bugIdsToUpdate(call: Call): readonly number[] {
  const { ids: sent = [] } = call.input;
  const ids: readonly Json[] = Array.isArray(sent) ? sent : [sent];
  if (ids.some((id) => typeof id === "boolean" || (typeof id === "object" && id !== null))) {
    throw new Fault(400, 58, "The ids parameter must be an array of scalars (integers and/or strings).");
  }
  const named = [call.path["id_or_alias"] ?? "", ...ids.map((id) => asText(id, "ids"))];
  return [...new Set(named.map((text) => findBugId(call, text)))];
}

function refuseInBulk({ input, bugIds }: WriteContext): void {
  if (bugIds.length > 1 && input["dupe_of"] !== undefined) {
    throw new Fault(400, 32000, "You cannot mark bugs as duplicates when changing several bugs at once.");
  }
  if (bugIds.length > 1 && input["alias"] !== undefined) {
    throw new Fault(400, 103, "You cannot set aliases when modifying multiple bugs at once.");
  }
}

// Closing a bug ends the hours left, which not everybody may know.
function presentUpdate(
  { call }: WriteContext,
  { after }: BugDraft,
  { changes, lastChangeTime }: AppliedChange,
): JsonObject {
  const isTimeTracker = isInGroup(call.requester, call.parameters.timetrackinggroup);
  const known = changes.filter(({ field }) => isTimeTracker || !TIME_TRACKING_FIELDS.has(field));
  return {
    id: after.id,
    alias: after.alias,
    last_change_time: lastChangeTime,
    changes: Object.fromEntries(known.map(({ field, removed, added }) => [wireFieldName(field), { removed, added }])),
  };
}

/** The change of one bug that a request asks for, thought through from first to last; refused when any part may not be. */
function draftUpdate(context: WriteContext, bug: Bug): BugDraft {
  return STEPS.reduce((draft, { step, asks = [] }) => {
    const next = step(context, draft);
    for (const { field, removed, added } of diffBugs(draft.after, next.after)) {
      if (asks.includes(field) || (step === updateCustomFields && field in draft.after.custom)) {
        requireRight(context, draft.before, { field, ...valuesInRefusal(field, removed, added) });
      }
    }
    return next;
  }, emptyDraft(bug));
}

// Dependencies are refused without saying which.
function valuesInRefusal(field: string, from: string, to: string) {
  return field === "dependson" || field === "blocked" ? { from: "", to: "" } : { from, to };
}

type Stage = { readonly step: UpdateStep; readonly asks?: readonly string[] };

// In this order, for later ones depend on earlier ones. `asks` names the fields that need a right to change: what changes
// beside them in a step follows by itself or was decided inside.
const STEPS: readonly Stage[] = [
  { step: updateProductFields, asks: ["product", "component", "version"] },
  { step: updateBugGroups, asks: ["bug_group"] },
  { step: updateDependencies, asks: ["dependson", "blocked"] },
  { step: updateKeywords, asks: ["keywords"] },
  { step: addComment },
  { step: updateCommentPrivacy },
  { step: updateAliases },
  {
    step: updatePlainFields,
    asks: [
      "short_desc",
      "bug_file_loc",
      "status_whiteboard",
      "priority",
      "bug_severity",
      "rep_platform",
      "op_sys",
      "deadline",
      "estimated_time",
      "remaining_time",
      "cclist_accessible",
      "reporter_accessible",
    ],
  },
  { step: updateStatus, asks: ["resolution", "dup_id"] },
  { step: updateAssignees, asks: ["assigned_to", "qa_contact"] },
  { step: updateSeeAlso, asks: ["see_also"] },
  { step: updateCustomFields },
  { step: updateCc },
  { step: updateBugFlags },
];
