import type { FailedOutcome, Outcome, Write } from "../../../api/delivery/outcome.ts";
import type { OpenJob } from "../../../api/delivery/send-all.ts";
import { requestFor } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { fieldsSentWhole, withInitialValues, withWholeValues } from "../../../api/write/body.ts";
import { updateRequest } from "../../../api/write/update-request.ts";
import { stateBefore } from "../../../api/write/write-state.ts";
import { BtError } from "../../../errors.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Context } from "../../verb.ts";
import type { ChangeOptions, ChangeResult } from "./edit.ts";
import { type Able, ableIn, type New, newIn, type Plan } from "./plan.ts";

export type { FailedOutcome, Outcome };

/** The job of a change, which has a write for each bug until it is sent. */
export type Jobs = {
  readonly name: string | undefined; // undefined if nothing is to be sent, or nothing is stored
  readonly isBulk: boolean;
  readonly isGuarded: boolean; // a bug that was modified is not to be changed
  /** Files a new bug, as it is planned. */
  readonly file: (item: New) => Promise<Outcome>;
  /** Plans a further write; returns how it is sent in its newest form, or removed. */
  readonly queue: (write: Write) => { readonly send: (newest: Write) => Promise<Outcome>; readonly skip: () => void };
  /** Sends a write of these bugs, in place of theirs. */
  readonly send: (ids: readonly number[], write: Write) => Promise<Outcome>;
  /** Plans a write of a bug again, one of a list that was refused, so that it is in the job if it is not sent. */
  readonly plan: (id: number, write: Write) => void;
  /** Removes the write of a bug that is not to be sent. */
  readonly drop: (item: Able) => void;
};

/** Begins the job of a plan before the first request, and runs `use` while it is held. */
export async function withJobs<Result>(
  plan: Plan,
  { command = "bug update", key }: ChangeOptions,
  context: Context,
  use: (jobs: Jobs) => Promise<Result>,
): Promise<Result> {
  const [able, created] = [ableIn(plan), newIn(plan)];
  const facts = {
    isBulk: able.length + created.length > 1,
    isGuarded: able.some(({ since }) => since !== undefined),
  };
  if (able.length + created.length === 0) {
    const none = { send: missingJob, plan: missingJob, file: missingJob, queue: missingJob, drop: () => undefined };
    return use({ ...facts, ...none, name: undefined });
  }
  const filed = created.filter(({ id }) => id === undefined);
  const writes = [...filed.map(newWrite), ...able.map(plannedWrite)];
  const edits = [...new Set(able.flatMap(({ body }) => fieldsSentWhole(body)))];
  const journal = await context.session.writes.journal();
  const consent = {
    ...(facts.isGuarded && { guarded: true as const }),
    ...(able.some(({ isExposed }) => isExposed) && { exposes: true as const }),
  };
  return journal.begin({ command, key, writes, edits, ...consent }, (job) => {
    const planned = new Map(able.map(({ bug }, at) => [bug.id, filed.length + at]));
    const file = (item: New) => job.send(filed.indexOf(item));
    return use({ ...facts, name: job.isStored ? job.name : undefined, file, ...jobOf(planned, job) });
  });
}

function newWrite({ create, key }: New): Write {
  return { request: requestFor(CREATE_BUG, withInitialValues(create)), key };
}

function plannedWrite({ bug, body }: Able): Write {
  const request = updateRequest([bug.id], withWholeValues(body, bug as JsonObject));
  return { request, before: stateBefore([bug], body) };
}

/** The ways to send, plan and remove the writes of bugs, which are planned under these numbers. */
function jobOf(planned: Map<number, number>, job: OpenJob): Pick<Jobs, "send" | "plan" | "queue" | "drop"> {
  const take = (id: number): number | undefined => {
    const n = planned.get(id);
    planned.delete(id);
    return n;
  };
  const skip = (id: number) => {
    const n = take(id);
    if (n !== undefined) job.skip(n);
  };
  return {
    send: (ids, write) => {
      const [only = 0, ...others] = ids;
      const own = others.length === 0 ? take(only) : undefined;
      if (own !== undefined) return job.send(own, write);
      const n = job.add(write);
      for (const id of ids) skip(id);
      return job.send(n);
    },
    queue: (write) => {
      const n = job.add(write);
      return { send: (newest) => job.send(n, newest), skip: () => job.skip(n) };
    },
    plan: (id, write) => void planned.set(id, job.add(write)),
    drop: ({ bug }) => skip(bug.id),
  };
}

/** Sends an update of bugs, as read right before, that get the same body; `sent` is the body with whole values. */
export function sendUpdate(bugs: readonly Able[], sent: JsonObject, jobs: Jobs): Promise<Outcome> {
  return jobs.send(
    bugs.map(({ bug }) => bug.id),
    writeOf(bugs, sent),
  );
}

/** Plans the update of a bug of a refused list. */
export function planUpdate(item: Able, sent: JsonObject, jobs: Jobs): void {
  jobs.plan(item.bug.id, writeOf([item], sent));
}

function writeOf(items: readonly Able[], sent: JsonObject): Write {
  const bugs = items.map(({ bug }) => bug);
  const request = updateRequest(
    bugs.map(({ id }) => id),
    sent,
  );
  return { request, before: stateBefore(bugs, items[0]?.body ?? {}) };
}

/** The result of a request without a valid response; one that never reached the tracker was not tried. */
export function resultOf({ st, error }: FailedOutcome): Pick<ChangeResult, "st" | "error"> {
  const isUntried = st === "refused" && ["local", "network"].includes(error.kind);
  return { st: isUntried ? "not tried" : st, error };
}

function missingJob(): never {
  throw new BtError("internal", "an update without a job");
}
