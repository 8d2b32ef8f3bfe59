import { writeKind } from "../api/delivery/write-kinds.ts";
import { firstNames } from "../api/lists.ts";
import { readChangedItems } from "../api/response/response-objects.ts";
import { fieldsSentWhole } from "../api/write/body.ts";
import type { LastChanges, PastChange, PastField, UnsentRest } from "../api/write/past-change.ts";
import { requestBody, writeTargets } from "../api/write/update-request.ts";
import { BtError, usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Session } from "../session/session.ts";
import type { JsonObject } from "../wire/exchange.ts";
import type { ChangedBug } from "../wire/resources.ts";
import { timestamp } from "../wire/time.ts";
import { attemptRequest, commandName, createdId, type Job, type JobHead, unresolvedAttempts } from "./job.ts";
import { dropJob, findStoredJob, isOpenJob, readCommandJobs, readNamedJob, readNewestJobs } from "./job-files.ts";
import { bugsLeft, isJobFinished, jobState, stateText } from "./job-states.ts";
import { unreadableJobsError } from "./job-text.ts";
import { loadTrackerJobs } from "./journal.ts";

type CommandContext = { session: Session; io: Io };

/**
 * The user's last change of each bug, as far as this machine's journal has one, and comments without a change after it; without
 * bugs, those of their last command.
 * @throws BtError of kind usage if one of the bugs has a later change of unknown outcome
 */
export async function findLastChanges(ids: number[] | undefined, context: CommandContext): Promise<LastChanges> {
  if (ids === undefined) return findLastCommand(context);
  const changes = new Map<number, PastChange>();
  const comments = new Map<number, string>();
  const wanted = new Set(ids);
  for await (const own of ownJobs(context, (bug) => wanted.has(bug))) {
    for (const [bug, line] of own.lines) comments.set(bug, comments.get(bug) ?? line);
    for (const change of own.changes) changes.set(change.bug, change);
    for (const bug of changes.keys()) wanted.delete(bug);
    if (wanted.size === 0) break;
  }
  return { changes, comments: [...comments.values()] };
}

/** The changes of the user's last command that changed bugs, comments that were made after it, newest first, and bugs changed lately. */
async function findLastCommand(context: CommandContext): Promise<LastChanges> {
  const comments: string[] = [];
  let last: PastChange[] | undefined;
  const newest = new Map<number, PastChange>();
  try {
    for await (const { job, changes, lines } of ownJobs(context, () => true)) {
      if (last === undefined) comments.push(...lines.map(([, line]) => line));
      if (changes.length === 0) continue;
      last ??= changesOfCommand(readCommandJobs(job, context.io), context.io);
      for (const change of changes) if (!newest.has(change.bug)) newest.set(change.bug, change);
      if (newest.size >= MAX_LATELY) break;
    }
  } catch (error) {
    if (last === undefined) throw error; // an older change of unknown outcome is no matter here
  }
  const bugs = [...newest.values()].filter(({ isUndo }) => !isUndo).map(({ bug }) => bug);
  return { changes: new Map(last?.map((change) => [change.bug, change])), comments, bugs };
}

const MAX_LATELY = 20; // bugs

/** The bugs of a job that only commented, each with a line that says so, and how the comment is hidden. */
function commentLines({ head, attempts }: Job): [number, string][] {
  if (requestBody(head.request)["comment"] === undefined) return [];
  const lines: [number, string][] = [];
  for (const { sent, end } of attempts) {
    if (end?.st !== "DONE") continue;
    const { id } = Object(end.answer) as { id?: number };
    const ids = writeTargets(head.request).map(Number);
    for (const bug of sent.ids ?? ids) {
      const way = id
        ? `bt bug update ${bug} --comment-is-private ${id}=yes hides it`
        : `bt comment list ${bug} shows it`;
      lines.push([bug, `bug ${bug}: your comment of ${timestamp(sent.at)} stays; ${way}`]);
    }
  }
  return lines;
}

/**
 * The jobs of the user on this tracker that changed such bugs, or commented on them, newest first; each change with those of
 * the bug by earlier jobs of its command.
 * @throws BtError of kind usage at one that may have, or may not
 */
