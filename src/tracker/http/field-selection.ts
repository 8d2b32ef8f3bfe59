import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isFlagSet } from "./input.ts";

/** The sets that a field may belong to; `include_fields=_custom` and the like name them. */
export type FieldSet = "default" | "custom" | "extra";

/** Which fields of an object the requester wants, by `include_fields` and `exclude_fields`. */
export type FieldSelection = {
  readonly wants: (field: string, sets?: readonly FieldSet[]) => boolean;
  readonly wantsPart: (field: string, part: string) => boolean; // assigned_to.real_name
};

/** Reads what is wanted. Names are exact; unknown ones select nothing. */
export function readFieldSelection(input: JsonObject): FieldSelection {
  const include = readNames(input, "include_fields");
  const exclude = readNames(input, "exclude_fields");
  const inSet = (names: SelectedNames, sets: readonly FieldSet[]) =>
    names.sets.has("all") || sets.some((s) => names.sets.has(s));
  return {
    wants: (field, sets = ["default"]) => {
      if (exclude.fields.has(field) || inSet(exclude, sets)) return false;
      return include.isEmpty ? sets.includes("default") : inSet(include, sets) || names(include, field);
    },
    wantsPart: (field, part) => {
      if (exclude.fields.has(`${field}.${part}`)) return false;
      const whole = include.isEmpty || inSet(include, ["default"]) || include.fields.has(field);
      return whole || include.fields.has(`${field}.${part}`);
    },
  };
}

/** Only the members that are wanted. */
export function pickFields(object: JsonObject, selection: FieldSelection): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => selection.wants(name)));
}

/** Only the wanted parts of what stands under a field: the real name of the assignee, the names of a product's components. */
export function pickFieldParts(object: JsonObject, field: string, selection: FieldSelection): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([part]) => selection.wantsPart(field, part)));
}

type SelectedNames = {
  readonly isEmpty: boolean;
  readonly fields: ReadonlySet<string>;
  readonly sets: ReadonlySet<string>;
};

// A repeated parameter is not split, as on a real server: only the single form is a list of names.
function readNames(input: JsonObject, parameter: string): SelectedNames {
  const value: Json = isFlagSet(input, parameter) ? (input[parameter] ?? "") : [];
  const all = Array.isArray(value) ? value.map(String) : String(value).split(/[\s,+]+/);
  const given = all.filter((name) => name !== "");
  return {
    isEmpty: given.length === 0,
    fields: new Set(given.filter((name) => !name.startsWith("_"))),
    sets: new Set(given.filter((name) => name.startsWith("_")).map((name) => name.slice(1))),
  };
}

function names(include: SelectedNames, field: string): boolean {
  return include.fields.has(field) || [...include.fields].some((name) => name.startsWith(`${field}.`));
}
