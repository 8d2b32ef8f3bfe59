import { Fault } from "../fault.ts";
import type { Named } from "./bug.ts";

/** How much of a say a product gives a group, by the numbers that the interface uses. */
export const CONTROL = { notApplicable: 0, shown: 1, default: 2, mandatory: 3 } as const;

/** What one product says about one group, and whether the requester is in it. */
export type GroupControl = Named & {
  readonly is_active: boolean; // and a group for bugs at all
  readonly member_control: number;
  readonly other_control: number;
  readonly is_member: boolean;
};

/** The groups that every bug of the product is in, whoever files it. */
export function isMandatory({ is_active, is_member, member_control, other_control }: GroupControl): boolean {
  return is_active && (member_control === CONTROL.mandatory || (!is_member && other_control === CONTROL.mandatory));
}

/** The groups that a new bug is in when the requester says nothing about groups. */
export function isDefault(control: GroupControl): boolean {
  return isMandatory(control) || ownSay(control) === CONTROL.default;
}

/** The groups that the requester may put a new bug in. */
export function isSettable(control: GroupControl): boolean {
  return isMandatory(control) || (control.is_active && OPTIONAL.has(ownSay(control)));
}

const OPTIONAL: ReadonlySet<number> = new Set([CONTROL.shown, CONTROL.default]);

function ownSay({ is_active, is_member, member_control, other_control }: GroupControl): number {
  const say = is_member ? member_control : other_control;
  return is_active ? say : CONTROL.notApplicable;
}

/** Whether the requester may put an existing bug in a group: outsiders of the group only while moving it to this product. */
export function isAddable(control: GroupControl, isMoving: boolean): boolean {
  return isSettable(control) && (control.is_member || (isMoving && control.other_control !== CONTROL.notApplicable));
}

/** Whether the requester may take a bug out of a group that its product knows. */
export function isRemovable(control: GroupControl, isMoving: boolean): boolean {
  if (control.member_control === CONTROL.mandatory && control.is_active) return false;
  const outsiderMay = control.other_control === CONTROL.shown || control.other_control === CONTROL.default;
  return control.is_member || (isMoving && outsiderMay);
}

/**
 * A bug's groups after a move: none that the new product does not allow, and all that it requires.
 * @see Bugzilla/Product.pm, `groups_valid`: a group that is not applicable for its members is not allowed
 */
export function groupsAfterMove(groups: readonly Named[], controls: readonly GroupControl[]): readonly Named[] {
  const kept = groups.filter(({ id }) => controls.some((control) => control.id === id && isAllowed(control)));
  const wanted = controls.filter((control) => isMandatory(control) && !kept.some(({ id }) => id === control.id));
  return [...kept, ...wanted.map(({ id, name }) => ({ id, name }))];
}

function isAllowed({ member_control }: GroupControl): boolean {
  return member_control !== CONTROL.notApplicable;
}

/** A wish about one group of one bug (none when it is new) in a product. */
export type GroupWish = { readonly group: string; readonly bugId?: number; readonly product: string };

/** The refusal to put a bug in a group; it does not tell whether the group exists. */
export function restrictionDenied({ group, bugId, product }: GroupWish): Fault {
  return new Fault(
    401,
    120,
    `You tried to restrict ${bugId === undefined ? "a bug" : `bug ${bugId}`} to the '${group}' group, but either this group does not exist, or you are not allowed to restrict bugs to this group in the '${product}' product.`,
  );
}

/** The refusal to take a bug out of a group. */
export function removalDenied({ group, bugId, product }: GroupWish): Fault {
  return new Fault(
    401,
    120,
    `You tried to remove bug ${bugId} from the '${group}' group, but either this group does not exist, or you are not allowed to remove bugs from this group in the '${product}' product.`,
  );
}
