import { bugMessage, bugsByMessage } from "../../../api/bug-messages.ts";
import { requestFor } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { withInitialValues, withWholeValues } from "../../../api/write/body.ts";
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
import { type Able, ableIn, hasOldIds, newIn, type Plan, type Planned } from "./plan.ts";
import { plannedRow, readLabels, resultColumns, tallyText } from "./rows.ts";

/**
 * Prints the requests of a plan, and old and new of what was named. Equal requests are one text, with the bugs that get it.
 * @throws BtError of kind partial, or of the only bug, if bugs are refused
 */
export async function showPlan(plan: Plan, context: Context): Promise<readonly ChangeResult[]> {
  const able = ableIn(plan);
  const columns = resultColumns(context, { hasOldIds: hasOldIds(plan), isPreview: true });
  const rows = plan.map((item) => plannedRow(item));
  const requests = (await readLists(plan, context)).flatMap((list) => requestsOf(list));
  if (isJson(context)) {
    const bugs = rows.map((row) => recordJson(columns, row));
    await context.io.out(jsonText({ dry_run: true, requests, bugs }, context));
  } else {
    for (const request of requests) await context.io.err(requestText(request));
    if (!isForCards(context)) await showList(context, { columns, pages: [rows] });
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
    [...(newIn(plan).length > 0 ? ["would create"] : []), "would change", "unchanged", "refused"],
  );
  refuse(plan, tally);
  if (plan.length > 1 && context.io.terminal.stderr) await note(context.io, tally);
  return plan.map((item) => {
    if (item.st === "new") return { ref: item.ref, line: item.line, oldId: item.oldId, st: "would create" };
    if (item.st === "able") return { ref: String(item.bug.id), bug: item.bug, st: "would change" };
    return { ref: "ref" in item ? item.ref : String(item.bug.id), ...item };
  });
}

type PlannedRequest = { readonly method: string; readonly path: string; readonly body: JsonObject };

/** The requests of a list: one or two updates of bugs, or one new bug. */
function requestsOf(list: readonly Planned[]): PlannedRequest[] {
  const able = ableIn(list);
  const [first] = able;
  const filed = newIn(list)
    .filter(({ id }) => id === undefined)
    .map(({ create }) => requestFor(CREATE_BUG, withInitialValues(create)));
  const ids = able.map(({ bug }) => bug.id);
  const bodies = first ? [withWholeValues(first.body, first.bug as JsonObject), first.next ?? []].flat() : [];
  const updates = bodies.map((body) => updateRequest(ids, body));
  return [...filed, ...updates].map(({ method, path, body }) => ({ method, path, body: body as JsonObject }));
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
  return bugsByMessage(refused.map(({ ref, error }) => bugMessage(ref, error)));
}

/** A line for each bug that may become public. */
export function exposureLines(able: readonly Able[]): string[] {
  return able
    .filter(({ isExposed }) => isExposed)
    .map(({ bug: { id, groups }, body: { product } }) => {
      const where = product === undefined ? "" : ` in ${product}`;
      return `bug ${id} may lose its last group${where} (${groups?.join(", ")}), and become public`;
    });
}
