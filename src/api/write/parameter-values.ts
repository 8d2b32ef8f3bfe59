import { BtError, usageError } from "../../errors.ts";
import type { Json } from "../../wire/exchange.ts";
import { parsedUrl } from "../../wire/url.ts";
import { bugRef, isBugId } from "../bug-ref.ts";
import { type Catalog, requireField } from "../catalog/catalog.ts";
import { legalValue, splitQuotedItems } from "../catalog/legal-values.ts";
import { dayIn } from "../facts/time-zone.ts";
import { nearestWords } from "../nearest.ts";
import { commandFlagName, type Parameter, type ParameterKind } from "../operations/operation.ts";
import { UPDATE_BUG } from "../operations/write-bugs.ts";
import { type DateContext, readDate, signedSpan } from "../query/dates.ts";
import { readFlagChange } from "./flags.ts";
import { checkedText } from "./limits.ts";
import { checkedToken } from "./tokens.ts";

/** Context for parsing values. `product` narrows values that belong to products. */
export type ValueContext = {
  catalog: Catalog;
  clock: DateContext;
  readonly serverZones?: readonly string[]; // possible zones of custom date-times; empty if unknown
  address: string;
  product?: string | undefined;
  among?: string[]; // products of several bugs
  /**
   * Own login, for `@me`.
   * @throws BtError of kind usage if unknown
   */
  me: () => string;
};

/**
 * Parses the typed texts of a parameter into the value that is sent.
 * @throws BtError of kind usage with the valid values
 */
export function readParameterValue(parameter: Parameter, texts: readonly string[], reading: ValueContext): Json {
  return READER_BY_KIND[parameter.kind](texts, parameter, reading);
}

type Reader = (texts: readonly string[], parameter: Parameter, reading: ValueContext) => Json;

const READER_BY_KIND: Readonly<Record<ParameterKind, Reader>> = {
  text: (texts, { name }) => checkedText(name, lastText(texts)),
  prose: (texts, { name }) => checkedText(name, lastText(texts)),
  texts: (texts, parameter) =>
    checkedList(splitTexts(texts), parameter).map((text) => checkedText(parameter.name, text)),
  choice: (texts, parameter, reading) => readChoice(lastText(texts), parameter, reading),
  choices: (texts, parameter, reading) => splitTexts(texts).map((text) => readChoice(text, parameter, reading)),
  person: (texts, parameter, reading) => readPerson(lastText(texts), parameter, reading),
  people: (texts, parameter, reading) => splitTexts(texts).map((text) => readPerson(text, parameter, reading)),
  int: (texts, parameter) => readInteger(lastText(texts), parameter),
  ints: (texts, parameter) => splitTexts(texts).map((text) => readInteger(text, parameter)),
  bug: (texts, _, reading) => readNumberOrAlias(lastText(texts), reading),
  bugs: (texts, _, reading) => splitTexts(texts).map((text) => readNumberOrAlias(text, reading)),
  pages: (texts, parameter) => splitTexts(texts).map((text) => readBugAddress(text, parameter)),
  hours: (texts, { name }) => parseHours(lastText(texts), name),
  bool: (texts, parameter) => readYesNo(lastText(texts), parameter),
  switch: () => true,
  date: (texts, { name }, { clock }) =>
    lastText(texts) === "" ? "" : readDay(lastText(texts), clock, `--${commandFlagName(name)}`),
  datetime: (texts, _, { clock }) => new Date(readDate(lastText(texts), clock, "coming").start).toISOString(),
  flags: (texts, parameter) => requireTexts(texts.flatMap(splitFlags), parameter).map(readFlagChange),
  edit: () => throwReadByItem("edit"),
  links: () => throwReadByItem("links"),
  tokens: () => throwReadByItem("tokens"),
  privacy: (texts, parameter) => Object.fromEntries(splitTexts(texts).map((text) => readPrivacy(text, parameter))),
};

