import { join } from "node:path";
import { departureTime, findApplied, LOCK_MS } from "../api/delivery/find-applied.ts";
import { type DeliveryTools, responseOf } from "../api/delivery/outcome.ts";
import type { Sent } from "../api/delivery/send-write.ts";
import { addsEachTime } from "../api/delivery/write-rows.ts";
import { folderFor, folderToWrite, withLock } from "../config/files.ts";
import type { Io } from "../io.ts";
import type { Session } from "../session/session.ts";
import { isUnknown, type JobWrite, openWrites } from "./job.ts";
import { newestJobs } from "./job-files.ts";
import { type ResumedJob, resumeJob } from "./journal.ts";

/** What the looks for the unknown writes of a job found. */
type Looks = {
  readonly outcomes: ReadonlyMap<number, Sent>; // the unknown writes by number, with their outcome now
  readonly hasFailedLook: boolean; // a look failed, so that nothing must be sent
  readonly waitMs: number; // before an unknown write may be sent again
};

/** Looks for the unknown writes of a job, and journals what becomes known of them. */
export async function lookForUnknown(held: ResumedJob, { now }: Io): Promise<Looks> {
  const { clock } = held.tools;
  const outcomes = new Map<number, Sent>();
  let [waitMs, hasFailedLook] = [0, false];
  for (const write of held.read().writes.filter(isUnknown)) {
    const { n, left: known } = write;
    const ticks = known === undefined ? clock.ticks() - timeSince(write, clock, now().getTime()) : undefined;
    const sent = { ...write, ticks }; // ticks of an earlier run may be of another start of the machine
    const outcome = await findApplied(sent, held);
    const left = departureTime(sent, clock);
    outcomes.set(n, { n, write, outcome });
    if (write.st === "sent" || outcome.st === "applied") held.record(n, { ...outcome, left });
    if (outcome.st === "applied") continue;
    waitMs = Math.max(waitMs, lockWait(left, clock));
    hasFailedLook ||= outcome.isUnseen === true;
  }
  return { outcomes, hasFailedLook, waitMs };
}

/**
 * Lower bound of the time since a write was sent (ms), by two clocks: the wall clock may have been set, and `ticks` restart
 * with the machine.
 */
function timeSince({ at = 0, ticks = 0 }: JobWrite, clock: DeliveryTools["clock"], now: number): number {
  const shown = [now - at, clock.ticks() - ticks].filter((elapsed) => elapsed >= 0);
  return shown.length > 0 ? Math.min(...shown) : 0;
}

/** Time (ms) until a request that left then, by the server's clock, can no longer wait for a database lock. */
function lockWait(left: number | undefined, clock: DeliveryTools["clock"]): number {
  const now = clock.now();
  return left === undefined || now === undefined ? LOCK_MS : Math.min(LOCK_MS, Math.max(0, left + LOCK_MS - now));
}

/**
 * Runs a command with the writes of its earlier runs, which have the same key, oldest first; a second run at the same
 * time waits, or is refused. What the earlier runs left is removed from their jobs, except by a dry run.
 * @throws BtError of kind unknown for a comment or a new bug that may or may not be there
 */
export async function continueJobs<Result>(
  key: string,
  { session, io, isDryRun = false }: { session: Session; io: Io; isDryRun?: boolean | undefined },
  use: (sent: readonly JobWrite[]) => Promise<Result>,
): Promise<Result> {
  const jobs = () =>
    [...newestJobs(io)].filter(({ job }) => job?.head.key === key && job.head.tracker === session.address).reverse();
  const sent = () => jobs().flatMap(({ job }) => job?.writes ?? []);
  if (isDryRun || folderFor("state", io) === undefined) return use(sent());
  const action = async () => {
    for (const { name, isOpen } of jobs()) if (isOpen) await giveUpRest(name, session, io);
    return use(sent());
  };
  return withLock(join(folderToWrite("state", io), "jobs", key), action, io);
}

/** Looks for the unknown writes of a job, and removes all that are left, since the command sends them again. */
async function giveUpRest(name: string, session: Session, io: Io): Promise<void> {
  await resumeJob(name, session, io, async (held) => {
    const { outcomes } = await lookForUnknown(held, io);
    const open = openWrites(held.read());
    const lost = open.find((write) => isUnknown(write) && addsEachTime(write.request));
    const outcome = lost && outcomes.get(lost.n)?.outcome;
    if (outcome) responseOf(outcome);
    for (const { n } of open) held.record(n, { st: "skipped" });
  });
}
