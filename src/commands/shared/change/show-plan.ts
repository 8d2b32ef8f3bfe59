import { bugMessage, bugsByMessage } from "../../../api/lists.ts";
import { BtError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import type { Context } from "../../verb.ts";
import type { ChangeResult } from "./edit.ts";
import { readWrites } from "./jobs.ts";
import { type Able, ableIn, newIn, type Plan } from "./plan.ts";
import { plannedRow, tallyText } from "./rows.ts";
import { showPlanned } from "./written.ts";

/**
 * Prints the requests of a plan, and old and new of what was named; returns the bugs that would change.
 * @throws BtError of kind partial, or of the only bug, if bugs are refused
 */
export async function showPlan(plan: Plan, context: Context): Promise<readonly ChangeResult[]> {
  const able = ableIn(plan);
  const rows = plan.map((item) => plannedRow(item));
  const requests = (await readWrites(plan, context)).map(({ write }) => write.request);
  await showPlanned(requests, rows, context);
  for (const line of exposureLines(able)) await note(context.io, `${line}; this requires --allow-no-groups`);
  const tally = tallyText(
    rows.map(({ result }) => result),
    [...(newIn(plan).length > 0 ? ["would create"] : []), "would change", "unchanged", "refused"],
  );
  refuse(plan, tally);
  if (plan.length > 1 && context.io.terminal.stderr) await note(context.io, tally);
  return able.map(({ bug }) => ({ ref: String(bug.id), bug, st: "would change" }));
}

/** @throws BtError for the bugs that are refused, if any are */
function refuse(plan: Plan, tally: string): void {
  const refused = plan.filter((item) => item.st === "refused");
  const [first] = refused;
  if (!first) return;
  if (plan.length === 1) throw first.error;
  const kinds = new Set(refused.map(({ error }) => error.kind));
  throw new BtError(refused.length === plan.length && kinds.size === 1 ? first.error.kind : "partial", tally, {
    details: refusedLines(plan),
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
