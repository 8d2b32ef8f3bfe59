import { type BtError, usage } from "../../errors.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { type Catalog, type CatalogField, findField } from "../catalog.ts";
import { legalValue } from "../legal-value.ts";
import { suggest } from "../nearest.ts";
import { readDate } from "../query/dates.ts";
import { wallClockIn } from "../query/zone.ts";
import { splitValues } from "../split-values.ts";
import { readDay } from "./day.ts";
import type { Reading } from "./values.ts";

/**
 * The custom fields of a write: `cf_name=value` or `Display name=value`, read by the type that the tracker's metadata gives
 * them. A multiple-selection field takes its whole list, separated by commas.
 */
export function customBody(pairs: readonly string[], reading: Reading): JsonObject {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw usage(`${JSON.stringify(pair)} is not field=value`);
      const field = customField(pair.slice(0, at).trim(), reading.catalog);
      return [field.api, (READERS[field.type] ?? plain)(pair.slice(at + 1), field, reading)];
    }),
  );
}

function customField(name: string, catalog: Catalog): CatalogField {
  const field = findField(catalog, name);
  if (field?.isCustom) return field;
  const custom = catalog.fields.filter((one) => one.isCustom);
  throw usage(
    field ? `${name} is no custom field; it has a flag of its own` : `the tracker has no custom field "${name}"`,
    suggest(
      name,
      custom.flatMap((one) => [one.api, one.label]),
    ) ?? "bt field list --custom shows the custom fields",
  );
}

type Reader = (text: string, field: CatalogField, reading: Reading) => Json;

const plain: Reader = (text) => text;

/** By the type codes of wire/field.ts; an empty text clears the field. */
const READERS: Readonly<Record<number, Reader>> = {
  1: (text, field) => {
    if ([...text].length > MOST_TEXT) throw usage(`${field.label} holds at most ${MOST_TEXT} characters`);
    return text;
  },
  2: (text, field, { product }) => legalValue(field, text === "" ? "---" : text, product),
  3: (text, field, { product }) =>
    splitValues(text, field)
      .filter(Boolean)
      .map((value) => legalValue(field, value, product)),
  5: (text, field, { clock, serverZone }) => {
    if (text === "") return "";
    if (serverZone === undefined) throw unknownZone(field);
    return wallClockIn(serverZone, readDate(text, clock).start);
  },
  6: (text, field) => {
    if (text === "") return "";
    if (!/^#?[1-9][0-9]{0,14}$/.test(text)) throw usage(`${field.label} is a bug number, not ${JSON.stringify(text)}`);
    return Number(text.replace("#", ""));
  },
  9: (text, { label }, { clock }) => (text === "" ? "" : readDay(text, clock, label)),
  10: (text, field) => {
    if (!/^-?[0-9]{1,9}$/.test(text)) throw usage(`${field.label} is a whole number, not ${JSON.stringify(text)}`);
    return Number(text);
  },
};

/** A tracker takes these times on its own clock, and shows them in UTC. */
function unknownZone({ label }: CatalogField): BtError {
  return usage(
    `the tracker reads ${label} on its own clock, which is not UTC`,
    "say which zone that is, for example: bt config set server_zone America/New_York",
  );
}

const MOST_TEXT = 255;
