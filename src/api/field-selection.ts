import { type BtError, usageError } from "../errors.ts";
import { DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS, WEB_URL } from "../wire/bug-fields.ts";
import { type Catalog, findField, unknownFieldHint } from "./catalog/catalog.ts";

/**
 * Fields chosen by `--fields`: the keys to show, and the names for `include_fields`. Selectors such as `_default` are
 * expanded in the keys.
 */
export type FieldSelection = { readonly keys: readonly string[]; readonly include: readonly string[] };

/**
 * Validates field names and expands selectors.
 * @param areKeys only keys of the tracker's JSON and selectors are valid, since programs read them
 * @throws BtError of kind usage for an unknown field
 */
export function selectFields(names: readonly string[], catalog: Catalog, areKeys = false): FieldSelection {
  const keys = new Set<string>();
  const include = new Set<string>();
  for (const name of names) {
    const meant = keysOf(name, catalog);
    const isKey = isSelector(name) || meant?.includes(name);
    if (!meant || (areKeys && !isKey)) throw unknownKeyError(name, catalog);
    for (const key of meant) keys.add(key);
    for (const one of isSelector(name) ? [name] : meant.map(requestedName)) include.add(one);
  }
  return { keys: [...keys], include: [...include] };
}

/** Selectors that `include_fields` takes in addition to field names. */
const FIELD_SELECTORS: readonly string[] = ["_default", "_custom", "_extra", "_all"];

const STANDARD = new Set([...DEFAULT_BUG_FIELDS, ...EXTRA_BUG_FIELDS, WEB_URL]);

/**
 * True for the names that need no catalog: all but custom fields, labels, synonyms, and selectors that stand for custom
 * fields.
 */
export function needNoCatalog(names: readonly string[]): boolean {
  return names.every((name) => STANDARD.has(name) || name === "_extra");
}

function keysOf(name: string, catalog: Catalog): readonly string[] | undefined {
  if (STANDARD.has(name)) return [name];
  if (name === "_extra") return EXTRA_BUG_FIELDS;
  const custom = customFields(catalog);
  if (name === "_custom") return custom;
  if (name === "_default") return [...DEFAULT_BUG_FIELDS, ...custom];
  if (name === "_all") return [...DEFAULT_BUG_FIELDS, ...custom, ...EXTRA_BUG_FIELDS];
  const found = findField(catalog, name)?.api;
  return found && (STANDARD.has(found) || custom.includes(found)) ? [found] : undefined;
}

/** Error for a name that is no field, or no key of JSON. */
function unknownKeyError(name: string, catalog: Catalog): BtError {
  const [key] = keysOf(name, catalog) ?? [];
  const hint = key === undefined ? unknownFieldHint(name, selectableNames(catalog)) : `did you mean ${key}?`;
  return usageError(`unknown field "${name}"`, hint);
}

/** Names that can be selected. */
export function selectableNames(catalog: Catalog): string[] {
  return [...STANDARD, ...customFields(catalog), ...FIELD_SELECTORS];
}

function customFields({ fields }: Catalog): string[] {
  return fields.filter(({ isAdded }) => isAdded).map(({ api }) => api);
}

/** `web_url` is made of the id; servers return `assigned_to_detail` along with `assigned_to`, but not by its name. */
function requestedName(key: string): string {
  return key === WEB_URL ? "id" : key.replace(/_detail$/, "");
}

function isSelector(name: string): boolean {
  return FIELD_SELECTORS.includes(name);
}
