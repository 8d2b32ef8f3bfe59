import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { isNew, type UpdateStep, withBug } from "./draft.ts";
import { findBugId, visibleAliasOwner } from "./find.ts";
import { applyListEdit, differenceBy, type ListEdit, readListEdit } from "./list-edit.ts";
import { productRights } from "./rights.ts";

/**
 * Update of `depends_on` and `blocks`. Added and removed bugs must be visible to the requester. Of a new bug, both are
 * ignored unless the requester may edit bugs.
 */
export const updateDependencies: UpdateStep = ({ call, input }, draft) => {
  if (isNew(draft) && !productRights(call, draft.after.product.id).mayEdit) return draft;
  const form = { takesSet: true, takesText: false };
  const dependsOn = readListEdit(input, "depends_on", form);
  const blocks = readListEdit(input, "blocks", form);
  if (!dependsOn && !blocks) return draft;
  const { after } = draft;
  const dependencies = {
    depends_on: dependsOn ? editDependencies(call, after.depends_on, dependsOn) : after.depends_on,
    blocks: blocks ? editDependencies(call, after.blocks, blocks) : after.blocks,
  };
  refuseDependencyLoop({
    bugId: after.id,
    dependsOn: dependencies.depends_on,
    blocks: dependencies.blocks,
    ...dependencyReaders(call),
  });
  return withBug(draft, dependencies);
};

function idKey(id: number): number {
  return id;
}

function editDependencies(call: Call, list: readonly number[], edit: ListEdit<string>): number[] {
  const ids = (texts: string[]) => texts.map((text) => dependencyId(call, text, list));
  const after = applyListEdit(
    list,
    {
      add: ids(edit.add),
      remove: edit.remove.map((text) => removedId(call, text)),
      ...(edit.set ? { set: ids(edit.set) } : {}),
    },
    idKey,
  );
  for (const id of differenceBy(list, after, idKey)) {
    findBugId(call, String(id));
  }
  return after;
}

// An existing dependency may stay even if its bug is not visible.
function dependencyId(call: Call, text: string, current: readonly number[]): number {
  return current.includes(Number(text)) ? Number(text) : findBugId(call, text);
}

// Removing an unknown bug is no error.
function removedId({ store }: Call, text: string): number {
  return /^\d+$/.test(text) ? Number(text) : (visibleAliasOwner(store, text) ?? 0);
}

/** Readers of the stored dependencies, restricted bugs included. */
function dependencyReaders({ store }: Call): {
  dependsOnOf: DependencyReader;
  blocksOf: DependencyReader;
} {
  const read =
    (sql: string): DependencyReader =>
    (id) =>
      store.all<{ id: number }>(sql, [id]).map((row) => row.id);
  return {
    dependsOnOf: read("SELECT depends_on_id AS id FROM bug_dependencies WHERE bug_id = ? ORDER BY depends_on_id"),
    blocksOf: read("SELECT bug_id AS id FROM bug_dependencies WHERE depends_on_id = ? ORDER BY bug_id"),
  };
}

/** Ids of the bugs one step away in one direction of the dependency graph. */
export type DependencyReader = (bugId: number) => readonly number[];

/** New dependencies of a bug, and readers of the stored ones of other bugs. */
export type BugDependencies = {
  readonly bugId: number; // 0 for a new bug
  readonly dependsOn: readonly number[];
  readonly blocks: readonly number[];
  readonly dependsOnOf: DependencyReader;
  readonly blocksOf: DependencyReader;
};

/**
 * Checks that dependencies form no cycle.
 * @throws Fault dependency_loop_single
 * @see Bugzilla/Bug.pm, ValidateDependencies
 */
export function refuseDependencyLoop({ bugId, dependsOn, blocks, dependsOnOf, blocksOf }: BugDependencies): void {
  if ([...dependsOn, ...blocks].includes(bugId)) {
    throw new Fault("dependency_loop_single", "You can't make a bug block itself or depend on itself.");
  }
  const blockers = reachableBugs(dependsOn, dependsOnOf, bugId);
  const inBoth = [...reachableBugs(blocks, blocksOf, bugId)].filter((id) => blockers.has(id));
  if (inBoth.length > 0) {
    throw new Fault(
      "dependency_loop_single",
      `The following bug(s) would appear on both the "depends on" and "blocks" parts of the dependency tree if these changes are committed: ${inBoth.join(" ")}. This would create a circular dependency, which is not allowed.`,
    );
  }
}

// Stored dependencies of the bug itself are skipped: the new ones replace them.
function reachableBugs(start: readonly number[], nextOf: DependencyReader, bugId: number): ReadonlySet<number> {
  const reached = new Set(start);
  for (const id of reached) {
    // a set also iterates over what is added meanwhile
    for (const next of nextOf(id)) {
      if (next !== bugId) reached.add(next);
    }
  }
  return reached;
}
