import { type BtError, usage } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Flag } from "../../wire/bug-values.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { findField } from "../catalog.ts";
import { legalNames } from "../legal-values.ts";
import { flagName } from "../operations/operation.ts";
import { customBody, readItem } from "./custom-fields.ts";
import { type EditableField, fieldText, listItems, typedItems } from "./editable-fields.ts";
import { readFlagChange } from "./flags.ts";
import { checkedText } from "./limits.ts";
import { flagChangeText } from "./preview.ts";
import { readListItem, readParameterValue, type ValueContext } from "./values.ts";

/** A text typed for a field of a bug; what is not typed is no change. */
export type TypedChange = { readonly field: EditableField; readonly text: string };

/** A bug as it was read for the document, and as it is before the update. */
export type BugSides = { readonly read: Bug; readonly now: Bug };

/**
 * True if another user has changed the field to something else since: a single value, or one of the flags that are
 * changed here, too. Lists are edited item by item.
 */
export function isConflict({ field, text }: TypedChange, { read, now }: BugSides): boolean {
  if (field.shape === "list") return false;
  if (field.shape === "flags")
    return flagChanges(text, read).some(({ id }) => isFlagChanged(Number(id), { read, now }));
  const current = fieldText(field, now);
  return current !== fieldText(field, read) && current.trim() !== text.trim();
}

function isFlagChanged(id: number, { read, now }: BugSides): boolean {
  const text = ({ flags }: Bug) => (flags ?? []).filter((flag) => flag.id === id).map(flagText);
  return text(read).join() !== text(now).join();
}

/**
 * Body of an update that makes the typed changes, without those that are there already.
 * @throws BtError of kind usage for a value that is invalid
 */
export function bodyOfChanges(changes: readonly TypedChange[], sides: BugSides, reading: ValueContext): JsonObject {
  const status = changes.find(({ field }) => field.name === "status")?.text.trim();
  const isMoved = status !== undefined && status !== (sides.now.status ?? "");
  const typed = changes.filter(
    ({ field, text }) => !(isMoved && text.trim() === "" && CLEARED_BY_STATUS.has(field.name)),
  );
  const body: Record<string, Json> = {};
  for (const change of typed) {
    const value = changedValue(change, sides, reading);
    if (value !== undefined) body[change.field.name] = value;
  }
  return body;
}

/** Fields that a tracker clears when a bug is reopened. */
const CLEARED_BY_STATUS: ReadonlySet<string> = new Set(["resolution", "dupe_of"]);

/** Value of a field in the body of an update; undefined if the bug has it already. */
function changedValue(change: TypedChange, sides: BugSides, reading: ValueContext): Json | undefined {
  const { field, text } = change;
  if (field.shape === "list") return listChange(change, sides, reading);
  if (field.shape === "flags") return some(flagChanges(text, sides.read));
  const typed = text.trim();
  if (field.shape === "line" && typed.includes("\n")) throw usage(`${field.name} takes one line`);
  if (typed === fieldText(field, sides.now).trim()) return undefined;
  return singleValue(field, typed, reading);
}

function some(items: Json[]): Json | undefined {
  return items.length > 0 ? [...items] : undefined;
}

function singleValue({ name, parameter, custom }: EditableField, text: string, reading: ValueContext): Json {
  if (custom) return customBody([`${name}=${checkedText(name, text)}`], reading)[name] ?? "";
  if (parameter.kind === "hours" && text === "") return 0;
  if (text === "" && !CLEARS.has(parameter.kind) && !parameter.clears) return unset(name, reading);
  if (parameter.kind === "tokens") return checkedText(name, text);
  return readParameterValue(parameter, [text], reading);
}

/** Kinds of parameters that an empty value clears. */
const CLEARS: ReadonlySet<string> = new Set(["text", "tokens", "date"]);

/** The empty value of a field. @throws BtError of kind usage for a field without one */
function unset(name: string, { catalog, product }: ValueContext): string {
  const field = findField(catalog, name);
  if (field && legalNames(field, product)?.includes(UNSET)) return UNSET;
  const hint = CLEARED_BY_STATUS.has(name) ? "a new status reopens the bug" : "delete the line to leave it unchanged";
  throw usage(`${name} cannot be empty`, hint);
}

const UNSET = "---";

/** The items to add and remove, as read before and typed, that are not added or removed yet. */
function listChange({ field, text }: TypedChange, { read, now }: BugSides, reading: ValueContext): Json | undefined {
  const { name, parameter, custom } = field;
  const typed = keyed(typedItems(text), field);
  const [before, current] = [read, now].map((bug) => keyed(itemsOf(name, bug), field, listItems)) as [Keyed, Keyed];
  const added = [...typed].filter(([key]) => !before.has(key) && !current.has(key));
  const removed = [...before].filter(([key]) => !typed.has(key) && current.has(key));
  const legal = (item: string) => (custom ? readItem(custom, item, reading) : readListItem(item, parameter, reading));
  const edit = { add: added.map(([, item]) => legal(String(item))), remove: removed.map(([, item]) => item) };
  if (added.length + removed.length === 0) return undefined;
  return custom ? edit : withoutEmpty(edit);
}

type Keyed = ReadonlyMap<string, Json>;

/** Items by identity: letter case only counts in addresses. */
function keyed(items: Json[], { parameter }: EditableField, texts: (items: Json) => string[] = listItems): Keyed {
  const keys = texts(items as Json);
  return new Map(
    items.map((item, at) => [parameter?.of === "pages" ? (keys[at] ?? "") : (keys[at] ?? "").toLowerCase(), item]),
  );
}

function itemsOf(name: string, bug: Bug): Json[] {
  return [(bug as JsonObject)[name] ?? []].flat();
}

function withoutEmpty(edit: Readonly<Record<string, Json[]>>): JsonObject {
  return Object.fromEntries(Object.entries(edit).filter(([, items]) => items.length > 0));
}

/** Flag changes that turn the flags of a bug into the typed ones. */
function flagChanges(text: string, { flags }: Bug): JsonObject[] {
  const left = [...typedItems(text)];
  const missing = (flags ?? []).filter((flag) => {
    const at = left.indexOf(flagText(flag));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const wishes = left.map(readFlagChange);
  const changed = missing.map(({ id, name }): JsonObject => {
    const at = wishes.findIndex((wish) => wish["name"] === name && !wish["new"]);
    const [wish] = at < 0 ? [] : wishes.splice(at, 1);
    if (!wish) return { id, status: "X" };
    const { name: _, ...rest } = wish;
    return { id, ...rest };
  });
  return [...changed, ...wishes.map((wish) => (isSet(wish, flags) ? { ...wish, new: true } : wish))];
}

function isSet({ name }: JsonObject, flags: Bug["flags"]): boolean {
  return (flags ?? []).some((flag) => flag.name === name);
}

function flagText(flag: Flag): string {
  return flagChangeText(flag.name, flag as unknown as JsonObject);
}

/** Error of a document in the words of its fields, without those of flags. */
export function inFieldWords(error: BtError, { name }: EditableField): string {
  const { hint } = error.facts;
  const words = `${error.message}${hint === undefined ? "" : ` (${hint})`}`;
  return words.replaceAll(`--${flagName(name)}`, name);
}
