import { type Catalog, findField } from "../../../api/catalog/catalog.ts";
import { legalNames } from "../../../api/catalog/legal-values.ts";
import { quotedIfNeeded } from "../../../api/nearest.ts";
import { isEveryBug, type Test } from "../../../api/query/tree.ts";
import { unparseQuery } from "../../../api/query/unparse.ts";
import type { WantedBugs } from "../../../api/search/search.ts";
import { BtError, usageError } from "../../../errors.ts";
import { rememberingBugs } from "../../../session/memory/recent-bugs.ts";
import { note } from "../../../session/note.ts";
import { BUG_COLUMNS } from "../../../view/bug-columns.ts";
import { type CountTable, countTable } from "../../../view/bug-counts.ts";
import { matchText } from "../../../view/messages.ts";
import { plain } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { type Criteria, readCriteria } from "../../shared/criteria/criteria.ts";
import { criteriaTexts } from "../../shared/criteria/flags.ts";
import {
  chooseBugColumns,
  chooseSelection,
  chosenColumns,
  isForCards,
  knownFields,
  mapPages,
  noteHiddenHours,
  showList,
  showText,
} from "../../shared/output/print.ts";
import type { Context } from "../../verb.ts";
import { explainSearch, openSearch } from "./explain.ts";
import type { SearchInput } from "./flags.ts";

/** `bt bug search`: validates the criteria, then lists, counts, explains or opens the search. */
export async function searchBugs(given: SearchInput, context: Context): Promise<void> {
  const { max } = given;
  checkBounds(given);
  const mayBeBare = given.args.length === 0 && isTableOnTerminal(context) && max === undefined;
  const { input: typed, which } = mayBeBare ? await applyDefaultSearch(given, context) : { input: given };
  const criteria = await readCriteria(typed, context);
  const { page } = criteria;
  const input = { ...typed, parameters: { ...page, ...typed.parameters } };
  checkBounds(input);
  if (input.explain) return explainSearch(criteria, context);
  if (input.web) return openSearch(criteria, context);
  const { count, limit } = await listBugs(criteria, input, context);
  const { query } = criteria;
  const notes = [await noteOnPart({ count, limit }, which, criteria, input, context)].filter(Boolean);
  if (notes.length === 0 && query.kind === "test" && query.field.chart === "bug_id")
    notes.push(...notesOnMissing(query, count, input));
  for (const sentence of notes) await note(context.io, sentence);
  if (count === 0 && input.failEmpty) throw new BtError("no", "no bugs match");
  if (max !== undefined && count > max) throw new BtError("no", `${matchText(count)}, at most ${max} allowed`);
  if (max === undefined && count === 0 && notes.length === 0 && !input.count && input.by.length === 0)
    await reportEmpty(criteria, context);
}

/** @throws BtError of kind usage for bounds that contradict each other */
function checkBounds({
  parameters: { limit, offset },
  all,
  max,
}: Pick<SearchInput, "parameters" | "all" | "max">): void {
  if (limit && all)
    throw usageError("--all and --limit cannot be used together", `--limit ${limit} alone shows at most ${limit} bugs`);
  if (offset !== undefined && !limit) throw usageError("--offset requires --limit", "set the page size with --limit");
  if (max !== undefined && limit !== undefined)
    throw usageError("--limit and --max cannot be used together", "all bugs are counted and listed");
}

