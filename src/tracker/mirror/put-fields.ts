import { PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Store } from "../store/store.ts";
import { bitOf, objectsOf, textOf, textsOf, wholeOf } from "./received.ts";
import { keepWhole } from "./rest.ts";

/** Replaces the stored fields of a tracker, with their values and the workflow. */
export function putFields(store: Store, fields: readonly JsonObject[]): void {
  store.exec("DELETE FROM fields; DELETE FROM field_visibility; DELETE FROM field_values; DELETE FROM status_moves");
  store.exec("DELETE FROM mirror_rest WHERE kind = 'field'");
  for (const [at, field] of fields.entries()) {
    store.run(ADD_FIELD, {
      id: wholeOf(field["id"]),
      name: textOf(field["name"]),
      label: textOf(field["display_name"]),
      type: wholeOf(field["type"]),
      custom: bitOf(field["is_custom"]),
      mandatory: bitOf(field["is_mandatory"]),
      entry: bitOf(field["is_on_bug_entry"]),
      place: at,
      shown: textOf(field["visibility_field"]) || null,
      by: textOf(field["value_field"]) || null,
    });
    keepWhole(store, ["field", wholeOf(field["id"])], field);
    for (const value of new Set(textsOf(field["visibility_values"]))) {
      store.run("INSERT INTO field_visibility (field_id, value) VALUES (?, ?)", [wholeOf(field["id"]), value]);
    }
    putValues(store, field);
  }
}

const ADD_FIELD = `INSERT OR REPLACE INTO fields (id, name, display_name, type, is_custom, is_mandatory,
    is_on_bug_entry, sort_key, visibility_field, value_field)
  VALUES (@id, @name, @label, @type, @custom, @mandatory, @entry, @place, @shown, @by)`;

/** Values of products, components, versions, milestones and keywords are in tables of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set(["product", "classification", ...PER_PRODUCT_FIELDS, "keywords"]);

function putValues(store: Store, field: JsonObject): void {
  const name = textOf(field["name"]);
  for (const value of ELSEWHERE.has(name) ? [] : objectsOf(field["values"])) {
    putMoves(store, value);
    if (value["name"] === null) continue;
    store.run(ADD_VALUE, {
      field: wholeOf(field["id"]),
      name: textOf(value["name"]),
      place: wholeOf(value["sort_key"] ?? value["sortkey"]),
      active: value["is_active"] === undefined ? 1 : bitOf(value["is_active"]),
      open: bitOf(value["is_open"]),
      shown: textsOf(value["visibility_values"])[0] ?? null,
    });
  }
}

const ADD_VALUE = `INSERT OR IGNORE INTO field_values (field_id, name, sort_key, is_active, is_open, visible_for)
  VALUES (@field, @name, @place, @active, @open, @shown)`;

/** Stores the allowed moves from a status, or those of new bugs. */
function putMoves(store: Store, { name, can_change_to }: JsonObject): void {
  for (const move of objectsOf(can_change_to)) {
    store.run("INSERT OR IGNORE INTO status_moves (from_status, to_status, comment_required) VALUES (?, ?, ?)", [
      name === null ? null : textOf(name),
      textOf(move["name"]),
      bitOf(move["comment_required"]),
    ]);
  }
}

/** Stores the keywords among the values of the fields. */
export function putKeywords(store: Store, fields: readonly JsonObject[]): void {
  const keywords = fields.find(({ name }) => name === "keywords");
  for (const { name, description } of objectsOf(keywords?.["values"])) {
    store.run(
      "INSERT INTO keywords (name, description) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET description = excluded.description",
      [textOf(name), textOf(description)],
    );
  }
}
