import { type Catalog, findField } from "../../../api/catalog/catalog.ts";
import { legalNames } from "../../../api/catalog/legal-values.ts";
import { usageError } from "../../../errors.ts";
import { countTable } from "../../../view/bug-counts.ts";
import type { Criteria } from "../../shared/criteria/criteria.ts";
import {
  chooseSelection,
  chosenColumns,
  fieldsForColumns,
  isForCards,
  showList,
  showText,
} from "../../shared/output/print.ts";
import type { Context } from "../../verb.ts";
import type { SearchInput } from "../flags.ts";

/** Prints the number of matching bugs, or the number per group of equal values. Returns the number of bugs. */
export async function countBugs(criteria: Criteria, input: SearchInput, context: Context): Promise<number> {
  checkFlags(input, context);
  const names = input.by.flatMap((list) => list.split(",")).map((name) => name.trim());
  const { keys, include } = await chooseSelection(names, context);
  if (keys.length > 2) throw usageError("--by takes one or two fields", "for example: --by component,severity");
  if (keys.length < names.length) throw usageError("two names in --by are the same field", "use one of them");
  const { io, output, session } = context;
  const known = await fieldsForColumns(keys, context);
  const tally = countTable(keys, known);
  const columns = chosenColumns(tally.columns, context);
  for await (const page of session.searches.groups({ ...criteria, order: undefined }, include))
    for (const { bug, count } of page) tally.add(bug, count);
  if (keys.length === 0) await io.out(`${tally.total()}\n`);
  else if (isForCards(context)) {
    const catalog = await session.catalog();
    const orders = keys.map((key) => valueOrder(key, catalog));
    await showText(context, tally.table(output.view, orders));
  } else await showList(context, { columns, pages: [tally.rows()] });
  return tally.total();
}

/** @throws BtError of kind usage with a flag that says something else of the result */
function checkFlags({ by, count, parameters }: SearchInput, { output }: Context): void {
  const flags = { by: count && by.length > 0, limit: parameters.limit !== undefined, fields: count && output.fields };
  const [other] = Object.entries(flags).find(([, isGiven]) => isGiven) ?? [];
  const name = count ? "--count" : "--by";
  if (other) throw usageError(`--${other} and ${name} cannot be used together`, "all bugs that match are counted");
  if (output.format === "ids") throw usageError(`${name} prints no ids`);
}

/** The tracker's order, for ranked values and statuses. */
function valueOrder(name: string, catalog: Catalog): string[] {
  const field = findField(catalog, name);
  const isOrdered = field?.family === "ranked" || field?.api === "status";
  return field && isOrdered ? (legalNames(field) ?? []) : [];
}
