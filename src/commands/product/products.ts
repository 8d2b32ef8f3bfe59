import { type BatchPlan, requestEach } from "../../api/batch.ts";
import { collectPages } from "../../api/lists.ts";
import { idsAndNames, requestFor } from "../../api/operations/operation.ts";
import { GET_PRODUCTS } from "../../api/operations/tracker.ts";
import { readProducts } from "../../api/response/response-objects.ts";
import { PART_COLUMNS, PRODUCT_COLUMNS, productCard } from "../../view/products.ts";
import { errorCodes } from "../../wire/error-codes.ts";
import type { TrackerProduct } from "../../wire/resources.ts";
import type { SharedInput } from "../input.ts";
import { columnsFor, showList, showObjects } from "../shared/output/print.ts";
import { printFound } from "../shared/targets.ts";
import type { Context } from "../verb.ts";

/**
 * `bt product list`: the products by name, without their components, versions and milestones unless selected.
 * @see Bugzilla/WebService/Product.pm, get: in any order
 */
export async function listProducts(_: SharedInput, context: Context): Promise<void> {
  const columns = PRODUCT_COLUMNS.filter(({ name }) => context.output.fields || !PART_COLUMNS.has(name));
  const names = context.output.fields ?? columns.map(({ name }) => name);
  const request = requestFor(GET_PRODUCTS, {
    type: "accessible",
    include_fields: [...new Set(["id", "name", ...names])].join(","),
  });
  const response = await context.session.send(request);
  const products = readProducts(response).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  await showList(context, { columns: columnsFor(products, columns, context), pages: [products] });
}

/** `bt product get`: products by id or name, as cards on a terminal. */
export async function getProducts(input: SharedInput, context: Context): Promise<void> {
  const words = [...new Set(input.args.map((word) => word.trim()))];
  const batches = requestEach(words, PRODUCT_PLAN, context.session.send);
  const show = async (pages: AsyncIterable<TrackerProduct[]>) =>
    showObjects(context, await collectPages(pages), PRODUCT_COLUMNS, productCard);
  await printFound(batches, show, "products");
}

/** Plan for reading products by id or name; unknown and hidden products are missing in the response. */
const PRODUCT_PLAN: BatchPlan<TrackerProduct> = {
  name: "product",
  isListed: true,
  codes: errorCodes("object_does_not_exist", "product_access_denied"),
  request: (refs) => requestFor(GET_PRODUCTS, idsAndNames(refs)),
  read: (response) => readProducts(response).map((product) => [[String(product.id), product.name], product]),
};
