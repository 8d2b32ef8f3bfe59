import { usageError } from "../../errors.ts";
import { type Json, parsedUrl } from "../../wire/exchange.ts";
import { DAY_MS, HOUR_MS, timestamp } from "../../wire/time.ts";
import { bugRef, isBugId } from "../bug-ref.ts";
import { type Catalog, legalValue, requireField, splitQuotedItems } from "../catalog/catalog.ts";
import { commandFlagName, type Parameter, type ParameterKind } from "../operations/operation.ts";
import { type DateContext, dayIn, momentIn, readDate } from "../query/dates.ts";
import { readFlagChange } from "./flags.ts";
import { checkedText, checkedToken } from "./texts.ts";

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
  ...(["texts", "choices", "people", "ints", "bugs", "pages", "flags", "edit", "links", "privacy"] as const),
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

/** Reads a text of a field as a parameter of a kind; errors name the `flag`. */
export function readTextAs(kind: ParameterKind, typed: string, flag: string, reading: ValueContext): Json {
  return READERS[kind](typed, { name: flag, kind, about: "" }, reading, flag);
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
  if (end - start <= DAY_MS + 2 * HOUR_MS && !/^\s*-?\d+[a-z]+\s*$|:/i.test(day)) return dayIn(zone, start);
  const hint = "use 2026-10-03, today, tomorrow, friday, +3d, +2w, +1mo or +1y";
  throw usageError(`${flag} ${JSON.stringify(typed)} is not a valid date`, hint);
}
