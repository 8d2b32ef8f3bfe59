import type { NamedItem } from "../bug.ts";
import { findByName } from "../bug-fields/choices.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import {
  type GroupControl,
  groupControls,
  groupRemovalDeniedFault,
  groupRestrictionDeniedFault,
  isAddableGroup,
  isDefaultGroup,
  isRemovableGroup,
  isSettableGroup,
} from "../products/group-controls.ts";
import { isNew, type UpdateStep, withBug } from "./draft.ts";
import { applyListEdit, readListEdit } from "./list-edit.ts";

/** Update of keywords, sorted by name. */
export const updateKeywords: UpdateStep = ({ call, input }, draft) => {
  const edit = readListEdit(input, "keywords", { takesSet: true, takesText: true });
  if (!edit) return draft;
  const keywords = (names: string[]) => names.map((name) => findKeyword(call, name));
  const { add, remove, set } = edit;
  const list = applyListEdit(
    draft.after.keywords,
    { add: keywords(add), remove: keywords(remove), ...(set ? { set: keywords(set) } : {}) },
    ({ id }) => id,
  );
  return withBug(draft, { keywords: sortKeywords(list) });
};

/** A keyword by name in any letter case. @throws Fault object_does_not_exist */
function findKeyword({ store }: Call, name: string): NamedItem {
  const keyword = store.get<NamedItem>("SELECT id, name FROM keywords WHERE name = ?", [name]);
  if (!keyword)
    throw new Fault(
      "object_does_not_exist",
      `There is no keyword named '${name}'. See the list of available keywords.`,
    );
  return keyword;
}

function sortKeywords(list: NamedItem[]): NamedItem[] {
  return [...list].sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/**
 * Update of the groups that a bug is restricted to; a new bug without the parameter is in the product's default groups.
 * @throws Fault group_restriction_not_allowed if a group cannot be added or removed in the bug's product
 * @see Bugzilla/Bug.pm, add_group and remove_group
 */
export const updateBugGroups: UpdateStep = ({ call, input }, draft) => {
  const edit = readListEdit(input, "groups", { takesSet: false, takesText: false });
  const { before, after } = draft;
  const controls = groupControls(call, after.product.id);
  if (!edit) return isNew(draft) ? withBug(draft, { groups: controls.filter(isDefaultGroup).map(namedItem) }) : draft;
  const isMoving = before.product.id !== after.product.id;
  const isAddable = (control: GroupControl) =>
    isNew(draft) ? isSettableGroup(control) : isAddableGroup(control, isMoving);
  const groupEdit = (group: string) => ({ group, bugId: after.id, product: after.product.name });
  const add = (list: readonly NamedItem[], name: string): readonly NamedItem[] => {
    const control = findByName(controls, name);
    if (findByName(list, name)) return list;
    if (!control || !isAddable(control)) throw groupRestrictionDeniedFault(groupEdit(name));
    return [...list, namedItem(control)];
  };
  const remove = (list: readonly NamedItem[], name: string): readonly NamedItem[] => {
    const group = findByName(list, name);
    const control = findByName(controls, name);
    if (!group || (control && !isRemovableGroup(control, isMoving))) throw groupRemovalDeniedFault(groupEdit(name));
    return list.filter(({ id }) => id !== group.id);
  };
  return withBug(draft, { groups: edit.remove.reduce(remove, edit.add.reduce(add, after.groups)) });
};

function namedItem({ id, name }: NamedItem): NamedItem {
  return { id, name };
}
