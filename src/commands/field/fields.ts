import {
  buildCatalog,
  type Catalog,
  fieldNames,
  findField,
  legalNames,
  legalValue,
  requireField,
  unknownFieldHint,
} from "../../api/catalog/catalog.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { GET_FIELD, GET_FIELDS, LEGAL_VALUES, LEGAL_VALUES_OF_PRODUCT } from "../../api/operations/tracker.ts";
import { readFields, readTexts, unexpectedShapeError } from "../../api/response/response-objects.ts";
import { BtError, usageError } from "../../errors.ts";
import { withCatalog } from "../../session/session.ts";
import { filledColumns } from "../../view/column.ts";
import { FIELD_COLUMNS, fieldCard, VALUE_COLUMNS } from "../../view/fields.ts";
import { PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { Field } from "../../wire/resources.ts";
import type { SharedInput } from "../input.ts";
import { chosenColumns, columnsFor, showList, showListOrNone, showObjects } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/** `bt field list`: all bug fields, or the custom ones. */
export async function listFields({ custom }: { readonly custom: boolean }, context: Context): Promise<void> {
  const response = await context.session.send(requestFor(GET_FIELDS));
  const fields = readFields(response).filter((field) => field.is_custom || !custom);
  const listed = { columns: columnsFor(fields, FIELD_COLUMNS, context), pages: [fields] };
  await showListOrNone(context, listed, "this tracker has no custom fields");
}

/** `bt field get`: the given fields, as cards on a terminal. */
export async function getFields(input: SharedInput, context: Context): Promise<void> {
  const names = await withCatalog(context.session, (catalog) =>
    input.args.map((word) => idOrInternalName(word, catalog)),
  );
  const named: Field[] = [];
  for (const name of names) named.push(...(await readNamedFields(name, context)));
  const fields = [...new Map(named.map((field) => [field.name, field])).values()];
  await showObjects(context, fields, FIELD_COLUMNS, fieldCard);
}

/**
 * The fields that the tracker returns for an internal name or an id.
 * @throws BtError of kind missing
 */
async function readNamedFields(name: string, { session }: Context): Promise<Field[]> {
  const fields = readFields(await session.send(requestFor(GET_FIELD, { id_or_name: name })));
  const isNamed = (field: Field) => String(field.id) === name || field.name.toLowerCase() === name.toLowerCase();
  if (!fields.some(isNamed)) throw unexpectedShapeError(`the field "${name}"`);
  return fields;
}

/** Internal name of a field, by which the interface knows it; an id is unchanged. @throws BtError of kind missing */
function idOrInternalName(word: string, catalog: Catalog): string {
  if (/^[1-9][0-9]*$/.test(word)) return word;
  const field = findField(catalog, word);
  if (field) return field.chart;
  throw new BtError("missing", `unknown field "${word}"`, {
    hint: unknownFieldHint(word, fieldNames(catalog)),
  });
}

/** Input of `bt field values`. */
type ValuesInput = { args: string[]; readonly product?: string | undefined; readonly productId?: number | undefined };

/** `bt field values`: legal values in the tracker's order, of one product if they belong to products. */
export async function listFieldValues(input: ValuesInput, context: Context): Promise<void> {
  const { args, product: typed, productId } = input;
  if (typed !== undefined && productId !== undefined)
    throw usageError("--product and --product-id cannot be used together");
  const { name, product } = await withCatalog(context.session, (catalog) => ({
    name: idOrInternalName(args[0] ?? "", catalog),
    product: typed === undefined ? undefined : legalValue(requireField(catalog, "product"), typed),
  }));
  const isPerProduct = PER_PRODUCT_FIELDS.some((field) => field === name);
  if (isPerProduct && product === undefined && productId === undefined)
    throw usageError(`the values of ${name} differ per product`, `bt field values ${name} --product NAME`);
  // the Legal Values resource does not list keywords, and takes a product only by id
  const isReadFromField = name === "keywords" || (isPerProduct && product !== undefined);
  const values = isReadFromField
    ? await readValuesOfField(name, product, context)
    : await readLegalValues(name, productId, context);
  const rows = values.map((value) => ({ name: value }));
  const columns = chosenColumns(filledColumns(VALUE_COLUMNS, rows, context.output.view), context);
  await showList(context, { columns, pages: [rows] });
}

/** The names that the Legal Values resource lists. */
async function readLegalValues(field: string, productId: number | undefined, context: Context) {
  if (field === "product") return (await context.session.catalog()).products ?? [];
  const request =
    productId === undefined
      ? requestFor(LEGAL_VALUES, { field })
      : requestFor(LEGAL_VALUES_OF_PRODUCT, { field, product_id: productId });
  return readTexts(Object(await context.session.send(request)).values);
}

/** The names of the values in a field itself, all or of one product. */
async function readValuesOfField(name: string, product: string | undefined, context: Context) {
  const catalog = buildCatalog(await readNamedFields(name, context));
  return legalNames(requireField(catalog, name), product) ?? [];
}
