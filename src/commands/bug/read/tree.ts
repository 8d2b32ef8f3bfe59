import { type BatchOutcome, requestAll, requestEach } from "../../../api/batch.ts";
import { bugPlan } from "../../../api/bugs.ts";
import { collectPages } from "../../../api/lists.ts";
import type { SendRequest } from "../../../api/operations/operation.ts";
import { isKind, usageError } from "../../../errors.ts";
import { TREE_COLUMNS, TREE_FIELDS, type TreeReach, type TreeRow, treeRows, treeText } from "../../../view/bug-tree.ts";
import { type Bug, DEPENDENCY_FIELDS, type DependencyField } from "../../../wire/bug-fields.ts";
import { chosenColumns, isForCards, showCards, showList } from "../../shared/output/print.ts";
import { printFound, readTargetsOrText } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { TreeInput } from "../flags.ts";

/** `bt bug tree`: what bugs depend on and block, level by level, as trees or rows. */
export async function showBugTrees(input: TreeInput, context: Context): Promise<void> {
  const { depth = Number.POSITIVE_INFINITY } = input;
  const isWanted = (bug: Bug) => !input.open || bug.is_open !== false;
  const refs = await readTargetsOrText(input, context);
  const { send, isMirror } = context.session;
  const reach = { depth, isWanted, isMirror };
  await printFound(
    requestEach(refs, bugPlan(TREE_FIELDS), send),
    async (pages) => {
      const first = await collectPages(pages);
      const bugs = await readBugGraph(first, { ...reach, fields: TREE_FIELDS }, send);
      const trees = first.map((bug) => treeRows(bug, { bugs, ...reach }));
      await showTrees(trees, context);
    },
    { identity: ({ id }) => id },
  );
}

async function showTrees(trees: readonly TreeRow[][], context: Context): Promise<void> {
  const { view } = context.output;
  if (isForCards(context))
    await showCards(
      context,
      trees.map((rows) => treeText(rows, view)),
    );
  else await showList(context, { columns: chosenColumns(TREE_COLUMNS, context), pages: [trees.flat()] });
}

/** Bugs by id; an id without a bug is named by another bug, but was not found. */
export type BugGraph = ReadonlyMap<number, Bug | undefined>;

/** Limits of a graph: levels from the first bugs, a test of the bugs that belong to it, and the fields that are read. */
export type GraphLimits = Omit<TreeReach, "bugs"> & { readonly fields: readonly string[] };

/**
 * Reads the bugs around the given ones, in one request a level unless some are hidden.
 * @throws BtError of kind usage if there are more than a thousand
 */
export async function readBugGraph(first: Bug[], limits: GraphLimits, send: SendRequest): Promise<BugGraph> {
  const graph = new Map<number, Bug | undefined>(first.map((bug) => [bug.id, bug]));
  const followed = new Set<string>();
  let level = first.flatMap((bug) => DEPENDENCY_FIELDS.flatMap((relation) => stepsFrom(bug, relation)));
  for (let depth = 1; depth <= limits.depth && level.length > 0; depth += 1) {
    const named = [...new Set(level.map(({ id }) => id))].filter((id) => !graph.has(id));
    if (graph.size + named.length > MAX_BUGS)
      throw usageError(`more than ${MAX_BUGS} bugs depend on each other here`, "--depth 2, or --open, shows fewer");
    for (const outcome of await requestAll(named.map(String), bugPlan(limits.fields), send))
      graph.set(Number(outcome.ref), bugUnlessHidden(outcome));
    level = level.flatMap(({ id, relation }) => {
      const bug = graph.get(id);
      const step = `${relation} ${id}`;
      if (bug === undefined || followed.has(step) || !limits.isWanted(bug)) return [];
      followed.add(step);
      return stepsFrom(bug, relation);
    });
  }
  return graph;
}

function stepsFrom(bug: Bug, relation: DependencyField) {
  return idsBehind(bug, relation).map((id) => ({ id, relation }));
}

function idsBehind(bug: Bug, relation: DependencyField): readonly number[] {
  return bug[relation] ?? [];
}

/** The bug of an outcome; undefined if it was not found. */
function bugUnlessHidden(outcome: BatchOutcome<Bug>): Bug | undefined {
  if ("thing" in outcome) return outcome.thing;
  if (isKind(outcome.error, "missing", "auth")) return undefined;
  throw outcome.error;
}

const MAX_BUGS = 1000;
