import type { Json } from "../../wire/exchange.ts";
import type { Bug, Person } from "../bug.ts";
import { choiceField, readChoice } from "../bug-fields/choices.ts";
import {
  commentRequiredFault,
  DUPLICATE,
  duplicateIdRequiredFault,
  findStatus,
  illegalStatusMoveFault,
  isOpenStatus,
  milestoneRequiredFault,
  moveNeedsComment,
  nextStatuses,
  resolutionOnOpenBugFault,
  resolutionRequiredFault,
  type Status,
  startingStatus,
  UNCONFIRMED,
  unresolvedDependenciesFault,
} from "../bug-fields/workflow.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { isEnabled } from "../http/server-parameters.ts";
import { productParts } from "../products/parts.ts";
import { maySeeBug } from "../users/visibility.ts";
import { asText } from "../values.ts";
import { type BugDraft, isNew, type UpdateStep, type WriteContext, withBug } from "./draft.ts";
import { findBugId } from "./find.ts";
import { EMPTY_COMMENT } from "./new-comment.ts";
import { missingRight, productRights } from "./rights.ts";
import { loadBug } from "./stored-bug.ts";

/**
 * Update of status, resolution and `dupe_of`, which depend on each other.
 * @see Bugzilla/Bug.pm, set_bug_status, set_resolution and set_dup_id
 */
export const updateStatus: UpdateStep = (context, draft) => {
  if (isNew(draft)) return startStatus(context, draft);
  const { input } = context;
  const duplicate = input["dupe_of"];
  if (input["status"] !== undefined) {
    const target = { status: asText(input["status"], "status"), resolution: input["resolution"], duplicate };
    return changeStatus(context, draft, target);
  }
  if (input["resolution"] !== undefined) {
    return changeResolution(context, draft, { resolution: asText(input["resolution"], "resolution"), duplicate });
  }
  return duplicate === undefined ? draft : markDuplicate(context, draft, duplicate);
};

/** Status and resolution of a new bug; the status is ignored unless the requester may confirm bugs. */
function startStatus(context: WriteContext, draft: BugDraft): BugDraft {
  const { call, input, workflow } = context;
  const { product } = draft.after;
  const { mayEdit, mayConfirm } = productRights(call, product.id);
  const mayChoose = mayEdit || mayConfirm;
  const usual = startingStatus(nextStatuses(workflow, null, product), mayChoose);
  if (!usual && (!mayChoose || input["status"] === undefined)) throw illegalStatusMoveFault(null, "");
  const status = mayChoose && input["status"] !== undefined ? asText(input["status"], "status") : (usual?.name ?? "");
  const resolution = asText(input["resolution"], "resolution");
  const started = changeStatus(context, draft, { status, resolution, duplicate: undefined });
  const isOpen = isOpenStatus(workflow, started.after.status);
  return isOpen && resolution.trim() !== ""
    ? changeResolution(context, started, { resolution, duplicate: undefined })
    : started;
}

type ResolutionInput = { resolution: Json | undefined; duplicate: Json | undefined };

function changeStatus(context: WriteContext, draft: BugDraft, target: ResolutionInput & { status: string }): BugDraft {
  const to = findStatus(context.workflow, target.status);
  const from = draft.after.status;
  if (isNew(draft)) checkFirstStatus(context, draft, to);
  else checkStatusChange(context, draft, to);
  if (to.is_open) {
    const is_confirmed = to.name !== UNCONFIRMED;
    const opened = withBug(draft, { status: to.name, resolution: "", dupe_of: null, is_confirmed });
    return target.duplicate === undefined ? opened : markDuplicate(context, opened, target.duplicate);
  }
  const closed = withBug(draft, {
    status: to.name,
    ...(to.name === from || isNew(draft) ? {} : { remaining_time: 0 }),
  });
  const resolution = target.resolution === undefined ? draft.after.resolution : asText(target.resolution, "resolution");
  return changeResolution(context, closed, { resolution, duplicate: target.duplicate });
}

function checkFirstStatus({ workflow }: WriteContext, { after, comment }: BugDraft, to: Status): void {
  if (!nextStatuses(workflow, null, after.product).includes(to)) throw illegalStatusMoveFault(null, to.name);
  if (moveNeedsComment(workflow, null, to.name) && !comment?.text)
    throw new Fault("other", "You have to specify a description for this bug.");
}

// The present status is always allowed, even without a transition to it.
function checkStatusChange(context: WriteContext, { before, after, comment }: BugDraft, to: Status): void {
  const from = after.status;
  if (to.name === from) return;
  const isAllowed = nextStatuses(context.workflow, from, after.product).some(({ name }) => name === to.name);
  if (!isAllowed || missingRight(context, before, { field: "bug_status", from, to: to.name }) !== undefined) {
    throw illegalStatusMoveFault(from, to.name);
  }
  if (moveNeedsComment(context.workflow, from, to.name) && !comment?.text) {
    throw commentRequiredFault({ label: "Status", from, to: to.name });
  }
  refuseMissingMilestone(context.call, after, to.name);
}

type NewResolution = { resolution: string; duplicate: Json | undefined };

