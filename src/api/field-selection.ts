import { usageError } from "../errors.ts";
import { DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS, SHOWN_BUG_FIELDS, WEB_URL } from "../wire/bug-fields.ts";
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
  const selectors = selectorsOf(catalog);
  const keys = new Set<string>();
  const include = new Set<string>();
  for (const name of names) {
    const key = selectors.has(name) ? name : keyOf(name, catalog);
    if (key === undefined || (areKeys && key !== name)) {
      const hint = key ? `did you mean ${key}?` : unknownFieldHint(name, selectableNames(catalog));
      throw usageError(`unknown field "${name}"`, hint);
    }
    for (const one of selectors.get(key) ?? [key]) keys.add(one);
    include.add(requestedName(key));
  }
  return { keys: [...keys], include: [...include] };
}

/** Fields by the selectors that `include_fields` takes in addition to field names. */
function selectorsOf(catalog: Catalog): ReadonlyMap<string, readonly string[]> {
  const custom = customFields(catalog);
  return new Map([
    ["_default", [...DEFAULT_BUG_FIELDS, ...custom]],
    ["_custom", custom],
    ["_extra", EXTRA_BUG_FIELDS],
    ["_all", [...DEFAULT_BUG_FIELDS, ...custom, ...EXTRA_BUG_FIELDS]],
  ]);
}

const STANDARD = new Set([...SHOWN_BUG_FIELDS, WEB_URL]);

/**
 * True for the names that need no catalog: all but custom fields, labels, synonyms, and selectors that stand for custom
 * fields.
 */
export function needNoCatalog(names: readonly string[]): boolean {
  return names.every((name) => STANDARD.has(name) || name === "_extra");
}

function keyOf(name: string, catalog: Catalog): string | undefined {
  const found = STANDARD.has(name) ? name : findField(catalog, name)?.api;
  return found && (STANDARD.has(found) || customFields(catalog).includes(found)) ? found : undefined;
}

/** Names that can be selected. */
export function selectableNames(catalog: Catalog): string[] {
  return [...STANDARD, ...customFields(catalog), ...selectorsOf(catalog).keys()];
}

function customFields({ fields }: Catalog): string[] {
  return fields.filter(({ isAdded }) => isAdded).map(({ api }) => api);
}

/** `web_url` is made of the id; servers return `assigned_to_detail` along with `assigned_to`, but not by its name. */
function requestedName(key: string): string {
  return key === WEB_URL ? "id" : key.replace(/_detail$/, "");
}
