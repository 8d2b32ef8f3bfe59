import { askByNumber } from "../../api/bug-plan.ts";
import type { Context } from "../context.ts";
import { momentOf } from "../moment.ts";
import { mapPages } from "../show.ts";
import { bugTargets, showEach } from "../targets.ts";
import { type Input, textOf } from "../verb.ts";
import { commentsPlan } from "./named.ts";
import { showComments } from "./show.ts";

/** `bt comment list`: the comments of all named bugs in few requests, every bug accounted for. */
export async function list(input: Input, context: Context): Promise<void> {
  const since = textOf(input.flags["new-since"]);
  const query = since === undefined ? [] : [["new_since", momentOf(since, context)] as const];
  const refs = await bugTargets(input.args, context);
  const batches = askByNumber(refs, commentsPlan(query), context.tracker.ask);
  await showEach(
    batches,
    (pages) => showComments({ comments: mapPages(pages, (lists) => lists.flat()), isWhole: true }, context),
    { lines: refs.lines },
  );
}
