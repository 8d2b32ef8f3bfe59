import { BtError, LOG_IN } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Flag } from "../../wire/bug-values.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { PRONOUN_FIELDS, PRONOUNS } from "../../wire/search-names.ts";
import { isPersonField } from "../catalog/catalog.ts";
import { isSameLogin } from "../people.ts";
import { jsonName, roleNamed, wordPattern } from "./matching.ts";
import { isGroup, isNot, type Query, type ResolvedTerm } from "./tree.ts";

/** User for `@me`, and group members for `@group.NAME`. */
export type SearchingUser = {
  readonly login?: string | undefined;
  readonly members?: (group: string) => readonly string[];
};

/**
 * True if a bug, as returned by the tracker, matches a query; case-insensitive, as on the server. Conditions on what
 * bug JSON lacks (comments, changes, full text) match nothing: `compileQuery` never leaves them in a rest.
 * @throws BtError if `@me` occurs and the login is unknown
 */
export function evaluateQuery(query: Query, bug: Bug, user: SearchingUser = {}): boolean {
  if (isNot(query)) return !evaluateQuery(query.of, bug, user);
  if (isGroup(query)) {
    return query.kind === "all"
      ? query.of.every((one) => evaluateQuery(one, bug, user))
      : query.of.some((one) => evaluateQuery(one, bug, user));
  }
  return meets(query, bug, user);
}

function meets(condition: ResolvedTerm, bug: Bug, user: SearchingUser): boolean {
  if (condition.kind === "change") return false;
  if (condition.kind === "flag") return (bug.flags ?? []).some((flag) => meetsFlagCondition(flag, condition, user));
  const values = condition.values.flatMap((value) => denotedLogins(condition, value, { bug, user }));
  return MEETS[condition.op](comparedItems(condition, bug), values.map(comparableReader(condition)));
}

type Test = ResolvedTerm & { kind: "test" };
type Item = string | number;

/** Comparable values of a field of a bug: none if unset, several for a list. */
function comparedItems(test: Test, bug: Bug): Item[] {
  const comparable = comparableReader(test);
  const flagTexts = FLAG_FIELDS[test.field.api];
  if (flagTexts !== undefined) return (bug.flags ?? []).flatMap(flagTexts).map(comparable);
  const value = jsonValue(test, bug);
  const items: Json[] = Array.isArray(value) ? value : [value ?? null];
  return items.filter((item) => item !== null && item !== "").map((item) => comparable(comparedText(item)));
}

function jsonValue({ field }: Test, bug: Bug): Json | undefined {
  const values = bug as Readonly<Record<string, Json>>;
  const role = roleNamed(field);
  if (role !== undefined) return (values[`${role}_detail`] as JsonObject | undefined)?.["real_name"];
  const name = jsonName(field);
  return name === undefined ? null : values[name];
}

function comparedText(value: Json): string {
  return typeof value === "boolean" ? String(Number(value)) : String(value);
}

/** Numbers are compared as numbers, days as days, everything else as text ignoring case. */
function comparableReader({ field }: Test) {
  return (text: string): Item => {
    if (field.family === "number" || field.family === "numbers") return Number(text);
    return field.family === "day" ? nearestDay(text) : text.toLowerCase();
  };
}

const FLAG_FIELDS: Readonly<Record<string, (flag: Flag) => readonly string[]>> = {
  flags: (flag) => [flag.name + flag.status],
  requestee: (flag) => (flag.requestee === undefined ? [] : [flag.requestee]),
  setter: (flag) => [flag.setter],
};

const HALF_DAY = 12 * 3_600_000;

/** Day of a custom date, which is returned as midnight of the server's zone in UTC. */
function nearestDay(text: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : new Date(Date.parse(text) + HALF_DAY).toISOString().slice(0, 10);
}

type Situation = { bug: Bug; user: SearchingUser };

/** Users that a pronoun denotes on this bug; any other value denotes itself. */
function denotedLogins({ field }: Test, value: string, { bug, user }: Situation): string[] {
  if (!isPersonField(field)) return [value];
  const [, group] = /^%group\.(.+)%$/.exec(value) ?? [];
  const found = group === undefined ? [denotedLogin(value, { bug, user })] : (user.members?.(group) ?? []);
  return found.filter((login) => login !== "");
}

function denotedLogin(value: string, { bug, user }: Situation): string {
  if (value === PRONOUNS.me) return ownLoginOrValue(value, user);
  const field = PRONOUN_FIELDS[value];
  return (field && bug[field]) ?? (value.startsWith("%") ? "" : value);
}

/** Own login for `@me`; without it, bugs would silently be lost. */
function ownLoginOrValue(value: string, { login }: SearchingUser): string {
  if (value !== "%user%") return value;
  if (login !== undefined) return login;
  throw new BtError("auth", "searching for @me requires a login", { hint: LOG_IN });
}

type Meets = (items: Item[], values: Item[]) => boolean;

function someItem(holds: (item: Item, value: Item) => boolean): Meets {
  return (items, [value = ""]) => items.some((item) => holds(item, value));
}

function someText(holds: (item: string, value: string) => boolean): Meets {
  return someItem((item, value) => holds(String(item), String(value)));
}

function hasWord(item: Item, word: Item): boolean {
  return wordPattern(String(word)).test(String(item));
}

const MEETS: Readonly<Record<Test["op"], Meets>> = {
  "=": (items, values) => items.some((item) => values.includes(item)),
  "~": (items, values) => items.some((item) => values.every((value) => String(item).includes(String(value)))),
  "^=": someText((item, value) => item.startsWith(value)),
  "$=": someText((item, value) => item.endsWith(value)),
  "=~": someText((item, value) => new RegExp(value, "i").test(item)),
  "<": someItem((item, value) => item < value),
  "<=": someItem((item, value) => item <= value),
  ">": someItem((item, value) => item > value),
  ">=": someItem((item, value) => item >= value),
  empty: (items) => items.every((item) => item === 0), // an unset number is 0
  any: (items, values) => items.some((item) => values.some((value) => hasWord(item, value))),
  all: (items, values) => items.some((item) => values.every((value) => hasWord(item, value))),
  matches: () => false,
};

/** True if a flag meets all parts of a condition. */
export function meetsFlagCondition(
  flag: Flag,
  { name, requestee, setter }: ResolvedTerm & { kind: "flag" },
  user: SearchingUser,
): boolean {
  const shown = (flag.name + flag.status).toLowerCase();
  return (
    (shown === name.toLowerCase() || flag.name.toLowerCase() === name.toLowerCase()) &&
    (requestee === undefined || isSameLogin(flag.requestee, ownLoginOrValue(requestee, user))) &&
    (setter === undefined || isSameLogin(flag.setter, ownLoginOrValue(setter, user)))
  );
}
