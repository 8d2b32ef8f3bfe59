import { BtError } from "../../errors.ts";
import { requestFor } from "../operations/operation.ts";
import { UPDATE_BUG } from "../operations/write-bugs.ts";
import { requestBody, writeTargets } from "../write/update-request.ts";
import { mayPass, type OpenJob, type Outcome, type Write } from "./outcome.ts";

/**
 * A write of a job with its outcome; without one it was not tried, because of the error, or of Ctrl-C
 * if there is none.
 */
export type Sent = {
  readonly n: number;
  readonly write: Write;
  readonly outcome?: Outcome | undefined;
  readonly error?: BtError | undefined;
};

type SendAllOptions = {
  readonly isStopped: () => boolean;
  /** The newest form of a write, or why it must not be sent; undefined if nothing is left of it. */
  readonly fresh?: ((write: Write) => Promise<Write | BtError | undefined>) | undefined;
};

type Planned = { readonly n: number; readonly write: Write };
type SendingJob = Pick<OpenJob, "send" | "add" | "skip" | "refuse">;

/**
 * Sends writes of a job one after the other. An update of several bugs that is refused as a whole is
 * sent bug by bug. After a refused login, an unreachable tracker, or three unknown outcomes in a row
 * the rest is not tried.
 */
export async function* sendAll(
  writes: readonly Planned[],
  job: SendingJob,
  { isStopped, fresh = async (write) => write }: SendAllOptions,
): AsyncGenerator<Sent> {
  const queue = [...writes];
  let error: BtError | undefined; // that ends it
  let unknowns = 0; // in a row
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (error || isStopped()) {
      yield { ...next, error };
      continue;
    }
    const sent = await sendFresh(next, await fresh(next.write), job);
    if (sent === undefined) continue;
    const singles = singlesOf(sent);
    if (singles.length > 0) queue.unshift(...singles.map((write) => ({ n: job.add(write), write })));
    else {
      unknowns = sent.outcome.st === "unknown" ? unknowns + 1 : 0;
      error = errorForRest(sent.outcome, unknowns);
      yield sent;
    }
  }
}

/** The error with which the other writes would end, too. */
function errorForRest(outcome: Outcome, unknowns: number): BtError | undefined {
  if (outcome.st === "applied") return undefined;
  return mayPass(outcome.error) || unknowns === MAX_UNKNOWN ? outcome.error : undefined;
}

const MAX_UNKNOWN = 3;

/** The updates of single bugs in place of one of several that was refused as a whole. */
function singlesOf({ write, outcome }: { readonly write: Write; readonly outcome: Outcome }): Write[] {
  return outcome.st === "refused" && !mayPass(outcome.error) ? splitWrite(write) : [];
}

/** Sends the newest form of a write, unless it must not be sent, or nothing is left of it. */
async function sendFresh({ n, write }: Planned, newest: Write | BtError | undefined, job: SendingJob) {
  if (newest instanceof BtError) {
    if (!mayPass(newest)) job.refuse(n, newest);
    return { n, write, outcome: { st: "refused", error: newest } } as const;
  }
  if (newest === undefined) return void job.skip(n);
  return { n, write: newest, outcome: await job.send(n, newest === write ? undefined : newest) };
}

/** An update of several bugs as one of each; none for any other write. */
export function splitWrite({ request, before }: Write): Write[] {
  const targets = writeTargets(request);
  if (request.operation !== "Update Bug" || targets.length < 2) return [];
  const { ids: _, ...body } = requestBody(request);
  return targets.map((target) => ({
    request: requestFor(UPDATE_BUG, { ids: [Number(target)], ...body }),
    before: before?.filter(({ id }) => String(id) === target),
  }));
}
