import { grouped } from "../../../api/lists.ts";
import { SEARCH_BUGS } from "../../../api/operations/bugs.ts";
import { requestFor } from "../../../api/operations/operation.ts";
import type { Pair } from "../../../api/query/rows.ts";
import { isEveryBug, isGroup, type Query } from "../../../api/query/tree.ts";
import { unparseQuery } from "../../../api/query/unparse.ts";
import { compile, pagePairs, pairsOf } from "../../../api/search/compile.ts";
import { orderParameter } from "../../../api/search/sort.ts";
import { escapeJson, plain } from "../../../view/text.ts";
import { pathAndQuery } from "../../../wire/exchange.ts";
import type { Criteria } from "../../shared/criteria/criteria.ts";
import { openInBrowser, readWebAddress } from "../../shared/output/browser.ts";
import { isJson } from "../../shared/output/print.ts";
import type { Context } from "../../verb.ts";

/** `bt bug search --explain`: prints the meaning of the search, the request, and a link to the web interface. */
export async function explainSearch(criteria: Criteria, context: Context): Promise<void> {
  const explanation = await explain(criteria, context);
  const text = isJson(context)
    ? escapeJson(JSON.stringify(explanation))
    : plain(explanationText(explanation), { lines: true });
  await context.io.out(`${text}\n`);
}

/** `bt bug search --web`: opens the search in the web interface. */
export async function openSearch(criteria: Criteria, context: Context): Promise<void> {
  await readWebAddress(context);
  const { web } = await explain(criteria, context);
  if (web !== undefined) await openInBrowser(web, context);
}

/** What a search means and sends, which conditions are tested here, and a link to the web interface. */
type Explanation = {
  readonly where: readonly string[]; // conjunction of expressions
  readonly parameters: readonly Pair[];
  readonly url: string;
  readonly web: string | undefined;
  readonly checked_here: readonly string[];
};

async function explain({ query, passed = [], order = [] }: Criteria, { session }: Context): Promise<Explanation> {
  const { dialect, webAddress } = session;
  const [name, now] = [await dialect.name(), await dialect.now()];
  const base = name === "plain" ? undefined : webAddress();
  const compiled = compile(query, name, now, passed);
  const sorted: readonly Pair[] = order.length > 0 ? [["order", orderParameter(order)]] : [];
  const sent = [...pairsOf(compiled), ...(name === "plain" ? [] : sorted)];
  const isWhole = isEveryBug(compiled.rest);
  return {
    where: [...(isEveryBug(query) && passed.length > 0 ? [] : conjunctTexts(query)), ...passedText(passed)],
    parameters: sent,
    url: `${base ?? ""}${pathAndQuery(requestFor(SEARCH_BUGS, sent))}`,
    web: base === undefined ? undefined : webLink(base, [...pagePairs(query, now, passed), ...sorted]),
    checked_here: isWhole ? [] : conjunctTexts(compiled.rest),
  };
}

function passedText(passed: readonly Pair[]): string[] {
  return passed.length > 0 ? [`${passed.map((pair) => pair.join("=")).join("&")}, passed on`] : [];
}

/** Explanation as text for the terminal. */
function explanationText(explanation: Explanation): string {
  const { where, parameters, checked_here, url, web } = explanation;
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
  return isGroup(query) && query.kind === "all"
    ? query.of.map((one) => (isGroup(one) ? `(${unparseQuery(one)})` : unparseQuery(one)))
    : [unparseQuery(query)];
}

function webLink(base: string, pairs: readonly Pair[]): string {
  return `${base}${pathAndQuery({ path: "/buglist.cgi", query: [...pairs, ["query_format", "advanced"]] })}`;
}
