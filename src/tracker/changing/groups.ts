import { groupControls } from "../products/controls.ts";
import type { Named } from "../rules/bug.ts";
import { findNamed } from "../rules/choice.ts";
import { isAddable, isRemovable, removalDenied, restrictionDenied } from "../rules/group-controls.ts";
import { type Step, withBug } from "./draft.ts";
import { readEdit } from "./edits.ts";

/** The groups that a bug is restricted to: what comes must be for the product, what goes must be there. */
export const groups: Step = ({ call, input }, draft) => {
  const edit = readEdit(input, "groups", { takesSet: false, takesText: false });
  if (!edit) return draft;
  const { before, after } = draft;
  const isMoving = before.product.id !== after.product.id;
  const controls = groupControls(call, after.product.id);
  const wish = (group: string) => ({ group, bugId: after.id, product: after.product.name });
  const add = (list: readonly Named[], name: string): readonly Named[] => {
    const control = findNamed(controls, name);
    if (findNamed(list, name)) return list;
    if (!control || !isAddable(control, isMoving)) throw restrictionDenied(wish(name));
    return [...list, { id: control.id, name: control.name }];
  };
  const remove = (list: readonly Named[], name: string): readonly Named[] => {
    const group = findNamed(list, name);
    const control = findNamed(controls, name);
    if (!group || (control && !isRemovable(control, isMoving))) throw removalDenied(wish(name));
    return list.filter(({ id }) => id !== group.id);
  };
  return withBug(draft, { groups: edit.remove.reduce(remove, edit.add.reduce(add, after.groups)) });
};
