import { usage } from "../../errors.ts";
import { type Bug, type Flag, PER_PRODUCT_FIELDS, PERSON_FIELDS, SHARED_CHOICE_FIELDS } from "../../wire/bug-fields.ts";
import type { Json } from "../../wire/exchange.ts";
import { isObject } from "../response/response-objects.ts";
import { DUPLICATE } from "../write/moves.ts";

/** Standard fields whose names a map can change; `users` are logins. */
const MAPPED_FIELDS: readonly string[] = [
  ...["product", ...PER_PRODUCT_FIELDS, ...SHARED_CHOICE_FIELDS],
  ...["keywords", "groups", "flags", "users"],
];

/** Names of the source and what they become in the target, by field; null leaves the value out. */
export type NameMap = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

/** Fields without which a bug can do; their names may become null. */
const OPTIONAL: ReadonlySet<string> = new Set(["keywords", "flags", "users", "target_milestone"]);

/**
 * The map of a JSON document: `{"product": {"Old": "New"}, "component": {"Old/Editor": "UI"}, "keywords": {"x": null}}`. A
 * name of a product's own values may have the product before a slash.
 * @throws BtError of kind usage with the first invalid entry
 */
export function readNameMap(text: string, file: string): NameMap {
  const document = parsed(text, file);
  for (const [field, names] of Object.entries(document)) {
    const known = MAPPED_FIELDS.includes(field) || /^cf_\w+$/.test(field);
    if (!known) throw usage(`${file}: unknown field ${JSON.stringify(field)}`, `valid names: ${VALID}`);
    if (!isObject(names)) throw usage(`${file}: ${field} must be an object of names`, EXAMPLE);
    for (const [name, to] of Object.entries(names)) checkTarget({ file, field, name }, to);
  }
  return document as NameMap;
}

const VALID = `${MAPPED_FIELDS.join(", ")}, cf_...`;
const EXAMPLE = 'for example: {"version": {"unspecified": "1.0"}}';

function parsed(text: string, file: string): Readonly<Record<string, Json>> {
  let document: Json;
  try {
    document = JSON.parse(text) as Json;
  } catch (error) {
    throw usage(`${file} is not JSON: ${(error as Error).message}`, EXAMPLE);
  }
  if (isObject(document)) return document;
  throw usage(`${file} must be a JSON object`, EXAMPLE);
}

type Entry = { readonly file: string; readonly field: string; readonly name: string };

function checkTarget({ file, field, name }: Entry, to: Json): void {
  const where = `${file}: ${field} ${JSON.stringify(name)}`;
  if (typeof to === "string" && to.trim() !== "") return;
  const mayLack = OPTIONAL.has(field) || field.startsWith("cf_");
  if (to === null && mayLack) return;
  if (to === null) throw usage(`${where} cannot be omitted`, "map it to another name");
  throw usage(`${where} must be a string${mayLack ? ", or null to omit it" : ""}`);
}

/** New name for a name; its product is that of the source. Undefined: the value is left out. */
export function mappedName(map: NameMap, field: string, name: { readonly of?: string; readonly name: string }) {
  const names = Object.hasOwn(map, field) ? (map[field] ?? {}) : {};
  const found = [`${name.of}/${name.name}`, name.name].find((one) => Object.hasOwn(names, one));
  return (found === undefined ? name.name : names[found]) ?? undefined;
}

/** Name in a map for the resolution of duplicates whose originals are not moved. */
export const UNMOVED_DUPLICATE = `${DUPLICATE} (not moved)`;

/** Resolution of duplicates whose originals are not moved; undefined if the map has none. */
export function unmovedResolution({ resolution = {} }: NameMap): string | undefined {
  return (Object.hasOwn(resolution, UNMOVED_DUPLICATE) && resolution[UNMOVED_DUPLICATE]) || undefined;
}

