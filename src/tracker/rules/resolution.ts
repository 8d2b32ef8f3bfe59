import { Fault } from "../fault.ts";

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
export function openDependencies(bugId: number, count: number): Fault {
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
