import {
  type Catalog,
  type CatalogField,
  findField,
  possiblyRequiredFields,
  requireField,
} from "../../../api/catalog/catalog.ts";
import { activeNames, legalNames, splitQuotedItems } from "../../../api/catalog/legal-values.ts";
import { quotedIfNeeded } from "../../../api/nearest.ts";
import { commandFlagName, type Parameter } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { hasCode } from "../../../api/response/response-errors.ts";
import { flagChangeText } from "../../../api/write/preview.ts";
import { NOT_APPLIED_HINT } from "../../../api/write/read-back.ts";
import { type FlagValues, flagValue, flagValues } from "../../../command-flag.ts";
import { BtError, usageError, withFacts } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import type { Session } from "../../../session/session.ts";
import { DEFAULTED_FIELDS } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { isObject } from "../../../wire/json.ts";
import type { Context } from "../../verb.ts";
import type { NewBugInput, NewBugValues } from "./flags.ts";

/**
 * The values of a new bug that a command line gives; an empty list of groups makes the bug more visible than no list.
 * @throws BtError of kind usage for groups beside `--no-groups`
 */
export function valuesFromFlags({ parameters, noGroups, private: isPrivate }: NewBugInput): NewBugValues {
  if (noGroups && parameters.groups) throw usageError("--no-groups and --groups cannot be used together");
  return {
    ...parameters,
    ...(noGroups ? { groups: [] } : {}),
    ...(isPrivate ? { "comment-is-private": "yes" } : {}),
  };
}

/**
 * Values with the defaults of the configuration: the settings that have the name of a parameter, or of another field of
 * the tracker.
 */
export function withDefaults(
  values: NewBugValues,
  settings: Session["settings"],
  catalog: Catalog | undefined,
): NewBugValues {
  const own = new Map<string, unknown>(Object.entries(settings));
  const all: Record<string, FlagValues[string]> = {};
  for (const { name } of CREATE_BUG.parameters) {
    const value = own.get(name);
    if (typeof value === "string") all[commandFlagName(name)] = value;
  }
  for (const [flag, value] of Object.entries(values)) if (value !== undefined) all[flag] = value;
  const added: string[] = [];
  for (const { api } of catalog ? unsetFields(values, catalog) : []) {
    if (typeof own.get(api) === "string") added.push(`${api}=${own.get(api)}`);
  }
  return added.length > 0 ? { ...all, field: [...flagValues(values.field), ...added] } : all;
}

/** Fields that the tracker may require of new bugs (see `possiblyRequiredFields`), without a value. */
export function unsetFields(values: NewBugValues, catalog: Catalog): CatalogField[] {
  const names = flagValues(values.field).map((pair) => (pair.split("=")[0] ?? "").trim());
  const set = new Set(names.map((name) => findField(catalog, name)));
  return possiblyRequiredFields(catalog).filter((field) => !set.has(field));
}

/** Values over those of a start; a custom field replaces that of the start, which the catalog identifies. */
export function withStart(start: NewBugValues, given: NewBugValues, catalog: Catalog | undefined): NewBugValues {
  const nameIn = (pair: string) => pair.split("=")[0] ?? "";
  const apiName = (name: string) => (catalog && findField(catalog, name.trim())?.api) ?? name;
  const own = flagValues(given.field);
  const replaced = new Set(own.map((pair) => apiName(nameIn(pair))));
  const field = [...flagValues(start.field).filter((pair) => !replaced.has(apiName(nameIn(pair)))), ...own];
  return { ...start, ...given, ...(field.length > 0 ? { field } : {}) };
}

/** Required parameters without a value. */
export function missingFields(values: NewBugValues): Parameter[] {
  return CREATE_BUG.parameters.filter(
    ({ name, required }: Parameter) => required && values[commandFlagName(name)] === undefined,
  );
}

/** Active values that a field of a new bug may have, those of the product if they belong to products; empty if unknown. */
export function offeredValues(name: string, catalog: Catalog, product: string | undefined): string[] {
  if (name === "status") return catalog.starts.map((start) => start.name);
  const field = requireField(catalog, name);
  if (name === "product") return legalNames(field) ?? [];
  if (field.isPerProduct && product === undefined) return [];
  return activeNames(field, product);
}

