import { type Catalog, findField } from "../../api/catalog.ts";
import { selectFields } from "../../api/field-selection.ts";
import { legalNames } from "../../api/legal-values.ts";
import { compileQuery } from "../../api/query/compile.ts";
import { explainQuery, explanationText } from "../../api/query/explain.ts";
import { usage } from "../../errors.ts";
import { flagValue } from "../../session/flags.ts";
import { withLazyCatalog } from "../../session/session.ts";
import { lacksPages } from "../../session/web-pages.ts";
import { countTable } from "../../view/bug-counts.ts";
import { escapeJson, plain } from "../../view/text.ts";
import { headingFields, isJson, outputFormat, showList, showText } from "../output.ts";
import type { Context, Input } from "../verb.ts";
import type { Criteria } from "./search-criteria.ts";
import { foundBugs, sentPairs } from "./search-plan.ts";

/** `bt bug search --explain`: prints the meaning of the search, the request, and a link to the web interface. */
export async function explainSearch(criteria: Criteria, context: Context): Promise<void> {
  const explanation = await explanationOf(criteria, context);
  const asJson = isJson(context);
  const { checkedHere: checked_here, ...rest } = explanation;
  await context.io.out(
    `${asJson ? escapeJson(JSON.stringify({ ...rest, checked_here })) : plain(explanationText(explanation), { lines: true })}\n`,
  );
}

/** `bt bug search --web`: opens the search in the web interface. */
export async function openSearch(criteria: Criteria, context: Context): Promise<void> {
  const { openInBrowser, webAddress } = await import("../browser.ts");
  await webAddress(context);
  const { web } = await explanationOf(criteria, context);
  if (web !== undefined) await openInBrowser(web, context);
}

async function explanationOf(criteria: Criteria, { session }: Context) {
  const options = { serverZone: criteria.zone };
  const compiled = compileQuery(criteria.query, options);
  const order = criteria.order === undefined ? [] : [["order", criteria.order] as const];
  const base = (await lacksPages(session.memory)) ? undefined : session.webAddress();
  const sent = [...sentPairs(criteria, compiled), ...order];
  const explanation = explainQuery({ query: criteria.query, passed: criteria.passed, compiled, sent, base, options });
  return { ...explanation, notes: [...explanation.notes, ...notesOn(criteria)] };
}

function notesOn({ order, remarks, notes }: Criteria): readonly string[] {
  const isSorted = order !== undefined && !/^bug_id\b/.test(order);
  return [
    ...(isSorted ? ["results larger than one response are read by number first, and sorted by bt"] : []),
    ...notes.map((note) => note.replace(/^note: /, "")),
    ...remarks,
  ];
}

/**
 * `--count` prints the number of matching bugs, `--by component,severity` the number per group. Returns the number of
 * bugs.
 */
export async function countBugs(criteria: Criteria, input: Input, context: Context): Promise<number> {
  for (const flag of ["limit", "offset"]) {
    if (input.flags[flag] !== undefined) {
      throw usage(`--${flag} cannot be used together with --count or --by`, "counts cover all matching bugs");
    }
  }
  const by = flagValue(input.flags["by"]);
  const names = by === undefined ? [] : by.split(",").map((name) => name.trim());
  const { keys, include } = await withLazyCatalog(context.session, (catalog) => selectFields(names, catalog));
  if (keys.length > 2) throw usage("--by takes one or two fields", "for example: --by component,severity");
  const tally = countTable(keys, await headingFields(context));
  const anyOrder = { ...criteria, order: undefined };
  for await (const page of foundBugs(anyOrder, { include: ["id", ...include] }, context)) tally.add(page);
  if (keys.length === 0) await context.io.out(`${tally.total()}\n`);
  else if (outputFormat(context) === "table") {
    const catalog = await context.session.catalog();
    const orders = keys.map((key) => orderOf(key, catalog));
    await showText(context, tally.table(context.output.view, orders));
  } else await showList(context, { columns: tally.columns, pages: [tally.rows()] });
  return tally.total();
}

/** The tracker's order, for ranked values and statuses. */
function orderOf(name: string, catalog: Catalog): readonly string[] {
  const field = findField(catalog, name);
  const isOrdered = field?.family === "ranked" || field?.api === "status";
  return field && isOrdered ? (legalNames(field) ?? []) : [];
}
