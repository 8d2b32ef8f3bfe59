import { requestBody } from "../api/write/update-request.ts";
import { usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { JsonObject } from "../wire/exchange.ts";
import { isUnsent, type Job } from "./job.ts";
import { findStoredJob, withJob } from "./job-files.ts";

/** The job of this name if it is the draft of a bug on the tracker of this address. */
export function findBugDraft(name: string, address: string, io: Io): Job | undefined {
  const stored = findStoredJob(name, io);
  const job = stored?.isOpen ? stored.job : undefined;
  const isDraft = job?.head.draft === true && job.head.request.operation === "Create Bug" && isUnsent(job);
  return isDraft && job.head.origin === address ? job : undefined;
}

/** The body of the draft of a bug on the tracker of this address, and the function that deletes it. */
export function readBugDraft(
  name: string,
  address: string,
  io: Io,
): { body: JsonObject; discard: () => Promise<void> } | undefined {
  const job = findBugDraft(name.toUpperCase(), address, io);
  return job && { body: requestBody(job.head.request), discard: () => discardDraft(job, io) };
}

async function discardDraft({ head }: Job, io: Io): Promise<void> {
  await withJob({ job: head.job, isNew: false }, io, async ({ lines, remove }) => {
    if (lines.length > 1) throw usageError(`job ${head.job} was sent in the meantime`);
    remove();
  });
}