/** Note on the part of the bugs that a terminal shows, or on the bugs of a search without criteria; empty without one. */
async function noteOnPart(
  { count, limit }: Listed,
  which: WhichBugs | undefined,
  criteria: Criteria,
  { parameters: { limit: chosen, offset = 0 } }: SearchInput,
  context: Context,
): Promise<string> {
  const end = offset + count;
  const mayBePart = isTableOnTerminal(context) && count > 0 && count === limit;
  const total = mayBePart ? await context.session.searches.count(criteria, MOST_COUNTED) : end;
  if (total !== undefined && total <= end) return which && count > 0 ? `all ${count} ${which.bugs}; ${CRITERIA}` : "";
  const { first, bugs } = which ?? { first: "first", bugs: "bugs" };
  const of = total === undefined ? "" : ` of ${total === MOST_COUNTED ? "at least " : ""}${total}`;
  const range = offset > 0 ? `bugs ${offset + 1} to ${end}${of}` : `${first} ${count}${of} ${bugs}`;
  if (chosen !== undefined) return range;
  return `${range}; ${which ? `is:open --all lists all, ${CRITERIA}` : "use --limit N or --all for more"}`;
}

/** Which bugs a search without criteria is for: "newest", "open bugs of Harbor". */
type WhichBugs = { first: string; bugs: string };

const CRITERIA = "--help tells the criteria";
const MOST_COUNTED = 1000;

/** A note on bugs that were not found by their numbers alone. */
function notesOnMissing({ op, values: ids }: Test, count: number, { args, parameters }: SearchInput): string[] {
  const missing = ids.length - count;
  if (op !== "=" || missing <= 0 || parameters.offset !== undefined) return [];
  const [id = "", ...others] = ids;
  const text = args.includes(id) ? `; for the text: bt bug search '"${id}"'` : "";
  if (others.length === 0) return [`bug ${id} does not exist, or is not visible to you${text}`];
  if (parameters.limit !== undefined) return [];
  const line = ids.length <= MAX_NAMED ? `: bt bug get ${ids.join(" ")}` : "";
  return [`${missing} of ${ids.length} bugs do not exist, or are not visible to you${line}`];
}

const MAX_NAMED = 20; // bugs in a line to type

/** Shows the query as it was understood, since a word too many is a word of the summary. */
async function reportEmpty({ query, passed = [] }: Criteria, { io }: Context): Promise<void> {
  const isOwn = passed.length === 0 && !isEveryBug(query);
  await note(io, isOwn ? `no bugs match ${unparseQuery(query)}` : "no bugs match");
}

/** Number of bugs that were listed or counted, and the most that would have been listed. */
type Listed = { count: number; limit?: number | undefined };

/** Lists bugs, or counts them. */
async function listBugs(criteria: Criteria, input: SearchInput, context: Context): Promise<Listed> {
  if (input.count || input.by.length > 0)
    return { count: await printCounts(criteria, readGrouping(input, context), context) };
  const columns = await chooseBugColumns(context);
  const size = resultSize(input, context);
  const { io, session } = context;
  const needs = columns.flatMap((column) => column.needs);
  const include = io.terminal.stdout ? [...needs, "groups"] : needs;
  const pages = session.searches.pages(criteria, { include, ...size });
  const found = io.terminal.stdout ? rememberingBugs(pages, session.facts.memory) : pages;
  const { fields } = context.output;
  const shown = fields ? noteHiddenHours(found, fields, context) : found;
  return { count: await showList(context, { columns, pages: shown }), limit: size.limit };
}

/** Number of bugs to list, undefined for all, and to skip. */
function resultSize({ parameters, all, max }: SearchInput, context: Context): Omit<WantedBugs, "include"> {
  const { limit, offset } = parameters;
  if (limit) return { limit, offset };
  const isWhole = limit === 0 || all || max !== undefined;
  if (isWhole || !isTableOnTerminal(context)) return {};
  const screen = context.session.settings.limit ?? USUAL_LIMIT;
  return screen === 0 ? {} : { limit: screen };
}

function isTableOnTerminal(context: Context): boolean {
  return context.io.terminal.stdout && context.output.format === "table";
}

const USUAL_LIMIT = 30; // bugs on a terminal

/**
 * On a terminal, a search without any criterion or `--all` is for the open bugs of the default product, or of all:
 * the search, and what it is for.
 */
