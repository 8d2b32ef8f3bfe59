import { type BtError, usageError } from "../../errors.ts";
import { EDITED_LISTS } from "../../wire/added-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { timestamp } from "../../wire/time.ts";
import { type Catalog, type CatalogField, findField, isSettable } from "../catalog/catalog.ts";
import { legalNames, legalValue, listParts, unquoted } from "../catalog/legal-values.ts";
import { momentsOn, type WallClock, wallClockIn } from "../facts/time-zone.ts";
import { nearestNames } from "../nearest.ts";
import { readDate } from "../query/dates.ts";
import { readDay, type ValueContext } from "./parameter-values.ts";

/**
 * Custom fields of a write from `cf_name=value` or `Display name=value`, parsed by the field's type. Values of a
 * multi-select add up over commas and repeated flags: asTyped ones replace the list, `+a,-b` edit it (see
 * `withWholeValues`).
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

function customValue(field: CatalogField, texts: string[], reading: ValueContext): Json {
  if (isListField(field)) return listValue(field, texts, reading);
  const [text = "", ...others] = texts;
  if (others.some((other) => other !== text)) {
    throw usageError(`${field.label} takes one value, but ${texts.length} were given`, "give --field once per field");
  }
  return (READER_BY_FIELD_TYPE[field.type] ?? asTyped)(text, field, reading);
}

/** True for a field with several values. */
export function isListField({ type }: CatalogField): boolean {
  return type === FIELD_TYPE.multiSelect || type === FIELD_TYPE.users || type === FIELD_TYPE.bugs;
}

/** Parses one item of such a field. */
export function readItem(field: CatalogField, text: string, reading: ValueContext): Json {
  return (ITEMS[field.type] ?? READER_BY_FIELD_TYPE[FIELD_TYPE.select] ?? asTyped)(text, field, reading);
}

/** A part with a sign is an edit, unless it is quoted or a value has that name. */
function listValue(field: CatalogField, texts: string[], reading: ValueContext): Json {
  const names = legalNames(field) ?? [];
  const parts = texts.flatMap((text) => listParts(text, names)).filter((part) => part !== "" && part !== '""');
  const signed = parts.filter((part) => /^[-+]./.test(part) && !names.includes(part));
  const read = (text: string) => readItem(field, text, reading);
  if (signed.length === 0) {
    const items = [...new Set(parts.map((part) => read(unquoted(part))))];
    return EDITED_LISTS.has(field.api) ? { set: items } : items;
  }
  const bare = parts.find((part) => !signed.includes(part));
  if (bare !== undefined) {
    const hint = `--field ${JSON.stringify(`${field.api}=+${bare}`)}, or give all values without a sign`;
    throw usageError(`${field.label}: ${bare} needs + or -, like the other values`, hint);
  }
  const starting = (sign: string) =>
    signed.filter((part) => part.startsWith(sign)).map((part) => read(unquoted(part.slice(1).trim())));
  return { add: starting("+"), remove: starting("-") };
}

function customField(name: string, catalog: Catalog): CatalogField {
  const field = findField(catalog, name);
  if (field && isSettable(field)) return field;
  if (field?.isReadOnly) throw usageError(`${name} cannot be set`, "the tracker sets it");
  if (field)
    throw usageError(`${name} is not a custom field; it has its own flag`, `--${field.api.replaceAll("_", "-")}`);
  const custom = catalog.fields.filter(isSettable);
  const near = nearestNames(
    name,
    custom.flatMap((one) => [one.api, one.label]),
  );
  const meant = [...new Set(near.map((one) => findField(catalog, one)?.api))].join(" or ");
  throw usageError(
    `unknown custom field "${name}"`,
    meant ? `did you mean ${meant}?` : "bt field list --custom shows the custom fields",
  );
}

type Reader = (text: string, field: CatalogField, reading: ValueContext) => Json;

const asTyped: Reader = (text) => text;

