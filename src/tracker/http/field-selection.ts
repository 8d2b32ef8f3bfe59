import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isFlagSet } from "./input.ts";

/** Field groups that `include_fields` names `_default`, `_custom` and `_extra`. */
export type FieldSet = "default" | "custom" | "extra";

/** Predicate of the fields selected by `include_fields` and `exclude_fields`. */
export type FieldSelection = {
  includes: (field: string, sets?: FieldSet[]) => boolean;
  includesPart: (field: string, part: string) => boolean; // assigned_to.real_name
};

/**
 * The field selection of a request. Names are case-sensitive; unknown names select nothing.
 * @see Bugzilla/WebService/Util.pm, filter_wants
 */
export function readFieldSelection(input: JsonObject): FieldSelection {
  const include = readSelectedNames(input, "include_fields");
  const exclude = readSelectedNames(input, "exclude_fields");
  const namesASet = (names: SelectedNames, sets: FieldSet[]) =>
    names.sets.has("all") || sets.some((set) => names.sets.has(set));
  return {
    includes: (field, sets = ["default"]) => {
      if (exclude.fields.has(field) || namesASet(exclude, sets)) return false;
      return include.isEmpty ? sets.includes("default") : namesASet(include, sets) || includesAnyPart(include, field);
    },
    includesPart: (field, part) => {
      if (exclude.fields.has(`${field}.${part}`)) return false;
      const whole = include.isEmpty || namesASet(include, ["default"]) || include.fields.has(field);
      return whole || include.fields.has(`${field}.${part}`);
    },
  };
}

/** Copy of the object with the selected fields. */
export function pickFields(object: JsonObject, selection: FieldSelection): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => selection.includes(name)));
}

/** Copy of the object under `field` with the selected subfields (`assigned_to.real_name`). */
export function pickFieldParts(object: JsonObject, field: string, selection: FieldSelection): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([part]) => selection.includesPart(field, part)));
}

type SelectedNames = {
  isEmpty: boolean;
  fields: ReadonlySet<string>;
  sets: ReadonlySet<string>;
};

// A repeated parameter is not split, as on a real server: only the single form is a list of names.
function readSelectedNames(input: JsonObject, parameter: string): SelectedNames {
  const value: Json = isFlagSet(input, parameter) ? (input[parameter] ?? "") : [];
  const all = Array.isArray(value) ? value.map(String) : String(value).split(/[\s,+]+/);
  const names = all.filter((name) => name !== "");
  return {
    isEmpty: names.length === 0,
    fields: new Set(names.filter((name) => !name.startsWith("_"))),
    sets: new Set(names.filter((name) => name.startsWith("_")).map((name) => name.slice(1))),
  };
}

function includesAnyPart(include: SelectedNames, field: string): boolean {
  return include.fields.has(field) || [...include.fields].some((name) => name.startsWith(`${field}.`));
}