async function* ownJobs({ session, io }: CommandContext, isMeant: (bug: number) => boolean) {
  const { isOwn } = await loadTrackerJobs(session);
  const byCommand = new Map<string, PastChange[]>();
  for (const job of readNewestJobs(io)) {
    if (job.head.origin !== session.address) continue;
    const changes = ownChanges(job, io).filter(({ bug }) => isMeant(bug));
    if (job.head.of && changes.length > 0) {
      const all = byCommand.get(job.head.of) ?? changesOfCommand(readCommandJobs(job, io), io);
      byCommand.set(job.head.of, all);
      changes.push(...all.filter(({ bug }) => changes.some((change) => change.bug === bug)));
    }
    const tried = unresolvedAttempts(job).flatMap(({ sent }) => sent.ids ?? writeTargets(job.head.request).map(Number));
    const isDoubtful = isBugUpdate(job.head) && tried.some(isMeant);
    const lines = commentLines(job).filter(([bug]) => isMeant(bug) && !changes.some((change) => change.bug === bug));
    if (!(isDoubtful || lines.length + changes.length > 0) || !(await isOwn(job))) continue;
    if (isDoubtful && isOpenJob(job, io)) throw incompleteError(job);
    yield { job, changes, lines };
  }
}

/** The changes of a job, marked if they left bugs as they were before what they undo. */
function ownChanges(job: Job, io: Io): PastChange[] {
  const isUndo = takesBack(job, io);
  return jobChanges(job).map((change) => ({ ...change, isUndo }));
}

/** True for an undo, unless it undid another one, and so applied a change again. */
function takesBack({ head }: Job, io: Io): boolean {
  const undone = (head.undoes ?? []).map((name) => findStoredJob(name, io)?.job);
  return undone.some((job) => job === undefined || !takesBack(job, io));
}

function changesOfCommand(jobs: Job[], io: Io): PastChange[] {
  const changes = new Map<number, PastChange>();
  for (const change of jobs.flatMap((job) => ownChanges(job, io)))
    changes.set(change.bug, withEarlier(change, changes.get(change.bug)));
  return [...changes.values()];
}

/** The changes of a bug by two updates of a command as one. */
function withEarlier(change: PastChange, earlier: PastChange | undefined): PastChange {
  if (earlier === undefined) return change;
  const fields = new Map(earlier.fields.map((past) => [past.field, past]));
  for (const past of change.fields) {
    const { removed, before } = fields.get(past.field) ?? past;
    fields.set(past.field, { ...past, removed, before });
  }
  const hasComment = earlier.hasComment || change.hasComment;
  return { ...change, before: earlier.before, fields: [...fields.values()], hasComment };
}

/**
 * The results of a command by bug: changes, which can be undone, without a field of a bug that it only commented on; the bugs that it
 * filed, each with why it stays; and the unsent rest.
 */
type CommandChanges = {
  changes: ReadonlyMap<number, PastChange>;
  filed: { bug: string; message: string }[];
  rest: UnsentRest;
};

/**
 * The changes of bugs that a job made, and the other jobs of the same command.
 * @throws BtError of kind usage for a job of another tracker, one of unknown outcome, one that is no update of bugs, or, unless
 * `asMe` is set, one that another user began; of kind no if it changed nothing
 */
export async function readUndoableChanges(
  word: string,
  asMe: boolean,
  login: () => Promise<string>,
  { session, io }: CommandContext,
): Promise<CommandChanges> {
  const { name, job } = readNamedJob(word, io);
  if (job === undefined) throw unreadableJobsError([name]);
  const jobs = readCommandJobs(job, io);
  const updates = jobs.filter(({ head }) => isBugUpdate(head));
  for (const one of updates.length > 0 ? updates : jobs) checkUndoable(one, jobs, session.address, io);
  const me = await login();
  const { isOwn } = await loadTrackerJobs(session);
  if (!asMe && !(await isOwn(job))) {
    const { user = "another user" } = job.head;
    throw usageError(`job ${name} is by ${user}, not by you (${me})`, "--as-me undoes it anyway");
  }
  const { undoneBy } = readUndoneChanges({ address: session.address }, io);
  const changed = changesOfCommand(jobs, io).map((one) => ({ ...one, undoneBy: undoneBy(one.job, one.bug) }));
  const commented = jobs.flatMap(changesAndComments);
  const changes = new Map<number, PastChange>([...commented, ...changed].map((one) => [one.bug, one]));
  const filed = filedBugs(jobs);
  const message = `filing not undone: ${closingLine(filed)}`;
  const rest = updates.filter((one) => isOpenJob(one, io) && !(isJobFinished(one) && one.attempts.length > 0));
  if (changed.length > 0)
    return { changes, filed: filed.map((id) => ({ bug: String(id), message })), rest: unsentRest(rest, io) };
  const details = jobs.flatMap(commentLines).map(([, line]) => line);
  throw new BtError("no", `nothing to undo: job ${name} changed no fields`, { details, changed: "nothing" });
}

