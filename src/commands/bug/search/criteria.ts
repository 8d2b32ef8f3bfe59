import { type Catalog, catalogOf } from "../../../api/catalog.ts";
import { SEARCH_BUGS } from "../../../api/operations/bugs.ts";
import { fieldOf, flagName } from "../../../api/operations/operation.ts";
import type { QueryPair } from "../../../api/query/chart.ts";
import { flagsToTree, type SearchFlags } from "../../../api/query/flags-to-tree.ts";
import { parseTerms } from "../../../api/query/parse.ts";
import { checkQuicksearch } from "../../../api/query/quicksearch.ts";
import { checkPlaces, resolveQuery } from "../../../api/query/resolve.ts";
import { namesOwnLogin, needsOwnLogin } from "../../../api/query/resolve-change.ts";
import { orderParameter, readSort } from "../../../api/query/sort.ts";
import { allOf, leavesOf, type Query, type QueryContext as Reading, type TypedQuery } from "../../../api/query/tree.ts";
import type { BugSearch } from "../../../api/search/bug-search.ts";
import { dependsOnZone } from "../../../api/search/compile.ts";
import { namedConditions } from "../../../api/search/named-parameters.ts";
import { conditionsIn, urlParameters, type WebSearch, webSearch } from "../../../api/search/web-search.ts";
import { type BtError, usage } from "../../../errors.ts";
import { type FlagValues, flagValues } from "../../../session/flags.ts";
import { withCatalog } from "../../../session/session.ts";
import type { CriteriaInput } from "../../shared/criteria-flags.ts";
import type { Context } from "../../verb.ts";
import { noCriteria, type SearchVerb } from "./no-criteria.ts";

/** Criteria of a search: the conditions as a tree, or a search that is passed on, and the order. */
export type Criteria = BugSearch & {
  readonly remarks: readonly string[]; // about conditions with surprising semantics
};

/**
 * Parses the criteria of a command line. Metadata is only loaded if there is something to check.
 * @throws BtError of kind usage for a search without criteria, `--all` or a limit
 */
export async function readCriteria(
  input: CriteriaInput,
  context: Context,
  verb: SearchVerb = "search",
): Promise<Criteria> {
  const expressions = await expressionsOf(input);
  const web = webReader(input, context);
  const { quicksearch } = input.parameters;
  if (quicksearch !== undefined) await checkQuick(quicksearch);
  const own = [...parametersGiven(input), ...expressions.trees];
  const given = [...own, ...(web ? [web] : [])];
  if (given.length === 0 && quicksearch === undefined && !isBounded(input)) throw noCriteria(verb);
  const sort = [...sortGiven(input, context), ...expressions.sort];
  const guessed =
    context.session.settings.nobody === undefined && expressions.trees.some(asksForNobody) ? [NOBODY_GUESSED] : [];
  const me =
    expressions.trees.some(needsOwnLogin) || namesOwnLogin(webTexts(input)) ? await context.session.login() : undefined;
  const read = async (catalog: Catalog): Promise<Criteria> => {
    const reading = readingIn(context, catalog, me);
    const { named, passed, order: webOrder } = web?.(reading) ?? {};
    if (passed && (own.length > 0 || quicksearch !== undefined)) throw notTogether();
    const trees = [flagsToTree(searchFlags(input), catalog), ...expressions.trees, ...(named ? [named] : [])];
    const query = resolveQuery(allOf(trees), reading);
    checkPlaces(query);
    const order = sort.length > 0 ? orderParameter(readSort(sort, catalog)) : webOrder;
    if (sort.length > 0 && quicksearch === undefined && !isFullText(passed)) checkRelevance(order, query);
    const zone = dependsOnZone(query) ? (await context.session.facts.zone()).proven : undefined;
    const remarks = [...guessed, ...remarksOnRows(passed?.pairs ?? []), ...remarksOnTerms(input.args)];
    return { query, passed, quicksearch, order, catalog, zone, remarks };
  };
  return given.length === 0 && sort.length === 0 ? read(catalogOf([])) : withCatalog(context.session, read);
}

/** Reports on stderr what is to be known about criteria. */
export async function reportCriteria({ remarks }: Criteria, { io }: Context): Promise<void> {
  await io.err(remarks.map((one) => `${one}\n`).join(""));
}

/** Context for names and dates. */
function readingIn({ io, output, session }: Context, catalog: Catalog, me: string | undefined): Reading {
  return {
    now: io.now(),
    get zone() {
      return output.view.timeZone; // takes 6 ms, and few searches have a date
    },
    catalog,
    nobody: session.settings.nobody,
    me,
  };
}

function isFullText(search: WebSearch | undefined): boolean {
  return search?.pairs.some(([name, value]) => /^(?:content|quicksearch)$/.test(name) || value === "matches") ?? false;
}

/** Trackers sort by relevance only in full-text searches, and otherwise in no order at all. */
function checkRelevance(order: string | undefined, query: Query): void {
  const isFullText = leavesOf(query).some((leaf) => leaf.kind === "test" && leaf.op === "matches");
  if (isFullText || !order?.startsWith("relevance")) return;
  throw usage("only a full-text search can be sorted by relevance", `for example: 'content matches "full disk"'`);
}

