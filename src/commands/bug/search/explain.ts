import { grouped } from "../../../api/lists.ts";
import { SEARCH_BUGS } from "../../../api/operations/bugs.ts";
import { requestFor } from "../../../api/operations/operation.ts";
import type { QueryPair } from "../../../api/query/chart.ts";
import { mustReadEachBug } from "../../../api/query/matching.ts";
import { isGroup, leavesOf, type Query } from "../../../api/query/tree.ts";
import { unparseQuery } from "../../../api/query/unparse.ts";
import { sentPairs } from "../../../api/search/bug-search.ts";
import {
  type BugzillaQuery,
  type CompiledQuery,
  type CompileOptions,
  comparesTimes,
  compileForInterface,
  compileQuery,
} from "../../../api/search/compile.ts";
import { negatedChanges } from "../../../api/search/hidden-changes.ts";
import { interfacePairs } from "../../../api/search/interface-pages.ts";
import { lacksPages } from "../../../session/memory/web-pages.ts";
import { escapeJson, plain } from "../../../view/text.ts";
import { pathAndQuery } from "../../../wire/exchange.ts";
import type { Criteria } from "../../shared/criteria/criteria.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import { isJson } from "../../shared/output/print.ts";
import type { Context } from "../../verb.ts";

/** `bt bug search --explain`: prints the meaning of the search, the request, and a link to the web interface. */
export async function explainSearch(criteria: Criteria, context: Context): Promise<void> {
  const explanation = await buildExplanation(criteria, context);
  const asJson = isJson(context);
  const { checkedHere: checked_here, ...rest } = explanation;
  await context.io.out(
    `${asJson ? escapeJson(JSON.stringify({ ...rest, checked_here })) : plain(explanationText(explanation), { lines: true })}\n`,
  );
}

/** `bt bug search --web`: opens the search in the web interface. */
export async function openSearch(criteria: Criteria, context: Context): Promise<void> {
  await readWebAddress(context);
  const { web } = await buildExplanation(criteria, context);
  if (web !== undefined) await openInBrowser(web, context);
}

async function buildExplanation(criteria: Criteria, { session }: Context) {
  const isPlain = (await session.facts.rows.known()) === false;
  const base = isPlain || (await lacksPages(session.facts.memory)) ? undefined : session.facts.webAddress();
  const isTimed = base !== undefined && comparesTimes(criteria.query); // by the link, if not by the request
  const options = { serverZone: isTimed ? (await session.facts.zone()).proven : criteria.zone };
  const compiled = isPlain
    ? { ...compileForInterface(criteria.query), notes: [] }
    : compileQuery(criteria.query, options);
  const order = criteria.order === undefined || isPlain ? [] : [["order", criteria.order] as const];
  const { passed, quicksearch } = criteria;
  const sent = [...(passed && isPlain ? interfacePairs(passed) : sentPairs(criteria, compiled)), ...order];
  const explanation = explainQuery({ query: criteria.query, passed: passed?.pairs, compiled, sent, base, options });
  const quick =
    quicksearch === undefined ? [] : [`the quicksearch ${JSON.stringify(quicksearch)}, as the tracker reads it`];
  const notes = explainNotes(criteria);
  if (session.writeRefusal) notes.push(MIRROR_NOTE);
  return {
    ...explanation,
    where: [...explanation.where, ...quick],
    notes: [...explanation.notes, ...notes],
  };
}

function explainNotes({ query, passed, order }: Criteria): string[] {
  const notes: string[] = [];
  if (order !== undefined && !/^bug_id\b/.test(order)) notes.push(SORTED_NOTE);
  if (!passed && leavesOf(query).some(mustReadEachBug)) notes.push(READ_NOTE);
  if (!passed && negatedChanges(query).length > 0) notes.push(HIDDEN_NOTE);
  return notes;
}

const MIRROR_NOTE = "a mirror is read: the request is the one that the tracker would get";

const SORTED_NOTE = "results larger than one response are read by number first, and sorted by bt";

