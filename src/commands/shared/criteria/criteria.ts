import { type Catalog, findField, STANDARD_FIELDS } from "../../../api/catalog/catalog.ts";
import { legalNames } from "../../../api/catalog/legal-values.ts";
import { hasIgnoringCase } from "../../../api/lists.ts";
import { SEARCH_BUGS } from "../../../api/operations/bugs.ts";
import { commandFlagName, fieldOf } from "../../../api/operations/operation.ts";
import type { QueryPair } from "../../../api/query/chart.ts";
import { flagsToTree, noteEarliestTimes, type SearchFlags } from "../../../api/query/flags-to-tree.ts";
import {
  BUG_NUMBERS,
  isSummaryWord,
  parseTerms,
  type SpokenCondition,
  type WordBehind,
} from "../../../api/query/parse.ts";
import { checkQuicksearch } from "../../../api/query/quicksearch.ts";
import { checkPlaces, resolveQuery } from "../../../api/query/resolve.ts";
import { criteriaNeedOwnLogin, namesOwnLogin, needsOwnLogin } from "../../../api/query/resolve-change.ts";
import {
  allOf,
  type Comparison,
  leavesOf,
  notOf,
  type Query,
  type QueryContext,
  type Term,
  type UnresolvedQuery,
} from "../../../api/query/tree.ts";
import { unparseTree } from "../../../api/query/unparse.ts";
import type { BugSearch } from "../../../api/search/bug-search.ts";
import { comparesTimes } from "../../../api/search/compile.ts";
import { namedConditions } from "../../../api/search/named-parameters.ts";
import { splitParameters } from "../../../api/search/parameters.ts";
import { orderParameter, readSort } from "../../../api/search/sorting.ts";
import { conditionsIn, urlParameters, type WebSearch, webSearch } from "../../../api/search/web-search.ts";
import { wholeNumber } from "../../../command-flag.ts";
import { BtError, usageError } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import { parsedUrl } from "../../../wire/url.ts";
import type { Context } from "../../verb.ts";
import { noteOnce } from "../output/print.ts";
import { shellWord } from "../shell-word.ts";
import { type CriteriaInput, criteriaTexts } from "./flags.ts";
import { applySavedSearch } from "./saved-search.ts";

/** Criteria of a search: the conditions as a tree, or a search that is passed on, and the order. */
export type Criteria = BugSearch & {
  readonly page?: WebCriteria["page"] | undefined;
  readonly remarks: readonly string[]; // about conditions with surprising semantics
};

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
  try {
    const input = given.saved === undefined ? given : await applySavedSearch(given, context);
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
  } catch (error) {
    throw await (await MEANT.expression())(error, given, context, (input, quiet) => readCriteria(input, quiet, verb));
  }
}

/** Loaded only for an error. */
const MEANT = {
  expression: async () => (await import("./meant-expression.ts")).withMeantExpression,
};

/** Criteria as they were typed, before their names and values are checked. */
type UnresolvedCriteria = {
  flags: SearchFlags;
  trees: UnresolvedQuery[]; // of the terms and of each --where
  isOwn: boolean; // flags or trees are given
  web: WebReader | undefined;
  quicksearch: string | undefined;
  sort: readonly string[];
  words: string[]; // of the trees, looked for in summaries
  spoken: SpokenCondition[];
  behind: WordBehind[];
  terms: string[]; // with each --where
  remarks: readonly string[];
};

