import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { CommentedUpdateInput } from "../../bug/write/flags.ts";
import type { Context } from "../../verb.ts";
import { type BugsRead, readBugsToChange, readTargets, reportNoTargets } from "../targets.ts";
import { readCommentBody } from "../write-body.ts";
import { confirmPlan, showPlan } from "./confirm.ts";
import type { ChangeOptions, ChangeResult, Edit } from "./edit.ts";
import { withJob } from "./jobs.ts";
import { openResults } from "./output.ts";
import { newIn, readPlan, refOf } from "./plan.ts";
import { sendPlan } from "./send.ts";

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
  return withJob(plan, options, context, async (job) => {
    const refs = plan.map(refOf);
    const hasOldIds = newIn(plan).some(({ oldId }) => oldId !== undefined);
    const output = await openResults({ ...job, refs, hasOldIds }, context);
    for await (const result of sendPlan(plan, job, context)) await output.add(result);
    return output.end();
  });
}

/** The bugs that a verb names, and its comment, for which the editor begins with `start`. */
export async function readBugsAndComment(
  input: Pick<CommentedUpdateInput, "args" | "comment" | "bodyFile" | "editor"> & { readonly private?: boolean },
  context: Context,
  start?: string,
): Promise<{ named: BugsRead; comment: JsonObject }> {
  const comment = await readCommentBody(input, context, start);
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
