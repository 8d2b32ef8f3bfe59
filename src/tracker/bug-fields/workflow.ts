import { Fault, faults } from "../http/fault.ts";

/** A bug status. */
export type Status = { name: string; is_open: boolean };

/** An allowed status transition; `from` is null for a new bug. */
export type WorkflowMove = { from: string | null; to: string; comment_required: boolean };

/** All statuses in their order, and the transitions between them. */
export type Workflow = { statuses: Status[]; moves: WorkflowMove[] };

/** Status of unconfirmed bugs, for products with `has_unconfirmed`. */
export const UNCONFIRMED = "UNCONFIRMED";

/**
 * The status with this name in any letter case.
 * @throws Fault param_required if the name is empty, object_does_not_exist if it is unknown
 */
export function findStatus({ statuses }: Workflow, text: string): Status {
  const name = text.trim();
  if (name === "") throw new Fault("param_required", "You must select/enter a status.");
  const status = statuses.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
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

/** Default status of a new bug: the first confirmed one if the requester may confirm bugs, otherwise UNCONFIRMED if allowed. */
export function startingStatus(allowed: Status[], mayConfirm: boolean): Status | undefined {
  const unconfirmed = allowed.find(({ name }) => name === UNCONFIRMED);
  const confirmed = allowed.find(({ name }) => name !== UNCONFIRMED);
  return mayConfirm ? (confirmed ?? unconfirmed) : (unconfirmed ?? confirmed);
}

/** Fault 123: transition forbidden by the workflow or by the requester's rights. */
export function illegalStatusMoveFault(from: string | null, to: string): Fault {
  return new Fault(
    "illegal_bug_status_transition",
    from === null
      ? `You are not allowed to file new bugs with the ${to} status.`
      : `You are not allowed to change the bug status from ${from} to ${to}.`,
  );
}

/** Fault 32000: comment missing; `change` names the field that requires it. */
export function commentRequiredFault(change?: { label: string; from: string; to: string }): Fault {
  return new Fault(
    "other",
    change
      ? `You have to specify a comment when changing the ${change.label} of a bug from ${change.from || "(empty)"} to ${change.to || "(empty)"}.`
      : "You have to specify a comment on this change.",
  );
}

/** Resolution of duplicates. */
export const DUPLICATE = "DUPLICATE";

/** Fault 121: closed status without a resolution. */
export function resolutionRequiredFault(status: string): Fault {
  return new Fault("missing_resolution", `A valid resolution is required to mark bugs as ${status}.`);
}

/** Fault 122: open status with a resolution. */
export function resolutionOnOpenBugFault(): Fault {
  return new Fault("resolution_not_allowed", "You cannot set a resolution for open bugs.");
}

/** Fault 119: DUPLICATE without `dupe_of`. */
export function duplicateIdRequiredFault(): Fault {
  return new Fault("dupe_id_required", "You must specify a bug id to mark this bug as a duplicate of.");
}

/** Fault 32000: FIXED with `count` open dependencies. */
export function unresolvedDependenciesFault(bugId: number, count: number): Fault {
  return new Fault(
    "other",
    `Bug ${bugId} has ${count} unresolved ${count === 1 ? "dependency" : "dependencies"}. They must either be resolved or removed from the "Depends on" field before you can resolve this bug as FIXED.`,
  );
}

/** Fault 32000: IN_PROGRESS without a target milestone. */
export function milestoneRequiredFault(bugId: number): Fault {
  return new Fault(
    "other",
    `You must select a target milestone for bug ${bugId} if you are going to accept it. Part of accepting a bug is giving an estimate of when it will be fixed.`,
  );
}
