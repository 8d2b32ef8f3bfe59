import type { OpenJob } from "../../../api/delivery/outcome.ts";
import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { BtError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { changeTexts } from "../../../view/changes.ts";
import { countText } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { CommentedUpdateInput } from "../../bug/flags.ts";
import type { Context } from "../../verb.ts";
import { bugMessage, bugsByMessage } from "../bug-messages.ts";
import { confirmTask } from "../prompts.ts";
import { type BugsRead, readBugsToChange, readTargets, reportNoTargets } from "../targets.ts";
import { type CommentInput, readCommentBody } from "../write-body.ts";
import { firstLines, openResults, plannedRow, readLabels, showPlanned, tallyText } from "./output.ts";
import {
  type Able,
  ableIn,
  type ChangeOptions,
  type ChangeResult,
  type Edit,
  newIn,
  type Plan,
  readPlan,
} from "./plan.ts";
import { hasGuards, jobOf, type PlannedWrite, readWrites, sendPlan } from "./send.ts";

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
  const plan = await readPlan(edits, options, context);
  const [only, ...others] = plan;
  if (only?.st === "refused" && others.length === 0) throw only.error;
  if (options.dryRun) return showPlan(plan, context);
  await confirmPlan(plan, options, context);
  const refs = plan.map(({ ref }) => ref);
  const hasOldIds = newIn(plan).some(({ oldId }) => oldId !== undefined);
  const send = async (planned: readonly PlannedWrite[], open?: OpenJob) => {
    const subject = { refs, name: open?.isStored ? open.name : undefined, isGuarded: hasGuards(plan), hasOldIds };
    const output = await openResults(subject, context);
    for await (const result of sendPlan(plan, planned, open, context)) await output.add(result);
    return output.end();
  };
  if (ableIn(plan).length + newIn(plan).length === 0) return send([]);
  const writes = await readWrites(plan, context);
  const journal = await context.session.journal();
  return journal.begin(jobOf(plan, writes, options), (open) => send(writes, open));
}

/**
 * Gives each bug that a verb names, with the comment of the verb and what else is `added`, the values that it is to have;
 * a text is the reason for which it gets nothing.
 */
export async function changeNamedBugs(
  input: CommentedUpdateInput,
  valuesOf: (bug: Bug) => JsonObject | string | BtError,
  context: Context,
  added: JsonObject = {},
): Promise<void> {
  const { named, comment } = await readBugsAndComment(input, context);
  const edits = editsOf(named, (bug) => editOf(bug, valuesOf(bug), { ...added, ...comment }));
  await changeBugs(edits, input, context);
}

/** The edit of a bug by its values, or by the reason for none; `added` is only sent with values. */
export function editOf(bug: Bug, values: JsonObject | string | BtError, added: JsonObject): Edit {
  if (values instanceof BtError) return { ref: String(bug.id), bug, error: values };
  if (typeof values === "string") return { bug, why: values, dropped: Object.keys(added) };
  return { bug, body: { ...values, ...added } };
}

/** The bugs that a verb names, and its comment. */
export async function readBugsAndComment(
  input: CommentInput,
  context: Context,
): Promise<{ named: BugsRead; comment: JsonObject }> {
  const comment = await readCommentBody(input, context);
  return { named: await readBugsToChange(await readTargets(input.args, context), context), comment };
}

/** An edit of each bug that was read, and the refusal of each that was not, as they were named. */
export function editsOf({ outcomes }: BugsRead, make: (bug: Bug) => Edit): Edit[] {
  const seen = new Set<number>();
  return outcomes.flatMap((outcome): Edit[] => {
    if ("error" in outcome) return [{ ref: outcome.ref, error: outcome.error }];
    if (seen.has(outcome.thing.id)) return [];
    seen.add(outcome.thing.id);
    return [make(outcome.thing)];
  });
}

/**
 * Prompts for a change of over 20 bugs, or of some of them, without `--yes`, and before bugs may
 * become public, without `--allow-no-groups`.
 * @throws BtError of kind guard for a change that is not confirmed
 */
async function confirmPlan(plan: Plan, options: ChangeOptions, context: Context): Promise<void> {
  const [able, created] = [ableIn(plan), newIn(plan)];
  const exposed = options.allowNoGroups ? [] : lostGroupLines(able);
  const refused = refusedLines(plan).map((line) => `not changed: ${line}`);
  const isLarge = options.isConfirmed || plan.length > MAX_ATOMIC_BUGS || refused.length > 0;
  if (exposed.length === 0 && (able.length + created.length === 0 || !isLarge || options.yes)) return;
  const { io, output, session } = context;
  const others = plan.length - created.length;
  const bugs = able.length < others ? `${able.length} of ${others} bugs` : countText(able.length, "bug");
  const what = [created.length > 0 && `file ${countText(created.length, "bug")}`, others > 0 && `change ${bugs}`];
  const changed = [...able, ...created].map(plannedRow);
  const card = { changed, fields: await readLabels(context), isPreview: true };
  const texts = changeTexts(card, { ...output.view, color: false, width: output.view.width - INDENT });
  const lines = [...firstLines(texts), ...firstLines([...refused, ...exposed])].flatMap((text) => text.split("\n"));
  const hint =
    exposed.length > 0 ? "--allow-no-groups accepts it" : "--yes skips the prompt; --dry-run shows every change";
  const around = { io, settings: session.settings };
  if (!(await confirmTask(what.filter(Boolean).join(" and "), lines, options, around, hint)))
    throw new BtError("guard", "no changes made");
}

const INDENT = 4; // of the lines of a prompt or an error

/**
 * Prints the requests of a plan, and old and new values; returns the bugs that would change.
 * @throws BtError of kind partial, or of their only kind, if bugs are refused
 */
async function showPlan(plan: Plan, context: Context): Promise<readonly ChangeResult[]> {
  const able = ableIn(plan);
  const rows = plan.map(plannedRow);
  const requests = (await readWrites(plan, context)).map(({ write }) => write.request);
  await showPlanned(requests, rows, context);
  for (const line of lostGroupLines(able)) await note(context.io, `${line}; this requires --allow-no-groups`);
  const results = rows.map(({ result }) => result);
  const words = [...(newIn(plan).length > 0 ? ["would create"] : []), "would change", "unchanged", "refused"];
  const [refused, tally] = [refusedIn(plan), tallyText(results, words)];
  const [kind = "partial", ...kinds] = new Set(refused.map(({ error }) => error.kind));
  if (refused.length > 0) {
    const isPartial = refused.length < plan.length || kinds.length > 0;
    throw new BtError(isPartial ? "partial" : kind, tally, { details: refusedLines(plan) });
  }
  if (plan.length > 1 && context.io.terminal.stderr) await note(context.io, tally);
  return able.map(({ ref, bug }) => ({ ref, bug, st: "would change" }));
}

function refusedIn(plan: Plan) {
  return plan.filter((item) => item.st === "refused");
}

/** Lines about the bugs that are refused, by reason. */
function refusedLines(plan: Plan): string[] {
  return bugsByMessage(refusedIn(plan).map(({ ref, error }) => bugMessage(ref, error)));
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
