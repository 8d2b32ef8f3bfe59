import type { Call } from "../call.ts";
import type { FlagType } from "./types.ts";

/** Whether the requester may ask for flags of this type; who may grant them may ask too. */
export function mayRequest(call: Call, type: FlagType): boolean {
  return isInGroup(call, type.request_group_id) || (type.grant_group_id !== null && mayGrant(call, type));
}

/** Whether the requester may grant or deny flags of this type. */
export function mayGrant(call: Call, type: FlagType): boolean {
  return isInGroup(call, type.grant_group_id);
}

function isInGroup({ store }: Call, group: number | null): boolean {
  return group === null || store.get("SELECT group_id FROM viewer_groups WHERE group_id = ?", [group]) !== undefined;
}
