import { faults } from "../fault.ts";
import type { Store } from "../store/store.ts";
import { yesNo } from "./lookup.ts";

/** A status that may be moved to; as a text alone the move needs no comment. */
export type MoveSetup = string | { readonly to: string; readonly comment_required?: boolean };

/** The moves from each status that is named, all of them; those of new bugs stand under `new`. */
export type WorkflowSetup = Readonly<Record<string, readonly MoveSetup[]>>;

/** Where new bugs stand among the statuses of a workflow. */
export const NEW = "new";

/** Brings the moves from the statuses that are named to what is said; those from others stay. */
export function applyWorkflow(store: Store, workflow: WorkflowSetup): void {
  for (const [name, moves] of Object.entries(workflow)) {
    const from = name === NEW ? null : statusNamed(store, name);
    store.run("DELETE FROM status_moves WHERE from_status IS ?", [from]);
    for (const move of moves) {
      const { to, comment_required } = typeof move === "string" ? { to: move } : move;
      store.run(MOVE, { from, to: statusNamed(store, to), comment_required: yesNo(comment_required ?? false) });
    }
  }
}

const MOVE = `INSERT INTO status_moves (from_status, to_status, comment_required)
  VALUES (@from, @to, @comment_required)`;

const STATUS = `SELECT field_values.name FROM field_values JOIN fields ON fields.id = field_id
  WHERE fields.name = 'bug_status' AND field_values.name = ?`;

function statusNamed(store: Store, name: string): string {
  const status = store.get<{ readonly name: string }>(STATUS, [name]);
  if (!status) throw faults.noSuchObject("status", name);
  return status.name;
}
