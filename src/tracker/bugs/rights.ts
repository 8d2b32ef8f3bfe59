import { Fault } from "../http/fault.ts";
import { TIME_TRACKING_FIELDS } from "./field-names.ts";
import { UNCONFIRMED, type Workflow } from "./workflow.ts";

/** What somebody is to a bug, as far as changing it goes. */
export type RequesterRights = {
  readonly mayEdit: boolean; // editbugs, everywhere or in the bug's product
  readonly mayConfirm: boolean;
  readonly isTimeTracker: boolean;
  readonly isAssignee: boolean;
  readonly isQaContact: boolean;
  readonly isCreator: boolean;
};

/** A change of one field that somebody wants to make; the values as refusals show them. */
export type WantedChange = { readonly field: string; readonly from: string; readonly to: string };

/** What else the right to change a field depends on. */
export type RightsContext = {
  readonly workflow: Workflow;
  readonly isConfirmed: boolean; // the bug, as it was
  readonly creatorsChoosePriority: boolean;
};

/** Who would be needed for a change that this standing does not permit; undefined when it does. */
export function requiredRole(
  wanted: WantedChange,
  standing: RequesterRights,
  circumstances: RightsContext,
): string | undefined {
  return RIGHTS_RULES.find(({ decides }) => decides(wanted, standing, circumstances))?.needs;
}

const FREE_FIELDS: ReadonlySet<string> = new Set(["longdesc", "flagtypes.name", "alias"]);

const EMPOWERED = "a user";
const ASSIGNEE = "the assignee of the bug, or a user";
const CREATOR = "the assignee or reporter of the bug, or a user";

type RightsRule = {
  readonly decides: (wanted: WantedChange, standing: RequesterRights, circumstances: RightsContext) => boolean;
  readonly needs?: string; // none: permitted
};

// The first rung that decides is the answer.
const RIGHTS_RULES: readonly RightsRule[] = [
  { decides: ({ field }) => FREE_FIELDS.has(field) },
  { decides: ({ field, from }) => field === "cc" && from === "" }, // anybody may add, not everybody take off
  { decides: ({ field }, { isTimeTracker }) => TIME_TRACKING_FIELDS.has(field) && !isTimeTracker, needs: EMPOWERED },
  { decides: (_wanted, { mayEdit }) => mayEdit },
  {
    decides: (wanted, { mayConfirm }, circumstances) => changesConfirmation(wanted, circumstances) && !mayConfirm,
    needs: EMPOWERED,
  },
  { decides: (wanted, _standing, circumstances) => changesConfirmation(wanted, circumstances) },
  { decides: (_wanted, { isAssignee, isQaContact }) => isAssignee || isQaContact },
  { decides: (wanted, _standing, circumstances) => isAboveCreators(wanted, circumstances), needs: ASSIGNEE },
  { decides: (_wanted, { isCreator }) => isCreator },
  { decides: () => true, needs: CREATOR },
];

const NOT_FOR_CREATORS: ReadonlySet<string> = new Set(["assigned_to", "qa_contact", "target_milestone"]);

function changesConfirmation({ field, to }: WantedChange, { workflow, isConfirmed }: RightsContext): boolean {
  const unconfirms = to === UNCONFIRMED;
  const changes = isConfirmed ? unconfirms : !unconfirms && isOpen(workflow, to);
  return field === "everconfirmed" || (field === "bug_status" && changes);
}

function isAboveCreators({ field, from, to }: WantedChange, circumstances: RightsContext): boolean {
  const { workflow, creatorsChoosePriority } = circumstances;
  const movesAmongOpen = field === "bug_status" && isOpen(workflow, from) && isOpen(workflow, to);
  return NOT_FOR_CREATORS.has(field) || movesAmongOpen || (field === "priority" && !creatorsChoosePriority);
}

function isOpen({ statuses }: Workflow, status: string): boolean {
  return statuses.some(({ name, is_open }) => name === status && is_open);
}

/** The refusal of a change, naming the field as people know it, the values when there are any, and who could do it. */
export function fieldChangeDenied(label: string, { from, to }: WantedChange, needed: string): Fault {
  const values = `${from === "" ? "" : `from ${from} `}${to === "" ? "" : `to ${to}`}`.trim();
  return new Fault(
    401,
    115,
    `You tried to change the ${label} field ${values}, but only ${needed} with the required permissions may change that field.`,
  );
}
