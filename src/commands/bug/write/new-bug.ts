import { type Catalog, findField, requireField } from "../../../api/catalog.ts";
import { activeNames, legalNames } from "../../../api/legal-values.ts";
import { quoted } from "../../../api/nearest.ts";
import { flagName, type Parameter } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { flagChangeText } from "../../../api/write/preview.ts";
import { usage } from "../../../errors.ts";
import { type FlagValues, flagValue, flagValues } from "../../../session/flags.ts";
import type { Session } from "../../../session/session.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { isObject } from "../../../wire/json.ts";
import type { NewBugInput, NewBugValues } from "./input.ts";

/**
 * The values of a new bug that a command line gives; an empty list of groups makes the bug more visible than no list.
 * @throws BtError of kind usage for groups beside `--no-groups`
 */
export function valuesGiven({ parameters, noGroups, private: isPrivate }: NewBugInput): NewBugValues {
  if (noGroups && parameters.groups) throw usage("--no-groups and --groups cannot be used together");
  return {
    ...parameters,
    ...(noGroups ? { groups: [] } : {}),
    ...(isPrivate ? { "comment-is-private": "yes" } : {}),
  };
}

/** Values with the defaults of the configuration: the settings that have the name of a parameter. */
export function withDefaults(values: NewBugValues, settings: Session["settings"]): NewBugValues {
  const own = new Map<string, unknown>(Object.entries(settings));
  const defaults = CREATE_BUG.parameters.flatMap(({ name }) => {
    const value = own.get(name);
    return typeof value === "string" ? [[flagName(name), value] as const] : [];
  });
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries([...defaults, ...given]);
}

/** Values over those of a start; a custom field replaces that of the start, which the catalog identifies. */
export function withStart(start: NewBugValues, given: NewBugValues, catalog: Catalog | undefined): NewBugValues {
  const nameIn = (pair: string) => pair.split("=")[0] ?? "";
  const idOf = (name: string) => (catalog && findField(catalog, name.trim())?.api) ?? name;
  const own = flagValues(given.field);
  const replaced = new Set(own.map((pair) => idOf(nameIn(pair))));
  const field = [...flagValues(start.field).filter((pair) => !replaced.has(idOf(nameIn(pair)))), ...own];
  return { ...start, ...given, ...(field.length > 0 ? { field } : {}) };
}

/** Required parameters without a value. */
export function missingFields(values: NewBugValues): Parameter[] {
  return CREATE_BUG.parameters.filter(
    ({ name, required }: Parameter) => required && values[flagName(name)] === undefined,
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
  const custom = Object.entries(body).filter(([name]) => name.startsWith("cf_"));
  const pairs = custom.flatMap(([name, value]) => [value].flat().map((one) => `${name}=${one}`));
  const known = CREATE_BUG.parameters.flatMap(({ name }) => {
    const value = body[name];
    return value === undefined || value === null ? [] : [[flagName(name), typedValue(value)] as const];
  });
  return { ...Object.fromEntries(known), ...(pairs.length > 0 ? { field: pairs } : {}) };
}

function typedValue(value: Json): string | string[] {
  return Array.isArray(value) ? value.map(itemOf) : String(value);
}

/** An item of a list as a flag takes it: a change of a flag as one word, a name with a comma in quotes. */
function itemOf(item: Json): string {
  return isObject(item) ? flagChangeText(String(item["name"]), item) : quoted(String(item));
}

/** The body of a new bug as typed, where it cannot be validated, for a draft. */
export function bodyAsTyped(values: NewBugValues): JsonObject {
  const fields = CREATE_BUG.parameters.flatMap((parameter) => {
    const value = values[flagName(parameter.name)];
    return value === undefined ? [] : [[parameter.name, valueAsTyped(parameter, value)] as const];
  });
  const custom = flagValues(values.field).map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]);
  return Object.fromEntries([...fields, ...custom]);
}

const LISTS: ReadonlySet<string> = new Set(["texts", "people", "choices", "bugs", "pages", "flags"]);

function valueAsTyped({ kind }: Parameter, value: FlagValues[string]): Json {
  if (!LISTS.has(kind)) return flagValue(value) ?? true;
  return flagValues(value).flatMap((text) => text.split(",").map((part) => part.trim()));
}
