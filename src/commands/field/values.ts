import { fieldOf, findField } from "../../api/catalog.ts";
import { legalValue } from "../../api/legal-value.ts";
import { get, segment } from "../../api/operation.ts";
import { isObject, listIn, readValues, unexpectedShape } from "../../api/read.ts";
import { type BtError, usage } from "../../errors.ts";
import { withCatalog } from "../catalog.ts";
import type { Context } from "../context.ts";
import { chosenColumns, showList } from "../show.ts";
import { type Input, textOf } from "../verb.ts";
import { fieldsNamed, wireName } from "./get.ts";

/** `bt field values`: the legal values of a field in the tracker's order, those of one product where they differ. */
export async function values(input: Input, context: Context): Promise<void> {
  const wanted = await withCatalog(context.tracker, (catalog) => {
    const name = wireName(input.args[0] ?? "", catalog);
    const product = textOf(input.flags["product"]);
    const known = findField(catalog, name);
    if (known && LISTLESS.has(known.family)) throw listless(known.api);
    return {
      name,
      isPerProduct: PER_PRODUCT.has(name),
      product: product === undefined ? undefined : legalValue(fieldOf(catalog, "product"), product),
    };
  });
  if (wanted.isPerProduct && wanted.product === undefined) {
    throw usage(`every product has its own values of ${wanted.name}`, `bt field values ${wanted.name} --product NAME`);
  }
  const [found, { valueColumns }] = await Promise.all([valuesOf(wanted, context), import("../../view/values.ts")]);
  const rows = found.map((name) => ({ name }));
  await showList(context, { columns: chosenColumns(valueColumns(rows), context), pages: [rows] });
}

/** Fields that take whatever is written, so that a tracker has no list of their values. */
const LISTLESS: ReadonlySet<string> = new Set([
  "text",
  "texts",
  "number",
  "numbers",
  "moment",
  "day",
  "person",
  "people",
]);

function listless(name: string): BtError {
  return usage(`${name} has no list of legal values`, `bt field get ${name} shows what it takes`);
}

const PER_PRODUCT = new Set(["component", "version", "target_milestone"]);

type Wanted = { readonly name: string; readonly isPerProduct: boolean; readonly product: string | undefined };

async function valuesOf({ name, isPerProduct, product }: Wanted, context: Context): Promise<readonly string[]> {
  if (name === "product") return productNames(context);
  if (name === "keywords") return fieldValues(name, context);
  const path = `/rest/field/bug/${segment(name)}`;
  const place = isPerProduct && product !== undefined ? `/${await productId(product, context)}` : "";
  return readValues(await context.tracker.ask(get(`${path}${place}/values`)));
}

/** Keywords are no drop-down to the legal values resource, but the fields resource lists them. */
async function fieldValues(name: string, context: Context): Promise<readonly string[]> {
  const [field] = await fieldsNamed(name, context);
  return (field?.values ?? []).flatMap((value) => value.name ?? []);
}

async function productNames(context: Context): Promise<readonly string[]> {
  const query = [["type", "accessible"] as const, ["include_fields", "name"] as const];
  const products = listIn(await context.tracker.ask(get("/rest/product", query)), "products");
  return products.flatMap((product) => (isObject(product) ? [String(product["name"])] : [])).sort();
}

async function productId(name: string, context: Context): Promise<number> {
  const answer = await context.tracker.ask(get(`/rest/product/${segment(name)}`, [["include_fields", "id"]]));
  const [product] = listIn(answer, "products");
  const id = isObject(product) ? product["id"] : undefined;
  if (typeof id !== "number") throw unexpectedShape(`the product ${name} with its id`);
  return id;
}
