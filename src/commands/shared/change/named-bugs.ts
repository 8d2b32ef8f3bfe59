import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Context } from "../../verb.ts";
import { type BugsRead, readBugsToChange, readTargets } from "../targets.ts";
import { readCommentBody } from "../write-body.ts";
import type { CommentedUpdateInput } from "../write-flags.ts";
import type { Edit } from "./edit.ts";

/** The bugs that a verb names, as they are, and the body of its comment; `start` is what the editor begins with. */
export async function readBugsAndComment(
  input: Pick<CommentedUpdateInput, "args" | "comment" | "bodyFile" | "editor"> & { readonly private?: boolean },
  context: Context,
  start?: string,
): Promise<{ named: BugsRead; comment: JsonObject }> {
  const comment = await readCommentBody(input, context, start);
  return { named: await readBugsToChange(await readTargets(input.args, context), context), comment };
}

/** An edit of each bug that was read, and the refusal of each that could not be, in the order in which they were named. */
export function editsOf({ outcomes }: BugsRead, make: (bug: Bug) => Edit): Edit[] {
  const seen = new Set<number>();
  return outcomes.flatMap((outcome): Edit[] => {
    if ("error" in outcome) return [{ ref: outcome.ref, error: outcome.error }];
    if (seen.has(outcome.thing.id)) return [];
    seen.add(outcome.thing.id);
    return [make(outcome.thing)];
  });
}
