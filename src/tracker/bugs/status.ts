import type { Json } from "../../wire/exchange.ts";
import {
  choiceField,
  DUPLICATE,
  findStatus,
  isOpenStatus,
  moveNeedsComment,
  nextStatuses,
  readChoice,
  type Status,
  UNCONFIRMED,
} from "../bug-fields/values.ts";
import type { Bug } from "../fields.ts";
import { type Call, isEnabled } from "../http/call.ts";
import { productParts } from "../products/products.ts";
import { asText, Fault } from "../values.ts";
import {
  type BugDraft,
  EMPTY_COMMENT,
  findBugId,
  isNew,
  missingRight,
  productRights,
  type UpdateStep,
  type WriteContext,
  withBug,
} from "./draft.ts";

/**
 * Update of status, resolution and `dupe_of`, which depend on each other.
 * @see Bugzilla/Bug.pm, set_bug_status, set_resolution and set_dup_id
 */
export const updateStatus: UpdateStep = (context, draft) => {
  if (isNew(draft)) return startStatus(context, draft);
  const { status, resolution, dupe_of: duplicate } = context.input;
  if (status !== undefined)
    return changeStatus(context, draft, { status: asText(status, "status"), resolution, duplicate });
  if (resolution !== undefined) return changeResolution(context, draft, { resolution, duplicate });
  return duplicate === undefined ? draft : markDuplicate(context, draft, duplicate);
};

/** Status and resolution of a new bug; the status is ignored unless the requester may confirm bugs. */
function startStatus(context: WriteContext, draft: BugDraft): BugDraft {
  const { call, input, workflow } = context;
  const { product } = draft.after;
  const { mayEdit, mayConfirm } = productRights(call, product.id);
  const mayChoose = mayEdit || mayConfirm;
  const allowed = nextStatuses(workflow, null, product);
  const usual = allowed.find(({ name }) => (name !== UNCONFIRMED) === mayChoose) ?? allowed[0];
  const chosen = mayChoose ? input["status"] : undefined;
  if (chosen === undefined && !usual) throw illegalMoveFault(null, "");
  const resolution = asText(input["resolution"], "resolution");
  const status = chosen === undefined ? (usual?.name ?? "") : asText(chosen, "status");
  const started = changeStatus(context, draft, { status, resolution });
  const isOpen = isOpenStatus(workflow, started.after.status);
  return isOpen && resolution.trim() !== "" ? changeResolution(context, started, { resolution }) : started;
}

type Target = { readonly resolution?: Json | undefined; readonly duplicate?: Json | undefined };

function changeStatus(context: WriteContext, draft: BugDraft, target: Target & { status: string }): BugDraft {
  const { resolution = draft.after.resolution, duplicate } = target;
  const to = findStatus(context.workflow, target.status);
  checkMove(context, draft, to);
  if (to.is_open) {
    const is_confirmed = to.name !== UNCONFIRMED;
    const opened = withBug(draft, { status: to.name, resolution: "", dupe_of: null, is_confirmed });
    return duplicate === undefined ? opened : markDuplicate(context, opened, duplicate);
  }
  const isSame = to.name === draft.after.status || isNew(draft);
  const closed = withBug(draft, { status: to.name, ...(isSame ? {} : { remaining_time: 0 }) });
  return changeResolution(context, closed, { resolution, duplicate });
}

// The present status is always allowed, even without a transition to it.
function checkMove(context: WriteContext, draft: BugDraft, to: Status): void {
  const { workflow } = context;
  const { before, after, comment } = draft;
  const from = isNew(draft) ? null : after.status;
  if (to.name === from) return;
  const isAllowed = nextStatuses(workflow, from, after.product).includes(to);
  const change = { field: "bug_status", from: from ?? "", to: to.name };
  if (!isAllowed || (from !== null && missingRight(context, before, change) !== undefined))
    throw illegalMoveFault(from, to.name);
  if (moveNeedsComment(workflow, from, to.name) && !comment?.text) throw commentRequiredFault("Status", from, to.name);
  if (from !== null) refuseMissingMilestone(context.call, after, to.name);
}

/** Fault 123: transition forbidden by the workflow or by the requester's rights. */
function illegalMoveFault(from: string | null, to: string): Fault {
  const move = from === null ? `file new bugs with the ${to} status` : `change the bug status from ${from} to ${to}`;
  return new Fault("illegal_bug_status_transition", `You are not allowed to ${move}.`);
}

/** Fault 32000: a comment is missing; `from` is null for a new bug. */
function commentRequiredFault(label: string, from: string | null, to: string): Fault {
  const change = `a comment when changing the ${label} of a bug from ${from || "(empty)"} to ${to || "(empty)"}`;
  return new Fault("other", `You have to specify ${from === null ? "a description for this bug" : change}.`);
}

