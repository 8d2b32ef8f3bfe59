import type { JsonObject } from "../../wire/exchange.ts";
import type { Group, ListedFlagType, TrackerProduct } from "../../wire/resources.ts";
import { grouped } from "../lists.ts";
import type { Need, NeedKind } from "./census.ts";
import { mappedName, type NameMap } from "./name-map.ts";

const FLAG_NOTE =
  "with the settings that the source lists; its grant and request groups only if they are in the target";

/** Notes of a plan on what is created, by kind. */
export const CREATED_NOTES: Readonly<Partial<Record<NeedKind, string>>> = {
  flag: FLAG_NOTE,
  "attachment flag": FLAG_NOTE,
};

/** Input of the flag types of a setup. */
export type FlagTypeParts = {
  readonly needs: readonly Need[]; // flags without a type in the target
  readonly products: readonly TrackerProduct[]; // of the source
  readonly groups: readonly Group[]; // of the source
  readonly map: NameMap;
  readonly isNew: (product: string) => boolean;
  readonly hasComponent: (product: string, component: string) => boolean; // after the setup
  readonly hasGroup: (name: string) => boolean; // after the setup
};

type Target = "bug" | "attachment";

/** A flag type at a place of the target: a component of a product. */
type PlacedType = {
  readonly target: Target;
  readonly name: string;
  readonly place: string;
  readonly type?: ListedFlagType;
};

/**
 * Setups of flag types: all that a new product has in the source, and those that bugs need, in all components for which the
 * source lists them. A type that the source does not list is created without settings where bugs need it.
 */
export function exactFlagTypes(parts: FlagTypeParts): readonly JsonObject[] {
  const needed = parts.needs.map(neededType);
  const keys = new Set(needed.map(keyOf));
  const listed = parts.products.flatMap((product) => {
    const types = typesIn(product, parts);
    return parts.isNew(product.name) ? types : types.filter((one) => keys.has(keyOf(one)));
  });
  const types = grouped([...listed, ...needed], keyOf);
  return [...types.values()].flatMap((places) => typeSetup(places, parts));
}

function keyOf({ target, name }: PlacedType): string {
  return `${target} ${name.toLowerCase()}`;
}

function neededType({ kind, of, name }: Need): PlacedType {
  return { target: kind === "flag" ? "bug" : "attachment", name, place: of };
}

function typesIn({ name: product, components = [] }: TrackerProduct, parts: FlagTypeParts): readonly PlacedType[] {
  const own = components.filter(({ name }) => parts.hasComponent(product, name));
  return own.flatMap(({ name: component, flag_types: types }) =>
    (["bug", "attachment"] as const).flatMap((target) =>
      (types?.[target] ?? []).flatMap((type) => {
        const name = mappedName(parts.map, "flags", { of: product, name: type.name });
        return name === undefined ? [] : [{ target, name, place: `${product}/${component}`, type }];
      }),
    ),
  );
}

function typeSetup(places: readonly PlacedType[], parts: FlagTypeParts): readonly JsonObject[] {
  const [first] = places;
  if (first === undefined) return [];
  const { name, target, type } = first;
  const settings = type === undefined ? {} : settingsOf(type, parts);
  return [{ ...settings, name, target, places: [...new Set(places.map(({ place }) => place))] }];
}

/** Settings that a setup takes as they are listed. */
const SETTINGS = [
  ...(["description", "cc_list", "sort_key"] as const),
  ...(["is_active", "is_requestable", "is_requesteeble", "is_multiplicable"] as const),
];

function settingsOf(type: ListedFlagType, { groups, hasGroup }: FlagTypeParts): JsonObject {
  const known = SETTINGS.flatMap((name) => (type[name] === undefined ? [] : [[name, type[name]] as const]));
  const limits = (["grant_group", "request_group"] as const).flatMap((role) => {
    const group = groups.find(({ id }) => id === type[role])?.name;
    return group !== undefined && hasGroup(group) ? [[role, group] as const] : [];
  });
  return Object.fromEntries([...known, ...limits]);
}
