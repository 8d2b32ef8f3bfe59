import { type Catalog, STANDARD_FIELDS } from "../../../api/catalog/catalog.ts";
import { SEARCH_BUGS } from "../../../api/operations/bugs.ts";
import { commandFlagName, fieldOf } from "../../../api/operations/operation.ts";
import type { QueryPair } from "../../../api/query/chart.ts";
import { flagsToTree, noteEarliestTimes, type SearchFlags } from "../../../api/query/flags-to-tree.ts";
import { parseTerms } from "../../../api/query/parse.ts";
import { checkQuicksearch } from "../../../api/query/quicksearch.ts";
import { checkPlaces, resolveQuery } from "../../../api/query/resolve.ts";
import { criteriaNeedOwnLogin, namesOwnLogin, needsOwnLogin } from "../../../api/query/resolve-change.ts";
import { allOf, leavesOf, type Query, type QueryContext, type UnresolvedQuery } from "../../../api/query/tree.ts";
import type { BugSearch } from "../../../api/search/bug-search.ts";
import { comparesTimes } from "../../../api/search/compile.ts";
import { namedConditions } from "../../../api/search/named-parameters.ts";
import { splitParameters } from "../../../api/search/parameters.ts";
import { orderParameter, readSort } from "../../../api/search/sorting.ts";
import { conditionsIn, urlParameters, type WebSearch, webSearch } from "../../../api/search/web-search.ts";
import { wholeNumber } from "../../../command-flag.ts";
import { type BtError, usageError } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import { parsedUrl } from "../../../wire/url.ts";
import type { Context } from "../../verb.ts";
import { noteOnce } from "../output/print.ts";
import { type CriteriaInput, criteriaTexts } from "./flags.ts";
import { applySavedSearch } from "./saved-search.ts";

/** Criteria of a search: the conditions as a tree, or a search that is passed on, and the order. */
export type Criteria = BugSearch & { readonly page?: WebCriteria["page"] | undefined };

/**
 * Parses the criteria of a command line. Metadata is only loaded if there is something to check.
 * @throws BtError of kind usage for a search without criteria, `--all` or a limit
 */
export async function readCriteria(
  given: CriteriaInput,
  context: Context,
  verb: SearchVerb = "search",
): Promise<Criteria> {
  const { session } = context;
  const input = given.saved === undefined ? withUrl(given) : await applySavedSearch(given, context);
  const typed = parseCriteria(input, context);
  const isBounded = input.all === true || (input.parameters.limit ?? 0) > 0;
  const hasConditions = typed.isOwn || typed.web !== undefined;
  if (!hasConditions && typed.quicksearch === undefined && !isBounded) {
    if (typed.sort.length > 0) await withCatalog(session, async (catalog) => void readSort(typed.sort, catalog));
    throw noCriteriaError(verb);
  }
  const needsLogin =
    typed.trees.some(needsOwnLogin) ||
    criteriaNeedOwnLogin(typed.flags) ||
    (typed.web && namesOwnLogin(webSearchTexts(input)));
  const me = needsLogin ? await session.login() : undefined;
  if (!hasConditions && typed.sort.length === 0) return await resolveCriteria(typed, STANDARD_FIELDS, me, context);
  return await withCatalog(session, (catalog) => resolveCriteria(typed, catalog, me, context));
}