/** Parses one item of an edit, such as a login for `cc` or a keyword; `flag` is the one that errors name. */
export function readListItem(
  text: string,
  parameter: Parameter,
  reading: ValueContext,
  flag = commandFlagName(parameter.name),
): Json {
  if (parameter.of === "people") return readPerson(text, parameter, reading, flag);
  if (parameter.of === "bugs") return readNumberOrAlias(text, reading);
  if (parameter.of === "pages") return readBugAddress(text, parameter, flag);
  if (parameter.of === "choices") return readChoice(text, parameter, reading);
  if (parameter.kind === "tokens") return checkedToken(text, parameter.name);
  return checkedText(parameter.name, text);
}

function lastText(texts: readonly string[]): string {
  return texts.at(-1) ?? "";
}

function splitTexts(texts: readonly string[]): string[] {
  return texts.flatMap(splitQuotedItems);
}

function checkedList(texts: readonly string[], parameter: Parameter): readonly string[] {
  return parameter.needsOne ? requireTexts(texts, parameter) : texts;
}

function requireTexts(texts: readonly string[], { name }: Parameter): readonly string[] {
  if (texts.length === 0) throw usageError(`--${commandFlagName(name)} is empty`);
  return texts;
}

/** Flags separated by commas, except within parentheses. */
function splitFlags(text: string): string[] {
  return text.split(/,(?![^(]*\))/).filter((part) => part.trim() !== "");
}

function readChoice(text: string, { name, field }: Parameter, reading: ValueContext): string {
  if (text === "") throw usageError(`--${commandFlagName(name)} is empty`);
  return legalValue(requireField(reading.catalog, field ?? name), text, reading);
}

function readPerson(
  text: string,
  parameter: Parameter,
  reading: ValueContext,
  flag = commandFlagName(parameter.name),
): string {
  if (text === "@me") return reading.me();
  if (text.startsWith("@")) throw usageError(`unknown user ${JSON.stringify(text)}`, "did you mean @me?");
  const isUnset = text === "" && UPDATE_BUG.parameters.some((one) => one === parameter) && flag === "assigned-to";
  if ((text === "" && !parameter.clears) || /[\s,]/.test(text))
    throw usageError(
      `--${flag} ${JSON.stringify(text)} is not a login`,
      isUnset ? "--reset-assigned-to sets the default assignee of the component" : undefined,
    );
  return text;
}

function readNumberOrAlias(text: string, { address }: ValueContext): number | string {
  const ref = bugRef(text, address);
  return isBugId(ref) ? Number(ref) : ref;
}

/** URL of a bug in any tracker, or the number of one in this tracker. */
function readBugAddress(text: string, { name }: Parameter, flag = commandFlagName(name)): string {
  const number = text.replace(/^#/, "");
  if (isBugId(number)) return number;
  const address = /^https?:/i.test(text) ? text : `http://${text}`;
  const isAddress = /^https?:\/\/[^\s/]+\/./i.test(address) && parsedUrl(address) !== undefined;
  if (!isAddress) {
    throw usageError(
      `--${flag} ${JSON.stringify(text)} is not a bug number or URL`,
      "for example: https://bugs.example.org/show_bug.cgi?id=12",
    );
  }
  return checkedText(name, text);
}

function readInteger(text: string, { name }: Parameter): number {
  if (!/^[0-9]{1,15}$/.test(text))
    throw usageError(`--${commandFlagName(name)} ${JSON.stringify(text)} is not an integer`);
  return Number(text);
}

/**
 * Hours as `1.5`, `90m`, `2h` or `1h30m`; negative only for work time. Trackers keep two decimals: minutes are rounded,
 * further decimals rejected.
 */
export function parseHours(text: string, name: string): number {
  const flag = commandFlagName(name);
  const [, minus, plain, h, m] = /^(-)?(?:(\d+(?:\.\d+)?)|(?:(\d+(?:\.\d+)?)h)?(?:(\d+)m)?)$/.exec(text) ?? [];
  const value = plain === undefined ? Number(h ?? 0) + Number(m ?? 0) / 60 : Number(plain);
  const isGiven = plain !== undefined || h !== undefined || m !== undefined;
  if (!isGiven || (minus && name !== "work_time")) {
    throw usageError(`--${flag} ${JSON.stringify(text)} is not a number of hours`, "use 1.5, 90m or 1h30m");
  }
  if (value > MAX_HOURS) throw usageError(`--${flag} ${text} is above the maximum of ${MAX_HOURS} hours`);
  if (/\.\d\d0*[1-9]/.test(text))
    throw usageError(`--${flag} ${JSON.stringify(text)} has more than two decimals`, "use 0.25, 15m or 1h30m");
  return ((minus ? -1 : 1) * Math.round(value * 100)) / 100;
}

const MAX_HOURS = 99_999.99;

const WORDS: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  on: true,
  "1": true,
  no: false,
  false: false,
  off: false,
  "0": false,
};

