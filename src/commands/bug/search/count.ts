import { type Catalog, findField } from "../../../api/catalog.ts";
import { selectFields } from "../../../api/field-selection.ts";
import { legalNames } from "../../../api/legal-values.ts";
import { foundBugs, foundGroups } from "../../../api/search/found-bugs.ts";
import { usage } from "../../../errors.ts";
import { withLazyCatalog } from "../../../session/session.ts";
import { type CountTable, countTable } from "../../../view/bug-counts.ts";
import { headingFields, outputFormat, showList, showText } from "../../shared/output.ts";
import { searchTools } from "../../shared/search-tools.ts";
import type { Context } from "../../verb.ts";
import type { Criteria } from "./criteria.ts";
import type { SearchInput } from "./input.ts";

/**
 * `--count` prints the number of matching bugs, `--by component,severity` the number per group. Returns the number of
 * bugs.
 */
export async function countBugs(criteria: Criteria, input: SearchInput, context: Context): Promise<number> {
  for (const flag of ["limit", "offset"] as const) {
    if (input.parameters[flag] !== undefined) {
      throw usage(`--${flag} cannot be used together with --count or --by`, "counts cover all matching bugs");
    }
  }
  const { by } = input;
  const names = by === undefined ? [] : by.split(",").map((name) => name.trim());
  const { keys, include } = await withLazyCatalog(context.session, (catalog) => selectFields(names, catalog));
  if (keys.length > 2) throw usage("--by takes one or two fields", "for example: --by component,severity");
  const tally = countTable(keys, await headingFields(context));
  await addMatching(tally, { ...criteria, order: undefined }, { include, context });
  if (keys.length === 0) await context.io.out(`${tally.total()}\n`);
  else if (outputFormat(context) === "table") {
    const catalog = await context.session.metadata.catalog();
    const orders = keys.map((key) => orderOf(key, catalog));
    await showText(context, tally.table(context.output.view, orders));
  } else await showList(context, { columns: tally.columns, pages: [tally.rows()] });
  return tally.total();
}

type Counted = { readonly include: readonly string[]; context: Context };

/** Counts the bugs that match, by groups where the tracker makes them, else one by one. */
async function addMatching(tally: CountTable, criteria: Criteria, { include, context }: Counted): Promise<void> {
  const groups = await foundGroups(criteria, include, searchTools(context));
  if (groups) for (const { bug, count } of groups) tally.add([bug], count);
  else
    for await (const page of foundBugs(criteria, { include: ["id", ...include] }, searchTools(context)))
      tally.add(page);
}

/** The tracker's order, for ranked values and statuses. */
function orderOf(name: string, catalog: Catalog): string[] {
  const field = findField(catalog, name);
  const isOrdered = field?.family === "ranked" || field?.api === "status";
  return field && isOrdered ? (legalNames(field) ?? []) : [];
}
