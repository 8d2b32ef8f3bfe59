import { writeKind } from "../api/delivery/write-kinds.ts";
import { readChangedItems } from "../api/response/response-objects.ts";
import type { PastChange, PastField } from "../api/write/past-change.ts";
import { requestBody, writeTargets } from "../api/write/update-request.ts";
import { BtError, usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Session } from "../session/session.ts";
import type { JsonObject } from "../wire/exchange.ts";
import type { ChangedBug } from "../wire/resources.ts";
import { attemptRequest, isJobFinished, type Job, jobState } from "./job.ts";
import { readNewestJobs } from "./job-files.ts";
import { loadTrackerJobs } from "./journal.ts";
import { readNamedJob, stateText, unreadableJobsError } from "./stored.ts";

type Here = { session: Session; io: Io };

/** The user's last change of each bug, by bug, as far as this machine's journal has one. */
export async function lastChanges(ids: number[], { session, io }: Here): Promise<ReadonlyMap<number, PastChange>> {
  const { isOwn } = await loadTrackerJobs(session);
  const changes = new Map<number, PastChange>();
  const wanted = new Set(ids);
  for (const job of readNewestJobs(io)) {
    if (job.head.origin !== session.address) continue;
    const found = jobChanges(job).filter(({ bug }) => wanted.has(bug));
    if (found.length === 0 || !(await isOwn(job))) continue;
    for (const change of found.toReversed()) if (wanted.delete(change.bug)) changes.set(change.bug, change);
    if (wanted.size === 0) break;
  }
  return changes;
}

/**
 * The changes of bugs that a job made, oldest first.
 * @throws BtError of kind usage for a job of another tracker, an unfinished one, one that is no update of bugs, or, unless
 * `asMe` is set, one that another user began; of kind no if it changed nothing
 */
export async function readUndoableChanges(
  word: string,
  asMe: boolean,
  login: () => Promise<string>,
  { session, io }: Here,
): Promise<PastChange[]> {
  const { name, job, isOpen } = readNamedJob(word, io);
  if (job === undefined) throw unreadableJobsError([name]);
  checkUndoable(job, isOpen, session.address);
  const me = await login();
  const { isOwn } = await loadTrackerJobs(session);
  if (!asMe && !(await isOwn(job))) {
    const { user = "another user" } = job.head;
    throw usageError(`job ${name} is by ${user}, not by you (${me})`, "--as-me undoes it anyway");
  }
  const changes = jobChanges(job);
  if (changes.length > 0) return changes;
  throw new BtError("no", `nothing to undo: job ${name} changed no fields`, { changed: "nothing" });
}

/** @throws BtError of kind usage for a job of another tracker, an unfinished one, or one that is no update of bugs */
function checkUndoable(job: Job, isOpen: boolean, address: string): void {
  const { head } = job;
  if (head.origin !== address)
    throw usageError(`job ${head.job} is for ${head.origin}, not for ${address}`, `--base-url ${head.origin}`);
  const { operation = "" } = head.request;
  if (operation !== "Update Bug") {
    const what = writeKind(head.request).describe(head.request);
    throw new BtError("usage", `${what} cannot be undone`, {
      details: valuesBefore(job),
      hint: OTHER_WAYS[operation]?.(job),
      changed: "nothing",
    });
  }
  if (!isOpen || (isJobFinished(job) && job.attempts.length > 0)) return;
  const isCertain = ["draft", "waiting", "interrupted"].includes(jobState(job));
  const drop = isCertain ? `, or drop the rest: bt job drop ${head.job}` : "";
  throw usageError(`job ${head.job} is not complete: ${stateText(job)}`, `complete it: bt job send ${head.job}${drop}`);
}

/** Other ways to take back writes, by operation. */
const OTHER_WAYS: Readonly<Record<string, (job: Job) => string>> = {
  "Create Bug": () => "bt bug close NUMBER closes the bug",
  "Create Comments": ({ head }) =>
    `bt bug update ${writeTargets(head.request)[0]} --comment-is-private COMMENT=yes hides it`,
  "Create Attachment": () => "bt attachment update ID --is-obsolete yes",
  "Update Attachment": ({ head }) => `set the values again: bt attachment update ${writeTargets(head.request)[0]}`,
  "Update Comment Tags": ({ head }) => `bt tag update ${writeTargets(head.request)[0]} --add TAG or --remove TAG`,
  "Update Group": ({ head }) => `set the values again: bt group update ${writeTargets(head.request)[0]}`,
  "Create Group": () => "bt group update NAME --is-active no",
};

/** Values that the journal kept from before an update of an attachment or group. */
function valuesBefore({ head, attempts }: Job): string[] {
  const names = Object.keys(requestBody(head.request)).filter((name) => name !== "id");
  const lines: string[] = [];
  for (const thing of attempts.flatMap(({ sent }) => sent.before ?? [])) {
    for (const name of names) {
      const value = thing[name];
      if (!["string", "number", "boolean"].includes(typeof value)) continue;
      lines.push(`${thing["id"] ?? thing["name"]}: ${name} was "${value}"`);
    }
  }
  return lines;
}

/** The changes that a job made to bugs, oldest first. */
export function jobChanges({ head, attempts }: Job): PastChange[] {
  if (head.request.operation !== "Update Bug") return [];
  const found: PastChange[] = [];
  for (const { sent, end } of attempts) {
    if (end?.st !== "DONE") continue;
    const body = requestBody(attemptRequest(head, sent));
    const hasComment = COMMENTED.some((field) => body[field] !== undefined);
    for (const changed of readChangedItems<ChangedBug>(end.answer, "bugs")) {
      const { id: bug, last_change_time: when } = changed;
      const fields = jobFields(changed, sent.before?.find(({ id }) => Number(id) === bug) ?? {}, body);
      if (fields.length > 0) found.push({ bug, when, who: head.user, job: head.job, fields, hasComment });
    }
  }
  return found;
}

/** Parts of an update with which a comment is added: its own, or the tracker's about a duplicate. */
const COMMENTED = ["comment", "dupe_of"];

function jobFields({ changes }: ChangedBug, before: JsonObject, body: JsonObject): PastField[] {
  const fields: PastField[] = Object.entries(changes).map(([field, { removed, added }]) => {
    const name = field === "flagtypes.name" ? "flags" : field;
    return { field, removed: removed ?? "", added: added ?? "", before: before[name], sent: body[name] };
  });
  for (const field of UNREPORTED) {
    if (body[field] !== undefined && changes[field] === undefined) fields.push({ field, removed: "", added: "" });
  }
  return fields;
}

/** Parts of an update that are not among the changes of its response. */
const UNREPORTED = ["work_time", "comment_is_private"];