function readYesNo(text: string, { name }: Parameter): boolean {
  const word = Object.hasOwn(WORDS, text.toLowerCase()) ? WORDS[text.toLowerCase()] : undefined;
  if (word === undefined) throw usageError(`--${commandFlagName(name)} ${JSON.stringify(text)} is not yes or no`);
  return word;
}

function readPrivacy(text: string, parameter: Parameter): [string, boolean] {
  const [, comment = "", word = "yes"] = /^(?:c:)?(.+?)(?:=(\w*))?$/s.exec(text) ?? [];
  if (comment === "" || /^0\d*$/.test(comment)) {
    throw usageError(
      `--${commandFlagName(parameter.name)} ${JSON.stringify(text)} is not COMMENT=yes or COMMENT=no`,
      "for example: 1234=yes, or 44#3=yes",
    );
  }
  return [comment, readYesNo(word, parameter)];
}

function throwReadByItem(kind: string): never {
  throw new BtError("internal", `an ${kind} is read item by item`);
}

/**
 * Parses a day: `2026-10-03`, `today`, `tomorrow`, `+3d`, `+2w`, `+1mo`, `+1y`, `friday`, `in 2 weeks`, relative to
 * today in the clock's zone. A past day must be given in full.
 * @throws BtError of kind usage for months, times and lengths without a sign
 */
export function readDay(text: string, clock: DateContext, flag: string): string {
  const word = signedSpan(text.trim().toLowerCase().replace(/\s+/g, " "));
  if (/^\d{4}-\d\d-\d\d$/.test(word)) return calendarDay(word, clock);
  const isWeekday = /^(?:(?:on|next) )?(?:sun|mon|tue|wed|thu|fri|sat)(?:[a-z]*day)?$/.test(word);
  const day = isWeekday ? dayIn(clock.zone, readDate(word, clock, "coming").start) : stepFrom(word, clock);
  if (day !== undefined && /^\d{4}-/.test(day)) return day;
  const [near] = nearestWords(word, DAY_NAMES);
  throw usageError(`${flag} ${JSON.stringify(text)} is not a valid date`, near ? `did you mean ${near}?` : HINT);
}

const DAY_NAMES = "today tomorrow monday tuesday wednesday thursday friday saturday sunday".split(" ");

const HINT = "use 2026-10-03, today, tomorrow, friday, +3d, +2w, +1mo or +1y; past dates only as 2026-10-03";

/** The day, if it exists in the calendar. */
function calendarDay(word: string, clock: DateContext): string {
  readDate(word, clock);
  return word;
}

const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7 };
const MONTHS: Readonly<Record<string, number>> = { mo: 1, y: 12 };

/** Counts calendar days, not hours: a day of a clock change has 23 or 25. */
function stepFrom(word: string, { now, zone }: DateContext): string | undefined {
  const named: Readonly<Record<string, string>> = { today: "+0d", tomorrow: "+1d" };
  const step = Object.hasOwn(named, word) ? named[word] : word;
  const [, digits, unit = ""] = /^\+(\d{1,5})(d|w|mo|y)$/.exec(step ?? "") ?? [];
  if (digits === undefined) return undefined;
  const [year = 0, month = 1, day = 1] = dayIn(zone, now.getTime()).split("-").map(Number);
  const months = Number(digits) * (MONTHS[unit] ?? 0);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const days = Number(digits) * (DAYS[unit] ?? 0);
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last) + days)).toISOString().replace(/T.*/, "");
}
