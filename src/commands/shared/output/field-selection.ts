import { type Catalog, findField, unknownFieldHint } from "../../../api/catalog/catalog.ts";
import { usageError } from "../../../errors.ts";
import { DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS, SHOWN_BUG_FIELDS, WEB_URL } from "../../../wire/bug-fields.ts";

/**
 * Fields chosen by `--fields`: the keys to show, and the names for `include_fields`. Selectors such as `_default` are
 * expanded in the keys.
 */
export type FieldSelection = { readonly keys: readonly string[]; readonly include: readonly string[] };

/**
 * Validates field names and expands selectors.
 * @param catalog undefined if the names need none
 * @param areKeys only keys of the tracker's JSON and selectors are valid, since programs read them
 * @throws BtError of kind usage for an unknown field
 */
export function selectFields(names: readonly string[], catalog: Catalog | undefined, areKeys = false): FieldSelection {
  const selectors = selectorsOf(catalog);
  const selectable = selectableNames(catalog);
  const keys = new Set<string>();
  const include = new Set<string>();
  for (const name of names) {
    const key = selectable.includes(name) ? name : catalog && findField(catalog, name)?.api;
    if (key === undefined || !selectable.includes(key))
      throw usageError(`unknown field "${name}"`, unknownFieldHint(name, selectable));
    if (areKeys && key !== name) throw usageError(`unknown field "${name}"`, `did you mean ${key}?`);
    for (const expanded of selectors.get(key) ?? [key]) keys.add(expanded);
    include.add(requestedName(key));
  }
  return { keys: [...keys], include: [...include] };
}

export function selectableNames(catalog: Catalog | undefined): string[] {
  return [...STANDARD, ...customFields(catalog), ...selectorsOf(catalog).keys()];
}

const STANDARD = new Set([...SHOWN_BUG_FIELDS, WEB_URL]);

/** True for names that need no catalog: all but custom fields, labels, synonyms, and selectors that stand for custom fields. */
export function needNoCatalog(names: readonly string[]): boolean {
  return names.every((name) => STANDARD.has(name) || name === "_extra");
}

/** Fields by the selectors that `include_fields` takes in addition to field names. */
function selectorsOf(catalog: Catalog | undefined): ReadonlyMap<string, readonly string[]> {
  const custom = customFields(catalog);
  return new Map([
    ["_default", [...DEFAULT_BUG_FIELDS, ...custom]],
    ["_custom", custom],
    ["_extra", EXTRA_BUG_FIELDS],
    ["_all", [...DEFAULT_BUG_FIELDS, ...custom, ...EXTRA_BUG_FIELDS]],
  ]);
}

function customFields(catalog: Catalog | undefined): string[] {
  return (catalog?.fields ?? []).filter(({ isAdded }) => isAdded).map(({ api }) => api);
}

/** `web_url` is made of the id; servers return `assigned_to_detail` along with `assigned_to`, but not by its name. */
function requestedName(key: string): string {
  return key === WEB_URL ? "id" : key.replace(/_detail$/, "");
}
