import { type ErrorKind, usage } from "../errors.ts";
import { type Bug, DEPENDENCY_FIELDS, type DependencyField } from "../wire/bug-fields.ts";
import { type BatchOutcome, requestEach } from "./batch.ts";
import { bugPlan } from "./bug-numbers.ts";
import type { SendRequest } from "./operations/operation.ts";

/** Bugs by id; an id without a bug is named by another bug, but is not visible. */
export type BugGraph = ReadonlyMap<number, Bug | undefined>;

/** Limits of a graph: levels from the first bugs, a test of the bugs that belong to it, and the fields that are read. */
export type GraphLimits = {
  readonly depth: number;
  readonly isWanted: (bug: Bug) => boolean;
  readonly fields: readonly string[];
};

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
      throw usage(`more than ${MAX_BUGS} bugs depend on each other here`, "--depth 2, or --open, shows fewer");
    for await (const batch of requestEach(named.map(String), bugPlan(limits.fields), send))
      for (const outcome of batch) graph.set(Number(outcome.ref), visibleBug(outcome));
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

/** The bug of an outcome; undefined if it is not visible. */
function visibleBug(outcome: BatchOutcome<Bug>): Bug | undefined {
  if ("thing" in outcome) return outcome.thing;
  if (HIDDEN.includes(outcome.error.kind)) return undefined;
  throw outcome.error;
}

const MAX_BUGS = 1000;

/** Kinds of errors of bugs that do not exist or are hidden. */
const HIDDEN: readonly ErrorKind[] = ["missing", "auth"];
