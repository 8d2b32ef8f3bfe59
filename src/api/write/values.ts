import { usageError } from "../../errors.ts";
import { type Json, type JsonObject, parsedUrl } from "../../wire/exchange.ts";
import { EDITED_LISTS, FIELD_TYPE } from "../../wire/field-types.ts";
import { DAY_MS, HOUR_MS, timestamp } from "../../wire/time.ts";
import { bugRef, isBugId } from "../bug-ref.ts";
import {
  type Catalog,
  type CatalogField,
  findField,
  isSettable,
  legalNames,
  legalValue,
  listParts,
  requireField,
  splitQuotedItems,
  unquoted,
} from "../catalog/catalog.ts";
import { partition } from "../lists.ts";
import { suggestNames } from "../nearest.ts";
import { commandFlagName, type Parameter, type ParameterKind } from "../operations/operation.ts";
import { type DateContext, dayIn, momentIn, readDate, wallClockIn } from "../query/dates.ts";
import { readFlagChange } from "./flags.ts";

/** Context for parsing values. `product` narrows values; `me` throws if the login is unknown. */
export type ValueContext = {
  catalog: Catalog;
  clock: DateContext;
  address: string;
  product?: string | undefined;
  among?: string[]; // products of several bugs
  me: () => string;
};

/** Reads one text of a parameter; errors name `flag`. */
type Reader = (text: string, parameter: Parameter, reading: ValueContext, flag: string) => Json;

const readText: Reader = (typed, { name }) => checkedText(name, typed);

const READERS: Readonly<Record<ParameterKind, Reader>> = {
  text: readText,
  prose: readText,
  texts: readText,
  choice: readChoice,
  choices: readChoice,
  person: readPerson,
  people: readPerson,
  int: readInteger,
  ints: readInteger,
  bug: readNumberOrAlias,
  bugs: readNumberOrAlias,
  pages: readBugAddress,
  hours: (typed, { name }) => parseHours(typed, name),
  bool: (typed, _, __, flag) => readYesNo(typed, flag),
  switch: () => true,
  date: (typed, _, { clock }, flag) => (typed === "" ? "" : readDay(typed, clock, `--${flag}`)),
  datetime: (typed, _, { clock }) => timestamp(readDate(typed, clock, "coming").start),
  flags: (typed) => readFlagChange(typed),
  edit: readText,
  links: readText,
  tokens: readText,
  privacy: readPrivacy,
};

/** Kinds of which each item is read; of others, the text of the last flag. */
const LISTS: readonly ParameterKind[] = [
  "texts",
  "choices",
  "people",
  "ints",
  "bugs",
  "pages",
  "flags",
  "edit",
  "links",
  "privacy",
];

/**
 * Parses the typed texts of a parameter into the value that is sent.
 * @throws BtError of kind usage with the valid values
 */
export function readParameterValue(parameter: Parameter, texts: readonly string[], reading: ValueContext): Json {
  const { name, kind, needsOne } = parameter;
  const flag = commandFlagName(name);
  const read = (text: string) => READERS[kind](text, parameter, reading, flag);
  if (!LISTS.includes(kind)) return read(texts.at(-1) ?? "");
  const items = texts.flatMap(kind === "flags" ? splitFlags : splitQuotedItems);
  if ((needsOne || kind === "flags") && items.length === 0) throw usageError(`--${flag} is empty`);
  const values = items.map(read);
  return kind === "privacy" ? Object.assign({}, ...values) : values;
}

/** Parses one item of an edit, such as a login for `cc`; errors name the `flag`. */
export function readListItem(
  item: string,
  parameter: Parameter,
  reading: ValueContext,
  flag = commandFlagName(parameter.name),
): Json {
  const { name, kind, of = "text" } = parameter;
  if (kind === "tokens") return checkedToken(item, name);
  const read = of in READERS ? READERS[of as ParameterKind] : readText;
  return read(item, parameter, reading, flag);
}

/** Flags separated by commas, except within parentheses. */
function splitFlags(typed: string): string[] {
  return typed.split(/,(?![^(]*\))/).filter((part) => part.trim() !== "");
}

