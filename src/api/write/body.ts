import { usageError } from "../../errors.ts";
import { HAS_ONE_ALIAS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { EDITED_LISTS } from "../../wire/field-types.ts";
import { isObject } from "../../wire/json.ts";
import { splitQuotedItems } from "../catalog/catalog.ts";
import { hasIgnoringCase } from "../lists.ts";
import { commandFlagName, type Parameter } from "../operations/operation.ts";
import { UPDATED_FIELDS } from "../operations/write-bugs.ts";
import { readListItem, readParameterValue, type ValueContext, withTokens } from "./values.ts";

type TypedValues = Readonly<Record<string, readonly string[]>>; // by flag name

/** Body of a write: every given parameter, parsed and validated, under its own name. */
export function writeBody(parameters: readonly Parameter[], typed: TypedValues, reading: ValueContext): JsonObject {
  const body: Record<string, Json> = {};
  for (const parameter of parameters) {
    const { name, kind } = parameter;
    const flag = commandFlagName(name);
    const texts = kind === "edit" || kind === "links" ? undefined : typed[flag];
    const edit = listEdit(parameter, typed, reading);
    if (edit && texts) throw usageError(`--${flag} replaces the whole ${flag} and cannot be combined with other edits`);
    const value = edit ?? (texts && readParameterValue(parameter, texts, reading));
    if (value !== undefined) body[name] = value;
  }
  for (const { name, field } of parameters) {
    if (field && name === `reset_${field}` && body[name] === true && body[field] !== undefined)
      throw usageError(`--${commandFlagName(field)} and --${commandFlagName(name)} cannot be used together`);
  }
  return body;
}

/**
 * `{add, remove, set}` from the flags of these edits; undefined without any.
 * @throws BtError of kind usage for contradictory edits, of which trackers apply only one silently
 */
function listEdit(parameter: Parameter, typed: TypedValues, reading: ValueContext): JsonObject | undefined {
  const flag = commandFlagName(parameter.name);
  const body: Record<string, Json[]> = {};
  for (const edit of ["add", "remove", "set"]) {
    const items = typed[`${edit}-${flag}`]?.flatMap(splitQuotedItems);
    if (items === undefined || (edit !== "set" && items.length === 0)) continue;
    body[edit] = items.map((item) => readListItem(item, parameter, reading, `${edit}-${flag}`));
  }
  const { add = [], remove = [], set } = body;
  const both = add.filter((item) => remove.includes(item));
  if (both.length > 0)
    throw usageError(`${both.join(", ")} cannot be both added and removed`, `omit --add-${flag} or --remove-${flag}`);
  if (set !== undefined && add.length + remove.length > 0)
    throw usageError(`--set-${flag} replaces the whole list and cannot be combined with other edits`);
  return Object.keys(body).length > 0 ? body : undefined;
}

/**
 * Fields with an edit that trackers only accept as a whole: texts of tokens, multi-selects. A body
 * holds `{add, remove}` until it is sent.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#update-bug
 */
export function fieldsSentWhole(body: JsonObject): string[] {
  const names = Object.keys(body).filter((name) => isObject(body[name]));
  return names.filter((name) => name === TOKEN_TEXT || !(UPDATED_FIELDS.has(name) || EDITED_LISTS.has(name)));
}

/** The text whose tokens can be added and removed. */
const TOKEN_TEXT = "whiteboard";

/** The body for one bug, with whole values for edits that trackers only accept as a whole. */
export function withWholeValues(body: JsonObject, bug: JsonObject): JsonObject {
  const whole = withoutEdits(fieldsSentWhole(body), body, bug);
  const { alias: edit } = body;
  return isObject(edit) && HAS_ONE_ALIAS in bug ? { ...whole, alias: oneAliasAfter(edit, bug) } : whole;
}

/** The body of a new bug, with a whole value for each edit. */
export function withInitialValues(body: JsonObject): JsonObject {
  const lists = [...EDITED_LISTS].filter((name) => isObject(body[name]));
  return withoutEdits([...fieldsSentWhole(body), ...lists], body, {});
}

/** The body with whole values in place of the edits of these fields. */
function withoutEdits(names: readonly string[], body: JsonObject, bug: JsonObject): JsonObject {
  const whole: Record<string, Json> = { ...body };
  for (const name of names) {
    const { set, add, remove } = body[name] as JsonObject;
    if (name === TOKEN_TEXT) whole[name] = withTokens(String(bug[name] ?? ""), textsIn(add), textsIn(remove));
    else whole[name] = set ?? itemsAfter(body[name], textsIn(bug[name]));
  }
  return whole;
}

/** The items of a list; of a text, as which some trackers take an alias, itself. */
function textsIn(list: Json | undefined): string[] {
  return (Array.isArray(list) ? list : [list ?? ""]).map(String).filter((item) => item !== "");
}

/** The items of a list after an edit, `{add, remove}` or `{set}`, or as a whole list. */
export function itemsAfter(edit: Json | undefined, items: readonly string[]): string[] {
  const { set, add, remove }: JsonObject = isObject(edit) ? edit : { set: edit ?? null };
  if (set !== undefined) return textsIn(set);
  const left = items.filter((item) => !hasIgnoringCase(textsIn(remove), item));
  return [...left, ...textsIn(add).filter((item) => !hasIgnoringCase(left, item))];
}

/**
 * The alias after an edit, for trackers that have one, and would store the text of the edit.
 * @throws BtError of kind usage if the bug would have several
 */
function oneAliasAfter(edit: JsonObject, bug: JsonObject): string {
  const [alias = "", other] = itemsAfter(edit, textsIn(bug["alias"]));
  if (other === undefined) return alias;
  throw usageError(`bugs of this tracker have one alias, not ${alias} and ${other}`, `--alias ${other} replaces it`);
}
