import type { Need, NeedKind } from "./census.ts";
import type { Target } from "./target.ts";

/**
 * A line of a plan:
 * - `move`: what moves
 * - `create`: created by `bt migrate run`
 * - `missing`: an administrator must create or allow it first, or a map names another value
 * - `check`: an administrator may have to allow it; without that, its bugs are not moved
 * - `text`: kept in a line of the text only
 * - `lose`: not in the target
 * - `mail`: estimate of the mails that the target sends
 */
export type PlanRow = {
  readonly action: "move" | "create" | "missing" | "check" | "text" | "lose" | "mail";
  readonly what: string;
  readonly name: string;
  readonly count: number; // bugs that need it; for `move`, `text`, `lose` and `mail` the number itself
  readonly note: string;
};

const LABELS: Readonly<Partial<Record<NeedKind, string>>> = {
  target_milestone: "milestone",
  field: "custom field",
};

/** A line about a name that bugs need. */
export function rowIn(need: Need, action: PlanRow["action"], note: string): PlanRow {
  const what = need.kind === "value" ? need.of : (LABELS[need.kind] ?? need.kind);
  const isOwned = need.of !== "" && need.kind !== "value" && need.kind !== "group";
  return { action, what, name: isOwned ? `${need.of}/${need.name}` : need.name, count: need.bugs, note };
}

/** Action for a name that members of a group of the target may create. */
export function mayCreate({ rights }: Target, group: string): "create" | "missing" {
  return rights === undefined || rights.has(group) ? "create" : "missing";
}
