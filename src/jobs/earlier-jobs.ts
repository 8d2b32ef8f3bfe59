import { join } from "node:path";
import { responseOf } from "../api/delivery/outcome.ts";
import { folderToWrite } from "../config/files.ts";
import { withLock } from "../config/lock.ts";
import type { Io } from "../io.ts";
import type { Session } from "../session/session.ts";
import { type JobWrite, mayAddTwice } from "./job.ts";
import { canStoreJobs, newestJobs } from "./job-files.ts";
import { jobJournal } from "./journal.ts";
import { settleJob } from "./resume.ts";

/**
 * Runs a command that continues its earlier runs, which have the same key, with the writes that they sent; a second run at the same
 * time waits, or is refused. A dry run takes the jobs as they are. What the earlier runs left is not in their jobs any more: it is planned anew.
 * @throws BtError of kind unknown for a comment or a new bug that may or may not be there
 */
export async function continueJobs<Result>(
  key: string,
  { session, io, isDryRun = false }: { session: Session; io: Io; isDryRun?: boolean | undefined },
  use: (sent: readonly JobWrite[]) => Promise<Result>,
): Promise<Result> {
  const sent = () => jobsOf(key, session.address, io).flatMap(({ job }) => job?.writes ?? []);
  if (isDryRun || !canStoreJobs(io)) return use(sent());
  const action = async () => {
    for (const { name, isOpen } of jobsOf(key, session.address, io)) if (isOpen) await giveUpRest(name, session, io);
    return use(sent());
  };
  return withLock({ file: join(folderToWrite("state", io), "jobs", key), about: "this import", action }, io);
}

function jobsOf(key: string, address: string, io: Io) {
  return [...newestJobs(io)].filter(({ job }) => job?.head.key === key && job.head.tracker === address);
}

/**
 * Looks for what is unknown of a job, sends what completes the bugs that it filed, and removes the rest; an update without
 * additions may be sent again.
 */
async function giveUpRest(name: string, session: Session, io: Io): Promise<void> {
  const journal = await jobJournal(session);
  await journal.resume(name, async (held, stored) => {
    const { unsent, unknown } = await settleJob(held, stored, journal.around, io.now().getTime());
    for (const { write, error } of unknown) if (mayAddTwice(write)) throw error;
    for (const { n, key, request } of [...unsent, ...unknown.map(({ write }) => write)]) {
      if (key !== undefined && request.operation === "Update Bug") responseOf(await held.send(n));
      else held.skip(n);
    }
  });
}
