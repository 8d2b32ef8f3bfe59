import { bulkError } from "../../api/delivery/bulk.ts";
import { withFacts } from "../../errors.ts";
import { keepUpdate } from "../keep-offline.ts";
import type { Context, Input } from "../verb.ts";
import { confirmUpdate } from "./confirm-many.ts";
import { confirmExposure } from "./move-groups.ts";
import { runJobs } from "./run-jobs.ts";
import { type BulkChange, planUpdate } from "./update-many.ts";

/**
 * Keeps an update of many bugs, after the prompt that they require. Bugs that cannot be updated are reported, the others
 * are kept.
 * @throws BtError with the tally if any bug cannot be updated
 */
export async function keepMany(
  change: BulkChange,
  around: { readonly input: Input; readonly context: Context },
): Promise<void> {
  const { input, context } = around;
  const plan = await planUpdate(change, context);
  const parts = plan.able.filter(({ bugs }) => bugs.length > 0);
  if (parts.length === 0)
    return runJobs({ ...plan, ...change, able: [], jobs: [], precondition: undefined, done: 0 }, context);
  await confirmUpdate({ parts, refused: plan.refused.length }, input, context);
  await keepUpdate(parts, await confirmExposure(parts, input, context), around);
  const succeeded = parts.reduce((sum, { bugs }) => sum + bugs.length, plan.kept.length);
  const total = succeeded + plan.refused.length;
  const verdict = bulkError({ total, succeeded, failed: plan.refused, word: "kept" }, HINT);
  if (verdict) throw withFacts(verdict, { changed: "nothing" });
}

const HINT = "bt job send --all sends the others";
