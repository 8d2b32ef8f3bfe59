import type { CatalogField } from "../../../api/catalog.ts";
import { selectFields } from "../../../api/field-selection.ts";
import { leavesOf, type Query } from "../../../api/query/tree.ts";
import { foundBugs } from "../../../api/search/found-bugs.ts";
import { BtError, usage } from "../../../errors.ts";
import { withLazyCatalog } from "../../../session/session.ts";
import { type BugColumn, defaultBugColumns, findBugColumn } from "../../../view/bug-columns.ts";
import { hintsText, matchText } from "../../../view/messages.ts";
import { checkJqFields } from "../../shared/jq-fields.ts";
import { headingFields, outputFormat, showList } from "../../shared/output.ts";
import { searchTools } from "../../shared/search-tools.ts";
import type { Context } from "../../verb.ts";
import { countBugs } from "./count.ts";
import { type Criteria, readCriteria } from "./criteria.ts";
import { withDefaultSearch } from "./default-search.ts";
import type { SearchInput } from "./input.ts";
import { explainSearch, openSearch } from "./modes.ts";
import { withSaved } from "./saved-search.ts";

/** `bt bug search`: validates the criteria, then lists, counts, explains or opens the search. */
export async function searchBugs(given: SearchInput, context: Context): Promise<void> {
  const bounds = boundsOf(given);
  const mayBeBare = given.args.length === 0 && isScreen(context) && bounds === undefined;
  const { input, note } = mayBeBare ? await withDefaultSearch(given, context) : { input: given, note: [] };
  const criteria = await readCriteria(await withSaved(input, context), context);
  if (input.explain) return explainSearch(criteria, context);
  if (input.web) return openSearch(criteria, context);
  const isCounted = input.count || input.by !== undefined;
  const { count, isCut } = isCounted
    ? { count: await countBugs(criteria, input, context), isCut: false }
    : await listBugs(criteria, input, context);
  const notes = isCut && note.length === 0 ? [`first ${count} bugs; use --limit N or --all for more`] : note;
  const remarks = count === 0 || context.io.terminal.stderr ? criteria.remarks : [];
  if (notes.length + remarks.length > 0) await context.io.err(`${[...notes, ...remarks].join("\n")}\n`);
  if (count === 0) await endEmpty(criteria, input, context);
  if (bounds) checkCount(count, bounds);
}

/** Numbers of bugs that `--min` and `--max` allow. */
type Bounds = { readonly min: number; readonly max: number };

/** @throws BtError of kind usage with a limit */
function boundsOf({ min, max, parameters }: SearchInput): Bounds | undefined {
  if (min === undefined && max === undefined) return undefined;
  if (parameters.limit !== undefined)
    throw usage("--limit cannot be used together with --max or --min", "all bugs are counted and listed");
  return { min: min ?? 0, max: max ?? Number.POSITIVE_INFINITY };
}

/** @throws BtError of kind no for too many or too few bugs */
function checkCount(count: number, { min, max }: Bounds): void {
  if (count >= min && count <= max) return;
  throw new BtError(
    "no",
    `${matchText(count)}, ${count > max ? `at most ${max} allowed` : `at least ${min} required`}`,
  );
}

async function endEmpty({ query }: Criteria, input: SearchInput, { io, output }: Context): Promise<void> {
  if (io.terminal.stdout && !input.count) {
    await io.err(`no bugs match\n${hintsText(hintsOn(query), output.view)}`);
  }
  if (input.failEmpty) throw new BtError("no", "no bugs match");
}

/** Number of bugs that were listed or counted, and whether more match. */
type Outcome = { count: number; isCut: boolean };

async function listBugs(criteria: Criteria, input: SearchInput, context: Context): Promise<Outcome> {
  const columns = await bugColumns(context);
  if (input.jq !== undefined)
    checkJqFields(
      input.jq,
      columns.map(({ name }) => name),
    );
  const size = sizeOf(input, context);
  const include = columns.flatMap((column) => column.needs);
  const found = foundBugs(criteria, { include, limit: size.requested, offset: size.offset }, searchTools(context));
  let left = size.shown;
  let isCut = false;
  async function* shownPages() {
    for await (const page of found) {
      if (page.length > left) isCut = true;
      const shown = page.slice(0, left);
      left -= shown.length;
      yield shown;
    }
  }
  const count = await showList(context, { columns, pages: shownPages() });
  return { count, isCut };
}

/** Number of bugs to request and to show; one more is requested to detect that there are more. */
type Size = { readonly requested: number | undefined; readonly shown: number; readonly offset: number };

function sizeOf({ parameters, all, max, min }: SearchInput, context: Context): Size {
  const { limit, offset } = parameters;
  if (limit && all) throw usage("--all and --limit cannot be used together", "omit --all to limit the result");
  if (offset !== undefined && !limit) throw usage("--offset requires --limit", "set the page size with --limit");
  if (limit) return { requested: limit, shown: limit, offset: offset ?? 0 };
  const isWhole = all || max !== undefined || min !== undefined;
  if (limit === 0 || isWhole || !isScreen(context)) return EVERYTHING;
  const screen = context.session.settings.limit ?? Math.max(MIN_SCREEN, context.io.size().rows - SCREEN_REST);
  return { requested: screen + 1, shown: screen, offset: 0 };
}

function isScreen(context: Context): boolean {
  return context.io.terminal.stdout && outputFormat(context) === "table";
}

const EVERYTHING: Size = { requested: undefined, shown: Number.POSITIVE_INFINITY, offset: 0 };
const MIN_SCREEN = 10;
const SCREEN_REST = 4; // heading, notice, prompt and an empty line

/** Columns of a list of bugs: the chosen ones, or those of the format. */
export async function bugColumns(context: Context): Promise<BugColumn[]> {
  const { fields = context.session.settings.fields, view } = context.output;
  const format = outputFormat(context);
  if (!fields || format === "ids") {
    const usual = defaultBugColumns(format, view, await headingFields(context));
    return usual.filter(({ name }) => format !== "ids" || name === "id");
  }
  const { keys } = await withLazyCatalog(context.session, (catalog) => selectFields(fields, catalog));
  const hasCustom = keys.some((key) => key.startsWith("cf_"));
  const known = await (hasCustom ? context.session.metadata.fields() : headingFields(context));
  return keys.flatMap((key) => findBugColumn(key, known) ?? []);
}

/** Suggestions after an empty search, for conditions that match less than they seem to. */
function hintsOn(query: Query): string[] {
  const hints: string[] = [];
  for (const leaf of leavesOf(query)) {
    if (leaf.kind !== "test" || leaf.op !== "=" || !isPerson(leaf.field)) continue;
    const [value = ""] = leaf.values;
    if (/[@%]/.test(value)) continue;
    hints.push(`users match by complete login; for a part of it: '${leaf.field.api} ~ ${value}'`);
  }
  return hints;
}

function isPerson({ family }: CatalogField): boolean {
  return family === "person" || family === "people";
}
