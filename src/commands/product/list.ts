import { requestFor } from "../../api/operations/operation.ts";
import { GET_PRODUCTS } from "../../api/operations/tracker.ts";
import { readProducts } from "../../api/response/response-objects.ts";
import { PRODUCT_COLUMNS, PRODUCT_PARTS, productColumns } from "../../view/products.ts";
import type { SharedInput } from "../input.ts";
import { columnsFor, isForCards, showList } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/**
 * `bt product list`: the products by name, without their components, versions and milestones unless selected.
 * @see Bugzilla/WebService/Product.pm, get: in any order
 */
export async function listProducts(_: SharedInput, context: Context): Promise<void> {
  const names =
    context.output.fields ?? PRODUCT_COLUMNS.map(({ name }) => name).filter((name) => !PRODUCT_PARTS.has(name));
  const request = requestFor(GET_PRODUCTS, {
    type: "accessible",
    include_fields: [...new Set(["id", "name", ...names])].join(","),
  });
  const response = await context.session.send(request);
  const products = readProducts(response).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const listed = PRODUCT_COLUMNS.filter(({ name }) => context.output.fields || !PRODUCT_PARTS.has(name));
  const usual = isForCards(context) ? productColumns(products) : listed;
  await showList(context, { columns: columnsFor(products, usual, context), pages: [products] });
}