/** Checks the milestone of a bug set to IN_PROGRESS, with `musthavemilestoneonaccept`. @throws Fault other */
function refuseMissingMilestone({ store, parameters }: Call, bug: Bug, to: string): void {
  const { usetargetmilestone, musthavemilestoneonaccept } = parameters;
  const isRequired = isEnabled(usetargetmilestone) && isEnabled(musthavemilestoneonaccept) && to === "IN_PROGRESS";
  const isUnset = bug.target_milestone === bug.product.default_milestone;
  if (isRequired && isUnset && productParts(store, bug.product.id, "milestone").length > 1)
    throw new Fault(
      "other",
      `You must select a target milestone for bug ${bug.id} if you are going to accept it. Part of accepting a bug is giving an estimate of when it will be fixed.`,
    );
}

function changeResolution(context: WriteContext, draft: BugDraft, { resolution, duplicate }: Target): BugDraft {
  const { after } = draft;
  const sent = asText(resolution, "resolution");
  const status = findStatus(context.workflow, after.status);
  if (sent.trim() === "" && !status.is_open)
    throw new Fault("missing_resolution", `A valid resolution is required to mark bugs as ${status.name}.`);
  const { name } = readChoice(choiceField(context.call.store, "resolution"), sent, after.resolution);
  if (status.is_open) throw new Fault("resolution_not_allowed", "You cannot set a resolution for open bugs.");
  if (name !== after.resolution) checkResolution(context, draft, name);
  if (name !== DUPLICATE) return withBug(draft, { resolution: name, dupe_of: null });
  if (duplicate === undefined && after.dupe_of === null)
    throw new Fault("dupe_id_required", "You must specify a bug id to mark this bug as a duplicate of.");
  const resolved = withBug(draft, { resolution: name });
  return duplicate === undefined ? resolved : markDuplicate(context, resolved, duplicate);
}

function checkResolution(
  { call: { store, parameters } }: WriteContext,
  { after, comment }: BugDraft,
  to: string,
): void {
  if (isEnabled(parameters.noresolveonopenblockers) && to === "FIXED") {
    const open = store.values(COUNT_OPEN, [after.depends_on])[0] ?? 0;
    if (open > 0)
      throw new Fault(
        "other",
        `Bug ${after.id} has ${open} unresolved ${open === 1 ? "dependency" : "dependencies"}. They must either be resolved or removed from the "Depends on" field before you can resolve this bug as FIXED.`,
      );
  }
  if (isEnabled(parameters.commentonchange_resolution) && !comment)
    throw commentRequiredFault("Resolution", after.resolution, to);
}

const COUNT_OPEN = `
  SELECT count(*) FROM bugs
  JOIN field_values ON field_values.name = bugs.status AND is_open
  WHERE field_id = (SELECT id FROM fields WHERE name = 'bug_status')
    AND bugs.id IN (SELECT value FROM json_each(?))`;

function markDuplicate(context: WriteContext, draft: BugDraft, sent: Json): BugDraft {
  const { call } = context;
  const { after } = draft;
  const text = asText(sent, "dupe_of").trim();
  if (text === "" || text === "0") throw new Fault("param_required", "Form field dup_id was not defined.");
  const originalId = findBugId(call, text);
  if (after.dupe_of === originalId) return draft;
  refuseDuplicateLoop(call, after.id, originalId);
  if (isEnabled(call.parameters.commentonduplicate) && !draft.comment)
    throw new Fault("other", "You have to specify a comment on this change.");
  const marked = withBug(draft, { dupe_of: originalId });
  const status = call.parameters.duplicate_or_move_bug_status;
  const closed =
    after.resolution === DUPLICATE ? marked : changeStatus(context, marked, { status, resolution: DUPLICATE });
  return { ...closed, comment: { ...(draft.comment ?? EMPTY_COMMENT), kind: "duplicate_of", about: originalId } };
}

/** Checks that a duplicate link closes no loop. @throws Fault dupe_loop_detected @see Bugzilla/Bug.pm, _check_dup_id */
function refuseDuplicateLoop({ store }: Call, bugId: number, originalId: number): void {
  if (originalId === bugId)
    throw new Fault("dupe_loop_detected", `You cannot mark bug ${bugId} as a duplicate of itself.`);
  if (store.get(`${ORIGINALS} SELECT id FROM originals WHERE id = @bugId`, { bugId, originalId }))
    throw new Fault(
      "dupe_loop_detected",
      `You cannot mark bug ${bugId} as a duplicate of bug ${originalId}, because it would create a duplicate loop.`,
    );
}

const ORIGINALS = `WITH RECURSIVE originals (id) AS (
  VALUES (@originalId) UNION SELECT dupe_of FROM bug_duplicates JOIN originals ON bug_id = originals.id)`;
