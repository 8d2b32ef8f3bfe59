import type { Bug, NamedItem } from "../bug.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { withBooleans } from "../values.ts";

/**
 * Values of the group controls of a product.
 * @see Bugzilla/Constants.pm, CONTROLMAPNA, CONTROLMAPSHOWN, CONTROLMAPDEFAULT and CONTROLMAPMANDATORY
 */
export const GROUP_CONTROL = { notApplicable: 0, shown: 1, default: 2, mandatory: 3 } as const;

/** Group control of one product and one group, and the requester's membership. */
export type GroupControl = NamedItem & {
  readonly is_active: boolean; // active and a bug group
  readonly member_control: number;
  readonly other_control: number;
  readonly is_member: boolean;
};

/** True if every bug of the product must be in the group. */
export function isMandatoryGroup({ is_active, is_member, member_control, other_control }: GroupControl): boolean {
  return (
    is_active &&
    (member_control === GROUP_CONTROL.mandatory || (!is_member && other_control === GROUP_CONTROL.mandatory))
  );
}

/** True if a new bug is in the group when no groups are sent. */
export function isDefaultGroup(control: GroupControl): boolean {
  return isMandatoryGroup(control) || requesterControl(control) === GROUP_CONTROL.default;
}

/** True if the requester may put a new bug in the group. */
export function isSettableGroup(control: GroupControl): boolean {
  return isMandatoryGroup(control) || (control.is_active && OPTIONAL.has(requesterControl(control)));
}

const OPTIONAL: ReadonlySet<number> = new Set([GROUP_CONTROL.shown, GROUP_CONTROL.default]);

function requesterControl({ is_active, is_member, member_control, other_control }: GroupControl): number {
  const control = is_member ? member_control : other_control;
  return is_active ? control : GROUP_CONTROL.notApplicable;
}

/** True if the requester may add an existing bug to the group; non-members only while moving it to this product. */
export function isAddableGroup(control: GroupControl, isMoving: boolean): boolean {
  return (
    isSettableGroup(control) &&
    (control.is_member || (isMoving && control.other_control !== GROUP_CONTROL.notApplicable))
  );
}

/** True if the requester may remove a bug from the group. @see Bugzilla/Bug.pm, remove_group */
export function isRemovableGroup(control: GroupControl, isMoving: boolean): boolean {
  if (control.member_control === GROUP_CONTROL.mandatory && control.is_active) return false;
  const isOpenToOthers =
    control.other_control === GROUP_CONTROL.shown || control.other_control === GROUP_CONTROL.default;
  return control.is_member || (isMoving && isOpenToOthers);
}

/**
 * A bug's groups after a move to another product: those valid there, and its mandatory ones.
 * @see Bugzilla/Product.pm, groups_valid: a group that is not applicable for its members is invalid
 */
export function groupsAfterMove(groups: readonly NamedItem[], controls: GroupControl[]): NamedItem[] {
  const validGroups = groups.filter(({ id }) => controls.some((control) => control.id === id && isAllowed(control)));
  const added = controls.filter(
    (control) => isMandatoryGroup(control) && !validGroups.some(({ id }) => id === control.id),
  );
  return [...validGroups, ...added.map(({ id, name }) => ({ id, name }))];
}

function isAllowed({ member_control }: GroupControl): boolean {
  return member_control !== GROUP_CONTROL.notApplicable;
}

/** Fault 120: the bug cannot be put in the group, or taken out of it; does not disclose whether the group exists. */
export function groupEditDeniedFault(verb: "restrict" | "remove", group: string, { id, product }: Bug): Fault {
  const bug = id === 0 ? "a bug" : `bug ${id}`;
  const [move, allowed] = verb === "restrict" ? ["to", "restrict bugs to"] : ["from", "remove bugs from"];
  return new Fault(
    "group_restriction_not_allowed",
    `You tried to ${verb} ${bug} ${move} the '${group}' group, but either this group does not exist, or you are not allowed to ${allowed} this group in the '${product.name}' product.`,
  );
}

/** Group controls of a product for the requester. */
export function groupControls({ store }: Call, productId: number): GroupControl[] {
  return store.all<ControlRow>(CONTROLS, [productId]).map(withBooleans);
}

type ControlRow = Omit<GroupControl, "is_active" | "is_member"> & { is_active: number; is_member: number };

const CONTROLS = `
  SELECT groups.id, groups.name, (groups.is_active AND groups.is_bug_group) AS is_active,
    member_control, other_control, groups.id IN (SELECT group_id FROM viewer_groups) AS is_member
  FROM group_controls JOIN groups ON groups.id = group_id
  WHERE product_id = ? ORDER BY groups.id`;
