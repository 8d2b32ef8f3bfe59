import type { Call } from "../call.ts";
import { isOn } from "../parameters.ts";
import { partsOf } from "../products/parts.ts";
import type { Bug } from "../rules/bug.ts";
import { milestoneRequired, openDependencies } from "../rules/resolution.ts";

/** Refuses to start work on a bug without a milestone, where the tracker demands one and there are several. */
export function refuseWithoutMilestone(call: Call, bug: Bug, to: string): void {
  const { usetargetmilestone, musthavemilestoneonaccept } = call.parameters;
  const isDemanded = isOn(usetargetmilestone) && isOn(musthavemilestoneonaccept) && to === "IN_PROGRESS";
  const hasNone = bug.target_milestone === bug.product.default_milestone;
  if (isDemanded && hasNone && partsOf(call.store, bug.product.id, "milestone").length > 1) {
    throw milestoneRequired(bug.id);
  }
}

/** Refuses to call a bug fixed that waits for open ones, where the tracker forbids that. */
export function refuseOpenDependencies(call: Call, bug: Pick<Bug, "id" | "depends_on">, resolution: string): void {
  if (!isOn(call.parameters.noresolveonopenblockers) || resolution !== "FIXED") return;
  const open = Number(call.store.get(OPEN, [JSON.stringify(bug.depends_on)])?.["count"]);
  if (open > 0) throw openDependencies(bug.id, open);
}

const OPEN = `
  SELECT count(*) AS count FROM bugs
  JOIN field_values ON field_values.name = bugs.status AND is_open
  WHERE field_id = (SELECT id FROM fields WHERE name = 'bug_status')
    AND bugs.id IN (SELECT value FROM json_each(?))`;
