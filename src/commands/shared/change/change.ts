import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { BtError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { changesOfEach } from "../../../view/changes.ts";
import { countText } from "../../../view/text.ts";
import type { Context } from "../../verb.ts";
import { bugMessage, bugsByMessage } from "../bug-messages.ts";
import { confirmTask } from "../prompts.ts";
import { reportNoTargets } from "../targets.ts";
import { firstLines, plannedRow, printResults, showPlanned, tallyText } from "./output.ts";
import { type Able, type ChangeOptions, type Edit, isSettled, type Plan, planChange } from "./plan.ts";
import type { ChangeResult } from "./result.ts";
import { batchesOf, sendBatches } from "./send.ts";

/**
 * Changes and files bugs, one or ten thousand: checks all edits, sends them, prints the results;
 * undefined without edits. A dry run has only the results of bugs that would change.
 * @throws BtError of the worst result, or of kind guard for a change that is not confirmed
 */
export async function changeBugs(
  edits: readonly Edit[],
  options: ChangeOptions,
  context: Context,
): Promise<readonly ChangeResult[] | undefined> {
  if (edits.length === 0) return reportNoTargets(context);
  const plan = await planChange(edits, options, context);
  const [refusal] = plan.refused;
  if (refusal && plan.items.length === 1) throw refusal.error;
  if (options.dryRun) return showPlan(plan, context);
  await confirmPlan(plan, options, context);
  return sendPlan(plan, options, context);
}

/**
 * Prints the requests of a plan, and old and new values; returns the bugs that would change.
 * @throws BtError of kind partial, or of their only kind, if bugs are refused
 */
async function showPlan(plan: Plan, context: Context): Promise<readonly ChangeResult[]> {
  const { items, able, created, refused } = plan;
  const rows = items.map(plannedRow);
  const writes = (await batchesOf(plan, context)).flatMap((batch) => batch.writes);
  const requests = writes.map(({ request }) => request);
  await showPlanned(requests, rows, context);
  for (const line of lostGroupLines(able)) await note(context.io, `${line}; this requires --allow-no-groups`);
  const words = [...(created.length > 0 ? ["would create"] : []), "would change", "unchanged", "refused"];
  const results = rows.map(({ result }) => result);
  const tally = tallyText(results, words);
  const [kind = "partial", ...kinds] = new Set(refused.map(({ error }) => error.kind));
  if (refused.length > 0) {
    const isPartial = refused.length < items.length || kinds.length > 0;
    throw new BtError(isPartial ? "partial" : kind, tally, { details: refusedLines(plan) });
  }
  if (items.length > 1 && context.io.terminal.stderr) await note(context.io, tally);
  return able.map(({ ref, bug }) => ({ ref, bug, st: "would change" }));
}

/**
 * Prompts for a change of over 20 bugs, or of some of them, without `--yes`, and before bugs may
 * become public, without `--allow-no-groups`.
 * @throws BtError of kind guard for a change that is not confirmed
 */
async function confirmPlan(plan: Plan, options: ChangeOptions, context: Context): Promise<void> {
  const { items, able, created, refused } = plan;
  const isExposing = !options.allowNoGroups && able.some(({ isExposed }) => isExposed);
  const isLarge = options.mustConfirm || items.length > MAX_ATOMIC_BUGS || refused.length > 0;
  const needsYes = isLarge && able.length + created.length > 0 && !options.yes;
  if (!isExposing && !needsYes) return;
  const { io, output, session } = context;
  const existing = items.length - created.length;
  const bugs = able.length < existing ? `${able.length} of ${existing} bugs` : countText(able.length, "bug");
  const tasks: string[] = [];
  if (created.length > 0) tasks.push(`file ${countText(created.length, "bug")}`);
  if (existing > 0) tasks.push(`change ${bugs}`);
  const changed = [...able, ...created].map(plannedRow);
  const card = { changed, fields: (await session.catalog()).received, isPreview: true };
  const texts = changesOfEach(card, { ...output.view, color: false, width: output.view.width - INDENT });
  const doubts = [
    ...refusedLines(plan).map((line) => `not changed: ${line}`),
    ...(isExposing ? lostGroupLines(able) : []),
  ];
  const lines = [...firstLines(texts), ...firstLines(doubts)].flatMap((text) => text.split("\n"));
  const hint = isExposing ? "--allow-no-groups accepts it" : "--yes skips the prompt; --dry-run shows every change";
  const around = { io, settings: session.settings };
  if (!(await confirmTask(tasks.join(" and "), lines, options, around, hint)))
    throw new BtError("guard", "no changes made");
}

const INDENT = 4; // of the lines of a prompt or an error

/** Sends a plan as a job of its own, and prints the results. @throws BtError of the worst result */
async function sendPlan(plan: Plan, options: ChangeOptions, context: Context): Promise<readonly ChangeResult[]> {
  const { items, able, created, isGuarded } = plan;
  const hasOldIds = created.some(({ oldId }) => oldId !== undefined);
  const subject = { refs: items.map(({ ref }) => ref), isGuarded, hasOldIds };
  const settled = items.filter(isSettled);
  if (settled.length === items.length) return printResults(settled, subject, context);
  const batches = await batchesOf(plan, context);
  const { command = "bug update", key } = options;
  const exposes = able.some(({ isExposed }) => isExposed);
  const job = { command, key, guarded: isGuarded, exposes, writes: batches.flatMap(({ writes }) => writes) };
  const journal = await context.session.journal();
  return journal.begin(job, (open) => {
    const results = sendBatches(batches, open, context);
    return printResults(results, { ...subject, job: open.isStored ? open.name : undefined }, context);
  });
}

/** Lines about the bugs that are refused, by reason. */
function refusedLines({ refused }: Plan): string[] {
  return bugsByMessage(refused.map(({ ref, error }) => bugMessage(ref, error)));
}

/** A line for each bug that may become public. */
function lostGroupLines(able: readonly Able[]): string[] {
  return able
    .filter(({ isExposed }) => isExposed)
    .map(({ bug: { id, groups }, body: { product } }) => {
      const where = product === undefined ? "" : ` in ${product}`;
      return `bug ${id} may lose its last group${where} (${groups?.join(", ")}), and become public`;
    });
}
