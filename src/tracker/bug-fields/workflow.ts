import { Fault, faults } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { findByName, legalValues } from "./choices.ts";

/** A bug status. */
export type Status = { readonly name: string; readonly is_open: boolean };

/** An allowed status transition; `from` is null for a new bug. */
type WorkflowMove = { readonly from: string | null; readonly to: string; readonly comment_required: boolean };

/** All statuses in their order, and the transitions between them. */
export type Workflow = { readonly statuses: readonly Status[]; readonly moves: readonly WorkflowMove[] };

/** Status of unconfirmed bugs, for products with `has_unconfirmed`. */
export const UNCONFIRMED = "UNCONFIRMED";

/** Resolution of duplicates. */
export const DUPLICATE = "DUPLICATE";

/** The workflow of a tracker. */
export function readWorkflow(store: Store): Workflow {
  const moves = store.all<MoveRow>("SELECT from_status, to_status, comment_required FROM status_moves ORDER BY rowid");
  return {
    statuses: legalValues(store, "bug_status"),
    moves: moves.map(({ from_status: from, to_status: to, comment_required }) => ({
      ...{ from, to },
      comment_required: comment_required === 1,
    })),
  };
}

type MoveRow = { from_status: string | null; to_status: string; comment_required: number };

/**
 * The status with this name in any letter case.
 * @throws Fault param_required if the name is empty, object_does_not_exist if it is unknown
 */
export function findStatus({ statuses }: Workflow, text: string): Status {
  const name = text.trim();
  if (name === "") throw new Fault("param_required", "You must select/enter a status.");
  const status = findByName(statuses, name);
  if (!status) throw faults.noSuchObject("status", name);
  return status;
}

/** True for the name of an open status. */
export function isOpenStatus({ statuses }: Workflow, status: string): boolean {
  return statuses.some(({ name, is_open }) => name === status && is_open);
}

/** Statuses that a bug may change to from `from` (null: a new bug), in order, without the present one. */
export function nextStatuses(
  { statuses, moves }: Workflow,
  from: string | null,
  product: { has_unconfirmed: boolean },
): Status[] {
  const names = new Set(moves.filter((move) => move.from === from).map((move) => move.to));
  return statuses.filter(({ name }) => names.has(name) && (name !== UNCONFIRMED || product.has_unconfirmed));
}

/** True if a transition requires a comment. */
export function moveNeedsComment({ moves }: Workflow, from: string | null, to: string): boolean {
  return moves.some((move) => move.from === from && move.to === to && move.comment_required);
}
