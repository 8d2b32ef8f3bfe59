import { isDenied } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { objectsIn } from "../../wire/json.ts";
import { hasIgnoringCase } from "../lists.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { GET_PRODUCTS } from "../operations/tracker.ts";
import { listUnder } from "../response/response-objects.ts";
import { type Catalog, type LegalValue, withProductValues } from "./catalog.ts";

/** Adds a product to a catalog, unless it is there or does not exist. */
export type WithProduct = (catalog: Catalog, name: string | undefined) => Promise<Catalog>;

/**
 * Loads products in which the account may file bugs but not search, which field metadata omits. Each is requested once.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/product.html
 */
export function enterableProductLoader(send: SendRequest): WithProduct {
  const requested = new Map<string, Promise<JsonObject | undefined>>();
  return async (catalog, name) => {
    const names = catalog.products;
    if (!name || names === undefined || hasIgnoringCase(names, name.trim())) return catalog;
    const request = requested.get(name) ?? readEnterableProduct(name, send);
    requested.set(name, request);
    const product = await request;
    return product === undefined ? catalog : withProduct(catalog, product);
  };
}

async function readEnterableProduct(name: string, send: SendRequest): Promise<JsonObject | undefined> {
  const parts = Object.keys(FIELDS).map((part) => `${part}.name,${part}.is_active,${part}.sort_key`);
  const request = requestFor(GET_PRODUCTS, { names: name, include_fields: ["name", ...parts].join(",") });
  try {
    const products = objectsIn(listUnder(await send(request), "products"));
    return products.find((product) => String(product["name"]).toLowerCase() === name.trim().toLowerCase());
  } catch (error) {
    if (isDenied(error)) return undefined;
    throw error;
  }
}

/** The bug field that each list of a product belongs to. */
const FIELDS = { components: "component", versions: "version", milestones: "target_milestone" } as const;

function withProduct(catalog: Catalog, product: JsonObject): Catalog {
  const name = String(product["name"]);
  const values = Object.entries(FIELDS).map(([part, field]) => {
    const items = objectsIn(product[part]).map((item) => ({
      name: String(item["name"]),
      sort_key: Number(item["sort_key"] ?? 0),
      is_active: item["is_active"] !== false,
      visibility_values: [name],
    }));
    return [field, items] as const;
  });
  return withProductValues(catalog, name, new Map<string, LegalValue[]>([["product", [{ name }]], ...values]));
}
