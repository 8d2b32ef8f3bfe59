import type { Bug } from "../bug.ts";
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
  const { after } = draft;
  if (isNew(draft) && !productRights(call, after.product.id).mayEdit) return draft;
  const read = (name: "depends_on" | "blocks") => {
    const edit = readListEdit(input, name, { takesSet: true, takesText: false });
    return edit ? editDependencies(call, after[name], edit) : after[name];
  };
  const next = withBug(draft, { depends_on: read("depends_on"), blocks: read("blocks") });
  if (next !== draft) refuseDependencyLoop(call, next.after);
  return next;
};

function editDependencies(call: Call, list: readonly number[], { add, remove, set }: ListEdit<string>): number[] {
  // an existing dependency may stay even if its bug is not visible
  const idOf = (text: string) => (list.includes(Number(text)) ? Number(text) : findBugId(call, text));
  const ids = { add: add.map(idOf), remove: remove.map((text) => removedId(call, text)) };
  const after = applyListEdit(list, set ? { ...ids, set: set.map(idOf) } : ids, itself);
  for (const id of differenceBy(list, after, itself)) findBugId(call, String(id));
  return after;
}

function itself(id: number): number {
  return id;
}

// Removing an unknown bug is no error.
function removedId({ store }: Call, text: string): number {
  return /^\d+$/.test(text) ? Number(text) : (visibleAliasOwner(store, text) ?? 0);
}

/**
 * Checks that the dependencies of a bug form no cycle, restricted bugs included.
 * @throws Fault dependency_loop_single
 * @see Bugzilla/Bug.pm, ValidateDependencies
 */
function refuseDependencyLoop({ store }: Call, { id: bug, depends_on, blocks }: Bug): void {
  if ([...depends_on, ...blocks].includes(bug))
    throw new Fault("dependency_loop_single", "You can't make a bug block itself or depend on itself.");
  const lists = { bug, dependsOn: JSON.stringify(depends_on), blocks: JSON.stringify(blocks) };
  const inBoth = store.all<{ id: number }>(IN_BOTH, lists).map(({ id }) => id);
  if (inBoth.length > 0)
    throw new Fault(
      "dependency_loop_single",
      `The following bug(s) would appear on both the "depends on" and "blocks" parts of the dependency tree if these changes are committed: ${inBoth.join(" ")}. This would create a circular dependency, which is not allowed.`,
    );
}

// The stored dependencies of the bug itself are left out: the new ones replace them.
const IN_BOTH = `
  WITH RECURSIVE blockers (id) AS (
    SELECT value FROM json_each(@dependsOn)
    UNION SELECT depends_on_id FROM bug_dependencies JOIN blockers ON bug_id = blockers.id WHERE depends_on_id <> @bug),
  blocked (id) AS (
    SELECT value FROM json_each(@blocks)
    UNION SELECT bug_id FROM bug_dependencies JOIN blocked ON depends_on_id = blocked.id WHERE bug_id <> @bug)
  SELECT id FROM blocked WHERE id IN (SELECT id FROM blockers)`;