function parseCriteria(input: CriteriaInput, { io, session }: Context): UnresolvedCriteria {
  const { args, where = [], sort = [], fromUrl, param = [] } = input;
  const { quicksearch } = input.parameters;
  const { settings } = session;
  const parsed = where.map((expression) => parseTerms([expression]));
  const remarks: string[] = [];
  if (args.length > 0) parsed.unshift(parseTerms(args));
  const trees = parsed.map(({ tree }) => tree);
  const leaves = trees.flatMap(leavesOf);
  const words = leaves.filter(isSummaryWord).flatMap(({ values }) => values);
  const { HOME } = io.env;
  if (HOME && args.includes(HOME))
    throw usageError(`the shell made ${HOME} of ~`, "put the condition in quotes: 'summary ~ crash'");
  const summary: Term = { kind: "test", field: "summary", op: ":", values: input.parameters.summary ?? [] };
  remarks.push(...remarksOnTerms(args, [...leaves, summary]));
  const web = fromUrl === undefined && param.length === 0 ? undefined : webReader(fromUrl, param, session.address);
  if (quicksearch?.trim() === "") throw usageError("--quicksearch is empty");
  if (quicksearch !== undefined) {
    checkQuicksearch(quicksearch);
    const term = /^[a-z_]+:[\w.@-]+$/i.test(quicksearch) ? `; checked: bt bug search ${quicksearch}` : "";
    remarks.push(`the tracker reads a quicksearch, bt does not check its names and values${term}`);
  }
  const texts = criteriaTexts(input);
  const given = CONDITIONS.filter((name) => texts.has(commandFlagName(name)));
  const flags: SearchFlags = Object.fromEntries(given.map((name) => [name, texts.get(commandFlagName(name))]));
  const sortGiven = sort.length > 0 || settings.sort === undefined ? sort : [settings.sort];
  if (settings.nobody === undefined && trees.some(asksForNobody)) remarks.unshift(NOBODY_GUESSED);
  const isOwn = trees.length > 0 || Object.keys(flags).length > 0;
  const sorted = [...sortGiven, ...parsed.flatMap((one) => one.sort)];
  const spoken = parsed.flatMap((one) => one.spoken);
  const behind = parsed.flatMap((one) => one.behind);
  const terms = [...args, ...where];
  return { flags, trees, words, isOwn, web, quicksearch, sort: sorted, spoken, behind, terms, remarks };
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
  for (const words of typed.behind) noteWordBehind(words, typed.terms, queryContext);
  if (io.terminal.stderr) noteEarliestTimes(typed.flags, queryContext);
  const order = sort.length > 0 ? orderParameter(readSort(sort, catalog)) : webOrder;
  if (sort.length > 0 && quicksearch === undefined && !isFullText(passed)) checkRelevance(order, query);
  const isTimed = splitParameters(query).others.some(comparesTimes); // by rows, which express times in the server's zone
  const zone = isTimed ? (await session.facts.zone()).proven : undefined;
  const spoken = typed.spoken.flatMap((one) => remarksOnWords(one, queryContext));
  const remarks = [...(passed ? remarksOnRows(passed.pairs) : spoken)];
  const unquoted = typed.terms.filter((term) => /\s/.test(term) && !/["']/.test(term));
  if (spoken.length === 0 && unquoted.length > 0) remarks.push(...remarksOnPhrases(typed.trees, unquoted, catalog));
  if (typed.words.length > 0) remarks.push(...remarksOnWordsBehindFlags(typed, queryContext, output.fields));
  remarks.push(...typed.remarks);
  return { query, passed, quicksearch, order, page, catalog, zone, remarks };
}

/** Notes on words that are values of a flag or a condition, and remarks on those that are columns or the direction of an order. */
function remarksOnWordsBehindFlags(
  { flags, trees, words, sort }: UnresolvedCriteria,
  { catalog, note }: QueryContext,
  fields: readonly string[] | undefined,
): string[] {
  const remarks: string[] = [];
  const remark = (
    typed: string[],
    meant: string,
    line: string,
    say: QueryContext["note"] = (sentence) => void remarks.push(sentence),
  ) => {
    if (typed.length > 0) say(`searched summaries for "${typed.join(" ")}"; for ${meant}: ${line}`);
  };
  const valuesOf = (name: string, given: readonly string[]) => {
    const field = findField(catalog, name);
    const isOther = (word: string) =>
      field && !hasIgnoringCase(given, word) && hasIgnoringCase(legalNames(field) ?? [], word);
    return words.filter(isOther);
  };
  for (const [name, given] of Object.entries(flags)) {
    const typed = valuesOf(name, [given].flat().map(String));
    remark(typed, "any of these values", `--${commandFlagName(name)} ${shellWord([given, ...typed].join(","))}`, note);
  }
  for (const leaf of trees.flatMap(leavesOf)) {
    if (leaf.kind !== "test" || !/^[:=]$/.test(leaf.op)) continue;
    const typed = valuesOf(leaf.field, leaf.values);
    const line = shellWord(unparseTree({ ...leaf, values: [...leaf.values, ...typed] }));
    remark(typed, "any of these values", line, note);
  }
  const ways = words.filter((word) => sort.length > 0 && /^(?:asc|desc)(?:ending)?$/i.test(word));
  remark(ways, "the order", `--sort ${sort.join(",")}:${ways[0]?.toLowerCase().slice(0, 4).replace("asce", "asc")}`);
  const columns = words.filter((word) => fields && findField(catalog, word));
  remark(columns, "these columns", `--fields ${[fields, ...columns].join(",")}`);
  return remarks;
}

/** Remarks on the texts of several words that were one argument without quotes: a bare value has no blanks. */
function remarksOnPhrases(trees: UnresolvedQuery[], unquoted: string[], catalog: Catalog): string[] {
  const remarks: string[] = [];
  for (const leaf of trees.flatMap(leavesOf)) {
    if (leaf.kind !== "test" || !/^texts?$/.test(findField(catalog, leaf.field)?.family ?? "")) continue;
    const phrase = leaf.values.find((one) => /\s/.test(one) && unquoted.some((term) => term.includes(one)));
    if (phrase === undefined) continue;
    const [place, prefix] = isSummaryWord(leaf) ? ["summaries", ""] : [leaf.field, `${leaf.field}:`];
    const words = phrase.split(/\s+/).map((word) => (word === "|" ? "or" : shellWord(prefix + word)));
    remarks.push(`searched ${place} for "${phrase}" as one text; for each word: bt bug search ${words.join(" ")}`);
  }
  return remarks;
}

/** Reports on stderr what is to be known about criteria. */
export async function reportCriteria({ remarks }: Criteria, { io, forTracker }: Context): Promise<void> {
  await io.err(forTracker(remarks.map((one) => `${one}\n`).join("")));
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

function asksForNobody(tree: UnresolvedQuery): boolean {
  return leavesOf(tree).some((term) => term.kind === "is" && /^(un)?assigned$/i.test(term.state));
}

const NOBODY_GUESSED =
  "a bug is unassigned if its assignee's login begins with nobody@; for other logins: bt config set nobody LOGIN";

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

/** Remarks on rows about comments that a server reads otherwise than their operator sounds. */
function remarksOnRows(pairs: readonly QueryPair[]): string[] {
  const values = new Map(pairs);
  const remarks: string[] = [];
  for (const [name, value] of pairs) {
    const operator = values.get(name.replace("f", "o")) ?? "";
    if (!/^f\d/.test(name) || value !== "longdesc" || !/^no/.test(operator)) continue;
    remarks.push(
      `"${operator}" matches bugs with any other comment; for bugs without such a comment: 'not comment ~ "TEXT"'`,
    );
  }
  return remarks;
}

/**
 * Remark on plain words that name a field and one of its values, or a state of bugs.
 * @throws BtError of kind usage for a comparison in words, such as `updated since -1w` or `is not assigned`
 */
function remarksOnWords({ name, joint, values }: SpokenCondition, context: QueryContext): string[] {
  const op = JOINTS[joint] ?? ":";
  const field = op === ":" ? name : name.replace(/^(?:changed|closed)$/i, "updated");
  const starts = values.map((_, at) => values.slice(0, values.length - at).join(" "));
  const [found] = starts.flatMap((start) => conditionMeant(field, op, start, context) ?? []);
  if (found === undefined) return [];
  const { typed, meant } = found;
  const words = `${name} ${joint === ":" ? typed : `${joint} ${typed}`}`;
  const condition = unparseTree(/not$/.test(joint) ? notOf(meant) : meant);
  if (joint === ":") return [`searched summaries for "${words}"; for a condition: ${condition}`];
  const change = { kind: "change", field: "resolution", [op.startsWith("<") ? "before" : "since"]: typed } as const;
  const hint = /^closed$/i.test(name) ? `is:closed and ${unparseTree(change)}` : condition;
  throw usageError(`"${words}" is no condition`, `use '${hint}'; for the words, quotes: '"${words}"'`);
}

/**
 * A condition with a legal value, or the one that is meant by another value; undefined without one. The summary is searched for
 * words about other texts, and for names of people.
 */
function conditionMeant(
  field: string,
  op: Comparison,
  typed: string,
  { now, zone, catalog }: QueryContext,
): { typed: string; meant: UnresolvedQuery } | undefined {
  const isState = /^is$/i.test(field);
  const family = isState ? "" : (findField(catalog, field)?.family ?? "text");
  const values = [typed.replace(/^me$/i, "@me")];
  if (/^text/.test(family) || (/^pe/.test(family) && !values[0]?.includes("@"))) return undefined;
  const test: Term = isState ? { kind: "is", state: typed } : { kind: "test", field, op, values };
  try {
    resolveQuery(test, { now, zone, catalog });
    return { typed, meant: test };
  } catch (error) {
    const { condition } = (error instanceof BtError && error.facts.instead) || {};
    return condition === undefined ? undefined : { typed, meant: parseTerms([condition]).tree };
  }
}

/** Words of comparisons, as people say them. */
const JOINTS: Readonly<Record<string, ">" | ">=" | "<" | "<=">> = {
  since: ">=",
  after: ">",
  before: "<",
  until: "<=",
  above: ">",
  over: ">",
  below: "<",
  under: "<",
};

/** Notes that a word behind the text of a condition, in one term, is a condition of its own. */
function noteWordBehind({ condition, text, word }: WordBehind, terms: string[], { note }: QueryContext): void {
  if (!terms.some((term) => term.includes(text))) return;
  const whole = condition.replace(/[^\s~]+$/, `"${text}"`);
  note?.(`"${word}" is a condition of its own: summary ~ ${word}; for one text: ${whole}`);
}

/** Remarks on terms that a search takes for words of summaries, such as the numbers of bugs, and on patterns as texts of a field. */
function remarksOnTerms(terms: string[], leaves: Term[]): string[] {
  const remarks: string[] = [];
  const numbers = terms.filter((term) => BUG_NUMBERS.test(term));
  const tests = leaves.filter((leaf) => leaf.kind === "test" && /^[:~=]$/.test(leaf.op)) as (Term & { kind: "test" })[];
  const texts = tests.flatMap(({ field, values }) => values.map((text) => ({ field, text })));
  for (const { field, text } of texts.filter((each) => !numbers.includes(each.text))) {
    if (!/^(?=.*[*|]|\w+(?:,\w+)+$)(?=.*\w)[\w*|,-]+$/.test(text)) continue;
    const pattern = text
      .replace(/^[*|,]+|[*|,]+$/g, "")
      .replaceAll("*", ".*")
      .replaceAll(",", "|");
    const [place, prefix] = field === "summary" ? ["summaries", ""] : [field, `${field}:`];
    const meant = /[*|]/.test(pattern) ? shellWord(`${field} =~ "${pattern}"`) : `${prefix}${pattern}`;
    remarks.push(`searched ${place} for "${text}" as it is; for the pattern: bt bug search ${meant}`);
  }
  if (String(terms) === "help") remarks.push('searched summaries for "help"; for the help of the command: --help');
  const dashed = terms.find((term) => /^[–—]\p{L}/u.test(term));
  if (dashed) throw usageError(`"${dashed}" begins with no hyphen`, `did you mean --${dashed.slice(1)}?`);
  const bugs = numbers.join(" ").replaceAll("#", "").replaceAll(",", " ");
  if (bugs && numbers.length < terms.length)
    remarks.push(`searched summaries for "${numbers.join(" ")}"; for bugs: bt bug get ${bugs}`);
  for (const term of terms) {
    const [, number, end] = /^#?([1-9]\d*)(?:-|\.\.)#?([1-9]\d*)$/.exec(term) ?? [];
    if (Number(end) > Number(number))
      remarks.push(`searched summaries for "${term}"; for these bugs: bt bug search id:${number}..${end}`);
  }
  return remarks;
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