function readChoice(typed: string, { name, field }: Parameter, reading: ValueContext, flag: string): string {
  if (typed === "") throw usageError(`--${flag} is empty`);
  return legalValue(requireField(reading.catalog, field ?? name), typed, reading);
}

function readPerson(typed: string, parameter: Parameter, { me }: ValueContext, flag: string): string {
  if (typed === "@me") return me();
  if (typed.startsWith("@")) throw usageError(`unknown user ${JSON.stringify(typed)}`, "did you mean @me?");
  if ((typed !== "" || parameter.clears) && !/[\s,]/.test(typed)) return typed;
  throw usageError(`--${flag} ${JSON.stringify(typed)} is not a login`);
}

function readNumberOrAlias(typed: string, _: Parameter, { address }: ValueContext): number | string {
  const ref = bugRef(typed, address);
  return isBugId(ref) ? Number(ref) : ref;
}

/** URL of a bug in any tracker, or the number of one in this tracker. */
function readBugAddress(typed: string, { name }: Parameter, _: ValueContext, flag: string): string {
  const number = typed.replace(/^#/, "");
  if (isBugId(number)) return number;
  const address = /^https?:/i.test(typed) ? typed : `http://${typed}`;
  if (/^https?:\/\/[^\s/]+\/./i.test(address) && parsedUrl(address) !== undefined) return checkedText(name, typed);
  throw usageError(`--${flag} ${JSON.stringify(typed)} is not a bug number or URL`);
}

function readInteger(typed: string, _: Parameter, __: ValueContext, flag: string): number {
  if (/^[0-9]{1,15}$/.test(typed)) return Number(typed);
  throw usageError(`--${flag} ${JSON.stringify(typed)} is not an integer`);
}

/** Hours with two decimals, which trackers keep; negative only for work time. */
export function parseHours(typed: string, name: string): number {
  const isHours = /^-?\d+(?:\.\d{1,2}0*)?$/.test(typed) && (name === "work_time" || !typed.startsWith("-"));
  if (isHours && Math.abs(Number(typed)) <= MAX_HOURS) return Number(typed);
  const hint = `a number up to ${MAX_HOURS} with two decimals, such as 0.25`;
  throw usageError(`--${commandFlagName(name)} ${JSON.stringify(typed)} is not a number of hours`, hint);
}

const MAX_HOURS = 99_999.99;

function readYesNo(typed: string, flag: string): boolean {
  if (/^(?:yes|true|on|1)$/i.test(typed)) return true;
  if (/^(?:no|false|off|0)$/i.test(typed)) return false;
  throw usageError(`--${flag} ${JSON.stringify(typed)} is not yes or no`);
}

/** `{"1234": true}` of `1234` or `1234=yes`. */
function readPrivacy(typed: string, _: Parameter, __: ValueContext, flag: string): Json {
  const [, comment = "", word = "yes"] = /^(?:c:)?(.+?)(?:=(\w*))?$/s.exec(typed) ?? [];
  if (comment !== "" && !/^0\d*$/.test(comment)) return { [comment]: readYesNo(word, flag) };
  const hint = "for example: 1234=yes, or 44#3=yes";
  throw usageError(`--${flag} ${JSON.stringify(typed)} is not COMMENT=yes or COMMENT=no`, hint);
}

/**
 * Parses a day in the clock's zone: `2026-10-03`, `+3d`, `friday`. Days are counted from noon, since a
 * day on which the clocks change has 23 or 25 hours.
 * @throws BtError of kind usage for months, times, and lengths back, also without a sign
 */
function readDay(typed: string, clock: DateContext, flag: string): string {
  const { zone } = clock;
  const day = typed.replace(/T00:00:00Z$/, ""); // as trackers return a custom date
  const [year = 0, month = 1, date = 1] = dayIn(zone, clock.now.getTime()).split("-").map(Number);
  const noon = new Date(momentIn(zone, [year, month, date, 12]));
  const { start, end } = readDate(day, { ...clock, now: noon }, "coming");
  const isDay = end - start <= DAY_MS + 2 * HOUR_MS;
  const hasTimeOrGoesBack = /^\s*-?\d+[a-z]+\s*$|:/i.test(day);
  if (isDay && !hasTimeOrGoesBack) return dayIn(zone, start);
  const hint = "use 2026-10-03, today, tomorrow, friday, +3d, +2w, +1mo or +1y";
  throw usageError(`${flag} ${JSON.stringify(typed)} is not a valid date`, hint);
}

/**
 * Custom fields of a write from `cf_name=value` or `Display name=value`. Values of a multi-select
 * add up over commas and flags: plain ones replace the list, `+a,-b` edit it.
 */
export function customBody(pairs: readonly string[], reading: ValueContext): JsonObject {
  const given = new Map<CatalogField, string[]>();
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 1)
      throw usageError(`${JSON.stringify(pair)} is not field=value`, "bt field list --custom shows the custom fields");
    const field = customField(pair.slice(0, at).trim(), reading.catalog);
    given.set(field, [...(given.get(field) ?? []), pair.slice(at + 1)]);
  }
  return Object.fromEntries([...given].map(([field, texts]) => [field.api, customValue(field, texts, reading)]));
}

