import { buildCatalog, requireField } from "../../api/catalog/catalog.ts";
import { legalNames, legalValue } from "../../api/catalog/legal-values.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { LEGAL_VALUES, LEGAL_VALUES_OF_PRODUCT } from "../../api/operations/tracker.ts";
import { readLegalValues } from "../../api/response/response-objects.ts";
import { usageError } from "../../errors.ts";
import { withCatalog } from "../../session/session.ts";
import { filledColumns } from "../../view/column.ts";
import { VALUE_COLUMNS } from "../../view/fields.ts";
import { PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import { chosenColumns, showList } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";
import { readNamedFields, wireName } from "./fields.ts";

/** Input of `bt field values`. */
type ValuesInput = { args: string[]; readonly product?: string | undefined; readonly productId?: number | undefined };

/** `bt field values`: legal values in the tracker's order, of one product if they belong to products. */
export async function listFieldValues(input: ValuesInput, context: Context): Promise<void> {
  const wanted = await withCatalog(context.session, (catalog) => {
    const name = wireName(input.args[0] ?? "", catalog);
    const { product, productId } = input;
    return {
      name,
      isPerProduct: PER_PRODUCT_FIELDS.some((one) => one === name),
      product: product === undefined ? undefined : legalValue(requireField(catalog, "product"), product),
      productId,
    };
  });
  if (wanted.product !== undefined && wanted.productId !== undefined)
    throw usageError("--product and --product-id cannot be used together");
  if (wanted.isPerProduct && wanted.product === undefined && wanted.productId === undefined) {
    throw usageError(
      `the values of ${wanted.name} differ per product`,
      `bt field values ${wanted.name} --product NAME`,
    );
  }
  const rows = (await readValues(wanted, context)).map((name) => ({ name }));
  await showList(context, {
    columns: chosenColumns(filledColumns(VALUE_COLUMNS, rows, context.output.view), context),
    pages: [rows],
  });
}

type Wanted = {
  name: string;
  isPerProduct: boolean;
  product: string | undefined;
  productId: number | undefined;
};

async function readValues(wanted: Wanted, context: Context): Promise<readonly string[]> {
  const { name, isPerProduct, product, productId } = wanted;
  if (name === "product") return (await context.session.catalog()).products ?? [];
  if (name === "keywords" || (isPerProduct && product !== undefined)) return readFieldValues(name, product, context);
  const request =
    productId === undefined
      ? requestFor(LEGAL_VALUES, { field: name })
      : requestFor(LEGAL_VALUES_OF_PRODUCT, { field: name, product_id: productId });
  return readLegalValues(await context.session.send(request));
}

/** Values of a field, all or of one product; the Legal Values resource does not list keywords. */
async function readFieldValues(name: string, product: string | undefined, context: Context): Promise<string[]> {
  const catalog = buildCatalog(await readNamedFields(name, context));
  return legalNames(requireField(catalog, name), product) ?? [];
}
