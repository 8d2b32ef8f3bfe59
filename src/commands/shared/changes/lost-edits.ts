import { foundThings, requestAll } from "../../../api/batch.ts";
import { bugPlan } from "../../../api/bugs/bug-numbers.ts";
import { historyPlan } from "../../../api/bugs/bug-parts.ts";
import { momentBefore } from "../../../api/bugs/change-reach.ts";
import { findField } from "../../../api/catalog/catalog.ts";
import { legalNames } from "../../../api/catalog/legal-values.ts";
import { type AppliedEdit, editedFields, type LostEdits, lostEdits } from "../../../api/write/lost-edits.ts";
import { BtError } from "../../../errors.ts";
import { plain } from "../../../view/text.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { DAY_MS, SECOND_MS, timestamp } from "../../../wire/time.ts";
import type { Context } from "../../verb.ts";

/** Edits that were applied, by bug. */
export type AppliedEdits = ReadonlyMap<number, AppliedEdit[]>;

/**
 * Reads back the fields and histories of edited bugs: what they lack of these edits and of those that overlapped with them, by
 * bug. Trackers that check update tokens lose none. Undefined if that cannot be read, which is noted.
 */
export async function readLostEdits(
  applied: AppliedEdits,
  context: Context,
): Promise<ReadonlyMap<number, LostEdits> | undefined> {
  try {
    return await lostByBug(applied, context);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    await context.io.err(`could not check whether edits at the same time were lost: ${plain(error.message)}\n`);
    return undefined;
  }
}

async function lostByBug(applied: AppliedEdits, { session, io }: Context): Promise<ReadonlyMap<number, LostEdits>> {
  const lost = new Map<number, LostEdits>();
  const fields = editedFields([...applied.values()].flat());
  const { serverFacts } = session.access ?? {};
  if (fields.length === 0 || serverFacts?.hasIdempotencyKeys()) return lost;
  const now = io.now().getTime();
  const since = timestamp(Math.min(serverFacts?.time() ?? now, now) - DAY_MS); // both clocks may be off by hours
  const ids = [...applied.keys()].map(String);
  // the bugs first: what changes from here on is in the histories, and edited once more
  const bugs = foundThings(await requestAll(ids, bugPlan(fields), session.send));
  const histories = foundThings(await requestAll(ids, historyPlan(since), session.send));
  const catalog = await session.metadata.catalog();
  const legal = (name: string) => {
    const field = findField(catalog, name);
    return field && legalNames(field);
  };
  for (const bug of bugs) {
    const own = applied.get(bug.id) ?? [];
    const readAt = own[0]?.bug["last_change_time"];
    const begin = typeof readAt === "string" ? momentBefore(readAt, WAIT_MS) : "";
    const entries = histories.find(({ id }) => id === bug.id)?.history ?? [];
    const history = entries.filter(({ when }) => when >= begin).flatMap(({ changes }) => changes);
    const edits = lostEdits({ applied: own, history, now: bug as JsonObject }, legal);
    if (Object.keys(edits).length > 0) lost.set(bug.id, edits);
  }
  return lost;
}

/** An update has the time at which it began, and may have waited for others since. */
const WAIT_MS = 10 * SECOND_MS;

/** Lines about edits that bugs lack. */
export function lostEditLines(lost: ReadonlyMap<number, LostEdits>): string[] {
  return [...lost].flatMap(([id, edits]) =>
    Object.entries(edits).map(([name, { add, remove }]) => {
      const parts = [...add.map((item) => `${item} is missing`), ...remove.map((item) => `${item} is there again`)];
      return `bug ${id}: ${name}: ${parts.join(", ")}`;
    }),
  );
}
