import { requestEach } from "../../../api/batch.ts";
import { readBugGraph } from "../../../api/bug-graph.ts";
import { bugPlan } from "../../../api/bug-numbers.ts";
import { usage } from "../../../errors.ts";
import { type BugTree, bugTree, TREE_COLUMNS, TREE_FIELDS, treeRows, treeText } from "../../../view/tree.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import { chosenColumns, isForCards, showCards, showList } from "../../shared/output.ts";
import { bugsToRead, collectPages, showFound } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { TreeInput } from "./input.ts";

/** `bt bug tree`: what bugs depend on and block, level by level, as trees or rows. */
export async function showBugTrees(input: TreeInput, context: Context): Promise<void> {
  const depth = depthOf(input.depth);
  const isWanted = (bug: Bug) => !input.open || bug.is_open !== false;
  const refs = await bugsToRead(input, context);
  const { send } = context.session;
  await showFound(
    requestEach(refs, bugPlan(TREE_FIELDS), send),
    async (pages) => {
      const first = await collectPages(pages);
      const bugs = await readBugGraph(first, { depth, isWanted, fields: TREE_FIELDS }, send);
      const trees = first.map((bug) => bugTree(bug, { bugs, depth, isWanted }));
      await showTrees(trees, context);
    },
    { identity: ({ id }) => id, lines: refs.lines },
  );
}

async function showTrees(trees: readonly BugTree[], context: Context): Promise<void> {
  if (isForCards(context)) {
    await showCards(
      context,
      trees.map((tree) => treeText(tree, context.output.view)),
    );
    return;
  }
  await showList(context, { columns: chosenColumns(TREE_COLUMNS, context), pages: [trees.flatMap(treeRows)] });
}

function depthOf(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw usage(`--depth ${text} is not a number of levels`, "use an integer, 1 or more");
}
