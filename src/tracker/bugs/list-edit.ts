import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { faults } from "../http/fault.ts";
import { asText, uniqueBy } from "../values.ts";

/** Accepted forms of a list edit: `set` beside `add` and `remove`, and a comma-separated string for a list. */
export type ListEditForm = { takesSet: boolean; takesText: boolean };

/**
 * The `{add, remove, set}` object of a parameter, items as text; undefined if not sent.
 * @throws Fault other if it is no such object
 */
export function readListEdit(input: JsonObject, name: string, form: ListEditForm): ListEdit<string> | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw faults.wrongShape(name, `an object like {"add": [...], "remove": [...]}`);
  const items = (part: string) => readListItems(value[part], { name: `${name}.${part}`, takesText: form.takesText });
  const edit = { add: items("add"), remove: items("remove") };
  return form.takesSet && value["set"] !== undefined ? { ...edit, set: items("set") } : edit;
}

/** Non-blank items of a list as text; with `takesText`, also of a number or of a string split at commas and spaces. */
export function readListItems(
  value: Json | undefined,
  { name, takesText }: { name: string; takesText: boolean },
): string[] {
  if (typeof value === "number" && takesText) return [String(value)];
  if (typeof value === "string" && takesText) return value.split(/[\s,]+/).filter((item) => item !== "");
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw faults.wrongShape(name, "a list");
  return value.map((item: Json) => asText(item, name).trim()).filter((item) => item !== "");
}

/** Edit of a list; `set` replaces it and overrides `add` and `remove`. */
export type ListEdit<T> = {
  add: T[];
  remove: T[];
  set?: T[];
};

/** Key that identifies an item. */
export type KeyOf<T> = (item: T) => string | number;

/** The list after an edit: old items first, then added ones, without duplicates; an item added and removed is removed. */
export function applyListEdit<T>(list: readonly T[], edit: ListEdit<T>, keyOf: KeyOf<T>): T[] {
  const all = uniqueBy(edit.set ?? [...list, ...edit.add], keyOf);
  const removed = new Set(edit.set ? [] : edit.remove.map(keyOf));
  return all.filter((item) => !removed.has(keyOf(item)));
}

/** Items of `list` whose key is not in `other`. */
export function differenceBy<T>(list: readonly T[], other: readonly T[], keyOf: KeyOf<T>): T[] {
  const otherKeys = new Set(other.map(keyOf));
  return list.filter((item) => !otherKeys.has(keyOf(item)));
}
