import { BUG_FIELD_ROWS, type BugFieldRow, type Family, type ValueTypes } from "../wire/bug-fields.ts";
import type { Json } from "../wire/exchange.ts";
import { bugJsonName, FIELD_TYPE } from "../wire/field-types.ts";
import type { Field, Flag, User } from "../wire/resources.ts";
import { type Column, exactText } from "./column.ts";
import { bugLabel } from "./text.ts";
import { dayText, hoursText, shortRelativeTime } from "./times.ts";
import type { View } from "./view.ts";

export type FieldKind =
  | ("text" | "lines" | "list" | "person" | "people" | "named" | "names" | "bug" | "bugs" | "flags")
  | ("time" | "day" | "hours" | "number" | "yes-no");

export type FieldFacts = { readonly label: string; readonly kind: FieldKind };

/** Label and kind of a field by wire name; `fields` has custom ones. */
export function fieldFacts(name: string, fields: readonly Field[] = []): FieldFacts {
  const known = FIELD_FACTS.get(name);
  if (known) return known;
  const field = fields.find((one) => one.name === name || bugJsonName(one) === name);
  return { label: field?.display_name || name, kind: CUSTOM_KINDS[field?.type ?? 0] ?? "text" };
}

export function holdsItems(kind: FieldKind): boolean {
  return KINDS[kind].isList === true;
}

/** How a column shows its values, and what it does on a narrow terminal. */
export type Look<Row> = Partial<Omit<Column<Row>, "name" | "heading">>;

export function columnMaker<Row extends object>() {
  return (name: keyof Row & string, heading: string, kind: FieldKind = "text", look: Look<Row> = {}): Column<Row> => {
    const value = (row: Row) => row[name] as Json | undefined;
    return { name, heading, value, ...lookOf(kind, value), ...look };
  };
}

/** The look of values of a kind in a list. */
export function lookOf<Row>(kind: FieldKind, value: (row: Row) => Json | undefined): Look<Row> {
  const { look, exact, words, inLists = words } = KINDS[kind];
  const writeItems = (row: Row, write: (item: Json) => string) => ([value(row) ?? []].flat() as Json[]).map(write);
  return {
    ...look,
    ...(exact && { text: (row, view) => writeItems(row, (item) => exact(item, view)).join(",") }),
    ...(inLists && {
      cell: (row, view) => writeItems(row, (item) => inLists(exactText(item), view, shortRelativeTime)).join(", "),
    }),
  };
}

/** A value for people: bugs with a sign, hours with a unit, yes and no in words. */
export function valueText(text: string, kind: FieldKind, view: View, writeTime: WriteTime): string {
  return KINDS[kind].words?.(text, view, writeTime) ?? text;
}

/** A flag as typed and as recorded in histories: "review?(bob@example.org)". */
export function bugFlagText({ name, status, requestee }: Flag): string {
  return `${name}${status}${requestee ? `(${requestee})` : ""}`;
}

type WriteTime = (time: string, view: View) => string;
type WriteWords = (text: string, view: View, writeTime: WriteTime) => string;

/** A kind of values: their exact text unless `exactText` has it, and their words for people. */
type KindRow = {
  readonly isList?: boolean;
  readonly exact?: (item: Json, view: View) => string;
  readonly words?: WriteWords;
  readonly inLists?: WriteWords; // in place of `words`
  readonly look?: Pick<Column<unknown>, "shrink" | "align" | "paint">;
};

const LONG = { shrink: "first" } as const;
const NUMBER = { align: "right" } as const;
const PERSON: KindRow = { inLists: shownLogin, look: LONG };
const NAMED: KindRow = { exact: (object) => (object as User).name };
const BUG: KindRow = { words: bugLabel, look: { shrink: "never" } };

