import { foundThings, requestAll } from "../../../api/batch.ts";
import { historyPlan } from "../../../api/bugs/bug-parts.ts";
import { isSameLogin } from "../../../api/people.ts";
import { changedNames } from "../../../api/write/write-state.ts";
import { BtError } from "../../../errors.ts";
import type { FieldChange } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";

/** A change of a field in the history of a bug. */
export type LaterChange = FieldChange & { who: string; when: string; isOwn: boolean };

/**
 * The changes of bugs after the times at which they were known (ISO 8601, UTC), by bug, oldest first; of some bugs none, if
 * their histories cannot be read.
 */
export async function readLaterChanges(
  known: ReadonlyMap<number, string>,
  { session }: Context,
): Promise<ReadonlyMap<number, LaterChange[]>> {
  const later = new Map<number, LaterChange[]>();
  const [first] = [...known.values()].sort();
  if (first === undefined) return later;
  const me = await session.login().catch(() => undefined);
  try {
    const outcomes = await requestAll([...known.keys()].map(String), historyPlan(first), session.send);
    for (const { id, history } of foundThings(outcomes)) {
      const entries = history.filter(({ when }) => when > (known.get(id) ?? ""));
      const changesOf = ({ who, when, changes }: (typeof entries)[number]) =>
        changes.map((change) => ({ ...change, who, when, isOwn: me !== undefined && isSameLogin(who, me) }));
      later.set(id, entries.flatMap(changesOf));
    }
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
  }
  return later;
}

/** The last of the changes of a field. */
export function lastChangeOf(field: string, changes: LaterChange[] = []): LaterChange | undefined {
  return changes.findLast(({ field_name }) => changedNames(field).includes(field_name));
}

/** By whom and when a change was made; empty if that is unknown. */
export function byWhom(change: LaterChange | undefined): string {
  return change === undefined ? "" : `, by ${change.isOwn ? "you" : change.who} at ${change.when}`;
}
