import { Fault } from "../fault.ts";

/** Reads one step of a dependency tree: what a bug waits for, or what waits for it. */
export type Steps = (bugId: number) => readonly number[];

/** What a bug waits for and what waits for it, and how the tree goes on from there. */
export type Ties = {
  readonly bugId: number; // 0 for a new bug
  readonly dependsOn: readonly number[];
  readonly blocks: readonly number[];
  readonly dependsOnOf: Steps;
  readonly blocksOf: Steps;
};

/** Refuses dependencies that would make a bug wait for itself, directly or around a loop. */
export function refuseLoops({ bugId, dependsOn, blocks, dependsOnOf, blocksOf }: Ties): void {
  if ([...dependsOn, ...blocks].includes(bugId)) {
    throw new Fault(400, 116, "You can't make a bug block itself or depend on itself.");
  }
  const below = reach(dependsOn, dependsOnOf, bugId);
  const both = [...reach(blocks, blocksOf, bugId)].filter((id) => below.has(id));
  if (both.length > 0) {
    throw new Fault(
      400,
      116,
      `The following bug(s) would appear on both the "depends on" and "blocks" parts of the dependency tree if these changes are committed: ${both.join(" ")}. This would create a circular dependency, which is not allowed.`,
    );
  }
}

// What the bug itself is tied to now does not count: the new ties replace it.
function reach(start: readonly number[], stepsOf: Steps, bugId: number): ReadonlySet<number> {
  const reached = new Set(start);
  for (const id of reached) {
    for (const next of stepsOf(id)) {
      if (next !== bugId) reached.add(next);
    }
  }
  return reached;
}