/** The unsent rest of a command, by its jobs that are not complete. */
function unsentRest(jobs: Job[], io: Io): UnsentRest {
  return {
    lines: jobs.map((job) => {
      const open = bugsLeft(job);
      const bugs = `${open.length === 1 ? "bug" : "bugs"} ${firstNames(open)}`;
      return `job ${job.head.job} is ${jobState(job)}: the undo drops the rest: ${bugs}`;
    }),
    drop: async () => {
      for (const job of jobs) await dropJob(job.head.job, job, io);
      return jobs.map(({ head }) => head.job);
    },
  };
}

/** @throws BtError of kind usage for a job of another tracker, one of unknown outcome, or one that is no update of bugs */
function checkUndoable(job: Job, command: Job[], address: string, io: Io): void {
  const { head } = job;
  if (head.origin !== address)
    throw usageError(
      `job ${head.job} is for ${head.origin}, not for ${address}`,
      `bt bug undo --job ${head.job} --base-url ${head.origin}`,
    );
  if (!isBugUpdate(head)) {
    const { operation = "" } = head.request;
    const what = writeKind(head.request).describe(head.request);
    throw new BtError("usage", `${what} cannot be undone`, {
      details: valuesBefore(job),
      hint: OTHER_WAYS[operation]?.(job, command),
      changed: "nothing",
    });
  }
  if (jobState(job) === "unknown" && isOpenJob(job, io)) throw incompleteError(job);
}

function isBugUpdate({ request }: JobHead): boolean {
  return request.operation === "Update Bug";
}

function incompleteError(job: Job): BtError {
  const name = job.head.job;
  return usageError(`job ${name} is not complete: ${stateText(job)}`, `complete it: bt job send ${name}`);
}

function filedBugs(jobs: Job[]): number[] {
  return jobs.flatMap((one) => createdId(one) ?? []);
}

/** Changes that undos of this machine took back. */
export type UndoneChanges = {
  /** The last change that took back a job's change of a bug. */
  undoneBy: (job: string, bug: number) => PastChange | undefined;
  /** Times at which a bug was as it is since its last change: later ones were undone without any other change in between. */
  equalTimes: (bug: number, last: string) => string[];
};

/** Reads which changes of bugs are undone, as far as the journal has them: of a tracker, or of jobs since one. */
export function readUndoneChanges(
  { address, oldest }: { address?: string; oldest?: string | undefined },
  io: Io,
): UndoneChanges {
  const undone = new Map<string, PastChange>(); // what took back changes, by bugs with the command or job of these
  const newestFirst = new Map<number, PastChange[]>();
  for (const job of readNewestJobs(io, oldest)) {
    if (address !== undefined && job.head.origin !== address) continue;
    for (const change of jobChanges(job)) {
      const { bug, command, undoes = [] } = change;
      newestFirst.set(bug, withOlder(newestFirst.get(bug) ?? [], change));
      const by = undone.get(`${bug} ${command}`);
      for (const name of by ? [change.job] : undoes) {
        const key = `${bug} ${name}`;
        undone.set(key, undone.get(key) ?? by ?? change);
      }
    }
  }
  return {
    undoneBy: (job, bug) => undone.get(`${bug} ${job}`),
    equalTimes: (bug, last) => timesBeforeUndone(newestFirst.get(bug) ?? [], last),
  };
}

/** The changes of a bug, newest first, with an older one; two of a command that follow one another are one. */
function withOlder(newer: PastChange[], change: PastChange): PastChange[] {
  const last = newer.at(-1);
  const isSame = last?.command === change.command && last.before === change.when;
  return isSame ? newer.with(-1, { ...last, before: change.before }) : [...newer, change];
}

