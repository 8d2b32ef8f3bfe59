import { pathAndQuery } from "../../wire/exchange.ts";
import { grouped } from "../lists.ts";
import { SEARCH_BUGS } from "../operations/bugs.ts";
import { requestFor } from "../operations/operation.ts";
import type { QueryPair } from "../query/chart.ts";
import { isGroup, type Query } from "../query/tree.ts";
import { unparseQuery } from "../query/unparse.ts";
import { type BugzillaQuery, type CompiledQuery, type CompileOptions, compileQuery } from "./compile.ts";

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
export type Explanation = {
  readonly where: readonly string[]; // conjunction of expressions
  readonly checkedHere: readonly string[];
  readonly parameters: readonly QueryPair[];
  readonly url: string;
  readonly web: string | undefined;
  readonly notes: readonly string[];
};

/** Explains a search without sending it. */
export function explainQuery({ query, compiled, sent, passed, base, options }: ExplainedSearch): Explanation {
  const web = passed ? { query: passed, rest: undefined } : compileQuery(query, { ...options, rowsOnly: true });
  return {
    where: passed ? [PASSED] : conjuncts(query),
    checkedHere: compiled.rest === undefined ? [] : conjuncts(compiled.rest),
    parameters: sent,
    url: `${base ?? ""}${pathAndQuery(requestFor(SEARCH_BUGS, sent))}`,
    web: base === undefined ? undefined : webLink(base, web, sent),
    notes: [
      ...compiled.notes,
      ...(base !== undefined && web.rest !== undefined
        ? ["the web link shows the results before the conditions checked by bt"]
        : []),
    ],
  };
}

const PASSED = "the search of the web page, passed on";

/** Explanation as text for the terminal. */
export function explanationText(explanation: Explanation): string {
  return [
    ...section("where", explanation.where.length > 0 ? explanation.where : ["every bug"], "and "),
    ...section("sent", byRow(explanation.parameters)),
    ...section("checked by bt", explanation.checkedHere, "and "),
    ...section("request", [explanation.url]),
    ...section("web", explanation.web === undefined ? [] : [explanation.web]),
    ...section("note", explanation.notes),
  ].join("\n");
}

function section(title: string, lines: readonly string[], joint = ""): string[] {
  return lines.map(
    (line, index) => `${index === 0 ? title.padEnd(WIDTH) : " ".repeat(WIDTH)}${index === 0 ? "" : joint}${line}`,
  );
}

const WIDTH = 15;

/** Groups the parts of a numbered row on one line. */
function byRow(pairs: readonly QueryPair[]): string[] {
  const rows = grouped(pairs, ([name]) => /^(?:[fonvj]|field|type|value)(\d+(?:-\d+)*)$/.exec(name)?.[1] ?? name);
  return [...rows.values()].map((parts) => parts.map(([name, value]) => `${name}=${value}`).join("  "));
}

function conjuncts(query: Query): string[] {
  return isGroup(query) && query.kind === "all"
    ? query.of.map((one) => (isGroup(one) ? `(${unparseQuery(one)})` : unparseQuery(one)))
    : [unparseQuery(query)];
}

/** Parameters that the web search page interprets like the REST interface. */
const ON_THE_WEB: ReadonlySet<string> = new Set(["quicksearch", "order"]);

function webLink(base: string, web: Pick<BugzillaQuery, "query">, sent: readonly QueryPair[]): string {
  const own = new Set(web.query.map(([name]) => name));
  const shared = sent.filter(([name]) => ON_THE_WEB.has(name) && !own.has(name));
  return `${base}${pathAndQuery({ path: "/buglist.cgi", query: [...web.query, ...shared, ["query_format", "advanced"]] })}`;
}
