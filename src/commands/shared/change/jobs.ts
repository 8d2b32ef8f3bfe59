import type { RunningJob } from "../../../api/delivery/running-job.ts";
import type { CommandJobs, JobPlan } from "../../../api/delivery/write.ts";
import { grouped } from "../../../api/lists.ts";
import { fieldsSentWhole, withWholeValues } from "../../../api/write/body.ts";
import { updateRequest } from "../../../api/write/update-request.ts";
import { stateBefore } from "../../../api/write/write-state.ts";
import { BtError } from "../../../errors.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import type { Context } from "../../verb.ts";
import { type Able, ableIn, bodyKey, type Plan } from "./plan.ts";

/** The journal of a change: a job for each distinct body, which are one command. */
export type Jobs = {
  readonly name: string | undefined; // of the command; undefined if nothing is to be sent
  readonly isBulk: boolean;
  readonly isGuarded: boolean; // a bug that was modified is not to be changed
  readonly jobOf: (body: JsonObject) => RunningJob;
  readonly markRefused: (item: Able, error: BtError) => void;
};

/** What became of a request. */
export type Outcome =
  | { readonly st: "applied"; readonly response: Json }
  | { readonly st: "refused" | "unknown"; readonly error: BtError };

/** Begins the jobs of a plan, all before the first request, and runs `use` while they are held. */
export async function withJobs<Result>(
  plan: Plan,
  context: Context,
  use: (jobs: Jobs) => Promise<Result>,
): Promise<Result> {
  const able = ableIn(plan);
  const command: CommandJobs = {};
  const running = new Map<string, RunningJob>();
  const jobs: Jobs = {
    get name() {
      return command.first; // an embedded tracker whose jobs cannot be stored takes it back
    },
    isBulk: able.length > 1,
    isGuarded: able.some(({ since }) => since !== undefined),
    jobOf: (body) => running.get(bodyKey(body)) ?? missingJob(),
    markRefused: ({ bug, body }, error) => jobs.jobOf(body).markRefused([{ bug: String(bug.id), st: "failed", error }]),
  };
  if (able.length === 0) return use(jobs);
  const writer = await context.session.writes.writer();
  const begin = ([first, ...others]: [string, Able[]][]): Promise<Result> =>
    first === undefined
      ? use(jobs)
      : writer.begin(jobPlan(first[1], command, jobs.isBulk), (job) => {
          running.set(first[0], job);
          return begin(others);
        });
  return begin([...grouped(able, ({ body }) => bodyKey(body))]);
}

/** Sends an update of bugs, as read right before, that get the same body; `sent` is the body with whole values. */
export async function sendUpdate(bugs: readonly Able[], sent: JsonObject, jobs: Jobs): Promise<Outcome> {
  const ids = bugs.map(({ bug }) => bug.id);
  const body = bugs[0]?.body ?? {};
  const read = bugs.map(({ bug }) => bug);
  const write = { request: updateRequest(ids, sent), before: stateBefore(read, body) };
  const outcome = await jobs.jobOf(body).attempt(write, jobs.isBulk ? ids : undefined);
  if (outcome.st === "DONE") return { st: "applied", response: outcome.response };
  return { st: outcome.st === "UNKNOWN" ? "unknown" : "refused", error: outcome.error };
}

function jobPlan(able: readonly Able[], command: CommandJobs, isBulk: boolean): JobPlan {
  const body = able[0]?.body ?? {};
  const bugs = able.map(({ bug }) => bug);
  const seen = Object.fromEntries(able.flatMap(({ bug, since }) => (since === undefined ? [] : [[bug.id, since]])));
  return {
    request: updateRequest(
      bugs.map(({ id }) => id),
      isBulk ? body : withWholeValues(body, bugs[0] as JsonObject),
    ),
    edits: fieldsSentWhole(body),
    ...(isBulk && { bulk: { read: stateBefore(bugs, body) } }),
    ...(Object.keys(seen).length > 0 && { seen }),
    ...(able.some(({ isExposed }) => isExposed) && { exposed: bugs.map(({ id }) => id) }),
    command,
  };
}

function missingJob(): never {
  throw new BtError("internal", "an update without a job");
}
