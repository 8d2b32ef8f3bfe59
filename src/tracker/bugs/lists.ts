import { type Json, type JsonObject, parsedUrl } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { findByName } from "../bug-fields/values.ts";
import type { Bug, NamedItem, Person } from "../fields.ts";
import { type Call, findPerson, userByLogin } from "../http/call.ts";
import {
  type GroupControl,
  groupEditDeniedFault,
  isDefaultGroup,
  loadGroupControls,
  mayAddGroup,
  mayFileInGroup,
  mayRemoveGroup,
} from "../products/products.ts";
import { asText, differenceBy, Fault, faults, raise, uniqueBy } from "../values.ts";
import {
  type BugDraft,
  bugIdByAlias,
  findBugId,
  isBugVisible,
  isMoved,
  isNew,
  productRights,
  requireRight,
  type UpdateStep,
  visibleBugIdByAlias,
  withBug,
} from "./draft.ts";

/** Update of keywords, sorted by name. */
export const updateKeywords: UpdateStep = ({ call, input }, draft) => {
  const edit = readListEdit(input, "keywords", readListOrText);
  if (!edit) return draft;
  const find = (name: string) => findKeyword(call, name);
  const found = { add: edit.add.map(find), remove: edit.remove.map(find), set: edit.set?.map(find) };
  const keywords = applyListEdit(draft.after.keywords, found, ({ id }) => id);
  return withBug(draft, { keywords: keywords.sort((a, b) => a.name.localeCompare(b.name, "en")) });
};

/** The keyword with this name in any letter case. @throws Fault object_does_not_exist */
function findKeyword({ store }: Call, name: string): NamedItem {
  const text = `There is no keyword named '${name}'. See the list of available keywords.`;
  return (
    store.get<NamedItem>("SELECT id, name FROM keywords WHERE name = ?", [name]) ??
    raise(new Fault("object_does_not_exist", text))
  );
}

/**
 * Update of the groups that a bug is restricted to; a new bug without the parameter is in the product's default groups.
 * @throws Fault group_restriction_not_allowed if a group cannot be added or removed in the bug's product
 * @see Bugzilla/Bug.pm, add_group and remove_group
 */
export const updateBugGroups: UpdateStep = ({ call, input }, draft) => {
  const edit = readListEdit(input, "groups");
  if (!edit && !isNew(draft)) return draft;
  const controls = loadGroupControls(call, draft.after.product.id);
  if (!edit) return withBug(draft, { groups: controls.filter(isDefaultGroup).map(namedItem) });
  let next = draft;
  for (const name of edit.add) next = addGroup(next, controls, name);
  for (const name of edit.remove) next = removeGroup(next, controls, name);
  return next;
};

function namedItem({ id, name }: NamedItem): NamedItem {
  return { id, name };
}

function addGroup(draft: BugDraft, controls: readonly GroupControl[], name: string): BugDraft {
  const { groups } = draft.after;
  if (findByName(groups, name)) return draft;
  const control = findByName(controls, name);
  const isAllowed = control && (isNew(draft) ? mayFileInGroup(control) : mayAddGroup(control, isMoved(draft)));
  if (!isAllowed) throw groupEditDeniedFault("restrict", name, draft.after);
  return withBug(draft, { groups: [...groups, namedItem(control)] });
}

function removeGroup(draft: BugDraft, controls: readonly GroupControl[], name: string): BugDraft {
  const { groups } = draft.after;
  const group = findByName(groups, name);
  const control = findByName(controls, name);
  const isDenied = control && !mayRemoveGroup(control, isMoved(draft));
  if (!group || isDenied) throw groupEditDeniedFault("remove", name, draft.after);
  return withBug(draft, { groups: groups.filter(({ id }) => id !== group.id) });
}

/**
 * Update of CC. Anybody may add users and remove themselves; removing others requires the right to edit. A new bug has the
 * component's default CC, too.
 */