function customField(name: string, catalog: Catalog): CatalogField {
  const field = findField(catalog, name);
  if (field && isSettable(field)) return field;
  if (field?.isReadOnly) throw usageError(`${name} is read-only`);
  if (field) throw usageError(`${name} is not a custom field`, `--${commandFlagName(field.api)}`);
  const names = catalog.fields.filter(isSettable).map(({ api }) => api);
  const hint = suggestNames(name, names) ?? "bt field list --custom shows the custom fields";
  throw usageError(`unknown custom field "${name}"`, hint);
}

function customValue(field: CatalogField, texts: string[], reading: ValueContext): Json {
  if (isListField(field)) return listValue(field, texts, reading);
  const [text = "", ...others] = texts;
  if (others.some((other) => other !== text))
    throw usageError(`${field.label} takes one value, but ${texts.length} were given`, "give --field once per field");
  return readItem(field, text, reading);
}

/** True for a field with several values. */
export function isListField({ type }: CatalogField): boolean {
  return type === FIELD_TYPE.multiSelect || type === FIELD_TYPE.users || type === FIELD_TYPE.bugs;
}

/** A part with a sign is an edit, unless it is quoted or a value has that name. */
function listValue(field: CatalogField, texts: string[], reading: ValueContext): Json {
  const names = legalNames(field) ?? [];
  const parts = texts.flatMap((text) => listParts(text)).filter((part) => part !== "" && part !== '""');
  const [signed, bare] = partition(parts, (part) => /^[-+]./.test(part) && !names.includes(part));
  const read = (part: string) => readItem(field, unquoted(part), reading);
  if (signed.length > 0 && bare.length > 0)
    throw usageError(`${field.label}: ${bare[0]} needs + or -, like the other values`);
  if (signed.length > 0) {
    const after = (sign: string) =>
      signed.filter((part) => part.startsWith(sign)).map((part) => read(part.slice(1).trim()));
    return { add: after("+"), remove: after("-") };
  }
  const items = [...new Set(bare.map(read))];
  return EDITED_LISTS.has(field.api) ? { set: items } : items;
}

/** One value of a field; an empty text clears it. */
export function readItem(field: CatalogField, text: string, reading: ValueContext): Json {
  const { api, type, label } = field;
  const isChoice = type === FIELD_TYPE.select || type === FIELD_TYPE.multiSelect;
  if (isChoice) return legalValue(field, text === "" ? "---" : text, reading);
  if (text === "") return CLEARING[type] ?? "";
  if (type === FIELD_TYPE.integer && !/^-?[0-9]{1,9}$/.test(text))
    throw usageError(`${label} takes an integer, not ${JSON.stringify(text)}`);
  if (type === FIELD_TYPE.integer) return Number(text);
  const [kind, name] = [PARAMETER_KINDS[type], `field ${api}`];
  return kind ? READERS[kind](text, { name, kind, about: "" }, reading, name) : text;
}

