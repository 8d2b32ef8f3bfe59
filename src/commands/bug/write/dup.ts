import { readBug } from "../../../api/bugs.ts";
import { changeBugs, editsOf, readBugsAndComment } from "../../shared/change/change.ts";
import { readOneTarget } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { CommentedUpdateInput } from "./flags.ts";

/** `bt bug dup`: closes a bug as duplicate of another. */
export async function markDuplicate(input: CommentedUpdateInput, context: Context): Promise<void> {
  const [ref = "", original = ""] = input.args;
  const { id } = await readBug(await readOneTarget(original, context), [], context.session.send);
  const { named, comment } = await readBugsAndComment({ ...input, args: [ref] }, context);
  const edits = editsOf(named, (bug) => {
    if (bug.dupe_of === id) return { bug, why: `already a duplicate of ${id}`, dropped: Object.keys(comment) };
    return { bug, body: { dupe_of: id, ...comment } };
  });
  await changeBugs(edits, input, context);
}
