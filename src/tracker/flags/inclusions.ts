import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Call } from "../http/call.ts";
import { faults } from "../http/fault.ts";
import { textValues } from "../http/input.ts";
import { mayEditComponents } from "../products/access.ts";

/**
 * Updates `inclusions` and `exclusions` of a flag type, each a list of products or of objects like
 * `{"Product": ["Component"]}`; returns the `changes` of Update Flag Type.
 * @throws Fault 106 or 51 for an unknown product or component
 */
export function updateInclusions(call: Call, typeId: number): JsonObject {
  const changes: Record<string, Json> = {};
  for (const list of ["inclusions", "exclusions"] as const) {
    if (call.input[list] === undefined) continue;
    const before = call.store.all<Inclusion>(`${READ[list]} WHERE type_id = ?`, [typeId]);
    const after = readInclusions(call, list);
    const removed = inclusionsNotIn(before, after);
    const added = inclusionsNotIn(after, before);
    call.store.run(CLEAR[list], [typeId]);
    for (const { product_id, component_id } of after) call.store.run(ADD[list], [typeId, product_id, component_id]);
    if (removed.length + added.length === 0) continue;
    changes[list] = { removed: String(removed.length), added: String(added.length) };
  }
  return changes;
}

type Inclusion = { product_id: number | null; component_id: number | null };
type List = "inclusions" | "exclusions";

const READ: Readonly<Record<List, string>> = {
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

function readInclusions(call: Call, list: List): Inclusion[] {
  const value = call.input[list];
  const items: Json[] = Array.isArray(value) ? value : [value ?? ""];
  return items.flatMap((item): Inclusion[] => {
    if (item === null || typeof item !== "object") return item === "" ? [] : [inclusionOf(call, String(item))];
    if (Array.isArray(item)) throw faults.wrongShape(list, "a list of products or of their components");
    const products = item as JsonObject;
    return Object.keys(products).flatMap((product) => {
      const names = textValues(products, product);
      return names.length === 0 ? [inclusionOf(call, product)] : names.map((name) => inclusionOf(call, product, name));
    });
  });
}

function inclusionOf(call: Call, product: string, component?: string): Inclusion {
  const { store } = call;
  const { id } = store.get<Id>("SELECT id FROM products WHERE name = ?", [product]) ?? {};
  if (id === undefined || !mayEditComponents(call, id)) throw faults.noSuchProduct(product);
  if (component === undefined) return { product_id: id, component_id: null };
  const row = store.get<Id>("SELECT id FROM components WHERE product_id = ? AND name = ?", [id, component]);
  if (!row) throw faults.noSuchObject("component", component);
  return { product_id: id, component_id: row.id };
}

type Id = { id: number };

function inclusionsNotIn(inclusions: readonly Inclusion[], others: readonly Inclusion[]): Inclusion[] {
  const keys = new Set(others.map(key));
  return inclusions.filter((inclusion) => !keys.has(key(inclusion)));
}

function key({ product_id, component_id }: Inclusion): string {
  return `${product_id} ${component_id}`;
}
