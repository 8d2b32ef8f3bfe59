import { splitQuotedItems } from "../../../api/catalog/legal-values.ts";
import { commandFlagName } from "../../../api/operations/operation.ts";
import { listItems } from "../../../api/write/editable-fields.ts";
import { flagChangeText } from "../../../api/write/flags.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Flag } from "../../../wire/resources.ts";
import type { UpdateInput } from "../write/flags.ts";
import type { Cell } from "./sheet.ts";

/** The flags of `bt bug update` that give a bug the texts of changed lines; lists are edited item by item. */
export function updateFlagsOf(cells: readonly Cell[], bug: Bug): UpdateInput["parameters"] {
  const isMoved = cells.some(({ field }) => field.name === "status");
  const typed = cells.filter(
    ({ field, text }) => !(isMoved && text.trim() === "" && CLEARED_BY_STATUS.has(field.name)),
  );
  const flags: Record<string, string | string[]> = {};
  for (const cell of typed) {
    const { field: custom = [], ...others } = flagsOf(cell, bug);
    Object.assign(flags, others);
    if (custom.length > 0) flags["field"] = [...(flags["field"] ?? []), ...custom];
  }
  return flags as UpdateInput["parameters"];
}

/** Fields that a tracker clears when a bug is reopened. */
const CLEARED_BY_STATUS: ReadonlySet<string> = new Set(["resolution", "dupe_of"]);

function flagsOf({ field, text }: Cell, bug: Bug): Readonly<Record<string, string | readonly string[]>> {
  const { name, custom, parameter } = field;
  const flag = commandFlagName(name);
  if (field.shape === "flags") return { flags: flagTexts(text, bug.flags ?? []) };
  if (field.shape === "list") {
    const { add, remove } = listEdit(text, listItems((bug as JsonObject)[name]), parameter?.of === "pages");
    if (!custom) return { [`add-${flag}`]: add, [`remove-${flag}`]: remove };
    return { field: [...add.map((item) => `${name}=+${item}`), ...remove.map((item) => `${name}=-${item}`)] };
  }
  if (custom) return { field: [`${name}=${text.trim()}`] };
  const { kind = "" } = parameter ?? {};
  return { [flag]: text.trim() || (CLEARING[kind] ?? "") };
}

/** Texts that clear fields, where an empty one does not. */
const CLEARING: Readonly<Record<string, string>> = { hours: "0", choice: "---" };

/** The items to add and remove. Letter case only counts in addresses. */
function listEdit(text: string, before: readonly string[], isExact: boolean) {
  const keyOf = (item: string) => (isExact ? item : item.toLowerCase());
  const typed = splitQuotedItems(text);
  const without = (items: readonly string[], others: readonly string[]) => {
    const keys = new Set(others.map(keyOf));
    const left = items.filter((item) => !keys.has(keyOf(item)));
    return left.map((item) => (item.includes(",") ? `"${item}"` : item));
  };
  return { add: without(typed, before), remove: without(before, typed) };
}

/** Flag changes that turn the flags of a bug into the typed ones. */
function flagTexts(text: string, flags: readonly Flag[]): string[] {
  const left = splitQuotedItems(text);
  const takeOut = (isMeant: (item: string) => boolean) => {
    const at = left.findIndex(isMeant);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const missing = flags.filter((flag) => !takeOut((item) => item === flagChangeText(flag.name, flag)));
  const changed = missing.map(({ id, name }) => {
    const item = takeOut((one) => isOfFlag(one, name));
    return `#${id}${item === undefined ? "X" : item.slice(name.length)}`;
  });
  return [...changed, ...left.map((item) => (flags.some(({ name }) => isOfFlag(item, name)) ? `+${item}` : item))];
}

function isOfFlag(item: string, name: string): boolean {
  return item.startsWith(name) && /^[?+X-](?:\(|$)/.test(item.slice(name.length));
}
