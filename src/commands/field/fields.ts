import { type Catalog, fieldNames, findField, unknownFieldHint } from "../../api/catalog/catalog.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { GET_FIELD, GET_FIELDS } from "../../api/operations/tracker.ts";
import { readFields, unexpectedShapeError } from "../../api/response/response-objects.ts";
import { BtError } from "../../errors.ts";
import { withCatalog } from "../../session/session.ts";
import { FIELD_COLUMNS, fieldCard } from "../../view/fields.ts";
import type { Field } from "../../wire/resources.ts";
import type { SharedInput } from "../input.ts";
import { columnsFor, isForCards, showCards, showList, showListOrNone } from "../shared/output/print.ts";
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
  const names = await withCatalog(context.session, (catalog) => input.args.map((word) => wireName(word, catalog)));
  const named: Field[] = [];
  for (const name of names) named.push(...(await readNamedFields(name, context)));
  const fields = [...new Map(named.map((field) => [field.name, field])).values()];
  if (isForCards(context)) {
    return showCards(
      context,
      fields.map((one) => fieldCard(one, context.output.view)),
    );
  }
  await showList(context, { columns: columnsFor(fields, FIELD_COLUMNS, context), pages: [fields] });
}

/**
 * Fields of the tracker by wire name or id.
 * @throws BtError of kind missing
 */
export async function readNamedFields(name: string, { session }: Context): Promise<Field[]> {
  const fields = readFields(await session.send(requestFor(GET_FIELD, { id_or_name: name })));
  const isNamed = (field: Field) => String(field.id) === name || field.name.toLowerCase() === name.toLowerCase();
  if (!fields.some(isNamed)) throw unexpectedShapeError(`the field "${name}"`);
  return fields;
}

/** Name for the Fields resource: the internal one for any name of the field; ids are unchanged. */
export function wireName(word: string, catalog: Catalog): string {
  if (/^[1-9][0-9]*$/.test(word)) return word;
  const field = findField(catalog, word);
  if (field) return field.chart;
  throw new BtError("missing", `unknown field "${word}"`, {
    hint: unknownFieldHint(word, fieldNames(catalog)),
  });
}
