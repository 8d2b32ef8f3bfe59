import type { Bug } from "../bug.ts";
import { isOpenStatus, UNCONFIRMED, type Workflow } from "../bug-fields/workflow.ts";
import { fieldByChartName, fieldLabel, isTimeTracking } from "../fields.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { isInGroup } from "../http/requester.ts";
import { isEnabled } from "../http/server-parameters.ts";
import type { WriteContext } from "./draft.ts";

/** Checks that the requester may change a field; `bug` is the bug before the update. @throws Fault illegal_change */
export function requireRight(context: WriteContext, bug: Bug, change: RequestedChange): void {
  const role = missingRight(context, bug, change);
  if (role !== undefined) {
    const customField = context.customFields.find(({ name }) => name === change.field);
    throw fieldChangeDeniedFault(customField?.label ?? fieldLabel(change.field), change, role);
  }
}

/** Role required for a change, as fault 115 names it; undefined if the requester may make it. `bug` is as before the update. */
export function missingRight(context: WriteContext, bug: Bug, change: RequestedChange): string | undefined {
  return requiredRole(change, requesterRights(context, bug), {
    workflow: context.workflow,
    isConfirmed: bug.is_confirmed,
    creatorsChoosePriority: isEnabled(context.call.parameters.letsubmitterchoosepriority),
  });
}

function requesterRights({ call, user }: WriteContext, bug: Bug): RequesterRights {
  return {
    ...productRights(call, bug.product.id),
    isTimeTracker: isInGroup(call.requester, call.parameters.timetrackinggroup),
    isAssignee: bug.assigned_to.id === user.id,
    isQaContact: isEnabled(call.parameters.useqacontact) && bug.qa_contact?.id === user.id,
    isCreator: bug.creator.id === user.id,
  };
}

/** Rights to edit and confirm all bugs of a product, from global groups and the product's group controls. */
export function productRights(call: Call, productId: number): { mayEdit: boolean; mayConfirm: boolean } {
  const { edits, confirms } = call.store.get<RightsRow>(RIGHTS, [productId]) ?? { edits: 0, confirms: 0 };
  return {
    mayEdit: isInGroup(call.requester, "editbugs") || edits === 1,
    mayConfirm: isInGroup(call.requester, "canconfirm") || confirms === 1,
  };
}

type RightsRow = { edits: number | null; confirms: number | null };

const RIGHTS = `SELECT max(edit_bugs) AS edits, max(can_confirm) AS confirms FROM group_controls
  WHERE product_id = ? AND group_id IN (SELECT group_id FROM viewer_groups)`;

/** Rights of the requester on a bug: group memberships and roles. */
export type RequesterRights = {
  mayEdit: boolean; // editbugs, everywhere or in the bug's product
  mayConfirm: boolean;
  isTimeTracker: boolean;
  isAssignee: boolean;
  isQaContact: boolean;
  isCreator: boolean;
};

/** A requested change of one field; old and new value as fault 115 shows them. */
export type RequestedChange = { field: string; from: string; to: string };

/** Other facts that the right to change a field depends on. */
export type RightsContext = {
  workflow: Workflow;
  isConfirmed: boolean; // the bug before the update
  creatorsChoosePriority: boolean;
};

/**
 * Role required for a change, as fault 115 names it; undefined if the rights permit the change.
 * @see Bugzilla/Bug.pm, check_can_change_field
 */
export function requiredRole(
  change: RequestedChange,
  rights: RequesterRights,
  context: RightsContext,
): string | undefined {
  return RIGHTS_RULES.find(({ applies }) => applies(change, rights, context))?.role;
}

const PRIVILEGED_USER = "a user";
const ASSIGNEE = "the assignee of the bug, or a user";
const CREATOR = "the assignee or reporter of the bug, or a user";

type RightsRule = {
  applies: (change: RequestedChange, rights: RequesterRights, context: RightsContext) => boolean;
  role?: string; // undefined: permitted
};

// The first rule that applies decides.
const RIGHTS_RULES: readonly RightsRule[] = [
  { applies: ({ field }) => fieldByChartName(field)?.right === "everybody" },
  { applies: ({ field, from }) => field === "cc" && from === "" }, // anybody may add users, not remove them
  {
    applies: ({ field }, { isTimeTracker }) => isTimeTracking(field) && !isTimeTracker,
    role: PRIVILEGED_USER,
  },
  { applies: (_change, { mayEdit }) => mayEdit },
  {
    applies: (change, { mayConfirm }, context) => changesConfirmation(change, context) && !mayConfirm,
    role: PRIVILEGED_USER,
  },
  { applies: (change, _rights, context) => changesConfirmation(change, context) },
  { applies: (_change, { isAssignee, isQaContact }) => isAssignee || isQaContact },
  { applies: (change, _rights, context) => isDeniedToCreator(change, context), role: ASSIGNEE },
  { applies: (_change, { isCreator }) => isCreator },
  { applies: () => true, role: CREATOR },
];

function changesConfirmation({ field, to }: RequestedChange, { workflow, isConfirmed }: RightsContext): boolean {
  const unconfirms = to === UNCONFIRMED;
  const changes = isConfirmed ? unconfirms : !unconfirms && isOpenStatus(workflow, to);
  return field === "everconfirmed" || (field === "bug_status" && changes);
}

function isDeniedToCreator({ field, from, to }: RequestedChange, context: RightsContext): boolean {
  const { workflow, creatorsChoosePriority } = context;
  const movesBetweenOpen = field === "bug_status" && isOpenStatus(workflow, from) && isOpenStatus(workflow, to);
  return (
    fieldByChartName(field)?.right === "workers" ||
    movesBetweenOpen ||
    (field === "priority" && !creatorsChoosePriority)
  );
}

/** Fault 115: the requester may not change a field; `label` is the field's display name. */
export function fieldChangeDeniedFault(label: string, { from, to }: RequestedChange, role: string): Fault {
  const values = `${from === "" ? "" : `from ${from} `}${to === "" ? "" : `to ${to}`}`.trim();
  return new Fault(
    "illegal_change",
    `You tried to change the ${label} field ${values}, but only ${role} with the required permissions may change that field.`,
  );
}