/** Entries of a map for unused names; `used` has `field\0name` of each. */
export function unusedEntries(
  map: NameMap,
  used: ReadonlySet<string>,
): readonly { readonly field: string; readonly name: string }[] {
  return Object.entries(map).flatMap(([field, names]) =>
    Object.keys(names).flatMap((name) => (used.has(`${field}\0${name}`) ? [] : [{ field, name }])),
  );
}

/** Fields of one value that are mapped by their names. */
const SINGLE = [...PER_PRODUCT_FIELDS, ...SHARED_CHOICE_FIELDS];

/** The bug with the names of the target. */
export function mappedBug<Whole extends Bug>(bug: Whole, map: NameMap): Whole {
  const of = bug.product ?? "";
  const name = (field: string, one: string) => mappedName(map, field, { of, name: one });
  const list = (field: string, all: readonly string[] | null | undefined) =>
    all ? [...new Set(all.flatMap((one) => name(field, one) ?? []))] : all;
  const changed: Record<string, Json | undefined> = { product: productOf(bug, map) };
  const single = [
    ...SINGLE.map((field) => [field, field] as const),
    ...PERSON_FIELDS.map((field) => [field, "users"] as const),
  ];
  for (const [field, as] of single) if (bug[field]) changed[field] = name(as, bug[field]) ?? null;
  const custom = Object.entries(bug).filter(([field]) => field.startsWith("cf_") && map[field]);
  for (const [field, value] of custom) changed[field] = customValue(value, (one) => name(field, one));
  return {
    ...bug,
    ...changed,
    keywords: list("keywords", bug.keywords),
    groups: list("groups", bug.groups),
    cc: list("users", bug.cc),
    flags: (bug.flags ?? []).flatMap((flag) => mappedFlag(flag, name)),
  };
}

function mappedFlag(flag: Flag, name: (field: string, one: string) => string | undefined): readonly Flag[] {
  const { requestee, ...rest } = flag;
  const as = name("flags", flag.name);
  const asked = requestee === undefined ? undefined : name("users", requestee);
  return as === undefined ? [] : [{ ...rest, name: as, ...(asked === undefined ? {} : { requestee: asked }) }];
}

/** A product may be divided: `Old/Component` comes before `Old`. */
function productOf(bug: Bug, map: NameMap): string | null {
  const { product, component } = bug;
  if (!product) return product ?? null;
  const part = `${product}/${component}`;
  const names = map["product"] ?? {};
  return (Object.hasOwn(names, part) ? names[part] : mappedName(map, "product", { name: product })) ?? null;
}

function customValue(value: Json | undefined, name: (one: string) => string | undefined): Json {
  if (Array.isArray(value)) return value.flatMap((one) => (typeof one === "string" ? (name(one) ?? []) : [one]));
  return typeof value === "string" ? (name(value) ?? null) : (value ?? null);
}

/** Names of a bug that a map can change, as `field\0name`. */
export function namesUsed(bug: Bug): readonly string[] {
  const of = bug.product ?? "";
  const both = (field: string, name: string | null | undefined) =>
    name ? [`${field}\0${name}`, `${field}\0${of}/${name}`] : [];
  const custom = Object.entries(bug).filter(([field]) => field.startsWith("cf_"));
  return [
    ...[`product\0${of}`, `product\0${of}/${bug.component}`],
    ...SINGLE.flatMap((field) => both(field, bug[field])),
    ...[...PERSON_FIELDS.map((field) => bug[field]), ...(bug.cc ?? [])].flatMap((login) => both("users", login)),
    ...(bug.keywords ?? []).flatMap((one) => both("keywords", one)),
    ...(bug.groups ?? []).flatMap((one) => both("groups", one)),
    ...(bug.flags ?? []).flatMap((flag) => [...both("flags", flag.name), ...both("users", flag.requestee)]),
    ...custom.flatMap(([field, value]) => [value].flat().flatMap((one) => both(field, String(one ?? "")))),
  ];
}
