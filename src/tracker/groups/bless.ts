import type { Call } from "../call.ts";
import { isIn } from "../people/requester.ts";

/** The ids of the groups whose members the requester may change: all for those who edit users. */
export function blessableGroups({ store, requester }: Call): ReadonlySet<number> {
  const rows = isIn(requester, "editusers")
    ? store.all<{ readonly id: number }>("SELECT id FROM groups")
    : store.all<{ readonly id: number }>(BLESSED, [requester.user?.id ?? 0]);
  return new Set(rows.map(({ id }) => id));
}

const BLESSED = `
  SELECT group_id AS id FROM group_members WHERE user_id = ? AND kind = 'bless'
  UNION
  SELECT grantor_id FROM group_inclusions
  WHERE kind = 'bless' AND member_id IN (SELECT group_id FROM viewer_groups)`;