/** The URL of a search page as a term is `--from-url`. */
function withUrl(given: CriteriaInput): CriteriaInput {
  const url = given.args.find((term) => /^https?:\/\//i.test(term));
  if (url === undefined || given.fromUrl !== undefined) return given;
  return { ...given, fromUrl: url, args: given.args.filter((term) => term !== url) };
}

/** Criteria as they were typed, before their names and values are checked. */
type UnresolvedCriteria = {
  flags: SearchFlags;
  trees: UnresolvedQuery[]; // of the terms and of each --where
  isOwn: boolean; // flags or trees are given
  web: WebReader | undefined;
  quicksearch: string | undefined;
  sort: readonly string[];
};

function parseCriteria(input: CriteriaInput, { session }: Context): UnresolvedCriteria {
  const { args, where = [], sort = [], fromUrl, param = [] } = input;
  const { quicksearch } = input.parameters;
  const { settings } = session;
  const parsed = where.map((expression) => parseTerms([expression]));
  if (args.length > 0) parsed.unshift(parseTerms(args));
  const trees = parsed.map(({ tree }) => tree);
  const web = fromUrl === undefined && param.length === 0 ? undefined : webReader(fromUrl, param, session.address);
  if (quicksearch?.trim() === "") throw usageError("--quicksearch is empty");
  if (quicksearch !== undefined) checkQuicksearch(quicksearch);
  const texts = criteriaTexts(input);
  const given = CONDITIONS.filter((name) => texts.has(commandFlagName(name)));
  const flags: SearchFlags = Object.fromEntries(given.map((name) => [name, texts.get(commandFlagName(name))]));
  const sortGiven = sort.length > 0 || settings.sort === undefined ? sort : [settings.sort];
  const isOwn = trees.length > 0 || Object.keys(flags).length > 0;
  const sorted = [...sortGiven, ...parsed.flatMap((one) => one.sort)];
  return { flags, trees, isOwn, web, quicksearch, sort: sorted };
}

/** Criteria with names and values of a catalog. */
async function resolveCriteria(
  typed: UnresolvedCriteria,
  catalog: Catalog,
  me: string | undefined,
  context: Context,
): Promise<Criteria> {
  const { io, output, session } = context;
  const { quicksearch, sort } = typed;
  const queryContext: QueryContext = {
    now: io.now(),
    get zone() {
      return output.view.timeZone; // takes 6 ms, and few searches have a date
    },
    note: (sentence, scope) => noteOnce(sentence, context, scope),
    catalog,
    nobody: session.settings.nobody,
    me,
  };
  const { named, passed, order: webOrder, page } = typed.web?.(queryContext) ?? {};
  if (passed && (typed.isOwn || quicksearch !== undefined)) throw notCombinableError();
  const trees = [flagsToTree(typed.flags, catalog), ...typed.trees];
  if (named) trees.push(named);
  const query = resolveQuery(allOf(trees), queryContext);
  checkPlaces(query);
  if (io.terminal.stderr) noteEarliestTimes(typed.flags, queryContext);
  const order = sort.length > 0 ? orderParameter(readSort(sort, catalog)) : webOrder;
  if (sort.length > 0 && quicksearch === undefined && !isFullText(passed)) checkRelevance(order, query);
  const isTimed = splitParameters(query).others.some(comparesTimes); // by rows, which express times in the server's zone
  const zone = isTimed ? (await session.facts.zone()).proven : undefined;
  return { query, passed, quicksearch, order, page, catalog, zone };
}

function isFullText(search: WebSearch | undefined): boolean {
  return search?.pairs.some(([name, value]) => /^(?:content|quicksearch)$/.test(name) || value === "matches") ?? false;
}

/** Trackers sort by relevance only in full-text searches, and otherwise in no order at all. */
function checkRelevance(order: string | undefined, query: Query): void {
  const isByText = leavesOf(query).some((leaf) => leaf.kind === "test" && leaf.op === "matches");
  if (isByText || !order?.startsWith("relevance")) return;
  throw usageError("only a full-text search can be sorted by relevance", `for example: 'content matches "full disk"'`);
}

/** Parameters of a search: those that only name fields are conditions, all others are passed on. */
type WebCriteria = {
  named?: UnresolvedQuery;
  passed?: WebSearch;
  order: string | undefined;
  page: { limit?: number; offset?: number };
};

type WebReader = (context: QueryContext) => WebCriteria;

/** Reader of the URL of a search page, or of parameters. */
function webReader(url: string | undefined, param: readonly string[], address: string): WebReader {
  if (url !== undefined && param.length > 0) throw usageError("--from-url and --param cannot be used together");
  if (url !== undefined) checkOrigin(url, address);
  const parameters = url === undefined ? param.map(parseParam) : urlParameters(url);
  const given = new Map(parameters.filter(([, value]) => value !== ""));
  const order = given.get("order");
  const page = Object.fromEntries(
    ["limit", "offset"].flatMap((name) => (given.has(name) ? [[name, wholeNumber(name, given.get(name) ?? "")]] : [])),
  );
  if (given.has("include_fields")) throw usageError("include_fields is no condition", "choose columns with --fields");
  return (context) => {
    const named = url === undefined ? namedConditions(conditionsIn(parameters), context.catalog) : undefined;
    return { ...(named ? { named } : { passed: webSearch(parameters, context) }), order, page };
  };
}

/** The search of the search page as given. */
function webSearchTexts({ fromUrl, param = [] }: CriteriaInput): readonly string[] {
  return fromUrl === undefined ? param : [fromUrl, ...param];
}

/** Rejects a URL of another tracker, whose names and ids differ. */
function checkOrigin(url: string, address: string): void {
  if (!(parsedUrl(url) !== undefined && /^https?:/i.test(url) && /^https?:/i.test(address))) return;
  const { origin } = new URL(url);
  if (origin === new URL(address).origin) return;
  throw usageError(`--from-url is a search of ${origin}, not of ${address}`, `use --base-url ${origin}`);
}

function parseParam(text: string): QueryPair {
  const at = text.indexOf("=");
  if (at < 1) throw usageError(`--param ${JSON.stringify(text)} is not name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Search parameters that restrict the result. */
const CONDITIONS = SEARCH_BUGS.parameters.flatMap((parameter) => (fieldOf(parameter) === null ? [] : [parameter.name]));

function notCombinableError(): BtError {
  return usageError(
    "this web search contains conditions that cannot be combined with others",
    "use it alone, or write the whole search with --where",
  );
}

/** A verb that searches by criteria. */
export type SearchVerb = keyof typeof HINTS;

/** Criteria, and flags that make them unnecessary, for the verbs that search. */
const HINTS = {
  search: "is:open; --all searches every bug",
  export: "is:open; --all exports every bug",
  watch: "is:open component:Editor",
  triage: "-s UNCONFIRMED",
} as const;

/** Error of a search without criteria, with a hint at those of its verb. */
function noCriteriaError(verb: SearchVerb): BtError {
  const hint: string = HINTS[verb];
  return usageError(
    `a search requires a criterion${hint.includes("--all") ? " or --all" : ""}`,
    `bt bug ${verb} ${hint}`,
  );
}
