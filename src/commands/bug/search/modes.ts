import { isReadByBug } from "../../../api/query/matching.ts";
import { leavesOf } from "../../../api/query/tree.ts";
import { sentPairs } from "../../../api/search/bug-search.ts";
import { comparesTimes, compileForInterface, compileQuery } from "../../../api/search/compile.ts";
import { explainQuery, explanationText } from "../../../api/search/explain.ts";
import { negatedChanges } from "../../../api/search/hidden-changes.ts";
import { plainPairs } from "../../../api/search/interface-pages.ts";
import { lacksPages } from "../../../session/memory/web-pages.ts";
import { escapeJson, plain } from "../../../view/text.ts";
import { openInBrowser, webAddress } from "../../shared/browser.ts";
import { isJson } from "../../shared/output.ts";
import type { Context } from "../../verb.ts";
import type { Criteria } from "./criteria.ts";

/** `bt bug search --explain`: prints the meaning of the search, the request, and a link to the web interface. */
export async function explainSearch(criteria: Criteria, context: Context): Promise<void> {
  const explanation = await explanationOf(criteria, context);
  const asJson = isJson(context);
  const { checkedHere: checked_here, ...rest } = explanation;
  await context.io.out(
    `${asJson ? escapeJson(JSON.stringify({ ...rest, checked_here })) : plain(explanationText(explanation), { lines: true })}\n`,
  );
}

/** `bt bug search --web`: opens the search in the web interface. */
export async function openSearch(criteria: Criteria, context: Context): Promise<void> {
  await webAddress(context);
  const { web } = await explanationOf(criteria, context);
  if (web !== undefined) await openInBrowser(web, context);
}

async function explanationOf(criteria: Criteria, { session }: Context) {
  const isPlain = (await session.facts.rows.known()) === false;
  const base = isPlain || (await lacksPages(session.facts.memory)) ? undefined : session.facts.webAddress();
  const isTimed = base !== undefined && comparesTimes(criteria.query); // by the link, if not by the request
  const options = { serverZone: isTimed ? (await session.facts.zone()).proven : criteria.zone };
  const compiled = isPlain
    ? { ...compileForInterface(criteria.query), notes: [] }
    : compileQuery(criteria.query, options);
  const order = criteria.order === undefined || isPlain ? [] : [["order", criteria.order] as const];
  const { passed } = criteria;
  const sent = [...(passed && isPlain ? plainPairs(passed) : sentPairs(criteria, compiled)), ...order];
  const explanation = explainQuery({ query: criteria.query, passed: passed?.pairs, compiled, sent, base, options });
  return { ...explanation, notes: [...explanation.notes, ...notesOn(criteria)] };
}

function notesOn({ query, passed, order, remarks }: Criteria): string[] {
  const notes: string[] = [];
  if (order !== undefined && !/^bug_id\b/.test(order)) notes.push(SORTED_NOTE);
  if (!passed && leavesOf(query).some(isReadByBug)) notes.push(READ_NOTE);
  if (!passed && negatedChanges(query).length > 0) notes.push(HIDDEN_NOTE);
  return [...notes, ...remarks];
}

const SORTED_NOTE = "results larger than one response are read by number first, and sorted by bt";

const READ_NOTE =
  "flags of a person, and values in changed lists, are read from the bugs that a search before this one finds";

const HIDDEN_NOTE =
  'without the right to see private comments, the bugs that had the changes below "not" are found by a second search and left out';
