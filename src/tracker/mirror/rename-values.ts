import type { JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { CHOICE_FIELDS } from "../fields.ts";
import type { Store } from "../store/store.ts";
import { objectsOf, textOf, wholeOf } from "./received.ts";

/**
 * Renames legal values in all bugs by comparing new metadata with the stored one. Values have no ids: a missing value
 * becomes the new one of the same rank, if both are the only ones. Returns the bugs with other missing values.
 */
export function renameValues(store: Store, fields: readonly JsonObject[]): readonly number[] {
  const stale = fields.flatMap((field) => {
    const place = placeOf(field);
    return place ? renameIn(store, place, changeOf(storedValues(store, field), receivedValues(field))) : [];
  });
  return [...new Set([...stale, ...renameKeywords(store, fields)])];
}

/** Place of a field's values in bugs: SQL that renames one, and that finds the bugs with one. */
type Place = { readonly rename: string; readonly find: string };

function placeOf(field: JsonObject): Place | undefined {
  const name = textOf(field["name"]);
  const choice = CHOICE_FIELDS.find(({ chart }) => chart === name);
  if (choice) return column({ table: "bugs", name: choice.column, id: "id", and: "" });
  if (!name.startsWith("cf_")) return undefined;
  const type = wholeOf(field["type"]);
  const and = ` AND field_id = ${wholeOf(field["id"])}`;
  if (type === FIELD_TYPE.select) return column({ table: "custom_values", name: "value", id: "bug_id", and });
  return type === FIELD_TYPE.multiSelect
    ? column({ table: "custom_choices", name: "value", id: "bug_id", and })
    : undefined;
}

type Column = { readonly table: string; readonly name: string; readonly id: string; readonly and: string };

function column({ table, name, id, and }: Column): Place {
  return {
    rename: `UPDATE OR REPLACE ${table} SET ${name} = ? WHERE ${name} = ?${and}`,
    find: `SELECT ${id} AS id FROM ${table} WHERE ${name} = ?${and}`,
  };
}

/** Ranks, or other properties that identify a value, by name. */
type Values = ReadonlyMap<string, string>;

/** Renamed and removed values. */
type ValueChange = {
  readonly renamed: readonly (readonly [from: string, to: string])[];
  readonly gone: readonly string[];
};

function changeOf(before: Values, after: Values): ValueChange {
  const [gone, added] = [
    [...before.keys()].filter((name) => !after.has(name)),
    [...after.keys()].filter((name) => !before.has(name)),
  ];
  const successor = (name: string) => {
    const same = added.filter((one) => after.get(one) === before.get(name));
    const rivals = gone.filter((one) => before.get(one) === before.get(name));
    return same.length === 1 && rivals.length === 1 ? same[0] : undefined;
  };
  const renamed = gone.flatMap((name): readonly (readonly [string, string])[] => {
    const to = successor(name);
    return to === undefined ? [] : [[name, to]];
  });
  return { renamed, gone: gone.filter((name) => successor(name) === undefined) };
}

function renameIn(store: Store, { rename, find }: Place, { renamed, gone }: ValueChange): readonly number[] {
  const stale = gone.flatMap((name) => store.all<{ readonly id: number }>(find, [name]).map(({ id }) => id));
  for (const [from, to] of renamed) store.run(rename, [to, from]);
  return stale;
}

function storedValues(store: Store, field: JsonObject): Values {
  const rows = store.all<{ readonly name: string; readonly sort_key: number }>(
    "SELECT field_values.name, field_values.sort_key FROM field_values JOIN fields ON fields.id = field_id WHERE fields.name = ?",
    [textOf(field["name"])],
  );
  return new Map(rows.map(({ name, sort_key }) => [name, String(sort_key)]));
}

function receivedValues(field: JsonObject): Values {
  const values = objectsOf(field["values"]).filter(({ name }) => typeof name === "string");
  return new Map(values.map(({ name, sort_key, sortkey }) => [textOf(name), String(wholeOf(sort_key ?? sortkey))]));
}

function renameKeywords(store: Store, fields: readonly JsonObject[]): readonly number[] {
  const field = fields.find(({ name }) => name === "keywords");
  if (!field) return [];
  const rows = store.all<{ readonly name: string; readonly description: string }>(
    "SELECT name, description FROM keywords",
  );
  const before: Values = new Map(rows.map(({ name, description }) => [name, description]));
  const after: Values = new Map(
    objectsOf(field["values"]).map(({ name, description }) => [textOf(name), textOf(description)]),
  );
  return renameIn(store, KEYWORDS, changeOf(before, after));
}

const KEYWORDS: Place = {
  rename: "UPDATE OR REPLACE keywords SET name = ? WHERE name = ?",
  find: "SELECT bug_id AS id FROM bug_keywords JOIN keywords ON keywords.id = keyword_id WHERE name = ?",
};
