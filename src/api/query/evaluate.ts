import { BtError, LOG_IN, usageError } from "../../errors.ts";
import { type Bug, bugFieldRow } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { FieldChange, Flag, HistoryEntry } from "../../wire/resources.ts";
import { PRONOUN_FIELDS, PRONOUNS } from "../../wire/search-names.ts";
import { type CatalogField, isPersonField } from "../catalog/catalog.ts";
import { hasIgnoringCase } from "../lists.ts";
import { isSameUser } from "../people.ts";
import { FAMILIES } from "./families.ts";
import { isListChange } from "./rows.ts";
import { type Change, type FlagTerm, isMet, type Leaf, type Op, type Query } from "./tree.ts";

/** The own login, and the bugs that meet a leaf which bugs do not show. */
export type Knowledge = {
  readonly login?: string | undefined;
  readonly found?: ReadonlyMap<Leaf, ReadonlySet<number>>;
};

/**
 * True if a bug, as returned by the tracker, matches a query; case-insensitive, as on the server.
 * @throws BtError if `@me` occurs and the login is unknown, and for an invalid pattern
 */
export function evaluate(query: Query, bug: Bug, { login, found }: Knowledge = {}): boolean {
  return isMet(query, (leaf) => found?.get(leaf)?.has(bug.id) ?? meetsLeaf(leaf, bug, login));
}

function meetsLeaf(leaf: Leaf, bug: Bug, login: string | undefined): boolean {
  if (leaf.kind === "flag") return hasFlag(bug, leaf, login);
  if (leaf.kind === "change") return false;
  const { field, op } = leaf;
  const read = FAMILIES[field.family].item ?? ((text) => text.toLowerCase());
  const items = itemsOf(field, bug).map(read);
  if (op === "empty") return items.every((item) => item === 0); // an unset number is 0
  const texts = leaf.values.map((value) => loginMeant(field, value, bug, login)).filter((value) => value !== "");
  const values = op === "=~" ? texts : texts.map(read);
  return items.some((item) => values.some((value) => HOLDS[op](item, value)));
}

type Item = string | number;

const HOLDS: Readonly<Record<Exclude<Op, "empty">, (item: Item, value: Item) => boolean>> = {
  "=": (item, value) => (typeof item === "string" ? item.trimEnd() : item) === value, // as databases do
  "~": (item, value) => String(item).includes(String(value)),
  "^=": (item, value) => String(item).startsWith(String(value)),
  "$=": (item, value) => String(item).endsWith(String(value)),
  "=~": (item, value) => patternOf(String(value)).test(String(item)),
  "<": (item, value) => item < value,
  "<=": (item, value) => item <= value,
  ">": (item, value) => item > value,
  ">=": (item, value) => item >= value,
};

/** @throws BtError of kind usage for an invalid pattern, or one with POSIX classes, which mean something else here */
function patternOf(text: string): RegExp {
  const isPosix = /\[:[\w<>]+:\]/.test(text);
  try {
    if (!isPosix) return new RegExp(text, "i");
  } catch {
    // the error below
  }
  throw usageError(`invalid pattern "${text}"`, "use a regular expression of JavaScript");
}

/** Fields of a bug that show if it meets a condition; undefined if bugs do not show it. */
export function fieldsShowing(leaf: Leaf): readonly string[] | undefined {
  if (leaf.kind === "flag") return ["flags"];
  if (leaf.kind === "change" || leaf.values.some((value) => value.startsWith("%group."))) return undefined;
  const name = jsonName(leaf.field) ?? bugFieldRow(leaf.field.api)?.nameOf;
  return name === undefined ? undefined : [name, ...leaf.values.flatMap((value) => PRONOUN_FIELDS[value] ?? [])];
}

/** Key of a field in bug JSON; undefined if there is none. */
export function jsonName({ api, isAdded }: CatalogField): string | undefined {
  if (isAdded || bugFieldRow(api)?.json) return api;
  return api === "requestee" || api === "setter" ? "flags" : undefined;
}

