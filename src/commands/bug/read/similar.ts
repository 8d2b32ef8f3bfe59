import { readBug } from "../../../api/bugs.ts";
import { legalValue, requireField, splitValues } from "../../../api/catalog/catalog.ts";
import { findSimilar, type Subject } from "../../../api/search/similar.ts";
import { usageError } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import { SIMILAR_COLUMNS, SIMILAR_TABLE_COLUMNS, SIMILAR_USUAL_COLUMNS } from "../../../view/bug-columns.ts";
import { chosenColumns, isJson, showListOrNone } from "../../shared/output/print.ts";
import { readOneTarget } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { SimilarInput } from "../flags.ts";

/** `bt bug similar`: lists probable duplicates of a bug, or of a summary, best first. */
export async function showSimilarBugs(input: SimilarInput, context: Context): Promise<void> {
  const { format, fields } = context.output;
  const usual = format === "table" ? SIMILAR_TABLE_COLUMNS : SIMILAR_USUAL_COLUMNS;
  const columns = chosenColumns(isJson(context) || fields ? SIMILAR_COLUMNS : usual, context);
  const subject = await readSubject(input, context);
  const similar = await findSimilar(subject, context.session.searches);
  await showListOrNone(context, { columns, pages: [similar.slice(0, input.limit ?? 10)] }, "no similar bugs");
}

async function readSubject(input: SimilarInput, context: Context): Promise<Subject> {
  const [word] = input.args;
  if (word === undefined && input.summary?.trim())
    return { summary: input.summary, products: await readProducts(input, context) };
  if (word === undefined || input.summary !== undefined) throw usageError("expected a bug, or --summary with a text");
  const products = await readProducts(input, context);
  const fields = ["summary", "product", "component"];
  const bug = await readBug(await readOneTarget(word, context), fields, context.session.send);
  return { ...bug, products: products.length === 0 && bug.product ? [bug.product] : products };
}

/** The products that `--product` names, by their full names; [] without the flag. */
async function readProducts({ product: names }: SimilarInput, { session }: Context): Promise<string[]> {
  if (names.length === 0) return [];
  return withCatalog(session, (catalog) => {
    const field = requireField(catalog, "product");
    return names.flatMap((name) => splitValues(name, field)).map((name) => legalValue(field, name));
  });
}
