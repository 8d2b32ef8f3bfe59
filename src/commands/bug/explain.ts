import { compile } from "../../api/query/compile.ts";
import { explain, explanationText } from "../../api/query/explain.ts";
import { usage } from "../../errors.ts";
import { escapeJson, plain } from "../../view/text.ts";
import type { Context } from "../context.ts";
import { formatOf } from "../show.ts";
import type { Criteria } from "./criteria.ts";
import { sentPairs } from "./search-plan.ts";

/** `bt bug search --explain`: what the search means, what would be sent, and where the web interface shows the same. */
export async function explainSearch(criteria: Criteria, context: Context): Promise<void> {
  const explanation = explanationOf(criteria, context);
  const isJson = ["json", "ndjson"].includes(formatOf(context));
  const { checkedHere: checked_here, ...rest } = explanation;
  await context.io.out(
    `${isJson ? escapeJson(JSON.stringify({ ...rest, checked_here })) : plain(explanationText(explanation), { lines: true })}\n`,
  );
}

/** `bt bug search --web`: opens the same search in the web interface. */
export async function openSearch(criteria: Criteria, context: Context): Promise<void> {
  const { web } = explanationOf(criteria, context);
  if (web === undefined) {
    throw usage(`${context.tracker.address} has no web interface`);
  }
  const { openInBrowser } = await import("../browser.ts");
  await openInBrowser(web, context);
}

function explanationOf(criteria: Criteria, { tracker }: Context) {
  const options = { serverZone: criteria.zone };
  const compiled = compile(criteria.query, options);
  const order = criteria.order === undefined ? [] : [["order", criteria.order] as const];
  const base = /^https?:/.test(tracker.address) ? tracker.address : undefined;
  const sent = [...sentPairs(criteria, compiled), ...order];
  const explanation = explain({ query: criteria.query, passed: criteria.passed, compiled, sent, base, options });
  return { ...explanation, notes: [...explanation.notes, ...notesOn(criteria)] };
}

function notesOn({ order, remarks, notes }: Criteria): readonly string[] {
  const isSorted = order !== undefined && !/^bug_id\b/.test(order);
  return [
    ...(isSorted ? ["a result longer than one answer of the tracker is read by number first, and sorted by bt"] : []),
    ...notes.map((note) => note.replace(/^note: /, "")),
    ...remarks,
  ];
}
