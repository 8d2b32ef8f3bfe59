import { usageError } from "../../errors.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { EDITED_LISTS, FIELD_TYPE } from "../../wire/field-types.ts";
import { timestamp } from "../../wire/time.ts";
import { type Catalog, type CatalogField, findField, isSettable } from "../catalog/catalog.ts";
import { legalNames, legalValue, listParts, unquoted } from "../catalog/legal-values.ts";
import { suggestNames } from "../nearest.ts";
import { commandFlagName } from "../operations/operation.ts";
import { readDate } from "../query/dates.ts";
import { wallClockIn } from "../time-zone.ts";
import { readDay, type ValueContext } from "./parameter-values.ts";

/**
 * Custom fields of a write from `cf_name=value` or `Display name=value`, parsed by the field's type. Values of a
 * multi-select add up over commas and repeated flags: plain ones replace the list, `+a,-b` edit it (see
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

function customField(name: string, catalog: Catalog): CatalogField {
  const field = findField(catalog, name);
  if (field && isSettable(field)) return field;
  if (field?.isReadOnly) throw usageError(`${name} cannot be set`, "the tracker sets it");
  if (field) throw usageError(`${name} is not a custom field; it has its own flag`, `--${commandFlagName(field.api)}`);
  const names = catalog.fields.filter(isSettable).map(({ api }) => api);
  const hint = suggestNames(name, names) ?? "bt field list --custom shows the custom fields";
  throw usageError(`unknown custom field "${name}"`, hint);
}

function customValue(field: CatalogField, texts: string[], reading: ValueContext): Json {
  if (isListField(field)) return listValue(field, texts, reading);
  const [text = "", ...others] = texts;
  if (others.some((other) => other !== text))
    throw usageError(`${field.label} takes one value, but ${texts.length} were given`, "give --field once per field");
  const [read, empty] = READERS[field.type] ?? AS_TYPED;
  return text === "" && empty !== undefined ? empty : read(text, field, reading);
}

/** True for a field with several values. */
export function isListField({ type }: CatalogField): boolean {
  return type === FIELD_TYPE.multiSelect || type === FIELD_TYPE.users || type === FIELD_TYPE.bugs;
}

/** A part with a sign is an edit, unless it is quoted or a value has that name. */
function listValue(field: CatalogField, texts: string[], reading: ValueContext): Json {
  const names = legalNames(field) ?? [];
  const parts = texts.flatMap((text) => listParts(text)).filter((part) => part !== "" && part !== '""');
  const signed = parts.filter((part) => /^[-+]./.test(part) && !names.includes(part));
  const read = (part: string) => readItem(field, unquoted(part), reading);
  if (signed.length === 0) {
    const items = [...new Set(parts.map(read))];
    return EDITED_LISTS.has(field.api) ? { set: items } : items;
  }
  const bare = parts.find((part) => !signed.includes(part));
  if (bare !== undefined) {
    const hint = `--field ${JSON.stringify(`${field.api}=+${bare}`)}, or give all values without a sign`;
    throw usageError(`${field.label}: ${bare} needs + or -, like the other values`, hint);
  }
  const starting = (sign: string) =>
    signed.filter((part) => part.startsWith(sign)).map((part) => read(part.slice(1).trim()));
  return { add: starting("+"), remove: starting("-") };
}

export function readItem(field: CatalogField, text: string, reading: ValueContext): Json {
  const type = { [FIELD_TYPE.users]: FIELD_TYPE.user, [FIELD_TYPE.bugs]: FIELD_TYPE.bugId }[field.type];
  const [read] = READERS[type ?? FIELD_TYPE.select] ?? AS_TYPED;
  return read(text, field, reading);
}

type Reader = (text: string, field: CatalogField, reading: ValueContext) => Json;

/** A reader, and the value that clears the field, if an empty text is none of its own. */
type TypeReader = readonly [read: Reader, empty?: Json];

const AS_TYPED: TypeReader = [(text) => text];

const READERS: Readonly<Record<number, TypeReader>> = {
  [FIELD_TYPE.select]: [(text, field, reading) => legalValue(field, text === "" ? "---" : text, reading)],
  [FIELD_TYPE.extension]: [(text) => text, "---"],
  [FIELD_TYPE.dateTime]: [(text, _, { clock }) => timestamp(readDate(text, clock, "coming").start), ""],
  [FIELD_TYPE.bugId]: [formed(/^#?[1-9][0-9]{0,14}$/, "a bug number", (text) => Number(text.replace("#", ""))), ""],
  [FIELD_TYPE.user]: [formed(/^[^\s,]+$/, "a login", (text, { me }) => (text === "@me" ? me() : text)), ""],
  [FIELD_TYPE.date]: [(text, { label }, { clock }) => readDay(text.replace(MIDNIGHT, ""), clock, label), ""],
  [FIELD_TYPE.integer]: [formed(/^-?[0-9]{1,9}$/, "an integer", Number), 0], // a tracker stores no number as 0
};

/** The reader of texts of a form; `what` names it in errors. */
function formed(form: RegExp, what: string, read: (text: string, reading: ValueContext) => Json): Reader {
  return (text, { label }, reading) => {
    if (form.test(text)) return read(text, reading);
    throw usageError(`${label} takes ${what}, not ${JSON.stringify(text)}`);
  };
}

/** Trackers return a custom date as the moment at which it begins in UTC. */
const MIDNIGHT = /T00:00:00Z$/;

/**
 * The custom date-times of a body (UTC) in the local time of the tracker, which reads them in its own zone.
 * @see Bugzilla/Bug.pm, `_check_datetime_field`
 */
export function localTimes(body: JsonObject, catalog: Catalog, zone = "UTC"): JsonObject {
  const isMoment = ([name, time]: [string, Json]) =>
    name.startsWith("cf_") && time !== "" && findField(catalog, name)?.type === FIELD_TYPE.dateTime;
  const moments = Object.entries(body).filter(isMoment);
  return Object.fromEntries(moments.map(([name, time]) => [name, wallClockIn(zone, Date.parse(String(time)))]));
}
