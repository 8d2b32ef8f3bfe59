import type { Json, JsonObject } from "../../wire/exchange.ts";
import { faults } from "../fault.ts";
import type { ListEdit } from "../rules/edit.ts";
import { asText } from "../rules/text.ts";

/** How a list may be sent: whether `set` counts, and whether a part may be one text with commas. */
export type EditForm = { readonly takesSet: boolean; readonly takesText: boolean };

/** The change of a list as it was sent, items as text; undefined when none was. */
export function readEdit(input: JsonObject, name: string, form: EditForm): ListEdit<string> | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw faults.wrongShape(name, `an object like {"add": [...], "remove": [...]}`);
  const items = (part: string) => readItems(value[part], { name: `${name}.${part}`, takesText: form.takesText });
  const edit = { add: items("add"), remove: items("remove") };
  return form.takesSet && value["set"] !== undefined ? { ...edit, set: items("set") } : edit;
}

/** The items of a list as text: blank ones are left out. A text or a number counts as a list, a text split at commas and blanks, where allowed. */
export function readItems(
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
