import type { Call } from "../http/call.ts";
import { Fault } from "../http/fault.ts";
import { type UpdateStep, withBug } from "./draft.ts";
import { findBugId, visibleAliasOwner } from "./find.ts";
import { applyListEdit, differenceBy, type ListEdit, readListEdit } from "./list-edit.ts";

/** What a bug waits for and what waits for it; bugs that come and go must be ones that the requester may see. */
export const updateDependencies: UpdateStep = ({ call, input }, draft) => {
  const form = { takesSet: true, takesText: false };
  const dependsOn = readListEdit(input, "depends_on", form);
  const blocks = readListEdit(input, "blocks", form);
  if (!dependsOn && !blocks) return draft;
  const { after } = draft;
  const ties = {
    depends_on: dependsOn ? editedDependencies(call, after.depends_on, dependsOn) : after.depends_on,
    blocks: blocks ? editedDependencies(call, after.blocks, blocks) : after.blocks,
  };
  refuseDependencyLoop({
    bugId: after.id,
    dependsOn: ties.depends_on,
    blocks: ties.blocks,
    ...dependencyReaders(call),
  });
  return withBug(draft, ties);
};

function itself(id: number): number {
  return id;
}

function editedDependencies(call: Call, list: readonly number[], edit: ListEdit<string>): readonly number[] {
  const ids = (texts: readonly string[]) => texts.map((text) => bugNamed(call, text, list));
  const after = applyListEdit(
    list,
    {
      add: ids(edit.add),
      remove: edit.remove.map((text) => knownId(call, text)),
      ...(edit.set ? { set: ids(edit.set) } : {}),
    },
    itself,
  );
  for (const id of differenceBy(list, after, itself)) {
    findBugId(call, String(id));
  }
  return after;
}

// A bug that is tied already need not be visible to stay so.
function bugNamed(call: Call, text: string, tiedNow: readonly number[]): number {
  return tiedNow.includes(Number(text)) ? Number(text) : findBugId(call, text);
}

// What is to go may be anything: what is not there stays away.
function knownId({ store }: Call, text: string): number {
  return /^\d+$/.test(text) ? Number(text) : (visibleAliasOwner(store, text) ?? 0);
}

/** How dependencies lead on from bug to bug, as they are stored. */
export function dependencyReaders({ store }: Call): {
  readonly dependsOnOf: DependencyReader;
  readonly blocksOf: DependencyReader;
} {
  const read =
    (sql: string): DependencyReader =>
    (id) =>
      store.all<{ readonly id: number }>(sql, [id]).map((row) => row.id);
  return {
    dependsOnOf: read("SELECT depends_on_id AS id FROM bug_dependencies WHERE bug_id = ? ORDER BY depends_on_id"),
    blocksOf: read("SELECT bug_id AS id FROM bug_dependencies WHERE depends_on_id = ? ORDER BY bug_id"),
  };
}

/** Reads one step of a dependency tree: what a bug waits for, or what waits for it. */
export type DependencyReader = (bugId: number) => readonly number[];

/** What a bug waits for and what waits for it, and how the tree goes on from there. */
export type BugDependencies = {
  readonly bugId: number; // 0 for a new bug
  readonly dependsOn: readonly number[];
  readonly blocks: readonly number[];
  readonly dependsOnOf: DependencyReader;
  readonly blocksOf: DependencyReader;
};

/** Refuses dependencies that would make a bug wait for itself, directly or around a loop. */
export function refuseDependencyLoop({ bugId, dependsOn, blocks, dependsOnOf, blocksOf }: BugDependencies): void {
  if ([...dependsOn, ...blocks].includes(bugId)) {
    throw new Fault(400, 116, "You can't make a bug block itself or depend on itself.");
  }
  const below = reachable(dependsOn, dependsOnOf, bugId);
  const both = [...reachable(blocks, blocksOf, bugId)].filter((id) => below.has(id));
  if (both.length > 0) {
    throw new Fault(
      400,
      116,
      `The following bug(s) would appear on both the "depends on" and "blocks" parts of the dependency tree if these changes are committed: ${both.join(" ")}. This would create a circular dependency, which is not allowed.`,
    );
  }
}

// What the bug itself is tied to now does not count: the new ties replace it.
function reachable(start: readonly number[], stepsOf: DependencyReader, bugId: number): ReadonlySet<number> {
  const reached = new Set(start);
  for (const id of reached) {
    for (const next of stepsOf(id)) {
      if (next !== bugId) reached.add(next);
    }
  }
  return reached;
}