/** Values of a field of a bug as texts: none if unset, several for a list. */
function itemsOf(field: CatalogField, bug: Bug): readonly string[] {
  const flagTexts = FLAG_FIELDS[field.api];
  if (flagTexts !== undefined) return (bug.flags ?? []).flatMap(flagTexts);
  const value = shownValue(field, bug);
  return [value ?? []]
    .flat()
    .filter((item) => item !== null && item !== "")
    .map((item) => String(typeof item === "boolean" ? Number(item) : item));
}

/** Value of a field in bug JSON: of `assignee_name` the real name in the details of the assignee. */
export function shownValue(field: CatalogField, bug: Bug): Json | undefined {
  const shown = bug as Readonly<Record<string, Json>>;
  const person = bugFieldRow(field.api)?.nameOf;
  if (person === undefined) return shown[jsonName(field) ?? ""];
  return (shown[`${person}_detail`] as JsonObject | undefined)?.["real_name"];
}

const FLAG_FIELDS: Readonly<Record<string, (flag: Flag) => readonly string[]>> = {
  flags: ({ name, status }) => [name + status],
  requestee: ({ requestee }) => (requestee === undefined ? [] : [requestee]),
  setter: ({ setter }) => [setter],
};

/** Login that a pronoun means on a bug, "" if unset; other values are unchanged. */
function loginMeant(field: CatalogField, value: string, bug: Bug, login: string | undefined): string {
  if (!isPersonField(field) || !value.startsWith("%")) return value;
  if (value === PRONOUNS.me) return requireLogin(login);
  const role = PRONOUN_FIELDS[value];
  return (role && bug[role]) ?? "";
}

function requireLogin(login: string | undefined): string {
  if (login !== undefined) return login;
  throw new BtError("auth", "cannot search for @me: your login on this tracker is unknown", {
    hint: `${LOG_IN}; without a key: bt config set login LOGIN`,
  });
}

/** True if one flag of a bug or an attachment meets all parts of a condition. */
export function hasFlag({ flags }: Pick<Bug, "flags">, wanted: FlagTerm, login: string | undefined): boolean {
  const isPerson = (shown: string | undefined, who: string | undefined) =>
    who === undefined || shown?.toLowerCase() === (who === PRONOUNS.me ? requireLogin(login) : who).toLowerCase();
  return (flags ?? []).some(
    ({ name, status, requestee, setter }) =>
      hasIgnoringCase([name, name + status], wanted.name) &&
      isPerson(requestee, wanted.requestee) &&
      isPerson(setter, wanted.setter),
  );
}

/** True if an entry of a history has a change that meets all parts of a condition. */
export function hasChange({ who, when, changes }: HistoryEntry, wanted: Change, login: string | undefined): boolean {
  const { since, before } = wanted;
  const by = wanted.by === PRONOUNS.me ? (login ?? wanted.by) : wanted.by;
  if (by !== undefined && !isSameUser(who, by)) return false;
  if ((since !== undefined && when < since) || (before !== undefined && when >= before)) return false;
  return changes.some((change) => isWantedChange(change, wanted));
}

/** In a change of a list, items are found; any other value is compared whole. */
function isWantedChange({ field_name, removed, added }: FieldChange, wanted: Change): boolean {
  const { field, from, to } = wanted;
  const isList = isListChange(wanted);
  const has = (side: string, value: string | undefined) =>
    value === undefined || (isList ? hasItem(side, value, field) : side.toLowerCase() === value.toLowerCase());
  return [field.api, field.chart].includes(field_name) && has(removed, from) && has(added, to);
}

/** True if a list of a history, `a, b`, has an item. Lists of one second are joined by a space. */
function hasItem(list: string, item: string, { chart, isCustom }: Change["field"]): boolean {
  const isWithBlanks = isCustom || chart === "bug_group";
  let items = isWithBlanks ? list.trim() : list.trim().replace(/[\s,]+/g, ", ");
  if (chart === "flagtypes.name" && !item.includes("(")) items = items.replace(/\([^)]*\)/g, "");
  if (chart === "flagtypes.name" && !/[?+-](?:\(|$)/.test(item)) items = items.replace(/[?+-](?=,|$)/g, "");
  return `, ${items}, `.toLowerCase().includes(`, ${item}, `.toLowerCase());
}
