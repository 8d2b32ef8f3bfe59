import { quotedIfNeeded } from "../../../api/nearest.ts";
import { isEveryBug } from "../../../api/query/tree.ts";
import { unparseQuery } from "../../../api/query/unparse.ts";
import { BtError, usageError } from "../../../errors.ts";
import { rememberingBugs } from "../../../session/memory.ts";
import { note } from "../../../session/note.ts";
import { matchText } from "../../../view/messages.ts";
import { plain } from "../../../view/text.ts";
import { type Criteria, readCriteria } from "../../shared/criteria/criteria.ts";
import { criteriaTexts } from "../../shared/criteria/flags.ts";
import { chooseBugColumns, showList } from "../../shared/output/print.ts";
import type { Context } from "../../verb.ts";
import type { SearchInput } from "../flags.ts";
import { explainSearch, openSearch } from "./explain.ts";

/** `bt bug search`: lists the bugs that match, or counts, explains or opens the search. */
export async function searchBugs(given: SearchInput, context: Context): Promise<void> {
  checkBounds(given);
  const bare = bareSearch(given, context);
  const criteria = await readCriteria({ ...given, ...(bare && { parameters: bare.parameters }) }, context);
  const page = given.all ? {} : criteria.page;
  const input = { ...given, parameters: { ...page, ...given.parameters } };
  checkBounds(input);
  if (input.explain) return explainSearch(criteria, context);
  if (input.web) return openSearch(criteria, context);
  const isCounted = input.count || input.by.length > 0;
  const limit = isCounted ? undefined : limitOf(input, context);
  const count = isCounted
    ? await (await import("./count.ts")).countBugs(criteria, input, context)
    : await listBugs(criteria, { limit, offset: input.parameters.offset }, context);
  const { max, failEmpty } = input;
  const sentence =
    (await partNote({ count, limit, bare: bare?.bugs }, criteria, input, context)) ||
    (count === 0 && max === undefined && !isCounted && !failEmpty ? emptyNote(criteria) : "");
  if (sentence) await note(context.io, sentence);
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
  const { limit: _, offset: __, ...criteria } = Object.fromEntries(criteriaTexts(input));
  const isOther = input.count || input.by.length > 0 || input.explain || input.web || input.all;
  const hasCriteria = input.args.length > 0 || Object.keys(criteria).length > 0 || input.max !== undefined;
  if (isOther || hasCriteria || !isTableOnTerminal(context)) return undefined;
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

async function listBugs(
  criteria: Criteria,
  size: { limit: number | undefined; offset: number | undefined },
  context: Context,
): Promise<number> {
  const { io, session } = context;
  const columns = await chooseBugColumns(context);
  const needs = columns.flatMap((column) => column.needs);
  const include = io.terminal.stdout ? [...needs, "groups"] : needs;
  const pages = session.searches.pages(criteria, { include, ...size });
  const found = io.terminal.stdout ? rememberingBugs(pages, session.memory) : pages;
  return showList(context, { columns, pages: found });
}

/** A note on the part of the bugs that is shown, or on what a bare search lists, else empty. */
async function partNote(
  { count, limit, bare }: { count: number; limit: number | undefined; bare: string | undefined },
  criteria: Criteria,
  { parameters: { limit: chosen, offset = 0 } }: SearchInput,
  context: Context,
): Promise<string> {
  if (count === 0 || (count === limit && !isTableOnTerminal(context))) return "";
  const end = offset + count;
  const most = Math.max(MAX_COUNTED, end + 1);
  const total = count === limit ? await context.session.searches.count(criteria, most).catch(() => undefined) : end;
  if (total === end) return bare ? `all ${count} ${bare}` : missingNote(criteria, total);
  const of = total === undefined ? "" : ` of ${total === most ? "at least " : ""}${total}`;
  const range = offset > 0 ? `${offset + 1} to ${end}` : `first ${count}`;
  return `${range}${of} ${bare ?? "bugs"}${chosen === undefined ? "; use --limit N or --all for more" : ""}`;
}

const MAX_COUNTED = 1000;

/** A note on bugs of a search by numbers alone that were not found, else empty. */
function missingNote({ query, passed = [] }: Criteria, found: number): string {
  const isByNumber = query.kind === "test" && query.field.chart === "bug_id" && query.op === "=";
  const named = isByNumber && passed.length === 0 ? new Set(query.values).size : 0;
  return found < named ? `${named - found} of ${named} bugs do not exist, or are not visible to you` : "";
}

/** The query as it was understood, since a word too many is a word of the summary. */
function emptyNote({ query, passed = [] }: Criteria): string {
  const isOwn = passed.length === 0 && !isEveryBug(query);
  return isOwn ? `no bugs match ${unparseQuery(query)}` : "no bugs match";
}
