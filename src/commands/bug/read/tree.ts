import { requestAll, requestEach } from "../../../api/batch.ts";
import { bugPlan } from "../../../api/bugs.ts";
import { collectPages } from "../../../api/lists.ts";
import type { SendRequest } from "../../../api/operations/operation.ts";
import { isKind, usageError } from "../../../errors.ts";
import { TREE_COLUMNS, TREE_FIELDS, treeRows, treeText } from "../../../view/bug-tree.ts";
import { type Bug, DEPENDENCY_FIELDS, type DependencyField } from "../../../wire/bug-fields.ts";
import { chosenColumns, isForCards, showCards, showList } from "../../shared/output/print.ts";
import { printFound, readTargetsToShow } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { TreeInput } from "../flags.ts";

/** `bt bug tree`: what bugs depend on and block, level by level, as trees or rows. */
export async function showBugTrees(input: TreeInput, context: Context): Promise<void> {
  const { depth = Number.POSITIVE_INFINITY } = input;
  const isWanted = (bug: Bug) => !input.open || bug.is_open !== false;
  const refs = await readTargetsToShow(input, context);
  const { send, isMirror } = context.session;
  const show = async (pages: AsyncIterable<Bug[]>) => {
    const first = await collectPages(pages);
    const bugs = await readBugsAround(first, depth, isWanted, send);
    const trees = first.map((bug) => treeRows(bug, { bugs, depth, isWanted, isMirror }));
    if (isForCards(context)) {
      const { view } = context.output;
      const texts = trees.map((rows) => treeText(rows, view));
      await showCards(context, texts);
    } else await showList(context, { columns: chosenColumns(TREE_COLUMNS, context), pages: [trees.flat()] });
  };
  await printFound(requestEach(refs, bugPlan(TREE_FIELDS), send), show);
}

/**
 * Reads the bugs around the given ones, in one request a level unless some are hidden. An id without a bug is named by
 * another bug, but was not found.
 * @throws BtError of kind usage if there are more than a thousand
 */
async function readBugsAround(
  first: Bug[],
  levels: number,
  isWanted: (bug: Bug) => boolean,
  send: SendRequest,
): Promise<ReadonlyMap<number, Bug | undefined>> {
  const found = new Map<number, Bug | undefined>(first.map((bug) => [bug.id, bug]));
  const followed = new Set<string>();
  let level = first.flatMap((bug) => DEPENDENCY_FIELDS.flatMap((relation) => stepsFrom(bug, relation)));
  for (let depth = 1; depth <= levels && level.length > 0; depth += 1) {
    const named = [...new Set(level.map(({ id }) => id))].filter((id) => !found.has(id));
    if (found.size + named.length > MAX_BUGS)
      throw usageError(`more than ${MAX_BUGS} bugs depend on each other here`, "--depth 2, or --open, shows fewer");
    for (const outcome of await requestAll(named.map(String), bugPlan(TREE_FIELDS), send)) {
      if ("error" in outcome && !isKind(outcome.error, "missing", "auth")) throw outcome.error;
      found.set(Number(outcome.ref), "thing" in outcome ? outcome.thing : undefined);
    }
    level = level.flatMap(({ id, relation }) => {
      const bug = found.get(id);
      const step = `${relation} ${id}`;
      if (bug === undefined || followed.has(step) || !isWanted(bug)) return [];
      followed.add(step);
      return stepsFrom(bug, relation);
    });
  }
  return found;
}

function stepsFrom(bug: Bug, relation: DependencyField) {
  return (bug[relation] ?? []).map((id) => ({ id, relation }));
}

const MAX_BUGS = 1000;