/** The values that are equivalent to the body of a new bug. */
export function valuesOfBody(body: JsonObject): NewBugValues {
  const custom = Object.entries(body).filter(([name]) => !CREATE_BUG.parameters.some((one) => one.name === name));
  const pairs = custom.flatMap(([name, value]) => [value].flat().map((one) => `${name}=${one}`));
  const values: Record<string, string | string[]> = {};
  for (const { name } of CREATE_BUG.parameters) {
    const value = body[name];
    if (value !== undefined && value !== null) values[commandFlagName(name)] = valueAsFlag(value);
  }
  return pairs.length > 0 ? { ...values, field: pairs } : values;
}

function valueAsFlag(value: Json): string | string[] {
  return Array.isArray(value) ? value.map(flagItem) : String(value);
}

/** An item of a list as a flag takes it: a change of a flag as one word, a name with a comma in quotes. */
function flagItem(item: Json): string {
  return isObject(item) ? flagChangeText(String(item["name"]), item) : quotedIfNeeded(String(item));
}

/** The body of a new bug as typed, where it cannot be validated, for a draft. */
export function uncheckedBody(values: NewBugValues): JsonObject {
  const body: Record<string, Json> = {};
  for (const parameter of CREATE_BUG.parameters) {
    const value = values[commandFlagName(parameter.name)];
    if (value !== undefined) body[parameter.name] = uncheckedValue(parameter, value);
  }
  for (const pair of flagValues(values.field)) {
    const [name = "", value] = pair.split(/=(.*)/s);
    if (value !== undefined) body[name] = value;
  }
  return body;
}

const MULTI_VALUE_KINDS: ReadonlySet<string> = new Set(["texts", "people", "choices", "bugs", "pages", "flags"]);

function uncheckedValue({ kind }: Parameter, value: FlagValues[string]): Json {
  if (!MULTI_VALUE_KINDS.has(kind)) return flagValue(value) ?? true;
  return flagValues(value).flatMap(splitQuotedItems);
}

/**
 * Completes a refusal for a missing value with all such fields and their values; servers name one of them. Other errors
 * are unchanged.
 */
export function withAllMissingFields(error: unknown, body: JsonObject, catalog: Catalog): unknown {
  if (hasCode(error, "bug_type_required")) return withTypes(error, catalog);
  const left = DEFAULTED_FIELDS.filter((name) => body[name] === undefined);
  if (!hasCode(error, "param_required") || left.length === 0) return error;
  const details = left.map(
    (name) => `--${commandFlagName(name)}: ${(legalNames(requireField(catalog, name)) ?? []).join(", ")}`,
  );
  return withFacts(error, {
    details: ["this tracker may require:", ...details],
    hint: "bt config set op_sys and platform stores defaults",
  });
}

/** Error for a missing type, with the types. */
function withTypes(error: BtError, catalog: Catalog): BtError {
  const fields = possiblyRequiredFields(catalog);
  const details = fields.map((field) => `--field ${field.api}=VALUE: ${(legalNames(field) ?? []).join(", ")}`);
  const hint = fields.map(({ api }) => `bt config set ${api} VALUE stores a default`).join("; ");
  return fields.length === 0 ? error : withFacts(error, { details, hint });
}

/** Error for required fields without a value and without a prompt, with their values. */
export function missingFieldsError(missing: Parameter[], catalog: Catalog, product: string | undefined): BtError {
  const details = missing.map(({ name }) => {
    const names = offeredValues(name, catalog, product);
    return `--${commandFlagName(name)}${names.length > 0 ? `: ${names.join(", ")}` : ""}`;
  });
  return new BtError("usage", `missing required fields: ${missing.map(({ name }) => name).join(", ")}`, {
    details,
    hint: "add these flags; bt config set stores defaults",
    changed: "nothing",
  });
}

/**
 * Reports fields that were not applied: a warning. `done` is what was done: "created bug 51".
 * @throws BtError of kind partial if `isStrict`
 */
export async function reportNotApplied(
  done: string,
  fields: string[],
  { isStrict, context, hint = NOT_APPLIED_HINT }: { isStrict: boolean; context: Context; hint?: string },
): Promise<void> {
  if (fields.length === 0) return;
  const sentence = `${done}; not applied: ${fields.join(", ")}`;
  if (isStrict) throw new BtError("partial", sentence, { hint, changed: "some" });
  await note(context.io, sentence);
}
