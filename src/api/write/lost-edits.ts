import type { JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { Changes, FieldChange } from "../../wire/resources.ts";
import { fieldsSentWhole } from "./body.ts";
import { joinedItems } from "./overwritten.ts";
import { tokensIn } from "./tokens.ts";

/** An applied update with edits of whole values: the bug as read, the edits, and the changes that the response reports. */
export type AppliedEdit = { bug: JsonObject; body: JsonObject; changes: Changes };

/** A bug that was edited: what this command applied, all changes since it was read, and its fields now. */
export type EditedBug = {
  applied: AppliedEdit[];
  history: FieldChange[];
  now: JsonObject;
};

/** Edits by field, as a body has them. */
export type LostEdits = Record<string, { add: string[]; remove: string[] }>;

/**
 * Edits that a bug should show and does not, own ones and those of others. Bugzilla reads a bug before it locks it: of two
 * updates that overlap, the later writes a value without the other's edit, which its response may or may not show.
 * `legalNames` are the items that a list may have.
 * @see Bugzilla/WebService/Bug.pm of Bugzilla, `update`
 */
export function lostEdits(
  { applied, history, now }: EditedBug,
  legalNames: (field: string) => string[] | undefined,
): LostEdits {
  const lost: Record<string, LostEdits[string]> = {};
  for (const name of editedFields(applied)) {
    const value = now[name] ?? "";
    const itemsIn = Array.isArray(value) ? listReader(legalNames(name)) : tokensIn;
    const items = Array.isArray(value) ? value.map(String) : tokensIn(String(value));
    const rows = history.filter(({ field_name }) => field_name === name).map((row) => sidesOf(row, itemsIn));
    const own = applied.filter(({ body }) => isObject(body[name])).map((edit) => ownSides(edit, name, itemsIn));
    const intended = [...intendedItems(rows, own)];
    const add = intended.filter(([item, isThere]) => isThere && !items.includes(item)).map(([item]) => item);
    const remove = intended.filter(([item, isThere]) => !isThere && items.includes(item)).map(([item]) => item);
    if (add.length + remove.length > 0) lost[name] = { add, remove };
  }
  return lost;
}

/** Fields with edits that are applied to a value which was read; answers to flag requests change no value of another. */
export function editedFields(applied: { body: JsonObject }[]): string[] {
  const names = applied.flatMap(({ body }) =>
    fieldsSentWhole(body).filter((name) => name !== "flags" && (body[name] as JsonObject)["set"] === undefined),
  );
  return [...new Set(names)];
}

type ItemReader = (text: string) => string[];

function listReader(legal: string[] = []): ItemReader {
  return (text) => joinedItems(text, [...legal]).filter((item) => legal.includes(item));
}

/** Items of a text, or of a list what changed, before and after. */
type Sides = { removed: string[]; added: string[] };

/** Changes that an update made, and its edit. */
type OwnSides = Sides & { edit: Partial<LostEdits[string]> };

function sidesOf({ removed, added }: Changes[string], itemsIn: ItemReader): Sides {
  return { removed: itemsIn(removed ?? ""), added: itemsIn(added ?? "") };
}

function ownSides({ body, changes }: AppliedEdit, name: string, itemsIn: ItemReader): OwnSides {
  return { ...sidesOf(changes[name] ?? { removed: "", added: "" }, itemsIn), edit: body[name] as LostEdits[string] };
}

/**
 * Items that are to be there, or not, by the last change of each, own edits last. An update that overlapped looks as if it
 * removed what it overwrote: what somebody added meanwhile is to be removed by own edits only.
 */
function intendedItems(rows: Sides[], own: OwnSides[]): ReadonlyMap<string, boolean> {
  const intended = new Map<string, boolean>();
  const addedIn = (changes: Sides[]) => changes.flatMap(({ added }) => added);
  const addedByOthers = new Set(surplusItems(addedIn(rows), addedIn(own)));
  const markRemoved = (item: string) => (addedByOthers.has(item) ? intended.delete(item) : intended.set(item, false));
  for (const { removed, added } of rows) {
    for (const item of surplusItems(removed, added)) markRemoved(item);
    for (const item of surplusItems(added, removed)) intended.set(item, true);
  }
  for (const { removed, added, edit } of own) {
    const { add = [], remove = [] } = edit;
    for (const item of surplusItems(added, [...removed, ...add])) markRemoved(item); // had been removed when this was sent
    for (const item of [...surplusItems(removed, added), ...add]) intended.set(item, true);
    for (const item of remove) intended.set(item, false);
  }
  return intended;
}

/** Items that occur more often in one list. Bugzilla joins the changes of one user in one second, which may repeat an item. */
function surplusItems(items: string[], than: string[]): string[] {
  const count = (item: string, list: string[]) => list.filter((one) => one === item).length;
  return [...new Set(items)].filter((item) => count(item, items) > count(item, than));
}
