import { requestBody } from "../../api/write/update-request.ts";
import { usageError } from "../../errors.ts";
import { isUnsent, type Job } from "../../jobs/job.ts";
import { findStoredJob, withJob } from "../../jobs/job-files.ts";
import type { NewBugValues } from "../bug/write/flags.ts";
import { valuesOfBody } from "../bug/write/new-bug.ts";
import type { Context } from "../verb.ts";

/** The job of this name if it is the draft of a bug on this tracker. */
export function findBugDraft(name: string, { io, session }: Context): Job | undefined {
  const stored = findStoredJob(name, io);
  const job = stored?.isOpen ? stored.job : undefined;
  const isDraft = job?.head.draft === true && job.head.request.operation === "Create Bug" && isUnsent(job);
  return isDraft && job.head.origin === session.address ? job : undefined;
}

/** Values of the draft of a bug, and the function that deletes it; undefined if there is no such draft. */
export function findDraftTemplate(name: string, context: Context): DraftTemplate | undefined {
  const job = findBugDraft(name.toUpperCase(), context);
  if (job === undefined) return undefined;
  return { template: valuesOfBody(requestBody(job.head.request)), discard: () => discardDraft(job, context) };
}

type DraftTemplate = { template: NewBugValues; discard: () => Promise<void> };

async function discardDraft({ head }: Job, { io }: Context): Promise<void> {
  await withJob({ job: head.job, isNew: false }, io, async ({ lines, remove }) => {
    if (lines.length > 1) throw usageError(`job ${head.job} was sent in the meantime`);
    remove();
  });
}