export const updateCc: UpdateStep = (context, draft) => {
  const { call, input, user } = context;
  const edit = readListEdit(input, "cc");
  if (!edit && !isNew(draft)) return draft;
  const defaultCc = isNew(draft) ? call.store.all<Person>(COMPONENT_CC, [draft.after.component.id]) : [];
  const { add = [], remove = [] } = edit ?? {};
  const added = add.map((login) => (isNew(draft) ? findCcOfNewBug(call, login) : findPerson(call, login)));
  const removed = remove.map((login) => findPerson(call, login));
  const cc = applyListEdit(draft.after.cc, { add: [...added, ...defaultCc], remove: removed }, ({ id }) => id);
  for (const { id, login } of differenceBy(draft.after.cc, cc, (person) => person.id))
    if (id !== user.id) requireRight(context, draft.before, { field: "cc", from: login, to: "" });
  return withBug(draft, { cc });
};

const COMPONENT_CC = `SELECT id, login FROM component_cc JOIN users ON users.id = user_id WHERE component_id = ?
  ORDER BY login`;

function findCcOfNewBug({ store }: Call, login: string): Person {
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
  const alias = applyListEdit(draft.after.alias, readAliasEdit(value, draft), (name) => name.toLowerCase());
  for (const name of alias) {
    const bugId = bugIdByAlias(call.store, name);
    if (bugId === undefined || bugId === draft.after.id) continue;
    const owner = isBugVisible(call.store, bugId) ? `Bug ${bugId}` : "Another bug";
    throw new Fault("alias_in_use", `${owner} has already taken the alias ${name}. Please choose another alias.`);
  }
  return withBug(draft, { alias });
};

// Of an item with a space or comma, an update takes the first word; a new bug is refused.
function readAliasEdit(value: Json, draft: BugDraft): ListEdit<string> {
  const read = (item: string) => readAlias(isNew(draft) ? item : (item.split(/[\s,]+/)[0] ?? ""));
  const alias = isObject(value) ? value : { set: value ?? [] };
  const { add = [], remove = [], set } = readListEdit({ alias }, "alias", readListOrText) ?? {};
  return { add: add.map(read), remove, set: set?.map(read) };
}

const MAX_ALIAS_LENGTH = 40;

/** A well-formed alias, trimmed. @throws Fault alias_in_use @see Bugzilla/Bug.pm, _check_alias */
function readAlias(text: string): string {
  const alias = text.trim();
  const problem = aliasProblem(alias);
  if (problem !== undefined) throw new Fault("alias_in_use", problem);
  return alias;
}

function aliasProblem(alias: string): string | undefined {
  if ([...alias].length > MAX_ALIAS_LENGTH)
    return `Bug aliases cannot be longer than ${MAX_ALIAS_LENGTH} characters. Please choose a shorter alias.`;
  if (/^\d+$/.test(alias))
    return `You tried to give this bug the alias ${alias}, but aliases cannot be merely numbers, since they could then be confused with bug IDs. Please choose an alias containing at least one letter.`;
  if (/[\s,]/.test(alias))
    return `The alias you entered, ${alias}, contains one or more commas or spaces. Aliases cannot contain commas or spaces because those characters are used to separate aliases from each other in lists. Please choose an alias that does not contain commas and spaces.`;
  return undefined;
}

/** The `{add, remove, set}` of a parameter; undefined if not sent. @throws Fault other */
function readListEdit(input: JsonObject, name: string, readItems = readList): ListEdit<string> | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw faults.wrongShape(name, `an object like {"add": [...], "remove": [...]}`);
  const read = (part: string) => readItems(value[part], `${name}.${part}`);
  return { add: read("add"), remove: read("remove"), set: value["set"] === undefined ? undefined : read("set") };
}

/** As `readList`, or a number, or the words of a text that commas and spaces separate. */
export function readListOrText(value: Json | undefined, name: string): string[] {
  if (typeof value === "number") return [String(value)];
  if (typeof value === "string") return value.split(/[\s,]+/).filter((word) => word !== "");
  return readList(value, name);
}

