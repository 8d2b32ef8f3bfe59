import { BtError } from "../../../errors.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { CommentedUpdateInput } from "../../bug/flags.ts";
import type { Context } from "../../verb.ts";
import { type BugsRead, readBugsToChange, readTargets } from "../targets.ts";
import { type CommentInput, readCommentBody } from "../write-body.ts";
import { changeBugs } from "./change.ts";
import type { Edit } from "./plan.ts";

/**
 * Changes the bugs that a verb names: each gets its values, what is `added`, and the comment of the verb. `valuesOf`
 * returns a text, the reason, for a bug that is to stay unchanged.
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