function asksForNobody(tree: TypedQuery): boolean {
  return leavesOf(tree).some((term) => term.kind === "is" && /^(un)?assigned$/i.test(term.state));
}

const NOBODY_GUESSED =
  "a bug is unassigned if its assignee's login begins with nobody@; for other logins: bt config set nobody LOGIN";

function isBounded({ all, parameters: { limit = 0 } }: CriteriaInput): boolean {
  return all === true || limit > 0;
}

function sortGiven({ sort = [] }: CriteriaInput, { session }: Context): readonly string[] {
  return sort.length > 0 || session.settings.sort === undefined ? sort : [session.settings.sort];
}

type Expressions = { trees: TypedQuery[]; sort: string[] };

/** Trees of the search terms and `--where`; loads the parser only if needed. */
async function expressionsOf({ args, where = [] }: CriteriaInput): Promise<Expressions> {
  if (args.length === 0 && where.length === 0) return { trees: [], sort: [] };
  const parsed = [
    ...(args.length > 0 ? [parseTerms(args)] : []),
    ...where.map((expression) => parseTerms([expression])),
  ];
  return {
    trees: parsed.map(({ tree }) => tree),
    sort: parsed.flatMap(({ sort }) => sort),
  };
}

/** Parameters of a search: those that only name fields are conditions, all others are passed on. */
type WebCriteria = { named?: TypedQuery; passed?: WebSearch; order: string | undefined };

/** Reader of the URL of a search page, or of parameters. */
function webReader(
  { fromUrl: url, param = [] }: CriteriaInput,
  { session }: Context,
): ((reading: Reading) => WebCriteria) | undefined {
  const given = param.map(pairOf);
  if (url === undefined && given.length === 0) return undefined;
  if (url !== undefined && given.length > 0) throw usage("--from-url and --param cannot be used together");
  if (url !== undefined) checkOrigin(url, session.address);
  const parameters = url === undefined ? given : urlParameters(url);
  const order = parameters.find(([name, value]) => name === "order" && value !== "")?.[1];
  return (reading) => {
    const named = url === undefined ? namedConditions(conditionsIn(parameters), reading.catalog) : undefined;
    return named ? { named, order } : { passed: webSearch(parameters, reading), order };
  };
}

/** The search of the search page as given. */
function webTexts({ fromUrl, param = [] }: CriteriaInput): readonly string[] {
  return fromUrl === undefined ? param : [fromUrl, ...param];
}

/** Rejects a URL of another tracker, whose names and ids differ. */
function checkOrigin(url: string, address: string): void {
  if (!(URL.canParse(url) && /^https?:/i.test(url) && /^https?:/i.test(address))) return;
  const { origin } = new URL(url);
  if (origin === new URL(address).origin) return;
  throw usage(`--from-url is a search of ${origin}, not of ${address}`, `use --base-url ${origin}`);
}

function pairOf(text: string): QueryPair {
  const at = text.indexOf("=");
  if (at < 1) throw usage(`--param ${JSON.stringify(text)} is not name=value`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function checkQuick(text: string): Promise<void> {
  if (text.trim() === "") throw usage("--quicksearch is empty");
  checkQuicksearch(text);
}

/** Search parameters that restrict the result. */
const CRITERIA = SEARCH_BUGS.parameters.flatMap((parameter) => (fieldOf(parameter) === null ? [] : [parameter.name]));

/** Parameters that restrict the result, of those on the command line. */
function parametersGiven({ parameters }: CriteriaInput): string[] {
  const values: FlagValues = parameters;
  return CRITERIA.filter((name) => values[flagName(name)] !== undefined);
}

function searchFlags(input: CriteriaInput): SearchFlags {
  const values: FlagValues = input.parameters;
  return Object.fromEntries(parametersGiven(input).map((name) => [name, flagValues(values[flagName(name)])]));
}

function notTogether(): BtError {
  return usage(
    "this web search contains conditions that cannot be combined with others",
    "use it alone, or write the whole search with --where",
  );
}

/** A row on comments that a server reads otherwise than its operator sounds. */
function remarksOnRows(pairs: readonly (readonly [string, string])[]): string[] {
  const given = new Map(pairs);
  return pairs.flatMap(([name, value]) => {
    const operator = given.get(name.replace("f", "o")) ?? "";
    return /^f\d/.test(name) && value === "longdesc" && /^no/.test(operator)
      ? [`"${operator}" matches bugs with any other comment; for bugs without such a comment: 'not comment ~ "TEXT"'`]
      : [];
  });
}

/** The terms that are the number of a bug, which a search takes for a word of summaries. */
function remarksOnTerms(terms: string[]): string[] {
  return terms.flatMap((term) => {
    const [, number] = /^#?([1-9]\d*)$/.exec(term) ?? [];
    return number ? [`searched summaries for "${term}"; for the bug itself: bt bug get ${number}`] : [];
  });
}