/** Readers by type; an empty text clears the field. */
const READER_BY_FIELD_TYPE: Readonly<Record<number, Reader>> = {
  [FIELD_TYPE.text]: (text, field) => {
    if ([...text].length > MAX_TEXT_LENGTH)
      throw usageError(`${field.label} is longer than ${MAX_TEXT_LENGTH} characters`);
    return text;
  },
  [FIELD_TYPE.select]: (text, field, reading) => legalValue(field, text === "" ? "---" : text, reading),
  [FIELD_TYPE.extension]: (text) => (text === "" ? "---" : text),
  [FIELD_TYPE.dateTime]: (text, field, { clock, serverZones = [] }) => {
    if (text === "") return "";
    const { start } = readDate(text, clock, "coming");
    const [time, ...others] = new Set(serverZones.map((zone) => wallClockIn(zone, start)));
    if (time === undefined || others.length > 0) throw unknownZoneError(field);
    if (certainMoment(time, serverZones) === undefined) throw ambiguousTimeError(field, time);
    return time;
  },
  [FIELD_TYPE.bugId]: (text, field) => (text === "" ? "" : parseBugNumber(text, field)),
  [FIELD_TYPE.user]: (text, field, reading) => (text === "" ? "" : parseLogin(text, field, reading)),
  [FIELD_TYPE.date]: (text, { label }, { clock }) =>
    text === "" ? "" : readDay(text.replace(MIDNIGHT, ""), clock, label),
  [FIELD_TYPE.integer]: (text, field) => {
    if (text === "") return 0; // which is how a tracker stores no number
    if (!/^-?[0-9]{1,9}$/.test(text)) throw usageError(`${field.label} takes an integer, not ${JSON.stringify(text)}`);
    return Number(text);
  },
};

/** Readers of an item by type. */
const ITEMS: Readonly<Record<number, Reader>> = {
  [FIELD_TYPE.users]: parseLogin,
  [FIELD_TYPE.bugs]: parseBugNumber,
};

function parseBugNumber(text: string, { label }: CatalogField): number {
  if (!/^#?[1-9][0-9]{0,14}$/.test(text)) throw usageError(`${label} takes a bug number, not ${JSON.stringify(text)}`);
  return Number(text.replace("#", ""));
}

function parseLogin(text: string, { label }: CatalogField, { me }: ValueContext): string {
  if (text === "@me") return me();
  if (text === "" || /[\s,]/.test(text)) throw usageError(`${label} takes a login, not ${JSON.stringify(text)}`);
  return text;
}

/** Trackers return a custom date as the moment at which it begins in UTC. */
const MIDNIGHT = /T00:00:00Z$/;

/** Error for a time in an unknown zone: trackers read these times on their own clock and return them in UTC. */
function unknownZoneError({ label }: CatalogField): BtError {
  return usageError(
    `the tracker reads ${label} in its own time zone, which is not UTC`,
    "set its time zone, for example: bt config set server_zone America/New_York",
  );
}

/** Error for a local time that occurs twice; trackers pick one silently. */
function ambiguousTimeError({ label }: CatalogField, time: string): BtError {
  return usageError(
    `ambiguous time for ${label}: ${time} occurs twice in the tracker's time zone, at the end of summer time`,
    "give a time outside that hour",
  );
}

const MAX_TEXT_LENGTH = 255;

/** Moments (UTC) of custom date-times, which a body holds in the tracker's local time; undefined if it sets none. */
export type Moments = Readonly<Record<string, string>> | undefined;

/**
 * Moments (UTC, `2026-10-03T14:00:00Z`) that a body of `customBody` sets date-time fields to, as the tracker should
 * return them.
 * @see Bugzilla/Bug.pm, `_check_datetime_field`: a time is read in the server's zone, whatever zone it names
 */
export function momentsIn(
  body: JsonObject,
  catalog: Catalog,
  zones: readonly string[],
): Readonly<Record<string, string>> {
  const fields = catalog.fields.filter(({ isCustom, type }) => isCustom && type === FIELD_TYPE.dateTime);
  const moments: Record<string, string> = {};
  for (const { api } of fields) {
    const time = String(body[api] ?? "");
    const moment = isLocalTime(time) ? certainMoment(time, zones) : undefined;
    if (moment !== undefined) moments[api] = moment;
  }
  return moments;
}

/** True for a date-time without a zone, as servers take and record those of custom fields. */
export function isLocalTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?$/.test(text);
}

/**
 * Moment (UTC, `2026-10-03T14:00:00Z`) of a local time; undefined if ambiguous: zones unknown or disagreeing, or a time
 * repeated or skipped by their clocks.
 */
export function certainMoment(text: string, zones: readonly string[]): string | undefined {
  const [moment, ...others] = new Set(zones.flatMap((zone) => momentsOn(zone, clockIn(text))));
  return moment === undefined || others.length > 0 ? undefined : timestamp(moment);
}

function clockIn(text: string): WallClock {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = text.match(/\d+/g)?.map(Number) ?? [];
  return [year, month, day, hour, minute, second];
}
