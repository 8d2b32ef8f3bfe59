import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Bug } from "../bug.ts";
import { isTimeTracking, PLAIN_FIELDS, TRACKED_FIELDS, wireFieldName } from "../fields.ts";
import type { Call, Route } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { isInGroup, requireLogin } from "../http/requester.ts";
import { refuseReadOnlyProduct } from "../products/access.ts";
import { asText } from "../values.ts";
import { updateAliases } from "./aliases.ts";
import { type AppliedChange, applyDraft } from "./apply.ts";
import { addComment, updateCommentPrivacy } from "./comment.ts";
import { updateDependencies } from "./dependencies.ts";
import { diffBugs } from "./diff.ts";
import { type BugDraft, emptyDraft, makeWriteContext, type UpdateStep, type WriteContext } from "./draft.ts";
import { findBugId } from "./find.ts";
import { updateBugFlags } from "./flags.ts";
import { updateBugGroups, updateKeywords } from "./list-fields.ts";
import { loadBug } from "./load.ts";
import { updateAssignees, updateCc } from "./people.ts";
import { updateComponent, updateMilestone, updateProduct, updateVersion } from "./product-fields.ts";
import { requireRight } from "./rights.ts";
import { updateSeeAlso } from "./see-also.ts";
import { updateStatus } from "./status.ts";
import { plainStep, updateCustomFields } from "./value-fields.ts";

/**
 * Route of Update Bug: one change for all bugs named in the path and in `ids`, in one transaction.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#update-bug
 */
export const bugUpdateRoutes: readonly Route[] = [
  { method: "PUT", path: "/bug/{id_or_alias}", handle: (call) => updateBugs(call) },
];

function updateBugs(call: Call): Json {
  requireLogin(call);
  const bugIds = bugIdsToUpdate(call);
  const context = makeWriteContext(call, { input: call.input, bugIds });
  const bugs = bugIds.map((id) => loadBug(call.store, id, context.customFields));
  for (const { product } of bugs) {
    refuseReadOnlyProduct(call, product);
  }
  refuseInBulk(context);
  const drafts = bugs.map((bug) => draftUpdate(context, bug));
  return { bugs: drafts.map((draft) => presentUpdate(context, draft, applyDraft(context, draft))) };
}

// Without duplicates: a bug may be named by number and alias.
function bugIdsToUpdate(call: Call): number[] {
  const { ids: sent = [] } = call.input;
  const ids: Json[] = Array.isArray(sent) ? sent : [sent];
  if (ids.some((id) => typeof id === "boolean" || (typeof id === "object" && id !== null))) {
    throw new Fault(
      "param_scalar_array_required",
      "The ids parameter must be an array of scalars (integers and/or strings).",
    );
  }
  const texts = [call.path["id_or_alias"] ?? "", ...ids.map((id) => asText(id, "ids"))];
  return [...new Set(texts.map((text) => findBugId(call, text)))];
}

function refuseInBulk({ input, bugIds }: WriteContext): void {
  if (bugIds.length > 1 && input["dupe_of"] !== undefined) {
    throw new Fault("other", "You cannot mark bugs as duplicates when changing several bugs at once.");
  }
  if (bugIds.length > 1 && input["alias"] !== undefined) {
    throw new Fault("alias_in_use", "You cannot set aliases when modifying multiple bugs at once.");
  }
}

// Closing a bug clears the remaining time, which only the time-tracking group may see.
function presentUpdate(
  { call }: WriteContext,
  { after }: BugDraft,
  { changes, lastChangeTime }: AppliedChange,
): JsonObject {
  const isTimeTracker = isInGroup(call.requester, call.parameters.timetrackinggroup);
  const visible = changes.filter(({ field }) => isTimeTracker || !isTimeTracking(field));
  return {
    id: after.id,
    alias: after.alias,
    last_change_time: lastChangeTime,
    changes: Object.fromEntries(visible.map(({ field, removed, added }) => [wireFieldName(field), { removed, added }])),
  };
}

/** The draft of one bug after all steps. @throws Fault if any part of the update is invalid or not permitted */
function draftUpdate(context: WriteContext, bug: Bug): BugDraft {
  return STEPS.reduce((draft, { step, isRestricted }) => {
    const next = step(context, draft);
    for (const { field, removed, added } of diffBugs(draft.after, next.after)) {
      if (isRestricted?.(field, bug)) {
        requireRight(context, draft.before, { field, ...valuesInRefusal(field, removed, added) });
      }
    }
    return next;
  }, emptyDraft(bug));
}

// Fault 115 does not name the other bugs of a dependency.
function valuesInRefusal(field: string, from: string, to: string) {
  return field === "dependson" || field === "blocked" ? { from: "", to: "" } : { from, to };
}

const TRACKED_PERSON_FIELDS = TRACKED_FIELDS.filter(({ family }) => family === "person");

/** A step, and the fields whose change requires a right; its other changes are consequences, or checked by the step itself. */
type OrderedStep = { step: UpdateStep; isRestricted?: FieldTest };

type FieldTest = (field: string, bug: Bug) => boolean;

function oneOf(...fields: string[]): FieldTest {
  return (field) => fields.includes(field);
}

// In order, since later steps depend on earlier ones.
const STEPS: readonly OrderedStep[] = [
  { step: updateProduct, isRestricted: oneOf("product") },
  { step: updateComponent, isRestricted: oneOf("component") },
  { step: updateVersion, isRestricted: oneOf("version") },
  { step: updateMilestone },
  { step: updateBugGroups, isRestricted: oneOf("bug_group") },
  { step: updateDependencies, isRestricted: oneOf("dependson", "blocked") },
  { step: updateKeywords, isRestricted: oneOf("keywords") },
  { step: addComment },
  { step: updateCommentPrivacy },
  { step: updateAliases },
  { step: plainStep(() => true), isRestricted: oneOf(...PLAIN_FIELDS.map(({ chart }) => chart)) },
  { step: updateStatus, isRestricted: oneOf("resolution", "dup_id") },
  { step: updateAssignees, isRestricted: oneOf(...TRACKED_PERSON_FIELDS.map(({ chart }) => chart)) },
  { step: updateSeeAlso, isRestricted: oneOf("see_also") },
  { step: updateCustomFields, isRestricted: (field, { custom }) => field in custom },
  { step: updateCc },
  { step: updateBugFlags },
];
