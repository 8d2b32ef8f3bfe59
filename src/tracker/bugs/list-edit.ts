import type { Json, JsonObject } from "../../wire/exchange.ts";
import { faults } from "../http/fault.ts";
import { asText } from "../values.ts";

/** How a list may be sent: whether `set` counts, and whether a part may be one text with commas. */
export type ListEditForm = { readonly takesSet: boolean; readonly takesText: boolean };

/** The change of a list as it was sent, items as text; undefined when none was. */
export function readListEdit(input: JsonObject, name: string, form: ListEditForm): ListEdit<string> | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw faults.wrongShape(name, `an object like {"add": [...], "remove": [...]}`);
  const items = (part: string) => readListItems(value[part], { name: `${name}.${part}`, takesText: form.takesText });
  const edit = { add: items("add"), remove: items("remove") };
  return form.takesSet && value["set"] !== undefined ? { ...edit, set: items("set") } : edit;
}

/** The items of a list as text: blank ones are left out. A text or a number counts as a list, a text split at commas and blanks, where allowed. */
export function readListItems(
  value: Json | undefined,
  { name, takesText }: { readonly name: string; readonly takesText: boolean },
): readonly string[] {
  if (typeof value === "number" && takesText) return [String(value)];
  if (typeof value === "string" && takesText) return value.split(/[\s,]+/).filter((item) => item !== "");
  if (value !== undefined && value !== null && !Array.isArray(value)) throw faults.wrongShape(name, "a list");
  const list: readonly Json[] = Array.isArray(value) ? value : [];
  return list.map((item) => asText(item, name).trim()).filter((item) => item !== "");
}

/** Whether a value of the wire is an object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What to do to a list. `set` overrides the other two. */
export type ListEdit<T> = {
  readonly add: readonly T[];
  readonly remove: readonly T[];
  readonly set?: readonly T[];
};

/** How items are told apart; the item itself where it is a text or a number. */
export type KeyOf<T> = (item: T) => string | number;

/** The list after an edit: what was there first, then what came, each once; what is both added and removed is gone. */
export function applyListEdit<T>(list: readonly T[], edit: ListEdit<T>, keyOf: KeyOf<T>): readonly T[] {
  const all = uniqueBy(edit.set ?? [...list, ...edit.add], keyOf);
  const removed = new Set(edit.set ? [] : edit.remove.map(keyOf));
  return all.filter((item) => !removed.has(keyOf(item)));
}

/** Each item once, where it stands first. */
export function uniqueBy<T>(items: readonly T[], keyOf: KeyOf<T>): readonly T[] {
  const seen = new Set<string | number>();
  return items.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)));
}

/** What one list has that the other lacks, by key. */
export function differenceBy<T>(list: readonly T[], other: readonly T[], keyOf: KeyOf<T>): readonly T[] {
  const known = new Set(other.map(keyOf));
  return list.filter((item) => !known.has(keyOf(item)));
}
