import { Fault, faults } from "../http/fault.ts";

/** A status that bugs may have. */
export type Status = { readonly name: string; readonly is_open: boolean };

/** A permitted move; `from` is null for a new bug. */
export type WorkflowMove = { readonly from: string | null; readonly to: string; readonly comment_required: boolean };

/** The statuses in their order, and the moves between them. */
export type Workflow = { readonly statuses: readonly Status[]; readonly moves: readonly WorkflowMove[] };

/** The status that stands for "not confirmed yet"; products may do without it. */
export const UNCONFIRMED = "UNCONFIRMED";

/** A status by its name in any letter case. */
export function findStatus({ statuses }: Workflow, text: string): Status {
  const name = text.trim();
  if (name === "") throw new Fault(400, 50, "You must select/enter a status.");
  const status = statuses.find((known) => known.name.toLowerCase() === name.toLowerCase());
  if (!status) throw faults.noSuchObject("status", name);
  return status;
}

/** Where a bug in some status (null: a new one) may go, in the order of the statuses; staying is not among them. */
export function nextStatuses(
  { statuses, moves }: Workflow,
  from: string | null,
  product: { readonly has_unconfirmed: boolean },
): readonly Status[] {
  const names = new Set(moves.filter((move) => move.from === from).map((move) => move.to));
  return statuses.filter(({ name }) => names.has(name) && (name !== UNCONFIRMED || product.has_unconfirmed));
}

/** Whether a move needs a comment. */
export function moveNeedsComment({ moves }: Workflow, from: string | null, to: string): boolean {
  return moves.some((move) => move.from === from && move.to === to && move.comment_required);
}

/** The status of a new bug when nobody chooses: the first that is confirmed, or for those who may not confirm the first of all. */
export function startingStatus(legal: readonly Status[], mayConfirm: boolean): Status | undefined {
  const unconfirmed = legal.find(({ name }) => name === UNCONFIRMED);
  const confirmed = legal.find(({ name }) => name !== UNCONFIRMED);
  return mayConfirm ? (confirmed ?? unconfirmed) : (unconfirmed ?? confirmed);
}

/** The refusal of a move that the workflow or the requester's rights do not permit. */
export function illegalStatusMove(from: string | null, to: string): Fault {
  return new Fault(
    400,
    123,
    from === null
      ? `You are not allowed to file new bugs with the ${to} status.`
      : `You are not allowed to change the bug status from ${from} to ${to}.`,
  );
}

/** The refusal of a change that must be explained. */
export function commentRequired(what?: { readonly label: string; readonly from: string; readonly to: string }): Fault {
  return new Fault(
    400,
    32000,
    what
      ? `You have to specify a comment when changing the ${what.label} of a bug from ${what.from || "(empty)"} to ${what.to || "(empty)"}.`
      : "You have to specify a comment on this change.",
  );
}

/** The resolution that points to another bug. */
export const DUPLICATE = "DUPLICATE";

/** The refusal to close a bug, or keep it closed, without saying why. */
export function resolutionRequired(status: string): Fault {
  return new Fault(400, 121, `A valid resolution is required to mark bugs as ${status}.`);
}

/** The refusal of a reason for something that has not happened. */
export function resolutionOnOpenBug(): Fault {
  return new Fault(400, 122, "You cannot set a resolution for open bugs.");
}

/** The refusal of DUPLICATE without the bug that it is a duplicate of. */
export function duplicateIdRequired(): Fault {
  return new Fault(400, 119, "You must specify a bug id to mark this bug as a duplicate of.");
}

/** The refusal to call a bug fixed that waits for others. */
export function unresolvedDependencies(bugId: number, count: number): Fault {
  return new Fault(
    400,
    32000,
    `Bug ${bugId} has ${count} unresolved ${count === 1 ? "dependency" : "dependencies"}. They must either be resolved or removed from the "Depends on" field before you can resolve this bug as FIXED.`,
  );
}

/** The refusal to accept a bug without saying when it will be done. */
export function milestoneRequired(bugId: number): Fault {
  return new Fault(
    400,
    32000,
    `You must select a target milestone for bug ${bugId} if you are going to accept it. Part of accepting a bug is giving an estimate of when it will be fixed.`,
  );
}