/** Non-blank items of a list as text. @throws Fault other for anything else */
export function readList(value: Json | undefined, name: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw faults.wrongShape(name, "a list");
  return value.map((item: Json) => asText(item, name).trim()).filter((item) => item !== "");
}

/** Edit of a list; `set` replaces it and overrides `add` and `remove`. */
type ListEdit<T> = {
  add: T[];
  remove: T[];
  set?: T[] | undefined;
};

/** The list after an edit: old items first, then added ones, without duplicates; an item added and removed is removed. */
function applyListEdit<T>(list: readonly T[], edit: ListEdit<T>, keyOf: (item: T) => string | number): T[] {
  const all = uniqueBy(edit.set ?? [...list, ...edit.add], keyOf);
  const removed = new Set(edit.set ? [] : edit.remove.map(keyOf));
  return all.filter((item) => !removed.has(keyOf(item)));
}

/**
 * Update of `depends_on` and `blocks`. Added and removed bugs must be visible to the requester. Of a new bug, both are
 * ignored unless the requester may edit bugs.
 */
export const updateDependencies: UpdateStep = ({ call, input }, draft) => {
  const { after } = draft;
  if (isNew(draft) && !productRights(call, after.product.id).mayEdit) return draft;
  const read = (name: "depends_on" | "blocks") => {
    const edit = readListEdit(input, name);
    return edit ? editDependencies(call, after[name], edit) : after[name];
  };
  const next = withBug(draft, { depends_on: read("depends_on"), blocks: read("blocks") });
  if (next !== draft) refuseDependencyLoop(call, next.after);
  return next;
};

function editDependencies(call: Call, list: readonly number[], { add, remove, set }: ListEdit<string>): number[] {
  // an existing dependency may stay even if its bug is not visible
  const idOf = (text: string) => (list.includes(Number(text)) ? Number(text) : findBugId(call, text));
  const ids = { add: add.map(idOf), remove: remove.map((text) => findRemovedId(call, text)), set: set?.map(idOf) };
  const after = applyListEdit(list, ids, Number);
  for (const id of differenceBy(list, after)) findBugId(call, String(id));
  return after;
}

/** Id of a bug to remove; 0 for an unknown bug, since removing it is no error. */
function findRemovedId({ store }: Call, text: string): number {
  return /^\d+$/.test(text) ? Number(text) : (visibleBugIdByAlias(store, text) ?? 0);
}

/** Refuses a cycle of dependencies, with restricted bugs too. @throws Fault dependency_loop_single */
function refuseDependencyLoop({ store }: Call, { id: bug, depends_on, blocks }: Bug): void {
  if ([...depends_on, ...blocks].includes(bug))
    throw new Fault("dependency_loop_single", "You can't make a bug block itself or depend on itself.");
  const inBoth = store.values(IN_BOTH, { bug, dependsOn: depends_on, blocks });
  if (inBoth.length > 0)
    throw new Fault(
      "dependency_loop_single",
      `The following bug(s) would appear on both the "depends on" and "blocks" parts of the dependency tree if these changes are committed: ${inBoth.join(" ")}. This would create a circular dependency, which is not allowed.`,
    );
}

// The stored dependencies of the bug itself are left out: the new ones replace them.
const IN_BOTH = `
  WITH RECURSIVE blockers (id) AS (
    SELECT value FROM json_each(@dependsOn)
    UNION SELECT depends_on_id FROM bug_dependencies JOIN blockers ON bug_id = blockers.id WHERE depends_on_id <> @bug),
  blocked (id) AS (
    SELECT value FROM json_each(@blocks)
    UNION SELECT bug_id FROM bug_dependencies JOIN blocked ON depends_on_id = blocked.id WHERE bug_id <> @bug)
  SELECT id FROM blocked WHERE id IN (SELECT id FROM blockers)`;

