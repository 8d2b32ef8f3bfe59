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
  const { send, account } = context.session;
  const show = async (pages: AsyncIterable<Bug[]>) => {
    const roots = await collectPages(pages);
    const bugs = await readTreeBugs(roots, depth, isWanted, send);
    const isMirror = (await account()).state === "mirrored";
    const trees = roots.map((root) => treeRows(root, { bugs, depth, isWanted, isMirror }));
    if (isForCards(context)) {
      const texts = trees.map((rows) => treeText(rows, context.output.view));
      await showCards(context, texts);
    } else await showList(context, { columns: chosenColumns(TREE_COLUMNS, context), pages: [trees.flat()] });
  };
  await printFound(requestEach(refs, bugPlan(TREE_FIELDS), send), show);
}

/**
 * Reads the bugs that the given bugs depend on and block, down to a depth, in one request a level unless some are hidden;
 * by id, undefined for a bug that another bug names, but that was not found.
 * @throws BtError of kind usage if there are more than a thousand
 */
async function readTreeBugs(
  roots: Bug[],
  maxDepth: number,
  isWanted: (bug: Bug) => boolean,
  send: SendRequest,
): Promise<ReadonlyMap<number, Bug | undefined>> {
  const found = new Map<number, Bug | undefined>(roots.map((bug) => [bug.id, bug]));
  const followed = new Set<string>();
  let level = roots.flatMap((bug) => DEPENDENCY_FIELDS.flatMap((relation) => dependenciesOf(bug, relation)));
  for (let depth = 1; depth <= maxDepth && level.length > 0; depth += 1) {
    const newIds = [...new Set(level.map(({ id }) => id))].filter((id) => !found.has(id));
    if (found.size + newIds.length > MAX_BUGS)
      throw usageError(`the tree has more than ${MAX_BUGS} bugs`, "--depth 2, or --open, shows fewer");
    for (const outcome of await requestAll(newIds.map(String), bugPlan(TREE_FIELDS), send)) {
      if ("error" in outcome && !isKind(outcome.error, "missing", "auth")) throw outcome.error;
      found.set(Number(outcome.ref), "thing" in outcome ? outcome.thing : undefined);
    }
    level = level.flatMap(({ id, relation }) => {
      const bug = found.get(id);
      const key = `${relation} ${id}`;
      if (bug === undefined || followed.has(key) || !isWanted(bug)) return [];
      followed.add(key);
      return dependenciesOf(bug, relation);
    });
  }
  return found;
}

function dependenciesOf(bug: Bug, relation: DependencyField) {
  return (bug[relation] ?? []).map((id) => ({ id, relation }));
}

const MAX_BUGS = 1000;
