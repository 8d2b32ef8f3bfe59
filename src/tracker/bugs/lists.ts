import type { Json } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { NamedItem, Person } from "../bug.ts";
import { findByName } from "../bug-fields/choices.ts";
import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { findPerson, userByLogin } from "../http/requester.ts";
import {
  type GroupControl,
  groupControls,
  groupEditDeniedFault,
  isAddableGroup,
  isDefaultGroup,
  isRemovableGroup,
  isSettableGroup,
} from "../products/group-controls.ts";
import { isNew, type UpdateStep, withBug } from "./draft.ts";
import { aliasOwner, isBugVisible } from "./find.ts";
import { applyListEdit, differenceBy, type ListEdit, readListEdit, readListItems } from "./list-edit.ts";
import { requireRight } from "./rights.ts";

/** Update of keywords, sorted by name. */
export const updateKeywords: UpdateStep = ({ call, input }, draft) => {
  const edit = readListEdit(input, "keywords", { takesSet: true, takesText: true });
  if (!edit) return draft;
  const keywords = applyListEdit(draft.after.keywords, mapEdit(edit, findKeyword(call)), ({ id }) => id);
  return withBug(draft, { keywords: keywords.sort((a, b) => a.name.localeCompare(b.name, "en")) });
};

/** The edit with each item read by a function. */
function mapEdit<T>({ add, remove, set }: ListEdit<string>, read: (item: string) => T): ListEdit<T> {
  return { add: add.map(read), remove: remove.map(read), ...(set ? { set: set.map(read) } : {}) };
}

/** Lookup of a keyword by name in any letter case, @throws Fault object_does_not_exist */
function findKeyword({ store }: Call) {
  return (name: string): NamedItem => {
    const keyword = store.get<NamedItem>("SELECT id, name FROM keywords WHERE name = ?", [name]);
    if (keyword) return keyword;
    throw new Fault(
      "object_does_not_exist",
      `There is no keyword named '${name}'. See the list of available keywords.`,
    );
  };
}

/**
 * Update of the groups that a bug is restricted to; a new bug without the parameter is in the product's default groups.
 * @throws Fault group_restriction_not_allowed if a group cannot be added or removed in the bug's product
 * @see Bugzilla/Bug.pm, add_group and remove_group
 */
export const updateBugGroups: UpdateStep = ({ call, input }, draft) => {
  const edit = readListEdit(input, "groups", { takesSet: false, takesText: false });
  const { before, after } = draft;
  if (!edit && !isNew(draft)) return draft;
  const controls = groupControls(call, after.product.id);
  if (!edit) return withBug(draft, { groups: controls.filter(isDefaultGroup).map(namedItem) });
  const isMoving = before.product.id !== after.product.id;
  const mayAdd = (control: GroupControl) =>
    isNew(draft) ? isSettableGroup(control) : isAddableGroup(control, isMoving);
  const add = (list: readonly NamedItem[], name: string) => {
    const control = findByName(controls, name);
    if (findByName(list, name)) return list;
    if (!control || !mayAdd(control)) throw groupEditDeniedFault("restrict", name, after);
    return [...list, namedItem(control)];
  };
  const remove = (list: readonly NamedItem[], name: string) => {
    const group = findByName(list, name);
    const control = findByName(controls, name);
    if (!group || (control && !isRemovableGroup(control, isMoving))) throw groupEditDeniedFault("remove", name, after);
    return list.filter(({ id }) => id !== group.id);
  };
  return withBug(draft, { groups: edit.remove.reduce(remove, edit.add.reduce(add, after.groups)) });
};

function namedItem({ id, name }: NamedItem): NamedItem {
  return { id, name };
}

/**
 * Update of CC. Anybody may add users and remove themselves; removing others requires the right to edit. A new bug has the
 * component's default CC, too.
 */
export const updateCc: UpdateStep = (context, draft) => {
  const { call, input, user } = context;
  const edit = readListEdit(input, "cc", { takesSet: false, takesText: false });
  if (!edit && !isNew(draft)) return draft;
  const usual = isNew(draft) ? call.store.all<Person>(COMPONENT_CC, [draft.after.component.id]) : [];
  const { add = [], remove = [] } = edit ?? {};
  const added = add.map((login) => (isNew(draft) ? findNewCc(call, login) : findPerson(call, login)));
  const removed = remove.map((login) => findPerson(call, login));
  const cc = applyListEdit(draft.after.cc, { add: [...added, ...usual], remove: removed }, ({ id }) => id);
  for (const { id, login } of differenceBy(draft.after.cc, cc, (person) => person.id))
    if (id !== user.id) requireRight(context, draft.before, { field: "cc", from: login, to: "" });
  return withBug(draft, { cc });
};

const COMPONENT_CC = `SELECT id, login FROM component_cc JOIN users ON users.id = user_id WHERE component_id = ?
  ORDER BY login`;

function findNewCc({ store }: Call, login: string): Person {
  const user = userByLogin(store, login);
  if (user) return { id: user.id, login: user.login };
  throw new Fault(
    "invalid_username",
    `The name ${login} is not a valid username. Either you misspelled it, or the person has not registered for a Bugzilla account.`,
  );
}

/** Update of aliases by `{add, remove, set}`; a string or a list sets them. @throws Fault alias_in_use */
export const updateAliases: UpdateStep = ({ call, input }, draft) => {
  const value = input["alias"];
  if (value === undefined) return draft;
  const alias = applyListEdit(draft.after.alias, aliasEdit(value, isNew(draft)), (item) => item.toLowerCase());
  for (const name of alias) {
    const owner = aliasOwner(call.store, name);
    if (owner === undefined || owner === draft.after.id) continue;
    const shown = isBugVisible(call.store, owner) ? `Bug ${owner}` : "Another bug";
    throw new Fault("alias_in_use", `${shown} has already taken the alias ${name}. Please choose another alias.`);
  }
  return withBug(draft, { alias });
};

// Of an item with a space or comma, an update takes the first word; a new bug is refused.
function aliasEdit(value: Json, isStrict: boolean): ListEdit<string> {
  const read = (item: string) => readAlias(isStrict ? item : (item.split(/[\s,]+/)[0] ?? ""));
  if (!isObject(value))
    return { add: [], remove: [], set: readListItems(value, { name: "alias", takesText: true }).map(read) };
  const { remove = [], ...edit } = readListEdit({ alias: value }, "alias", { takesSet: true, takesText: true }) ?? {};
  return { ...mapEdit({ add: [], ...edit, remove: [] }, read), remove };
}

const MAX_ALIAS_LENGTH = 40;

/** A well-formed alias, trimmed. @throws Fault alias_in_use @see Bugzilla/Bug.pm, _check_alias */
function readAlias(text: string): string {
  const alias = text.trim();
  if ([...alias].length > MAX_ALIAS_LENGTH)
    throw new Fault(
      "alias_in_use",
      `Bug aliases cannot be longer than ${MAX_ALIAS_LENGTH} characters. Please choose a shorter alias.`,
    );
  if (/^\d+$/.test(alias))
    throw new Fault(
      "alias_in_use",
      `You tried to give this bug the alias ${alias}, but aliases cannot be merely numbers, since they could then be confused with bug IDs. Please choose an alias containing at least one letter.`,
    );
  if (/[\s,]/.test(alias))
    throw new Fault(
      "alias_in_use",
      `The alias you entered, ${alias}, contains one or more commas or spaces. Aliases cannot contain commas or spaces because those characters are used to separate aliases from each other in lists. Please choose an alias that does not contain commas and spaces.`,
    );
  return alias;
}