/** Update of See Also; URLs are compared in any letter case. */
export const updateSeeAlso: UpdateStep = ({ call, input }, draft) => {
  const edit = readListEdit(input, "see_also");
  if (!edit) return draft;
  const { see_also, id } = draft.after;
  const { urlbase } = call.parameters;
  const add = edit.add.map((text) => readSeeAlsoUrl(call, text, id));
  const remove = edit.remove.map((text) => (/^\d+$/.test(text) ? bugUrl(urlbase, Number(text)) : text));
  return withBug(draft, { see_also: applyListEdit(see_also, { add, remove }, (url) => url.toLowerCase()) });
};

/**
 * URL of a See Also entry: number, alias (letters, digits and _) or URL of a bug of this tracker, or a known kind of URL
 * elsewhere.
 * @throws Fault bug_url_invalid if it is no known kind of bug URL, or the bug itself
 * @see Bugzilla/BugUrl.pm and Bugzilla/BugUrl/
 */
function readSeeAlsoUrl(call: Call, text: string, bugId: number): string {
  const { urlbase } = call.parameters;
  const entry = text.trim();
  const isNumberOrAlias = /^\w+$/.test(entry);
  const url = isNumberOrAlias ? bugUrl(urlbase, entry) : readBugUrl(entry);
  const bug = bugInUrl(url, urlbase);
  if (bug === undefined) return url;
  const id = findBugId(call, bug);
  if (id === bugId) throw new Fault("bug_url_invalid", "You cannot add a bug to its own See Also field.");
  return bugUrl(urlbase, id);
}

/** URL of a bug of this tracker; `urlbase` ends with a slash. */
export function bugUrl(urlbase: string, id: number | string): string {
  return `${urlbase}show_bug.cgi?id=${id}`;
}

/** Number (or alias) of the bug that a URL of this tracker shows; undefined for other URLs. */
export function bugInUrl(url: string, urlbase: string): string | undefined {
  const start = `${urlbase}show_bug.cgi?id=`;
  return url.startsWith(start) ? url.slice(start.length) : undefined;
}

const MAX_URL_LENGTH = 255;

const KNOWN_SITES =
  "See Also URLs should point to one of: show_bug.cgi in a Bugzilla installation. A bug on launchpad.net An issue on code.google.com. A bug on bugs.debian.org. An issue in a JIRA installation. A ticket in a Trac installation. A bug in a MantisBT installation. A bug on sourceforge.net. An issue/pull request on github.com.";

/** A URL of a bug elsewhere without its fragment, of Launchpad in its short form. @throws Fault bug_url_invalid */
function readBugUrl(entry: string): string {
  const page = entry.replace(/#.*$/, "");
  const url = page.replace(/^https?:\/\/(?:\w+\.)?launchpad\.net\/.*bugs?\//, "https://launchpad.net/bugs/");
  if (!/^https?:\/\/\S+$/.test(url) || !BUG_URLS.some((kind) => kind.test(url)))
    throw new Fault("bug_url_invalid", `${entry} is not a valid URL to a bug. ${KNOWN_SITES}`);
  if (url.length > MAX_URL_LENGTH)
    throw new Fault(
      "bug_url_invalid",
      `Bug URLs cannot be longer than ${MAX_URL_LENGTH} characters long. ${parsedUrl(url)?.pathname} is too long.`,
    );
  return url;
}

const BUG_URLS = [
  /\/show_bug\.cgi\?id=\d+$/,
  /^https:\/\/launchpad\.net\/bugs\/\d+$/,
  /\/\/code\.google\.com\/p\/[^/]+\/issues\/detail\?id=\d+$/,
  /\/\/bugs\.debian\.org\/(?:cgi-bin\/bugreport\.cgi\?bug=)?\d+$/,
  /\/browse\/[A-Z][A-Z0-9_]*-\d+$/,
  /\/ticket\/\d+$/,
  /\/view\.php\?id=\d+$/,
  /\/\/sourceforge\.net\/p\/[^/]+\/[^/]+\/\d+\/?$/,
  /\/\/github\.com\/[^/]+\/[^/]+\/(?:issues|pull)\/\d+$/,
];
