import { chooseFields } from "../../api/bug-fields.ts";
import { type Catalog, findField } from "../../api/catalog.ts";
import { legalNames } from "../../api/legal-value.ts";
import { usage } from "../../errors.ts";
import { tallyOf } from "../../view/tally.ts";
import { withLazyCatalog } from "../catalog.ts";
import type { Context } from "../context.ts";
import { formatOf, showList, showText } from "../show.ts";
import { type Input, textOf } from "../verb.ts";
import type { Criteria } from "./criteria.ts";
import { foundBugs } from "./search-plan.ts";

/** `--count` prints how many bugs match; `--by component,severity` how many of each kind. Answers how many there are. */
export async function countBugs(criteria: Criteria, input: Input, context: Context): Promise<number> {
  for (const flag of ["limit", "offset"]) {
    if (input.flags[flag] !== undefined) {
      throw usage(`--${flag} does not go with counting`, "all bugs that match are counted");
    }
  }
  const by = textOf(input.flags["by"]);
  const names = by === undefined ? [] : by.split(",").map((name) => name.trim());
  const { keys, include } = await withLazyCatalog(context.tracker, (catalog) => chooseFields(names, catalog));
  if (keys.length > 2) throw usage("--by takes one or two fields", "for example: --by component,severity");
  const tally = tallyOf(keys);
  const anyOrder = { ...criteria, order: undefined };
  for await (const page of foundBugs(anyOrder, { include: ["id", ...include] }, context)) tally.add(page);
  if (keys.length === 0) await context.io.out(`${tally.total()}\n`);
  else if (formatOf(context) === "table")
    await showText(context, tally.table(context.output.view, orderOf(keys.at(-1), criteria.catalog)));
  else await showList(context, { columns: tally.columns, pages: [tally.rows()] });
  return tally.total();
}

/** Values that have a rank, and statuses, stand in the tracker's order. */
function orderOf(name: string | undefined, catalog: Catalog): readonly string[] {
  const field = name === undefined ? undefined : findField(catalog, name);
  const isOrdered = field?.family === "ranked" || field?.api === "status";
  return field && isOrdered ? (legalNames(field) ?? []) : [];
}
