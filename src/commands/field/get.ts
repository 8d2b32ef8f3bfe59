import { type Catalog, findField } from "../../api/catalog.ts";
import { suggest } from "../../api/nearest.ts";
import { get as getRequest, segment } from "../../api/operation.ts";
import { readFields, unexpectedShape } from "../../api/read.ts";
import { BtError } from "../../errors.ts";
import type { Field } from "../../wire/field.ts";
import { withCatalog } from "../catalog.ts";
import type { Context } from "../context.ts";
import { columnsFor, isForEyes, showList, showText } from "../show.ts";
import type { Input } from "../verb.ts";

/** `bt field get`: the named fields, each as a card on a terminal. */
export async function get(input: Input, context: Context): Promise<void> {
  const names = await withCatalog(context.tracker, (catalog) => input.args.map((word) => wireName(word, catalog)));
  const named: Field[] = [];
  for (const name of names) named.push(...(await fieldsNamed(name, context)));
  const fields = [...new Map(named.map((field) => [field.name, field])).values()];
  if (isForEyes(context) && !context.output.fields) {
    const [{ fieldCard }, { separated }] = await Promise.all([
      import("../../view/field-card.ts"),
      import("../../view/card.ts"),
    ]);
    const { view } = context.output;
    return showText(
      context,
      separated(
        fields.map((field) => fieldCard(field, view)),
        view,
      ),
    );
  }
  const { FIELD_COLUMNS } = await import("../../view/fields.ts");
  await showList(context, { columns: columnsFor(fields, FIELD_COLUMNS, context), pages: [fields] });
}

/** What the tracker answers to one wire name or number, which has to be among it. */
export async function fieldsNamed(name: string, { tracker }: Context): Promise<readonly Field[]> {
  const fields = readFields(await tracker.ask(getRequest(`/rest/field/bug/${segment(name)}`)));
  const isNamed = (field: Field) => String(field.id) === name || field.name.toLowerCase() === name.toLowerCase();
  if (!fields.some(isNamed)) throw unexpectedShape(`the field "${name}"`);
  return fields;
}

/** The name that the fields endpoint takes: the internal one, for any name of the field; a number stays a number. */
export function wireName(word: string, catalog: Catalog): string {
  if (/^[1-9][0-9]*$/.test(word)) return word;
  const field = findField(catalog, word);
  if (field) return field.chart;
  throw new BtError("missing", `the tracker has no field "${word}"`, {
    hint:
      suggest(
        word,
        catalog.fields.flatMap((one) => [one.api, one.chart]),
      ) ?? "bt field list shows the fields",
    changed: "nothing",
  });
}
