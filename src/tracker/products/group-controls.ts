import type { NamedItem } from "../bugs/bug.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";

/** How much of a say a product gives a group, by the numbers that the interface uses. */
export const GROUP_CONTROL = { notApplicable: 0, shown: 1, default: 2, mandatory: 3 } as const;

/** What one product says about one group, and whether the requester is in it. */
export type GroupControl = NamedItem & {
  readonly is_active: boolean; // and a group for bugs at all
  readonly member_control: number;
  readonly other_control: number;
  readonly is_member: boolean;
};

/** The groups that every bug of the product is in, whoever files it. */
export function isMandatoryGroup({ is_active, is_member, member_control, other_control }: GroupControl): boolean {
  return (
    is_active &&
    (member_control === GROUP_CONTROL.mandatory || (!is_member && other_control === GROUP_CONTROL.mandatory))
  );
}

/** The groups that a new bug is in when the requester says nothing about groups. */
export function isDefaultGroup(control: GroupControl): boolean {
  return isMandatoryGroup(control) || requesterControl(control) === GROUP_CONTROL.default;
}

/** The groups that the requester may put a new bug in. */
export function isSettableGroup(control: GroupControl): boolean {
  return isMandatoryGroup(control) || (control.is_active && OPTIONAL.has(requesterControl(control)));
}

const OPTIONAL: ReadonlySet<number> = new Set([GROUP_CONTROL.shown, GROUP_CONTROL.default]);

function requesterControl({ is_active, is_member, member_control, other_control }: GroupControl): number {
  const say = is_member ? member_control : other_control;
  return is_active ? say : GROUP_CONTROL.notApplicable;
}

/** Whether the requester may put an existing bug in a group: outsiders of the group only while moving it to this product. */
export function isAddableGroup(control: GroupControl, isMoving: boolean): boolean {
  return (
    isSettableGroup(control) &&
    (control.is_member || (isMoving && control.other_control !== GROUP_CONTROL.notApplicable))
  );
}

/** Whether the requester may take a bug out of a group that its product knows. */
export function isRemovableGroup(control: GroupControl, isMoving: boolean): boolean {
  if (control.member_control === GROUP_CONTROL.mandatory && control.is_active) return false;
  const outsiderMay = control.other_control === GROUP_CONTROL.shown || control.other_control === GROUP_CONTROL.default;
  return control.is_member || (isMoving && outsiderMay);
}

/**
 * A bug's groups after a move: none that the new product does not allow, and all that it requires.
 * @see Bugzilla/Product.pm, `groups_valid`: a group that is not applicable for its members is not allowed
 */
export function groupsAfterMove(groups: readonly NamedItem[], controls: readonly GroupControl[]): readonly NamedItem[] {
  const kept = groups.filter(({ id }) => controls.some((control) => control.id === id && isAllowed(control)));
  const wanted = controls.filter((control) => isMandatoryGroup(control) && !kept.some(({ id }) => id === control.id));
  return [...kept, ...wanted.map(({ id, name }) => ({ id, name }))];
}

function isAllowed({ member_control }: GroupControl): boolean {
  return member_control !== GROUP_CONTROL.notApplicable;
}

/** A wish about one group of one bug (none when it is new) in a product. */
export type GroupEdit = { readonly group: string; readonly bugId?: number; readonly product: string };

/** The refusal to put a bug in a group; it does not tell whether the group exists. */
export function groupRestrictionDenied({ group, bugId, product }: GroupEdit): Fault {
  return new Fault(
    401,
    120,
    `You tried to restrict ${bugId === undefined ? "a bug" : `bug ${bugId}`} to the '${group}' group, but either this group does not exist, or you are not allowed to restrict bugs to this group in the '${product}' product.`,
  );
}

/** The refusal to take a bug out of a group. */
export function groupRemovalDenied({ group, bugId, product }: GroupEdit): Fault {
  return new Fault(
    401,
    120,
    `You tried to remove bug ${bugId} from the '${group}' group, but either this group does not exist, or you are not allowed to remove bugs from this group in the '${product}' product.`,
  );
}

/** What a product says about groups, for the present requester. */
export function groupControls({ store }: Call, productId: number): readonly GroupControl[] {
  return store.all<ControlRow>(CONTROLS, [productId]).map((row) => ({
    ...row,
    is_active: row.is_active === 1,
    is_member: row.is_member === 1,
  }));
}

type ControlRow = {
  readonly id: number;
  readonly name: string;
  readonly is_active: number;
  readonly member_control: number;
  readonly other_control: number;
  readonly is_member: number;
};

const CONTROLS = `
  SELECT groups.id, groups.name, (groups.is_active AND groups.is_bug_group) AS is_active,
    member_control, other_control, groups.id IN (SELECT group_id FROM viewer_groups) AS is_member
  FROM group_controls JOIN groups ON groups.id = group_id
  WHERE product_id = ? ORDER BY groups.id`;
