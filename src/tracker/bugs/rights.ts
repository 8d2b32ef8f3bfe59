import { fieldByChartName, isTimeTracking } from "../fields.ts";
import { Fault } from "../http/fault.ts";
import { UNCONFIRMED, type Workflow } from "./workflow.ts";

/** Rights of the requester on a bug: group memberships and roles. */
export type RequesterRights = {
  readonly mayEdit: boolean; // editbugs, everywhere or in the bug's product
  readonly mayConfirm: boolean;
  readonly isTimeTracker: boolean;
  readonly isAssignee: boolean;
  readonly isQaContact: boolean;
  readonly isCreator: boolean;
};

/** A requested change of one field; old and new value as fault 115 shows them. */
export type RequestedChange = { readonly field: string; readonly from: string; readonly to: string };

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
  const changes = isConfirmed ? unconfirms : !unconfirms && isOpen(workflow, to);
  return field === "everconfirmed" || (field === "bug_status" && changes);
}

function isDeniedToCreator({ field, from, to }: RequestedChange, context: RightsContext): boolean {
  const { workflow, creatorsChoosePriority } = context;
  const movesBetweenOpen = field === "bug_status" && isOpen(workflow, from) && isOpen(workflow, to);
  return (
    fieldByChartName(field)?.right === "workers" ||
    movesBetweenOpen ||
    (field === "priority" && !creatorsChoosePriority)
  );
}

function isOpen({ statuses }: Workflow, status: string): boolean {
  return statuses.some(({ name, is_open }) => name === status && is_open);
}

/** Fault 115: the requester may not change a field; `label` is the field's display name. */
export function fieldChangeDenied(label: string, { from, to }: RequestedChange, role: string): Fault {
  const values = `${from === "" ? "" : `from ${from} `}${to === "" ? "" : `to ${to}`}`.trim();
  return new Fault(
    401,
    115,
    `You tried to change the ${label} field ${values}, but only ${role} with the required permissions may change that field.`,
  );
}
