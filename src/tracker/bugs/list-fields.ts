import type { Component, NamedItem, Person, Product } from "../bug.ts";
import { findByName } from "../bug-fields/choices.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { userByLogin } from "../http/requester.ts";
import {
  groupControls,
  groupRemovalDeniedFault,
  groupRestrictionDeniedFault,
  isAddableGroup,
  isDefaultGroup,
  isMandatoryGroup,
  isRemovableGroup,
  isSettableGroup,
} from "../products/group-controls.ts";
import { uniqueBy } from "../unique-by.ts";
import { dependencyReaders, refuseDependencyLoop } from "./dependencies.ts";
import { type UpdateStep, type WriteContext, withBug } from "./draft.ts";
import { findBugId } from "./find.ts";
import { applyListEdit, readListEdit, readListItems } from "./list-edit.ts";
import { productRights } from "./rights.ts";
import { readSeeAlsoUrl } from "./see-also.ts";

/** Dependencies of a new bug; ignored unless the requester may edit bugs. */
export function readNewDependencies(
  context: WriteContext,
  product: Product,
): { depends_on: number[]; blocks: number[] } {
  const { call, input } = context;
  if (!productRights(call, product.id).mayEdit) return { depends_on: [], blocks: [] };
  const read = (name: string) => {
    const ids = readListItems(input[name], { name, takesText: true }).map((text) => findBugId(call, text));
    return uniqueBy(ids, (id) => id);
  };
  const dependencies = { depends_on: read("depends_on"), blocks: read("blocks") };
  refuseDependencyLoop({
    bugId: 0,
    dependsOn: dependencies.depends_on,
    blocks: dependencies.blocks,
    ...dependencyReaders(call),
  });
  return dependencies;
}

/**
 * Groups of a new bug: those sent, or the product's default groups; in any case its mandatory ones.
 * @throws Fault group_restriction_not_allowed if a group cannot be set
 * @see Bugzilla/Bug.pm, _check_groups
 */
export function readNewGroups({ call, input }: WriteContext, product: Product): NamedItem[] {
  const controls = groupControls(call, product.id);
  const sent = input["groups"];
  const names = typeof sent === "string" ? sent.split(",") : readListItems(sent, { name: "groups", takesText: false });
  const requested = names.map((text) => {
    const group = text.trim();
    const control = findByName(controls, group);
    if (!control || !isSettableGroup(control)) throw groupRestrictionDeniedFault({ group, product: product.name });
    return control;
  });
  const selected = sent === undefined ? controls.filter(isDefaultGroup) : requested;
  const groups = uniqueBy([...selected, ...controls.filter(isMandatoryGroup)], ({ id }) => id);
  return groups.map(({ id, name }) => ({ id, name }));
}

/** Keywords of a new bug, sorted by name. @throws Fault object_does_not_exist for an unknown keyword */
export function readNewKeywords({ call, input }: WriteContext): NamedItem[] {
  const names = readListItems(input["keywords"], { name: "keywords", takesText: true });
  return sortKeywords(
    uniqueBy(
      names.map((name) => findKeyword(call, name)),
      ({ id }) => id,
    ),
  );
}

/** CC list of a new bug: users sent, and the component's default CC. @throws Fault invalid_username for an unknown login */
export function readNewCc({ call, input }: WriteContext, component: Component): Person[] {
  const people = readListItems(input["cc"], { name: "cc", takesText: true }).map((login): Person => {
    const user = userByLogin(call.store, login);
    if (!user) {
      throw new Fault(
        "invalid_username",
        `The name ${login} is not a valid username. Either you misspelled it, or the person has not registered for a Bugzilla account.`,
      );
    }
    return { id: user.id, login: user.login };
  });
  return uniqueBy([...people, ...call.store.all<Person>(COMPONENT_CC, [component.id])], ({ id }) => id);
}

const COMPONENT_CC = `SELECT id, login FROM component_cc JOIN users ON users.id = user_id WHERE component_id = ?
  ORDER BY login`;

/** See Also URLs of a new bug. */
export function readNewSeeAlso({ call, input }: WriteContext): string[] {
  return uniqueBy(
    readListItems(input["see_also"], { name: "see_also", takesText: true }).map((text) =>
      readSeeAlsoUrl(call, text, 0),
    ),
    (url) => url.toLowerCase(),
  );
}

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
 * Update of the groups that a bug is restricted to.
 * @throws Fault group_restriction_not_allowed if a group cannot be added or removed in the bug's product
 * @see Bugzilla/Bug.pm, add_group and remove_group
 */
export const updateBugGroups: UpdateStep = ({ call, input }, draft) => {
  const edit = readListEdit(input, "groups", { takesSet: false, takesText: false });
  if (!edit) return draft;
  const { before, after } = draft;
  const isMoving = before.product.id !== after.product.id;
  const controls = groupControls(call, after.product.id);
  const groupEdit = (group: string) => ({ group, bugId: after.id, product: after.product.name });
  const add = (list: readonly NamedItem[], name: string): readonly NamedItem[] => {
    const control = findByName(controls, name);
    if (findByName(list, name)) return list;
    if (!control || !isAddableGroup(control, isMoving)) throw groupRestrictionDeniedFault(groupEdit(name));
    return [...list, { id: control.id, name: control.name }];
  };
  const remove = (list: readonly NamedItem[], name: string): readonly NamedItem[] => {
    const group = findByName(list, name);
    const control = findByName(controls, name);
    if (!group || (control && !isRemovableGroup(control, isMoving))) throw groupRemovalDeniedFault(groupEdit(name));
    return list.filter(({ id }) => id !== group.id);
  };
  return withBug(draft, { groups: edit.remove.reduce(remove, edit.add.reduce(add, after.groups)) });
};
