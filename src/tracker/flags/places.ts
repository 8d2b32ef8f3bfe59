import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../call.ts";
import { faults } from "../fault.ts";
import { texts } from "../input.ts";
import { mayEditComponents } from "../products/editing.ts";

/**
 * Sets where a flag type may (`inclusions`) and may not (`exclusions`) be set, as `changes` of the type. Each is a list of
 * products, or of objects like `{"Product": ["Component"]}`.
 */
export function changePlaces(call: Call, typeId: number): JsonObject {
  return Object.fromEntries(
    (["inclusions", "exclusions"] as const)
      .filter((list) => call.input[list] !== undefined)
      .flatMap((list) => {
        const before = call.store.all<Place>(`${PLACES[list]} WHERE type_id = ?`, [typeId]);
        const after = readPlaces(call, list);
        const removed = without(before, after);
        const added = without(after, before);
        call.store.run(CLEAR[list], [typeId]);
        for (const { product_id, component_id } of after) call.store.run(ADD[list], [typeId, product_id, component_id]);
        const change = { removed: String(removed.length), added: String(added.length) };
        return removed.length + added.length === 0 ? [] : [[list, change] as const];
      }),
  );
}

type Place = { readonly product_id: number | null; readonly component_id: number | null };
type List = "inclusions" | "exclusions";

const PLACES: Readonly<Record<List, string>> = {
  inclusions: "SELECT product_id, component_id FROM flag_type_inclusions",
  exclusions: "SELECT product_id, component_id FROM flag_type_exclusions",
};
const CLEAR: Readonly<Record<List, string>> = {
  inclusions: "DELETE FROM flag_type_inclusions WHERE type_id = ?",
  exclusions: "DELETE FROM flag_type_exclusions WHERE type_id = ?",
};
const ADD: Readonly<Record<List, string>> = {
  inclusions: "INSERT INTO flag_type_inclusions (type_id, product_id, component_id) VALUES (?, ?, ?)",
  exclusions: "INSERT INTO flag_type_exclusions (type_id, product_id, component_id) VALUES (?, ?, ?)",
};

function readPlaces(call: Call, list: List): readonly Place[] {
  const value = call.input[list];
  const items: readonly Json[] = Array.isArray(value) ? value : [value ?? ""];
  return items.flatMap((item): readonly Place[] => {
    if (item === null || typeof item !== "object") return item === "" ? [] : [placeOf(call, String(item))];
    if (Array.isArray(item)) throw faults.wrongShape(list, "a list of products or of their components");
    const products = item as JsonObject;
    return Object.keys(products).flatMap((product) => {
      const names = texts(products, product);
      return names.length === 0 ? [placeOf(call, product)] : names.map((name) => placeOf(call, product, name));
    });
  });
}

function placeOf(call: Call, product: string, component?: string): Place {
  const { store } = call;
  const { id } = store.get<Id>("SELECT id FROM products WHERE name = ?", [product]) ?? {};
  if (id === undefined || !mayEditComponents(call, id)) throw faults.noSuchProduct(product);
  if (component === undefined) return { product_id: id, component_id: null };
  const found = store.get<Id>("SELECT id FROM components WHERE product_id = ? AND name = ?", [id, component]);
  if (!found) throw faults.noSuchObject("component", component);
  return { product_id: id, component_id: found.id };
}

type Id = { readonly id: number };

function without(places: readonly Place[], others: readonly Place[]): readonly Place[] {
  const keys = new Set(others.map(key));
  return places.filter((place) => !keys.has(key(place)));
}

function key({ product_id, component_id }: Place): string {
  return `${product_id} ${component_id}`;
}