const READ_NOTE =
  "flags of a person, and values in changed lists, are read from the bugs that a search before this one finds";

const HIDDEN_NOTE =
  'without the right to see private comments, the bugs that had the changes below "not" are found by a second search and left out';

/** A search to explain; `sent` are all query pairs without credentials, `base` is the URL of a network tracker. */
export type ExplainedSearch = {
  readonly query: Query;
  readonly compiled: CompiledQuery & Pick<BugzillaQuery, "notes">;
  readonly sent: readonly QueryPair[];
  readonly passed?: readonly QueryPair[] | undefined; // a search of the search page, sent in place of the query
  readonly base: string | undefined;
  readonly options?: CompileOptions;
};

/**
 * Explanation of a search: its conditions, the parameters sent, the conditions checked locally, and a link to the web
 * interface.
 */
type Explanation = {
  readonly where: readonly string[]; // conjunction of expressions
  readonly checkedHere: readonly string[];
  readonly parameters: readonly QueryPair[];
  readonly url: string;
  readonly web: string | undefined;
  readonly notes: readonly string[];
};

/** Explains a search without sending it. */
export function explainQuery({ query, compiled, sent, passed, base, options }: ExplainedSearch): Explanation {
  const notes = [...compiled.notes];
  const web = passed ? { query: passed, rest: undefined } : compileQuery(query, { ...options, rowsOnly: true });
  if (base !== undefined && web.rest !== undefined)
    notes.push("the web link shows the results before the conditions checked by bt");
  return {
    where: passed ? [PASSED] : conjunctTexts(query),
    checkedHere: compiled.rest === undefined ? [] : conjunctTexts(compiled.rest),
    parameters: sent,
    url: `${base ?? ""}${pathAndQuery(requestFor(SEARCH_BUGS, sent))}`,
    web: base === undefined ? undefined : webLink(base, web.query, sent),
    notes,
  };
}

const PASSED = "the search of the web page, passed on";

/** Explanation as text for the terminal. */
export function explanationText(explanation: Explanation): string {
  return [
    ...sectionLines("where", explanation.where.length > 0 ? explanation.where : ["every bug"], "and "),
    ...sectionLines("sent", joinedRows(explanation.parameters)),
    ...sectionLines("checked by bt", explanation.checkedHere, "and "),
    ...sectionLines("request", [explanation.url]),
    ...sectionLines("web", explanation.web === undefined ? [] : [explanation.web]),
    ...sectionLines("note", explanation.notes),
  ].join("\n");
}

function sectionLines(title: string, lines: readonly string[], joint = ""): string[] {
  return lines.map((line, at) => (at === 0 ? title.padEnd(WIDTH) + line : " ".repeat(WIDTH) + joint + line));
}

const WIDTH = 15;

/** Groups the parts of a numbered row on one line. */
function joinedRows(pairs: readonly QueryPair[]): string[] {
  const rows = grouped(pairs, ([name]) => /^(?:[fonvj]|field|type|value)(\d+(?:-\d+)*)$/.exec(name)?.[1] ?? name);
  return [...rows.values()].map((parts) => parts.map(([name, value]) => `${name}=${value}`).join("  "));
}

function conjunctTexts(query: Query): string[] {
  return isGroup(query) && query.kind === "all"
    ? query.of.map((one) => (isGroup(one) ? `(${unparseQuery(one)})` : unparseQuery(one)))
    : [unparseQuery(query)];
}

/** Parameters that the web search page interprets like the REST interface. */
const ON_THE_WEB: ReadonlySet<string> = new Set(["quicksearch", "order"]);

function webLink(base: string, rows: readonly QueryPair[], sent: readonly QueryPair[]): string {
  const own = new Set(rows.map(([name]) => name));
  const shared = sent.filter(([name]) => ON_THE_WEB.has(name) && !own.has(name));
  return `${base}${pathAndQuery({ path: "/buglist.cgi", query: [...rows, ...shared, ["query_format", "advanced"]] })}`;
}
