import { bugsOf, type Job, progressOf, uncertain } from "../../api/delivery/job.ts";
import { type Result, resultsOf, troubleOf } from "../../api/delivery/many.ts";
import { bodyOf } from "../../api/delivery/write.ts";
import { type RunningJob, writeOf } from "../../api/delivery/writing.ts";
import { BtError } from "../../errors.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Context } from "../context.ts";
import { bugsLeft } from "./update.ts";
import { planOf, type Ready, runJob } from "./update-many.ts";

/** Goes on with a change of many bugs: what was under way is found out first, what is done is left alone. */
export async function resumeMany(job: RunningJob, kept: Job, context: Context): Promise<void> {
  const first = await takenUp(job, kept);
  const { ids: _, ...body } = bodyOf(kept.head.request);
  const { done } = progressOf(kept);
  const settled = new Set([...done.map(String), ...first.map(({ bug }) => bug)]);
  const rest = bugsOf(kept.head)
    .map(String)
    .filter((id) => !settled.has(id));
  const { untried, ...plan } = await planFor(rest, body, context).catch((error) =>
    unread(error, { rest, first, body }),
  );
  await runJob({ ...plan, job, care: careOf(kept), first: [...first, ...untried], done: done.length }, context);
}

type Plan = Ready & { readonly untried: readonly Result[] };

async function planFor(rest: readonly string[], body: JsonObject, context: Context): Promise<Plan> {
  return { ...(await planOf({ ...(await bugsLeft(rest, context)), body }, context)), untried: [] };
}

/** Where the rest cannot even be read, what became of the requests that were under way is told all the same. */
function unread(
  error: unknown,
  { rest, first, body }: { rest: readonly string[]; first: readonly Result[]; body: JsonObject },
): Plan {
  if (!(error instanceof BtError) || first.length === 0) throw error;
  return { able: [], refused: [], body, untried: rest.map((bug) => ({ bug, st: "not tried", error })) };
}

/** What became of the requests that were under way; bugs whose request was refused are left to be tried again. */
async function takenUp(job: RunningJob, kept: Job): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const attempt of uncertain(kept)) {
    const outcome = await job.takeUp(attempt, writeOf(kept, attempt), "leave");
    const ids = attempt.sent.ids ?? bugsOf(kept.head);
    if (outcome.st === "DONE") results.push(...resultsOf(outcome.answer, bodyOf(kept.head.request)));
    else if (outcome.st !== "FAILED") results.push(...troubleOf(ids, outcome));
  }
  return results;
}

/** A job that was to leave alone what others change still does; what it has written itself is no longer asked for. */
function careOf({ head }: Job) {
  if (!head.seen) return undefined;
  return { seen: new Map(Object.entries(head.seen).map(([id, time]) => [Number(id), time])), latest: undefined };
}
