import { isDenied } from "../../errors.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, objectsIn } from "../../wire/json.ts";
import { hasIgnoringCase } from "../lists.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { GET_PRODUCTS } from "../operations/tracker.ts";
import { listUnder } from "../response/response-objects.ts";
import { type Catalog, type LegalValue, withProductValues } from "./catalog.ts";

/** Adds a product to a catalog; returns the same catalog if it has the product or no such product exists. */
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
  const parts = PRODUCT_LISTS.map((part) => `${part}.name,${part}.is_active,${part}.sort_key`).join(",");
  const request = requestFor(GET_PRODUCTS, { names: name, include_fields: `name,${parts}` });
  try {
    const products = listUnder(await send(request), "products").filter(isObject);
    return products.find((product) => String(product["name"]).toLowerCase() === name.trim().toLowerCase());
  } catch (error) {
    if (isDenied(error)) return undefined;
    throw error;
  }
}

const PRODUCT_LISTS = ["components", "versions", "milestones"] as const;

/** The bug field that each list of a product belongs to. */
const FIELDS = { components: "component", versions: "version", milestones: "target_milestone" } as const;

function withProduct(catalog: Catalog, product: JsonObject): Catalog {
  const name = String(product["name"]);
  const values = new Map<string, LegalValue[]>([["product", [{ name }]]]);
  for (const part of PRODUCT_LISTS) values.set(FIELDS[part], legalValuesIn(product[part], name));
  return withProductValues(catalog, name, values);
}

function legalValuesIn(items: Json | undefined, product: string): LegalValue[] {
  return objectsIn(items).map((item) => ({
    name: String(item["name"]),
    sort_key: Number(item["sort_key"] ?? 0),
    is_active: item["is_active"] !== false,
    visibility_values: [product],
  }));
}