const KINDS: Readonly<Record<FieldKind, KindRow>> = {
  text: {},
  lines: { look: LONG },
  list: { isList: true, look: LONG },
  person: PERSON,
  people: { ...PERSON, isList: true },
  named: NAMED, // objects, such as users
  names: { ...NAMED, isList: true },
  bug: BUG,
  bugs: { isList: true, words: bugLabel },
  flags: { isList: true, exact: (flag) => bugFlagText(flag as Flag) },
  time: { words: (text, view, writeTime) => writeTime(text, view), look: { paint: () => "quiet" } },
  day: { exact: dayOf, words: dayOf, look: { shrink: "never" } },
  hours: {
    words: (text) => (Number.isFinite(Number(text)) ? hoursText(Number(text)) : text),
    look: NUMBER,
  },
  number: { look: NUMBER },
  "yes-no": { words: (text) => (text === "1" || text === "true" ? "yes" : "no") }, // older servers return numbers
};

function dayOf(day: Json, { serverZone }: View): string {
  return dayText(exactText(day), serverZone);
}

/** A login in a list; on terminals that are not wide without its domain. */
function shownLogin(login: string, view: View): string {
  return view.width >= WIDE_FOR_LOGINS ? login : (login.split("@")[0] ?? login);
}

const WIDE_FOR_LOGINS = 140; // minimum width for complete logins, which would be cut

const CUSTOM_KINDS: Readonly<Record<number, FieldKind>> = {
  [FIELD_TYPE.multiSelect]: "list",
  [FIELD_TYPE.longText]: "lines",
  [FIELD_TYPE.dateTime]: "time",
  [FIELD_TYPE.bugId]: "bug",
  [FIELD_TYPE.seeAlso]: "list",
  [FIELD_TYPE.keywords]: "list",
  [FIELD_TYPE.date]: "day",
  [FIELD_TYPE.integer]: "number",
  [FIELD_TYPE.boolean]: "yes-no",
  [FIELD_TYPE.user]: "person",
  [FIELD_TYPE.users]: "people",
  [FIELD_TYPE.bugs]: "bugs",
};

/** By the JSON of the field; its family tells which texts are long ones or people. */
function rowKind({ json, family }: BugFieldRow): FieldKind {
  if (json === undefined) return family === "yes-no" ? "yes-no" : "text";
  return json.startsWith("text") ? ((family && FAMILY_KINDS[family]) ?? JSON_KINDS[json]) : JSON_KINDS[json];
}

const FAMILY_KINDS: Readonly<Partial<Record<Family, FieldKind>>> = {
  text: "lines",
  person: "person",
  people: "people",
};

const JSON_KINDS: Readonly<Record<keyof ValueTypes, FieldKind>> = {
  int: "bug",
  ints: "bugs",
  double: "hours",
  text: "text",
  texts: "list",
  bool: "yes-no",
  datetime: "time",
  date: "day",
  user: "named",
  users: "names",
  flags: "flags",
};

/** Members of groups and attachments that responses to their changes name. */
const MEMBERS: readonly (readonly [name: string, label: string, kind?: FieldKind])[] = [
  ["name", "Name"],
  ["description", "Description"],
  ["user_regexp", "Login pattern"],
  ["is_active", "Active", "yes-no"],
  ["icon_url", "Icon"],
  ["file_name", "File"],
  ["content_type", "Type"],
  ["is_patch", "Patch", "yes-no"],
  ["is_obsolete", "Obsolete", "yes-no"],
  ["is_private", "Private", "yes-no"],
];

/** By every name of a field: histories have the internal names of flags, hours and attachments. */
const FIELD_FACTS: ReadonlyMap<string, FieldFacts> = new Map<string, FieldFacts>([
  ...MEMBERS.map(([name, label, kind = "text"]) => [name, { label, kind }] as const),
  ...BUG_FIELD_ROWS.flatMap(([name, row]) => {
    if (row.label === undefined) return [];
    const facts = { label: row.label, kind: rowKind(row) };
    return [[row.chart ?? name, facts] as const, [name, facts] as const];
  }),
]);
