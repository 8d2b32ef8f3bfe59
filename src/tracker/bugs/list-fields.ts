import { findByName } from "../bug-fields/choices.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import {
  groupControls,
  groupRemovalDenied,
  groupRestrictionDenied,
  isAddableGroup,
  isDefaultGroup,
  isMandatoryGroup,
  isRemovableGroup,
  isSettableGroup,
} from "../products/group-controls.ts";
import { userByLogin } from "../users/requester.ts";
import type { Bug, Component, NamedItem, Person, Product } from "./bug.ts";
import { dependencyReaders, refuseDependencyLoop } from "./dependencies.ts";
import { productRights, type UpdateStep, type WriteContext, withBug } from "./draft.ts";
import { findBugId } from "./find.ts";
import { applyListEdit, readListEdit, readListItems, uniqueBy } from "./list-edit.ts";
import { readSeeAlsoUrl } from "./see-also.ts";

/** The dependencies of a new bug; those who may not edit bugs set none. */
export function readNewDependencies(context: WriteContext, product: Product): Pick<Bug, "depends_on" | "blocks"> {
  const { call, input } = context;
  if (!productRights(call, product.id).mayEdit) return { depends_on: [], blocks: [] };
  const read = (name: string) => {
    const ids = readListItems(input[name], { name, takesText: true }).map((text) => findBugId(call, text));
    return uniqueBy(ids, (id) => id);
  };
  const ties = { depends_on: read("depends_on"), blocks: read("blocks") };
  refuseDependencyLoop({ bugId: 0, dependsOn: ties.depends_on, blocks: ties.blocks, ...dependencyReaders(call) });
  return ties;
}

/** The groups of a new bug: those asked for, or the product's defaults; always its mandatory ones. */
export function readNewGroups({ call, input }: WriteContext, product: Product): readonly NamedItem[] {
  const controls = groupControls(call, product.id);
  const sent = input["groups"];
  const names = typeof sent === "string" ? sent.split(",") : readListItems(sent, { name: "groups", takesText: false });
  const wanted = names.map((text) => {
    const group = text.trim();
    const control = findByName(controls, group);
    if (!control || !isSettableGroup(control)) throw groupRestrictionDenied({ group, product: product.name });
    return control;
  });
  const chosen = sent === undefined ? controls.filter(isDefaultGroup) : wanted;
  return uniqueBy([...chosen, ...controls.filter(isMandatoryGroup)], ({ id }) => id).map(({ id, name }) => ({
    id,
    name,
  }));
}

/** The keywords of a new bug. */
export function readNewKeywords({ call, input }: WriteContext): readonly NamedItem[] {
  const names = readListItems(input["keywords"], { name: "keywords", takesText: true });
  return sortKeywords(
    uniqueBy(
      names.map((name) => findKeyword(call, name)),
      ({ id }) => id,
    ),
  );
}

/** Who is told of a new bug: those named, and those whom the component always tells. */
export function readNewCc({ call, input }: WriteContext, component: Component): readonly Person[] {
  const named = readListItems(input["cc"], { name: "cc", takesText: true }).map((login): Person => {
    const user = userByLogin(call.store, login);
    if (!user) {
      throw new Fault(
        401,
        504,
        `The name ${login} is not a valid username. Either you misspelled it, or the person has not registered for a Bugzilla account.`,
      );
    }
    return { id: user.id, login: user.login };
  });
  return uniqueBy([...named, ...call.store.all<Person>(COMPONENT_CC, [component.id])], ({ id }) => id);
}

const COMPONENT_CC = `SELECT id, login FROM component_cc JOIN users ON users.id = user_id WHERE component_id = ?
  ORDER BY login`;

/** Where else a new bug is talked about. */
export function readNewSeeAlso({ call, input }: WriteContext): readonly string[] {
  return uniqueBy(
    readListItems(input["see_also"], { name: "see_also", takesText: true }).map((text) =>
      readSeeAlsoUrl(call, text, 0),
    ),
    (url) => url.toLowerCase(),
  );
}

/** The keywords of a bug, in the order of the alphabet. */
export const updateKeywords: UpdateStep = ({ call, input }, draft) => {
  const edit = readListEdit(input, "keywords", { takesSet: true, takesText: true });
  if (!edit) return draft;
  const found = (names: readonly string[]) => names.map((name) => findKeyword(call, name));
  const { add, remove, set } = edit;
  const list = applyListEdit(
    draft.after.keywords,
    { add: found(add), remove: found(remove), ...(set ? { set: found(set) } : {}) },
    ({ id }) => id,
  );
  return withBug(draft, { keywords: sortKeywords(list) });
};

/** A keyword by name in any letter case. */
function findKeyword({ store }: Call, name: string): NamedItem {
  const keyword = store.get<NamedItem>("SELECT id, name FROM keywords WHERE name = ?", [name]);
  if (!keyword) throw new Fault(404, 51, `There is no keyword named '${name}'. See the list of available keywords.`);
  return keyword;
}

/** Keywords as bugs list them. */
function sortKeywords(list: readonly NamedItem[]): readonly NamedItem[] {
  return [...list].sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/** The groups that a bug is restricted to: what comes must be for the product, what goes must be there. */
export const updateBugGroups: UpdateStep = ({ call, input }, draft) => {
  const edit = readListEdit(input, "groups", { takesSet: false, takesText: false });
  if (!edit) return draft;
  const { before, after } = draft;
  const isMoving = before.product.id !== after.product.id;
  const controls = groupControls(call, after.product.id);
  const wish = (group: string) => ({ group, bugId: after.id, product: after.product.name });
  const add = (list: readonly NamedItem[], name: string): readonly NamedItem[] => {
    const control = findByName(controls, name);
    if (findByName(list, name)) return list;
    if (!control || !isAddableGroup(control, isMoving)) throw groupRestrictionDenied(wish(name));
    return [...list, { id: control.id, name: control.name }];
  };
  const remove = (list: readonly NamedItem[], name: string): readonly NamedItem[] => {
    const group = findByName(list, name);
    const control = findByName(controls, name);
    if (!group || (control && !isRemovableGroup(control, isMoving))) throw groupRemovalDenied(wish(name));
    return list.filter(({ id }) => id !== group.id);
  };
  return withBug(draft, { groups: edit.remove.reduce(remove, edit.add.reduce(add, after.groups)) });
};
