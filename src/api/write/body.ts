import { type BtError, usageError } from "../../errors.ts";
import { EDITED_LISTS } from "../../wire/added-fields.ts";
import { HAS_ONE_ALIAS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import { splitQuotedItems } from "../catalog/legal-values.ts";
import { commandFlagName, type Parameter } from "../operations/operation.ts";
import { UPDATE_BUG, UPDATED_FIELDS } from "../operations/write-bugs.ts";
import { checkedText } from "./limits.ts";
import { readListItem, readParameterValue, type ValueContext } from "./parameter-values.ts";
import { withTokens } from "./tokens.ts";

/** Command line values by flag name. */
type TypedValues = Readonly<Record<string, readonly string[]>>;

/** Body of a write: every given parameter, parsed and validated, under its own name. */
export function writeBody(parameters: readonly Parameter[], typed: TypedValues, reading: ValueContext): JsonObject {
  const body: Record<string, Json> = {};
  for (const parameter of parameters) {
    const { name, kind } = parameter;
    let value: Json | undefined;
    if (kind === "tokens") value = tokensBody(parameter, typed, reading);
    else if (kind === "edit" || kind === "links") value = editBody(parameter, ["add", "remove", "set"], typed, reading);
    else {
      const texts = typed[commandFlagName(name)];
      value = texts && readParameterValue(parameter, texts, reading);
    }
    if (value !== undefined) body[name] = value;
  }
  for (const { name, field } of parameters) {
    if (field && name === `reset_${field}` && body[name] === true && body[field] !== undefined)
      throw usageError(`--${commandFlagName(field)} and --${commandFlagName(name)} cannot be used together`);
  }
  return body;
}

/** The whole text, or `{add, remove}`. A sign before a whole text most likely means a single token. */
function tokensBody(parameter: Parameter, typed: TypedValues, reading: ValueContext): Json | undefined {
  const flag = commandFlagName(parameter.name);
  const [plain, set] = [typed[flag]?.at(-1), typed[`set-${flag}`]?.at(-1)];
  if (plain !== undefined && /^[+-]/.test(plain)) throw signedTextError(flag, plain);
  const whole = set ?? plain;
  const edit = editBody(parameter, ["add", "remove"], typed, reading);
  if (whole === undefined) return edit;
  if (edit || (set !== undefined && plain !== undefined)) {
    throw usageError(
      `--${set === undefined ? flag : `set-${flag}`} replaces the whole ${flag} and cannot be combined with other edits`,
    );
  }
  return checkedText(parameter.name, whole);
}

function signedTextError(flag: string, text: string): BtError {
  const verb = text.startsWith("+") ? "add" : "remove";
  const rest = text.slice(1).trim();
  return usageError(
    `--${flag} replaces the whole text, but ${JSON.stringify(text)} looks like a token to ${verb}`,
    `--${verb}-${flag} '${rest}', or --set-${flag} '${text}' to replace the whole text`,
  );
}

/**
 * `{add, remove, set}` from the flags of these edits.
 * @throws BtError of kind usage for contradictory edits, of which trackers apply only one silently
 */
function editBody(
  parameter: Parameter,
  edits: string[],
  typed: TypedValues,
  reading: ValueContext,
): JsonObject | undefined {
  const flag = commandFlagName(parameter.name);
  const body: Record<string, Json[]> = {};
  for (const edit of edits) {
    const items = typed[`${edit}-${flag}`]?.flatMap(splitQuotedItems);
    if (items === undefined || (edit !== "set" && items.length === 0)) continue;
    body[edit] = items.map((item) => readListItem(item, parameter, reading, `${edit}-${flag}`));
  }
  const { add = [], remove = [], set } = body;
  const both = add.filter((item) => remove.includes(item));
  if (both.length > 0) {
    throw usageError(`${both.join(", ")} cannot be both added and removed`, `omit --add-${flag} or --remove-${flag}`);
  }
  if (set !== undefined && add.length + remove.length > 0) {
    throw usageError(
      `--set-${flag} replaces the whole list and cannot be combined with other edits`,
      `to replace the list, use --set-${flag} ${[...set, ...add].join(",")}`,
    );
  }
  return Object.keys(body).length > 0 ? body : undefined;
}

/**
 * Edit of a field that trackers only accept as a whole: a text of tokens, or a multi-select. A body holds it as `{add, remove}`
 * until it is sent; then it is applied to the value that was read.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#update-bug
 */
type WholeEdit = { add: string[]; remove: string[]; set?: string[] };

/** Fields of a body that hold such an edit: objects of which trackers take no edit. */
export function fieldsSentWhole(body: JsonObject): string[] {
  const names = Object.keys(body).filter((name) => isObject(body[name]));
  return names.filter((name) => TOKEN_TEXTS.has(name) || !(UPDATED_FIELDS.has(name) || EDITED_LISTS.has(name)));
}

/** Texts of which single tokens can be edited. */
const TOKEN_TEXTS: ReadonlySet<string> = new Set(
  UPDATE_BUG.parameters.filter(({ kind }) => kind === "tokens").map(({ name }) => name),
);

/** The body for one bug, with each edit that trackers only accept as a whole applied to the value that was read. */
export function withWholeValues(body: JsonObject, bug: JsonObject): JsonObject {
  const whole = { ...body, ...wholeValues(fieldsSentWhole(body), body, bug) };
  const { alias: edit } = body;
  return isObject(edit) && HAS_ONE_ALIAS in bug ? { ...whole, alias: oneAliasAfter(edit, bug) } : whole;
}

/** The body of a new bug, with a whole value for each edit. */
export function withInitialValues(body: JsonObject): JsonObject {
  const lists = [...EDITED_LISTS].filter((name) => isObject(body[name]));
  return { ...body, ...wholeValues([...fieldsSentWhole(body), ...lists], body, {}) };
}

function wholeValues(names: string[], body: JsonObject, bug: JsonObject): JsonObject {
  return Object.fromEntries(names.map((name) => [name, wholeValue(name, body, bug)]));
}

/**
 * The alias after an edit of a bug that can have one only, empty if it is removed: such trackers would store the text of the
 * edit itself.
 * @throws BtError of kind usage if the bug would have several
 */
function oneAliasAfter(edit: Partial<WholeEdit>, bug: JsonObject): string {
  const [alias, other] = itemsAfter(edit, itemsIn(bug["alias"]).map(String));
  if (alias === undefined) return "";
  if (other === undefined) return alias;
  throw severalAliasesError(alias, other, `--alias ${other} replaces it`);
}

/** Error for two aliases of a bug that can have one. */
export function severalAliasesError(alias: Json, other: Json, hint?: string): BtError {
  return usageError(`bugs of this tracker have one alias, not ${alias} and ${other}`, hint);
}

function wholeValue(name: string, body: JsonObject, bug: JsonObject): Json {
  return valueAfter(body[name] as WholeEdit, name, bug[name]);
}

function valueAfter(edit: Partial<WholeEdit>, name: string, before: Json = null): Json {
  const { add = [], remove = [] } = edit;
  if (TOKEN_TEXTS.has(name)) return withTokens(before === null ? "" : String(before), { add, remove });
  return itemsAfter(edit, itemsIn(before).map(String));
}

function itemsAfter({ add = [], remove = [], set }: Partial<WholeEdit>, items: string[]): string[] {
  if (set) return set;
  return [...items.filter((item) => !remove.includes(item)), ...add.filter((item) => !items.includes(item))];
}