/** The commands that undid changes of a command, by its jobs, and a text that says so, with what is left. */
export function jobsUndone(jobs: Job[], { undoneBy }: UndoneChanges): { by: string[]; text: string } {
  const all = jobs.flatMap(jobChanges).map(({ job, bug }) => ({ bug, undo: undoneBy(job, bug) }));
  const by = [...new Set(all.flatMap(({ undo }) => undo?.command ?? []))];
  if (by.length === 0) return { by, text: "" };
  const open = all.filter(({ undo }) => undo === undefined || undo.left);
  const left = open.map(({ bug, undo }) => (undo?.left ? `${bug} (${undo.left.join(", ")})` : String(bug)));
  const names = by.join(", ");
  return {
    by,
    text: left.length > 0 ? `, partly undone by ${names}; left: ${firstNames(left)}` : `, undone by ${names}`,
  };
}

/** Times of a bug before changes of its own that were undone, from the last one back to the first other change. */
function timesBeforeUndone(newestFirst: PastChange[], last: string): string[] {
  const times: string[] = [];
  let [time, open]: [string | undefined, string[]] = [last, []]; // commands whose changes were undone at that time
  for (const { when, before, command, undoes = [] } of newestFirst) {
    const isUndo = open.length === 0 && undoes.length > 0;
    if (when !== time || !(isUndo || open.includes(command))) break;
    open = isUndo ? undoes : [];
    time = before;
    if (time !== undefined && open.length === 0) times.push(time);
  }
  return times;
}

/** How bugs that were filed are taken back. */
function closingLine(ids: number[]): string {
  return `bt bug close ${ids.join(" ")} closes ${ids.length > 1 ? "them" : "the bug"}`;
}

/** Other ways to take back writes, by operation; they get a job, and all of its command. */
const OTHER_WAYS: Readonly<Record<string, (job: Job, command: Job[]) => string>> = {
  "Create Bug": (_, command) => closingLine(filedBugs(command)),
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
export function jobChanges(job: Job): PastChange[] {
  return changesAndComments(job).filter(({ fields }) => fields.length > 0);
}

/** The changes of a job, also those without a field, of bugs that it only commented on. */
function changesAndComments({ head, attempts }: Job): PastChange[] {
  if (!isBugUpdate(head)) return [];
  const found: PastChange[] = [];
  for (const { sent, end } of attempts) {
    if (end?.st !== "DONE") continue;
    const body = requestBody(attemptRequest(head, sent));
    const hasComment = COMMENTED.some((field) => body[field] !== undefined);
    for (const changed of readChangedItems<ChangedBug>(end.answer, "bugs")) {
      const { id: bug, last_change_time: when } = changed;
      const before = sent.before?.find(({ id }) => Number(id) === bug) ?? {};
      const fields = jobFields(changed, before, body, editedFields(head));
      const { user: who, job, undoes, leaves } = head;
      const command = commandName(head);
      const time = before["last_change_time"];
      const change = { bug, when, who, job, command, undoes, left: leaves?.[bug], fields, hasComment };
      if (fields.length > 0 || hasComment)
        found.push({ ...change, before: typeof time === "string" ? time : undefined });
    }
  }
  return found;
}

/** Parts of an update with which a comment is added: its own, or the tracker's about a duplicate. */
const COMMENTED = ["comment", "dupe_of"];

/** Fields of which a job edited items; a bulk update has the edits themselves. */
function editedFields({ request, edits = [] }: JobHead): string[] {
  return [...edits, ...fieldsSentWhole(requestBody(request))];
}

function jobFields({ changes }: ChangedBug, before: JsonObject, body: JsonObject, edits: string[]): PastField[] {
  const fields: PastField[] = Object.entries(changes).map(([field, { removed, added }]) => {
    const name = field === "flagtypes.name" ? "flags" : field;
    const isEdit = edits.includes(name) && before[name] !== undefined;
    return { field, removed: removed ?? "", added: added ?? "", before: before[name], sent: body[name], isEdit };
  });
  for (const field of UNREPORTED) {
    if (body[field] !== undefined && changes[field] === undefined) fields.push({ field, removed: "", added: "" });
  }
  return fields;
}

/** Parts of an update that are not among the changes of its response. */
const UNREPORTED = ["work_time", "comment_is_private"];
