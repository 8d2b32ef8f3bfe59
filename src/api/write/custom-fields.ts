import { usageError } from "../../errors.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { EDITED_LISTS, FIELD_TYPE } from "../../wire/field-types.ts";
import {
  type Catalog,
  type CatalogField,
  findField,
  isSettable,
  legalNames,
  legalValue,
  listParts,
  unquoted,
} from "../catalog/catalog.ts";
import { partition } from "../lists.ts";
import { suggestNames } from "../nearest.ts";
import { commandFlagName, type ParameterKind } from "../operations/operation.ts";
import { wallClockIn } from "../query/dates.ts";
import { readTextAs, type ValueContext } from "./parameter-values.ts";

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
  if (field && !field.isReadOnly) throw usageError(`${name} is not a custom field`, `--${commandFlagName(field.api)}`);
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
  const kind = PARAMETER_KINDS[type];
  return kind ? readTextAs(kind, text, `field ${api}`, reading) : text;
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
  const isMoment = ([name, time]: [string, Json]) =>
    name.startsWith("cf_") && time !== "" && findField(catalog, name)?.type === FIELD_TYPE.dateTime;
  const moments = Object.entries(body).filter(isMoment);
  return Object.fromEntries(moments.map(([name, time]) => [name, wallClockIn(zone, Date.parse(String(time)))]));
}
