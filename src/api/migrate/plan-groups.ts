import type { Need } from "./census.ts";
import { mayCreate, type PlanRow, rowIn } from "./plan-row.ts";
import type { Target } from "./target.ts";

/** Lines about a group that is created in the data of a tracker. */
export function createdGroupRows(need: Need, members: number): readonly PlanRow[] {
  if (members > 0) return [rowIn(need, "create", `with ${members === 1 ? "1 member" : `${members} members`}`)];
  const note = "no members are visible to your login; administrators become members";
  return [rowIn(need, "create", ""), { ...rowIn(need, "lose", note), what: "group members" }];
}

/** Lines about a group in a target that is written by requests: it has to exist, and its bugs to be accepted. */
export function groupRows(need: Need, target: Target): readonly PlanRow[] {
  const name = need.name.toLowerCase();
  if (!target.groups.has(name)) return [missingRow(need, mayCreate(target, "creategroups"))];
  const { rights } = target;
  const isMember = rights === undefined || [...rights].some((group) => group.toLowerCase() === name);
  return isMember ? [] : [rowIn(need, "check", OUTSIDE_NOTE)];
}

function missingRow(need: Need, action: PlanRow["action"]): PlanRow {
  const why = action === "missing" ? "it does not exist, or your login is not a member; " : "";
  return rowIn(need, action, `${why}${DISABLED_NOTE}`);
}

const DISABLED_NOTE = "an administrator must enable it for the product; until then its bugs are not moved";

const OUTSIDE_NOTE = "your login is not a member; unless its product accepts it from others, its bugs are not moved";
