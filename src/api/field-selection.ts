import { usage } from "../errors.ts";
import { DEFAULT_BUG_FIELDS, EXTRA_BUG_FIELDS, FIELD_SELECTORS } from "../wire/bug-fields.ts";
import { type Catalog, findField } from "./catalog.ts";
import { suggestNames } from "./nearest.ts";

/** What `--fields` chose: the keys to show, and what `include_fields` asks for. Selectors are spelled out in the keys. */
export type FieldSelection = { readonly keys: readonly string[]; readonly include: readonly string[] };

/**
 * Checks the names that were given and spells out the selectors. Custom fields, labels and synonyms need the catalog; it
 * is only asked for when a name is none of the standard ones.
 */
export async function selectFields(names: readonly string[], catalog: () => Promise<Catalog>): Promise<FieldSelection> {
  const keys = new Set<string>();
  const include = new Set<string>();
  for (const name of names) {
    const meant = await keysOf(name, catalog);
    for (const key of meant) keys.add(key);
    for (const key of isSelector(name) ? [name] : meant) include.add(withoutDetail(key));
  }
  return { keys: [...keys], include: [...include] };
}

const STANDARD = new Set([...DEFAULT_BUG_FIELDS, ...EXTRA_BUG_FIELDS]);

async function keysOf(name: string, catalog: () => Promise<Catalog>): Promise<readonly string[]> {
  if (STANDARD.has(name)) return [name];
  if (name === "_extra") return EXTRA_BUG_FIELDS;
  const known = await catalog();
  const custom = known.fields.filter((field) => field.isCustom).map((field) => field.api);
  if (name === "_custom") return custom;
  if (name === "_default") return [...DEFAULT_BUG_FIELDS, ...custom];
  if (name === "_all") return [...DEFAULT_BUG_FIELDS, ...custom, ...EXTRA_BUG_FIELDS];
  const found = findField(known, name)?.api;
  if (found && (STANDARD.has(found) || custom.includes(found))) return [found];
  throw usage(
    `"${name}" is not a field of bugs on this tracker`,
    suggestNames(name, [...STANDARD, ...custom, ...FIELD_SELECTORS]) ?? "bt field list shows the fields",
  );
}

/** A server sends `assigned_to_detail` beside `assigned_to` and not when it is asked for by name. */
function withoutDetail(key: string): string {
  return key.replace(/_detail$/, "");
}

function isSelector(name: string): boolean {
  return (FIELD_SELECTORS as readonly string[]).includes(name);
}
