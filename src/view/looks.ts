import type { Json } from "../wire/exchange.ts";
import type { Flag, User } from "../wire/resources.ts";
import { type Column, exactText } from "./column.ts";
import type { FieldKind } from "./field-facts.ts";
import { bugLabel } from "./text.ts";
import { dayText, hoursText, shortRelativeTime } from "./times.ts";
import type { View } from "./view.ts";

/** How a column shows its values, and what it does on a narrow terminal. */
export type Look<Row> = Partial<Omit<Column<Row>, "name" | "heading">>;

export function columnMaker<Row extends object>() {
  return (name: keyof Row & string, heading: string, kind: FieldKind = "text", look: Look<Row> = {}): Column<Row> => {
    const value = (row: Row) => row[name] as Json | undefined;
    return { name, heading, value, ...lookOf(kind, value), ...look };
  };
}

/** The look of values of a kind in a list; `serverZone`: of days that are returned as moments. */
export function lookOf<Row>(
  kind: FieldKind,
  value: (row: Row) => Json | undefined,
  serverZone?: string,
): Partial<Column<Row>> {
  const texts = (row: Row, write: (item: Json) => string) => ([value(row) ?? []].flat() as Json[]).map(write);
  const exact = EXACT[kind];
  if (exact) return { text: (row) => texts(row, exact).join(",") };
  if (kind === "day") return { shrink: "never", text: (row) => dayText(exactText(value(row)), serverZone) };
  const shown = kind === "person" || kind === "people" ? shownLogin : WORDS[kind];
  if (shown === undefined) return { ...LOOKS[kind] };
  return {
    ...LOOKS[kind],
    cell: (row, view) => texts(row, (item) => shown(exactText(item), view, shortRelativeTime)).join(", "),
  };
}

const LONG = { shrink: "first" } as const;
const NUMBER = { align: "right" } as const;
const LOOKS: Readonly<Partial<Record<FieldKind, Pick<Column<unknown>, "shrink" | "align" | "paint">>>> = {
  lines: LONG,
  list: LONG,
  person: LONG,
  people: LONG,
  time: { paint: () => "quiet" },
  hours: NUMBER,
  number: NUMBER,
};

const EXACT: Readonly<Partial<Record<FieldKind, (item: Json) => string>>> = {
  user: (user) => (user as User).name,
  users: (user) => (user as User).name,
  flags: (flag) => bugFlagText(flag as Flag),
};

type WriteTime = (time: string, view: View) => string;

/** A value for people: bugs with a sign, hours with a unit, yes and no in words. */
export function valueText(text: string, kind: FieldKind, view: View, writeTime: WriteTime): string {
  return WORDS[kind]?.(text, view, writeTime) ?? text;
}

const WORDS: Readonly<Partial<Record<FieldKind, (text: string, view: View, writeTime: WriteTime) => string>>> = {
  "yes-no": (text) => (text === "1" || text === "true" ? "yes" : "no"), // older servers return numbers
  bug: bugLabel,
  bugs: bugLabel,
  hours: (text) => (Number.isFinite(Number(text)) ? hoursText(Number(text)) : text),
  time: (text, view, writeTime) => writeTime(text, view),
  day: (text, { serverZone }) => dayText(text, serverZone),
};

const WIDE_FOR_LOGINS = 140; // minimum width for complete logins, which would be cut

/** A login in a list; on terminals that are not wide without its domain. */
function shownLogin(login: string, view: View): string {
  return view.width >= WIDE_FOR_LOGINS ? login : (login.split("@")[0] ?? login);
}

/** A flag as typed and as recorded in histories: "review?(bob@example.org)". */
export function bugFlagText({ name, status, requestee }: Flag): string {
  return `${name}${status}${requestee ? `(${requestee})` : ""}`;
}
