import { aliased, findBug } from "../bugs/find.ts";
import type { Call } from "../call.ts";
import { refuseLoops, type Steps } from "../rules/dependencies.ts";
import { edited, type ListEdit, without } from "../rules/edit.ts";
import { type Step, withBug } from "./draft.ts";
import { readEdit } from "./edits.ts";

/** What a bug waits for and what waits for it; bugs that come and go must be ones that the requester may see. */
export const dependencies: Step = ({ call, input }, draft) => {
  const form = { takesSet: true, takesText: false };
  const dependsOn = readEdit(input, "depends_on", form);
  const blocks = readEdit(input, "blocks", form);
  if (!dependsOn && !blocks) return draft;
  const { after } = draft;
  const ties = {
    depends_on: dependsOn ? tied(call, after.depends_on, dependsOn) : after.depends_on,
    blocks: blocks ? tied(call, after.blocks, blocks) : after.blocks,
  };
  refuseLoops({ bugId: after.id, dependsOn: ties.depends_on, blocks: ties.blocks, ...stepsOf(call) });
  return withBug(draft, ties);
};

function itself(id: number): number {
  return id;
}

function tied(call: Call, list: readonly number[], edit: ListEdit<string>): readonly number[] {
  const ids = (texts: readonly string[]) => texts.map((text) => bugNamed(call, text, list));
  const after = edited(
    list,
    {
      add: ids(edit.add),
      remove: edit.remove.map((text) => knownId(call, text)),
      ...(edit.set ? { set: ids(edit.set) } : {}),
    },
    itself,
  );
  for (const id of without(list, after, itself)) {
    findBug(call, String(id));
  }
  return after;
}

// A bug that is tied already need not be visible to stay so.
function bugNamed(call: Call, text: string, tiedNow: readonly number[]): number {
  return tiedNow.includes(Number(text)) ? Number(text) : findBug(call, text);
}

// What is to go may be anything: what is not there stays away.
function knownId({ store }: Call, text: string): number {
  return /^\d+$/.test(text) ? Number(text) : (aliased(store, text) ?? 0);
}

/** How dependencies lead on from bug to bug, as they are stored. */
export function stepsOf({ store }: Call): { readonly dependsOnOf: Steps; readonly blocksOf: Steps } {
  const read =
    (sql: string): Steps =>
    (id) =>
      store.all<{ readonly id: number }>(sql, [id]).map((row) => row.id);
  return {
    dependsOnOf: read("SELECT depends_on_id AS id FROM bug_dependencies WHERE bug_id = ? ORDER BY depends_on_id"),
    blocksOf: read("SELECT bug_id AS id FROM bug_dependencies WHERE depends_on_id = ? ORDER BY bug_id"),
  };
}