function changeResolution(
  context: WriteContext,
  draft: BugDraft,
  { resolution: sent, duplicate }: NewResolution,
): BugDraft {
  const { after } = draft;
  const current = findStatus(context.workflow, after.status);
  if (sent.trim() === "" && !current.is_open) throw resolutionRequiredFault(current.name);
  const { name } = readChoice(choiceField(context.call.store, "resolution"), sent, after.resolution);
  if (current.is_open) throw resolutionOnOpenBugFault();
  if (name !== after.resolution) checkResolution(context, draft, name);
  if (name !== DUPLICATE) return withBug(draft, { resolution: name, dupe_of: null });
  if (duplicate === undefined && after.dupe_of === null) throw duplicateIdRequiredFault();
  const resolved = withBug(draft, { resolution: name });
  return duplicate === undefined ? resolved : markDuplicate(context, resolved, duplicate);
}

function checkResolution({ call }: WriteContext, { after, comment }: BugDraft, name: string): void {
  refuseOpenDependencies(call, after.id, after.depends_on, name);
  if (isEnabled(call.parameters.commentonchange_resolution) && !comment) {
    throw commentRequiredFault({ label: "Resolution", from: after.resolution, to: name });
  }
}

function markDuplicate(context: WriteContext, draft: BugDraft, sent: Json): BugDraft {
  const { call } = context;
  const text = asText(sent, "dupe_of").trim();
  if (text === "" || text === "0") throw new Fault("param_required", "Form field dup_id was not defined.");
  const originalId = findBugId(call, text);
  const { after } = draft;
  if (after.dupe_of === originalId) return draft;
  refuseDuplicateLoop({ bugId: after.id, originalId, originalOf: (id) => dupeOf(call, id) });
  if (isEnabled(call.parameters.commentonduplicate) && !draft.comment) throw commentRequiredFault();
  const marked = withBug(draft, { dupe_of: originalId });
  const closed = after.resolution === DUPLICATE ? marked : closeAsDuplicate(context, marked);
  return {
    ...closed,
    comment: { ...(draft.comment ?? EMPTY_COMMENT), kind: "duplicate_of", about: originalId },
    duplicateCc: creatorForCc(context, draft, originalId),
  };
}

function closeAsDuplicate(context: WriteContext, draft: BugDraft): BugDraft {
  return changeStatus(context, draft, {
    status: context.call.parameters.duplicate_or_move_bug_status,
    resolution: DUPLICATE,
    duplicate: undefined,
  });
}

function dupeOf({ store }: Call, id: number): number | null {
  return store.get<{ dupe_of: number }>("SELECT dupe_of FROM bug_duplicates WHERE bug_id = ?", [id])?.dupe_of ?? null;
}

/** The creator of a duplicate, who is added to CC of the original; undefined if involved there, or not allowed to see it. */
function creatorForCc(
  { call, customFields }: WriteContext,
  { after: { creator } }: BugDraft,
  originalId: number,
): Person | undefined {
  const original = loadBug(call.store, originalId, customFields);
  const isUninvolved = original.creator.id !== creator.id && !original.cc.some(({ id }) => id === creator.id);
  return isUninvolved && maySeeBug(call, creator.id, originalId) ? creator : undefined;
}

/** Checks the milestone of a bug set to IN_PROGRESS, with `musthavemilestoneonaccept`. @throws Fault other */
function refuseMissingMilestone(call: Call, bug: Bug, to: string): void {
  const { usetargetmilestone, musthavemilestoneonaccept } = call.parameters;
  const isRequired = isEnabled(usetargetmilestone) && isEnabled(musthavemilestoneonaccept) && to === "IN_PROGRESS";
  const isUnset = bug.target_milestone === bug.product.default_milestone;
  if (isRequired && isUnset && productParts(call.store, bug.product.id, "milestone").length > 1) {
    throw milestoneRequiredFault(bug.id);
  }
}

/** Checks that a bug set to FIXED has no open dependencies, with `noresolveonopenblockers`. @throws Fault other */
function refuseOpenDependencies(call: Call, bugId: number, dependsOn: readonly number[], resolution: string): void {
  if (!isEnabled(call.parameters.noresolveonopenblockers) || resolution !== "FIXED") return;
  const open = Number(call.store.get(COUNT_OPEN, [JSON.stringify(dependsOn)])?.["count"]);
  if (open > 0) throw unresolvedDependenciesFault(bugId, open);
}

const COUNT_OPEN = `
  SELECT count(*) AS count FROM bugs
  JOIN field_values ON field_values.name = bugs.status AND is_open
  WHERE field_id = (SELECT id FROM fields WHERE name = 'bug_status')
    AND bugs.id IN (SELECT value FROM json_each(?))`;

/** A bug to be marked as duplicate, and the reader of stored duplicate links. */
export type DuplicateLink = {
  bugId: number;
  originalId: number;
  originalOf: (bugId: number) => number | null;
};

/**
 * Checks that a duplicate link closes no loop.
 * @throws Fault dupe_loop_detected
 * @see Bugzilla/Bug.pm, _check_dup_id
 */
export function refuseDuplicateLoop({ bugId, originalId, originalOf }: DuplicateLink): void {
  if (originalId === bugId)
    throw new Fault("dupe_loop_detected", `You cannot mark bug ${bugId} as a duplicate of itself.`);
  const seen = new Set<number>();
  for (let next: number | null = originalId; next !== null && !seen.has(next); next = originalOf(next)) {
    seen.add(next);
    if (next === bugId) {
      throw new Fault(
        "dupe_loop_detected",
        `You cannot mark bug ${bugId} as a duplicate of bug ${originalId}, because it would create a duplicate loop.`,
      );
    }
  }
}
