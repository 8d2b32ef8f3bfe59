import { type Catalog, findField, requireField } from "../../api/catalog.ts";
import { legalValue } from "../../api/legal-values.ts";
import { suggestNames } from "../../api/nearest.ts";
import { requestFor } from "../../api/operations/operation.ts";
import {
  GET_FIELD,
  GET_FIELDS,
  GET_PRODUCT,
  GET_PRODUCTS,
  LEGAL_VALUES,
  LEGAL_VALUES_OF_PRODUCT,
} from "../../api/operations/tracker.ts";
import {
  isObject,
  listUnder,
  readFields,
  readLegalValues,
  unexpectedShape,
} from "../../api/response/response-objects.ts";
import { BtError, usage } from "../../errors.ts";
import { flagValue } from "../../session/flags.ts";
import { withCatalog } from "../../session/session.ts";
import { bugFieldRow } from "../../wire/bug-fields.ts";
import type { Field } from "../../wire/resources.ts";
import { chosenColumns, columnsFor, isForCards, showCards, showList, showListOrNone } from "../output.ts";
import type { Context, Input } from "../verb.ts";

/** `bt field list`: all bug fields, or the custom ones. */
export async function listFields(input: Input, context: Context): Promise<void> {
  const [answer, { FIELD_COLUMNS }] = await Promise.all([
    context.session.ask(requestFor(GET_FIELDS)),
    import("../../view/field-columns.ts"),
  ]);
  const fields = readFields(answer).filter((field) => field.is_custom || !input.flags["custom"]);
  const listed = { columns: columnsFor(fields, FIELD_COLUMNS, context), pages: [fields] };
  await showListOrNone(context, listed, "this tracker has no custom fields");
}

/** `bt field get`: the given fields, as cards on a terminal. */
export async function getFields(input: Input, context: Context): Promise<void> {
  const names = await withCatalog(context.session, (catalog) => input.args.map((word) => wireName(word, catalog)));
  const named: Field[] = [];
  for (const name of names) named.push(...(await fieldsNamed(name, context)));
  const fields = [...new Map(named.map((field) => [field.name, field])).values()];
  if (isForCards(context)) {
    const { fieldCard } = await import("../../view/field-card.ts");
    return showCards(
      context,
      fields.map((one) => fieldCard(one, context.output.view)),
    );
  }
  const { FIELD_COLUMNS } = await import("../../view/field-columns.ts");
  await showList(context, { columns: columnsFor(fields, FIELD_COLUMNS, context), pages: [fields] });
}

/**
 * Fields of the tracker by wire name or id.
 * @throws BtError of kind missing
 */
export async function fieldsNamed(name: string, { session }: Context): Promise<readonly Field[]> {
  const fields = readFields(await session.ask(requestFor(GET_FIELD, { id_or_name: name })));
  const isNamed = (field: Field) => String(field.id) === name || field.name.toLowerCase() === name.toLowerCase();
  if (!fields.some(isNamed)) throw unexpectedShape(`the field "${name}"`);
  return fields;
}

/** Name for the Fields resource: the internal one for any name of the field; ids are unchanged. */
export function wireName(word: string, catalog: Catalog): string {
  if (/^[1-9][0-9]*$/.test(word)) return word;
  const field = findField(catalog, word);
  if (field) return field.chart;
  throw new BtError("missing", `unknown field "${word}"`, {
    hint:
      suggestNames(
        word,
        catalog.fields.flatMap((one) => [one.api, one.chart]),
      ) ?? "bt field list shows the fields",
    changed: "nothing",
  });
}

/** `bt field values`: legal values in the tracker's order, of one product if they belong to products. */
export async function listFieldValues(input: Input, context: Context): Promise<void> {
  const wanted = await withCatalog(context.session, (catalog) => {
    const name = wireName(input.args[0] ?? "", catalog);
    const product = flagValue(input.flags["product"]);
    const known = findField(catalog, name);
    if (known && LISTLESS.has(known.family)) throw listless(known.api);
    return {
      name,
      isPerProduct: bugFieldRow(name)?.isPerProduct === true,
      product: product === undefined ? undefined : legalValue(requireField(catalog, "product"), product),
    };
  });
  if (wanted.isPerProduct && wanted.product === undefined) {
    throw usage(`the values of ${wanted.name} differ per product`, `bt field values ${wanted.name} --product NAME`);
  }
  const [found, { valueColumns }] = await Promise.all([
    valuesOf(wanted, context),
    import("../../view/field-columns.ts"),
  ]);
  const rows = found.map((name) => ({ name }));
  await showList(context, { columns: chosenColumns(valueColumns(rows), context), pages: [rows] });
}

/** Families of fields without a list of values. */
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
  return usage(`${name} has no list of legal values`, `bt field get ${name} shows its type`);
}

type Wanted = { readonly name: string; readonly isPerProduct: boolean; readonly product: string | undefined };

async function valuesOf({ name, isPerProduct, product }: Wanted, context: Context): Promise<readonly string[]> {
  if (name === "product") return productNames(context);
  if (name === "keywords") return fieldValues(name, context);
  const request =
    isPerProduct && product !== undefined
      ? requestFor(LEGAL_VALUES_OF_PRODUCT, { field: name, product_id: await productId(product, context) })
      : requestFor(LEGAL_VALUES, { field: name });
  return readLegalValues(await context.session.ask(request));
}

/** Values of keywords, which the Legal Values resource does not list, but the Fields resource does. */
async function fieldValues(name: string, context: Context): Promise<readonly string[]> {
  const [field] = await fieldsNamed(name, context);
  return (field?.values ?? []).flatMap((value) => value.name ?? []);
}

async function productNames(context: Context): Promise<readonly string[]> {
  const request = requestFor(GET_PRODUCTS, { type: "accessible", include_fields: "name" });
  const products = listUnder(await context.session.ask(request), "products");
  return products.flatMap((product) => (isObject(product) ? [String(product["name"])] : [])).sort();
}

async function productId(name: string, context: Context): Promise<number> {
  const answer = await context.session.ask(requestFor(GET_PRODUCT, { id_or_name: name, include_fields: "id" }));
  const [product] = listUnder(answer, "products");
  const id = isObject(product) ? product["id"] : undefined;
  if (typeof id !== "number") throw unexpectedShape(`the product ${name} with its id`);
  return id;
}
