import { isOpenStatus, UNCONFIRMED } from "../bug-fields/values.ts";
import { type Bug, fieldByChartName, fieldLabel, isTimeTracking } from "../fields.ts";
import { type Call, isEnabled, isInGroup } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import type { WriteContext } from "./draft.ts";

/** A requested change of one field; old and new value as fault 115 shows them. */
export type RequestedChange = { readonly field: string; readonly from: string; readonly to: string };

/** Checks that the requester may change a field; `bug` is the bug before the update. @throws Fault illegal_change */
export function requireRight(context: WriteContext, bug: Bug, change: RequestedChange): void {
  const role = missingRight(context, bug, change);
  if (role === undefined) return;
  const { field, from, to } = change;
  const label = context.customFields.find(({ name }) => name === field)?.label ?? fieldLabel(field);
  const values = `${from === "" ? "" : `from ${from} `}${to === "" ? "" : `to ${to}`}`.trim();
  throw new Fault(
    "illegal_change",
    `You tried to change the ${label} field ${values}, but only ${role} with the required permissions may change that field.`,
  );
}

/**
 * Role required for a change, as fault 115 names it; undefined if the requester may make it. `bug` is as before the update.
 * @see Bugzilla/Bug.pm, check_can_change_field
 */
export function missingRight(context: WriteContext, bug: Bug, change: RequestedChange): string | undefined {
  const { call, user } = context;
  const { field, from } = change;
  const { timetrackinggroup, useqacontact } = call.parameters;
  const isAddedToCc = field === "cc" && from === "";
  if (fieldByChartName(field)?.right === "everybody" || isAddedToCc) return undefined;
  if (isTimeTracking(field) && !isInGroup(call.requester, timetrackinggroup)) return "a user";
  const { mayEdit, mayConfirm } = productRights(call, bug.product.id);
  if (mayEdit) return undefined;
  if (changesConfirmation(context, bug, change)) return mayConfirm ? undefined : "a user";
  const workers = [bug.assigned_to.id, isEnabled(useqacontact) ? bug.qa_contact?.id : undefined];
  if (workers.includes(user.id)) return undefined;
  if (isDeniedToCreator(context, change)) return "the assignee of the bug, or a user";
  return bug.creator.id === user.id ? undefined : "the assignee or reporter of the bug, or a user";
}

function changesConfirmation({ workflow }: WriteContext, bug: Bug, { field, to }: RequestedChange): boolean {
  const changes = to === UNCONFIRMED ? bug.is_confirmed : !bug.is_confirmed && isOpenStatus(workflow, to);
  return field === "everconfirmed" || (field === "bug_status" && changes);
}

function isDeniedToCreator({ call, workflow }: WriteContext, { field, from, to }: RequestedChange): boolean {
  if (field === "bug_status") return isOpenStatus(workflow, from) && isOpenStatus(workflow, to);
  if (field === "priority") return !isEnabled(call.parameters.letsubmitterchoosepriority);
  return fieldByChartName(field)?.right === "workers";
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
