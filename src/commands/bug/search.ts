import { type Catalog, findField, legalNames } from "../../api/catalog/catalog.ts";
import { grouped } from "../../api/lists.ts";
import { quotedIfNeeded } from "../../api/nearest.ts";
import { SEARCH_BUGS } from "../../api/operations/bugs.ts";
import { requestFor } from "../../api/operations/operation.ts";
import type { Pair } from "../../api/query/rows.ts";
import { conjunctsOf, isEveryBug, isGroup, type Query } from "../../api/query/tree.ts";
import { unparseQuery } from "../../api/query/unparse.ts";
import { compile, pairsOf, searchPagePairs } from "../../api/search/compile.ts";
import type { WantedBugs } from "../../api/search/search.ts";
import { orderParameter } from "../../api/search/sort.ts";
import { BtError, usageError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { rememberingBugs } from "../../session/memory.ts";
import { note } from "../../session/note.ts";
import type { BugCounts } from "../../view/bug-counts.ts";
import { matchText } from "../../view/messages.ts";
import { escapeJson, plain } from "../../view/text.ts";
import { pathAndQuery } from "../../wire/exchange.ts";
import { type Criteria, readCriteria } from "../shared/criteria/criteria.ts";
import { criteriaTexts } from "../shared/criteria/flags.ts";
import { openInBrowser, readWebAddress } from "../shared/output/browser.ts";
import {
  chooseBugColumns,
  chooseSelection,
  chosenColumns,
  isForCards,
  isJson,
  showList,
  showText,
} from "../shared/output/print.ts";
import type { Context } from "../verb.ts";
import type { SearchInput } from "./flags.ts";

/** `bt bug search`: lists the bugs that match, or counts, explains or opens the search. */
export async function searchBugs(given: SearchInput, context: Context): Promise<void> {
  checkBounds(given); // before a request
  const { parameters = given.parameters, bugs: bareBugs } = bareSearch(given, context);
  const criteria = await readCriteria({ ...given, parameters }, context);
  const page = given.all ? {} : criteria.page;
  const input = { ...given, parameters: { ...page, ...given.parameters } };
  checkBounds(input); // with the bounds of a URL
  if (input.explain) return explainSearch(criteria, context);
  if (input.web) return openSearch(criteria, context);
  const isCounted = input.count || input.by.length > 0;
  const limit = isCounted ? undefined : limitOf(input, context);
  const count = isCounted
    ? await countBugs(criteria, input, context)
    : await listBugs(criteria, { limit, offset: input.parameters.offset }, context);
  const { max, failEmpty } = input;
  const isSaid = isCounted || max !== undefined || failEmpty; // that there are none: by the number, or by an error
  if (count > 0) await notePart({ count, limit, bareBugs }, criteria, input, context);
  else if (!isSaid) await note(context.io, emptyNote(criteria));
  if (count === 0 && failEmpty) throw new BtError("no", "no bugs match");
  if (max !== undefined && count > max) throw new BtError("no", `${matchText(count)}, at most ${max} allowed`);
}

/** @throws BtError of kind usage for bounds that contradict each other */
function checkBounds({ parameters: { limit, offset }, max }: SearchInput): void {
  if (offset !== undefined && !limit) throw usageError("--offset requires --limit", "set the page size with --limit");
  if (max !== undefined && limit !== undefined)
    throw usageError("--limit and --max cannot be used together", "all bugs are counted and listed");
}

/** What a search without criteria lists on a terminal: open bugs of the default product, or of all. `bugs` is for a note. */
function bareSearch(input: SearchInput, context: Context) {
  const { args, by, count, explain: isExplained, web, all, max } = input;
  const criteria = [...criteriaTexts(input).keys()].filter((name) => name !== "limit" && name !== "offset");
  const isOther = [...args, ...by, ...criteria].length > 0 || count || isExplained || web || all || max !== undefined;
  if (isOther || !isTableOnTerminal(context)) return {};
  const { product } = context.session.settings;
  const inProduct = product === undefined ? {} : { product: [quotedIfNeeded(product)] }; // unquoted, commas would separate products
  return {
    parameters: { ...input.parameters, status: ["@open"], ...inProduct },
    bugs: `open bugs${product === undefined ? "" : ` of ${plain(product)}`}`,
  };
}

function isTableOnTerminal({ io, output }: Context): boolean {
  return io.terminal.stdout && output.format === "table";
}

/** Maximum number of bugs to list; undefined for all. */
function limitOf({ parameters: { limit }, all, max }: SearchInput, context: Context): number | undefined {
  const isWhole = limit === 0 || all || max !== undefined || !isTableOnTerminal(context);
  return limit || (isWhole ? undefined : (context.session.settings.limit ?? USUAL_LIMIT) || undefined);
}

const USUAL_LIMIT = 30; // bugs on a terminal

/** Prints the bugs, and returns their number. */
async function listBugs(criteria: Criteria, size: Omit<WantedBugs, "include">, context: Context): Promise<number> {
  const { io, session } = context;
  const columns = await chooseBugColumns(context);
  const needs = columns.flatMap((column) => column.needs);
  const include = io.terminal.stdout ? [...needs, "groups"] : needs;
  const pages = session.searches.pages(criteria, { include, ...size });
  const found = io.terminal.stdout ? rememberingBugs(pages, session.memory) : pages;
  return showList(context, { columns, pages: found });
}

/** The query as it was understood, since a word too many is a word of the summary. */
function emptyNote({ query, passed = [] }: Criteria): string {
  const isOwn = passed.length === 0 && !isEveryBug(query);
  return isOwn ? `no bugs match ${unparseQuery(query)}` : "no bugs match";
}

/** Notes what part of the bugs is shown, or what a bare search lists, or how many bugs were not found. */
async function notePart(
  { count, limit, bareBugs }: { count: number; limit: number | undefined; bareBugs: string | undefined },
  criteria: Criteria,
  { parameters: { limit: chosen, offset = 0 } }: SearchInput,
  context: Context,
): Promise<void> {
  const { io, session } = context;
  if (count === limit && !isTableOnTerminal(context)) return;
  const end = offset + count;
  const most = Math.max(MAX_COUNTED, end + 1);
  const total = count === limit ? await session.searches.count(criteria, most).catch(() => undefined) : end;
  if (total === end && bareBugs === undefined) return noteMissing(criteria, total, io);
  if (total === end) return note(io, `all ${count} ${bareBugs}`);
  const of = total === undefined ? "" : ` of ${total === most ? "at least " : ""}${total}`;
  const range = offset > 0 ? `${offset + 1} to ${end}` : `first ${count}`;
  const more = chosen === undefined ? "; use --limit N or --all for more" : "";
  await note(io, `${range}${of} ${bareBugs ?? "bugs"}${more}`);
}

const MAX_COUNTED = 1000;

/** Notes that bugs of a search by numbers alone were not found. */
async function noteMissing({ query, passed = [] }: Criteria, found: number, io: Io): Promise<void> {
  const isByNumber = query.kind === "test" && query.field.chart === "bug_id" && query.op === "=";
  const named = isByNumber && passed.length === 0 ? query.values.length : 0; // each once
  if (found < named) await note(io, `${named - found} of ${named} bugs do not exist, or are not visible to you`);
}

/** Prints the number of matching bugs, or the number per group of equal values. Returns the number of bugs. */
async function countBugs(criteria: Criteria, input: SearchInput, context: Context): Promise<number> {
  checkCounted(input, context);
  const names = input.by.flatMap((list) => list.split(",")).map((name) => name.trim());
  const { keys, include, fields } = await chooseSelection(names, context);
  if (keys.length > 2) throw usageError("--by takes one or two fields", "for example: --by component,severity");
  if (keys.length < names.length) throw usageError("two names in --by are the same field", "use one of them");
  const { io, output, session } = context;
  const countsView = await import("../../view/bug-counts.ts");
  const counts: BugCounts = { fields: keys, groups: new Map() };
  const columns = countsView.countColumns(keys, fields);
  const chosen = chosenColumns(columns, context);
  for await (const page of session.searches.groups(criteria, include))
    for (const { bug, count } of page) countsView.addToCounts(counts, bug, count);
  const total = countsView.countOf(counts);
  if (keys.length === 0) await io.out(`${total}\n`);
  else if (isForCards(context)) {
    const catalog = await session.catalog();
    const orders = keys.map((key) => valueOrder(key, catalog));
    await showText(context, countsView.countsText(counts, columns, orders, output.view));
  } else await showList(context, { columns: chosen, pages: [countsView.countRows(counts)] });
  return total;
}

/** @throws BtError of kind usage with a flag that says something else of the result */
function checkCounted({ by, count, parameters }: SearchInput, { output }: Context): void {
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

/** `bt bug search --explain`: prints the meaning of the search, the request, and a link to the web interface. */
async function explainSearch(criteria: Criteria, context: Context): Promise<void> {
  const explanation = await explain(criteria, context);
  const text = isJson(context) ? escapeJson(JSON.stringify(explanation)) : plain(explanationText(explanation), "lines");
  await context.io.out(`${text}\n`);
}

/** `bt bug search --web`: opens the search in the web interface. */
async function openSearch(criteria: Criteria, context: Context): Promise<void> {
  await readWebAddress(context);
  const { web } = await explain(criteria, context);
  if (web !== undefined) await openInBrowser(web, context);
}

/** What a search means and sends, which conditions are tested here, and a link to the web interface. */
async function explain({ query, passed = [], order = [] }: Criteria, { session }: Context) {
  const { name, now } = await session.dialect();
  const base = name === "plain" ? undefined : session.webAddress();
  const compiled = compile(query, name, now(), passed);
  const sorted: readonly Pair[] = order.length > 0 ? [["order", orderParameter(order)]] : [];
  const sent = [...pairsOf(compiled), ...(name === "plain" ? [] : sorted)];
  const page = [...searchPagePairs(query, now(), passed), ...sorted];
  const passedOn = passed.length > 0 ? [`${passed.map((pair) => pair.join("=")).join("&")}, passed on`] : [];
  return {
    where: [...(isEveryBug(query) && passed.length > 0 ? [] : conjunctTexts(query)), ...passedOn],
    parameters: sent,
    url: `${base ?? ""}${pathAndQuery(requestFor(SEARCH_BUGS, sent))}`,
    web: base && base + pathAndQuery({ path: "/buglist.cgi", query: [...page, ["query_format", "advanced"]] }),
    checked_here: isEveryBug(compiled.rest) ? [] : conjunctTexts(compiled.rest),
  };
}

/** Explanation as text for the terminal. */
function explanationText({ where, parameters, checked_here, url, web }: Awaited<ReturnType<typeof explain>>): string {
  return [
    ...sectionLines("where", where.length > 0 ? where : ["every bug"], "and "),
    ...sectionLines("sent", joinedRows(parameters)),
    ...sectionLines("checked by bt", checked_here, "and "),
    ...sectionLines("request", [url]),
    ...sectionLines("web", web === undefined ? [] : [web]),
  ].join("\n");
}

function sectionLines(title: string, lines: readonly string[], joint = ""): string[] {
  return lines.map((line, at) => (at === 0 ? title.padEnd(WIDTH) + line : " ".repeat(WIDTH) + joint + line));
}

const WIDTH = 15;

/** Groups the parts of a numbered row on one line. */
function joinedRows(pairs: readonly Pair[]): string[] {
  const rows = grouped(pairs, ([name]) => /^[fonvj](\d+)$/.exec(name)?.[1] ?? name);
  return [...rows.values()].map((parts) => parts.map(([name, value]) => `${name}=${value}`).join("  "));
}

function conjunctTexts(query: Query): string[] {
  const parts = conjunctsOf(query);
  return parts.map((one) => (isGroup(one) && parts.length > 1 ? `(${unparseQuery(one)})` : unparseQuery(one)));
}
