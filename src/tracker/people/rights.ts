import type { Call } from "../call.ts";
import { faults } from "../fault.ts";
import { isIn } from "./requester.ts";

/** Lets only members of a group go on; the others are told what they may not do. */
export function needGroup({ requester }: Call, group: string, what: string): void {
  if (!requester.user) throw faults.loginRequired();
  if (!isIn(requester, group)) throw faults.notInGroup(group, what);
}