async function applyDefaultSearch(
  input: SearchInput,
  context: Context,
): Promise<{ input: SearchInput; which?: WhichBugs }> {
  const isOther = input.count || input.by.length > 0 || input.explain || input.web || input.all;
  const { limit: _, offset: __, ...criteria } = Object.fromEntries(criteriaTexts(input));
  if (isOther || input.args.length > 0 || Object.keys(criteria).length > 0) return { input };
  const { product, sort } = context.session.settings;
  const parameters = {
    ...input.parameters,
    status: ["@open"],
    ...(product === undefined ? {} : { product: [quotedIfNeeded(product)] }), // else a list of products
  };
  const bugs = `open bugs${product === undefined ? "" : ` of ${plain(product)}`}`;
  const first = input.sort.length === 0 && sort === undefined ? "newest" : "first";
  return { input: { ...input, parameters }, which: { first, bugs } };
}

/**
 * Names of the fields of `--by`; none for `--count`.
 * @throws BtError of kind usage with a flag that says something else of the result
 */
function readGrouping({ by, count, parameters, sort }: SearchInput, { output }: Context): string[] {
  const counted = count ? "--count" : "--by";
  if (count && by.length > 0) throw usageError("--count and --by cannot be used together", "--by alone counts, too");
  if (sort.length > 0) {
    const hint = count ? "a count has no order" : "groups are sorted by their counts";
    throw usageError(`--sort and ${counted} cannot be used together`, hint);
  }
  if (output.format === "ids")
    throw usageError(`${counted} and --format ids cannot be used together`, "a count is no id: omit --format");
  if (count && output.fields)
    throw usageError(`--count and --fields cannot be used together`, "--count prints only the number");
  for (const flag of ["limit", "offset"] as const) {
    if (parameters[flag] !== undefined) {
      throw usageError(`--${flag} cannot be used together with --count or --by`, "counts cover all matching bugs");
    }
  }
  return by.flatMap((names) => names.split(",")).map((name) => name.trim());
}

/** Prints the number of matching bugs, or the number per group of equal values. Returns the number of bugs. */
async function printCounts(criteria: Criteria, names: string[], context: Context): Promise<number> {
  const { keys, include } = await chooseSelection(names, context);
  if (keys.length > 2) throw usageError("--by takes one or two fields", "for example: --by component,severity");
  if (keys.length < names.length) throw usageError("two names in --by are the same field", "use one of them");
  const hasAdded = keys.some((key) => !BUG_COLUMNS.includes(key));
  const known = await (hasAdded ? context.session.metadata.fields() : knownFields(context));
  const tally = countTable(keys, known, context.output.view.serverZone);
  const columns = chosenColumns(tally.columns, context);
  await addMatching(tally, { ...criteria, order: undefined }, { include, context });
  if (keys.length === 0) await context.io.out(`${tally.total()}\n`);
  else if (isForCards(context)) {
    const catalog = await context.session.metadata.catalog();
    const orders = keys.map((key) => valueOrder(key, catalog));
    await showText(context, tally.table(context.output.view, orders));
  } else await showList(context, { columns, pages: [tally.rows()] });
  return tally.total();
}

type Counted = { readonly include: readonly string[]; context: Context };

/** Counts the bugs that match, by groups where the tracker makes them, else one by one. */
async function addMatching(tally: CountTable, criteria: Criteria, { include, context }: Counted): Promise<void> {
  const counts = new Map<Bug, number>();
  const groups = mapPages(context.session.searches.groups(criteria, include), (page) => {
    counts.clear();
    for (const { bug, count } of page) counts.set(bug, count);
    return page.map(({ bug }) => bug);
  });
  for await (const page of noteHiddenHours(groups, include, context))
    for (const bug of page) tally.add([bug], counts.get(bug));
}

/** The tracker's order, for ranked values and statuses. */
function valueOrder(name: string, catalog: Catalog): string[] {
  const field = findField(catalog, name);
  const isOrdered = field?.family === "ranked" || field?.api === "status";
  return field && isOrdered ? (legalNames(field) ?? []) : [];
}
