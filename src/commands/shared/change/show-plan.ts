import { bugsByMessage } from "../../../api/bug-messages.ts";
import { withWholeValues } from "../../../api/write/body.ts";
import { updateRequest } from "../../../api/write/update-request.ts";
import { BtError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { changesText } from "../../../view/changes.ts";
import { recordJson } from "../../../view/listing.ts";
import { escapeJson } from "../../../view/text.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Context } from "../../verb.ts";
import { isForCards, isJson, jsonText, showList, showText } from "../output/print.ts";
import type { ChangeResult } from "./edit.ts";
import { readLists } from "./lists.ts";
import { type Able, ableIn, type Plan } from "./plan.ts";
import { plannedRow, readLabels, resultColumns, tallyText } from "./rows.ts";

/**
 * Prints the requests of a plan, and old and new of what was named. Equal requests are one text, with the bugs that get it.
 * @throws BtError of kind partial, or of the only bug, if bugs are refused
 */
export async function showPlan(plan: Plan, context: Context): Promise<readonly ChangeResult[]> {
  const able = ableIn(plan);
  const rows = plan.map((item) => plannedRow(item));
  const lists = (await readLists(plan, context)).map((list) => ableIn(list)).filter((list) => list.length > 0);
  const requests = lists.map((list) => requestOf(list));
  if (isJson(context)) {
    const bugs = rows.map((row) => recordJson(resultColumns(context, true), row));
    await context.io.out(jsonText({ dry_run: true, requests, bugs }, context));
  } else {
    for (const request of requests) await context.io.err(requestText(request));
    if (!isForCards(context)) await showList(context, { columns: resultColumns(context, true), pages: [rows] });
    else {
      const changed = rows.filter(({ result }) => result !== "refused"); // the error at the end names these
      const fields = await readLabels(context);
      if (changed.length > 0)
        await showText(context, changesText({ changed, fields, isPreview: true }, context.output.view));
    }
  }
  for (const line of exposureLines(able)) await note(context.io, `${line}; this requires --allow-no-groups`);
  const tally = tallyText(
    rows.map(({ result }) => result),
    ["would change", "unchanged", "refused"],
  );
  refuse(plan, tally);
  if (plan.length > 1 && context.io.terminal.stderr) await note(context.io, tally);
  return plan.map((item) => {
    if (item.st === "able") return { ref: String(item.bug.id), bug: item.bug, st: "would change" };
    return { ref: "ref" in item ? item.ref : String(item.bug.id), ...item };
  });
}

type PlannedRequest = { readonly method: string; readonly path: string; readonly body: JsonObject };

function requestOf(list: readonly Able[]): PlannedRequest {
  const [first] = list;
  const body = withWholeValues(first?.body ?? {}, (first?.bug ?? {}) as JsonObject);
  const request = updateRequest(
    list.map(({ bug }) => bug.id),
    body,
  );
  return { method: request.method, path: request.path, body: request.body as JsonObject };
}

function requestText({ method, path, body }: PlannedRequest): string {
  const text = escapeJson(JSON.stringify(body, null, 2)).replace(NUMBERS, (list) => list.trim().replace(/\n\s*/g, " "));
  return `would send ${method} ${path}\n${text}\n`;
}

/** A list of numbers in indented JSON. */
const NUMBERS = /(?<=\[)\n\s*\d[\d\s,]*(?=\])/g;

/** @throws BtError for the bugs that are refused, if any are */
function refuse(plan: Plan, tally: string): void {
  const refused = plan.filter((item) => item.st === "refused");
  const [first] = refused;
  if (!first) return;
  if (plan.length === 1) throw first.error;
  const kinds = new Set(refused.map(({ error }) => error.kind));
  throw new BtError(refused.length === plan.length && kinds.size === 1 ? first.error.kind : "partial", tally, {
    details: refusedLines(plan),
    changed: "nothing",
  });
}

/** Lines about the bugs that are refused, by reason. */
export function refusedLines(plan: Plan): string[] {
  const refused = plan.filter((item) => item.st === "refused");
  return bugsByMessage(refused.map(({ ref, error: { message, facts } }) => ({ bug: ref, message, hint: facts.hint })));
}

/** A line for each bug that may become public. */
export function exposureLines(able: readonly Able[]): string[] {
  return able
    .filter(({ isExposed }) => isExposed)
    .map(({ bug: { id, groups }, body: { product } }) => {
      return `bug ${id} may lose its last group in ${product} (${groups?.join(", ")}), and become public`;
    });
}