/** Values that clear fields; trackers store no value as 0 or `---`. */
const CLEARING: Readonly<Record<number, Json>> = { [FIELD_TYPE.integer]: 0, [FIELD_TYPE.extension]: "---" };

/** The kinds of parameters as which the texts of fields are read. */
const PARAMETER_KINDS: Readonly<Record<number, ParameterKind>> = {
  [FIELD_TYPE.dateTime]: "datetime",
  [FIELD_TYPE.date]: "date",
  [FIELD_TYPE.user]: "person",
  [FIELD_TYPE.users]: "person",
  [FIELD_TYPE.bugId]: "int",
  [FIELD_TYPE.bugs]: "int",
};

/**
 * The custom date-times of a body (UTC) in the zone of the tracker, in which it reads them.
 * @see Bugzilla/Bug.pm, `_check_datetime_field`
 */
export function localTimes(body: JsonObject, catalog: Catalog, zone = "UTC"): JsonObject {
  const local: Record<string, Json> = {};
  for (const [name, time] of Object.entries(body))
    if (name.startsWith("cf_") && time !== "" && findField(catalog, name)?.type === FIELD_TYPE.dateTime)
      local[name] = wallClockIn(zone, Date.parse(String(time)));
  return local;
}

/** Maximum length of a description (characters). */
export const MAX_DESCRIPTION = 65_535;

/** Maximum lengths (characters) of texts; trackers refuse or truncate longer ones. */
const TEXT_LIMITS: Readonly<Record<string, number>> = {
  summary: 255,
  alias: 40,
  see_also: 255,
  url: 65535,
  comment: 65535,
  description: MAX_DESCRIPTION,
};

/** The text itself. @throws BtError of kind usage if a tracker would refuse or change it */
export function checkedText(name: string, text: string): string {
  const maximum = TEXT_LIMITS[name];
  const length = [...text].length;
  if (maximum !== undefined && length > maximum)
    throw usageError(`the ${name} has ${length} characters; the maximum is ${maximum}`);
  const bad = [...text].findIndex((character) => UNWANTED.test(character));
  if (bad >= 0) throw usageError(`the ${name} contains a control character at position ${bad + 1}`);
  if (BLANK_IS_WRONG.has(name) && text.trim() === "") throw usageError(`the ${name} is empty`);
  if (name === "alias" && /[\s,]/.test(text)) throw usageError(`the alias ${JSON.stringify(text)} is not one word`);
  return text;
}

/** Control characters and lone surrogates; tabs and line breaks are allowed. */
const UNWANTED = /(?![\t\n\r])[\p{Cc}\p{Cs}]/u;
const BLANK_IS_WRONG = new Set(["summary", "comment", "alias"]);

/** Tokens of a text, words and bracketed texts (`[x]`, `[y]`, `foo`), each with the white space before it. */
function piecesIn(text: string): { readonly lead: string; readonly token: string }[] {
  const found = text.trim().matchAll(/(\s*)(\[[^[\]]*\]|[[\]]|[^\s[\]]+)/g);
  return [...found].map(([, lead = "", token = ""]) => ({ lead, token }));
}

/** The token itself. @throws BtError of kind usage for several tokens, or part of one */
function checkedToken(text: string, name: string): string {
  if (piecesIn(text)[0]?.token === text && !/^[[\]]$/.test(text)) return text;
  const hint = 'a token is a word or [bracketed text]: [x] and foo in "[x] foo"';
  throw usageError(`${JSON.stringify(text)} is not a single ${name} token`, hint);
}

/** A text after removing and adding tokens; the rest is unchanged, and no two tokens become one. */
export function withTokens(text: string, add: readonly string[], remove: readonly string[]): string {
  const pieces = piecesIn(text);
  const left = pieces.flatMap(({ lead, token }, at) => {
    const isAfterGap = remove.includes(pieces[at - 1]?.token ?? "");
    return remove.includes(token) ? [] : (lead || (isAfterGap ? " " : "")) + token;
  });
  const added = [...new Set(add)].filter((token) => !pieces.some((piece) => piece.token === token));
  return [...left, ...added.map((token) => ` ${token}`)].join("").trim();
}
