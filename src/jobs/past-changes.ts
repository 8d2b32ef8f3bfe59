import { describeWrite } from "../api/delivery/write-rows.ts";
import { firstNames } from "../api/lists.ts";
import { isSameLogin } from "../api/people.ts";
import { readChangedItems } from "../api/response/response-objects.ts";
import type { LastChanges, PastChange, PastField, UnsentRest } from "../api/write/past-change.ts";
import { requestBody, writeTargets } from "../api/write/update-request.ts";
import { BtError, usageError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { Session } from "../session/session.ts";
import type { JsonObject } from "../wire/exchange.ts";
import type { ChangedBug } from "../wire/resources.ts";
import { timestamp } from "../wire/time.ts";
import { commandName, createdBug, isUnknown, type Job, type JobHead, type JobWrite, writesLeft } from "./job.ts";
import { dropJob, findJob, newestJobs, readCommandJobs } from "./job-files.ts";
import { damagedJobError } from "./journal.ts";

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
function commentLines({ writes }: Job): [number, string][] {
  const lines: [number, string][] = [];
  for (const { request, outcome, at = 0 } of writes) {
    if (outcome?.st !== "applied" || requestBody(request)["comment"] === undefined) continue;
    const { id } = Object(outcome.response) as { id?: number };
    for (const bug of writeTargets(request).map(Number)) {
      const way = id
        ? `bt bug update ${bug} --comment-is-private ${id}=yes hides it`
        : `bt comment list ${bug} shows it`;
      lines.push([bug, `bug ${bug}: your comment of ${timestamp(at)} stays; ${way}`]);
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
  const me = await session.login();
  const byCommand = new Map<string, PastChange[]>();
  for (const { job, isOpen } of newestJobs(io)) {
    if (job?.head.tracker !== session.address || !isOwn(job, me)) continue;
    const changes = ownChanges(job, io).filter(({ bug }) => isMeant(bug));
    if (job.head.of && changes.length > 0) {
      const all = byCommand.get(job.head.of) ?? changesOfCommand(readCommandJobs(job, io), io);
      byCommand.set(job.head.of, all);
      changes.push(...all.filter(({ bug }) => changes.some((change) => change.bug === bug)));
    }
    const doubtful = job.writes.filter((write) => isBugUpdate(write) && isUnknown(write)).flatMap(targetIds);
    if (isOpen && doubtful.some(isMeant)) throw incompleteError(job);
    const lines = commentLines(job).filter(([bug]) => isMeant(bug) && !changes.some((change) => change.bug === bug));
    if (lines.length + changes.length > 0) yield { job, changes, lines };
  }
}

function isOwn({ head: { user } }: Job, me: string | undefined): boolean {
  return user === undefined || isSameLogin(user, me);
}

function targetIds({ request }: JobWrite): number[] {
  return writeTargets(request).map(Number);
}

/** The changes of a job, marked if they left bugs as they were before what they undo. */
function ownChanges(job: Job, io: Io): PastChange[] {
  const isUndo = takesBack(job, io);
  return jobChanges(job).map((change) => ({ ...change, isUndo }));
}

/** True for an undo, unless it undid another one, and so applied a change again. */
function takesBack({ head }: Job, io: Io): boolean {
  const undone = (head.undoes ?? []).map((name) => storedJob(name, io));
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
 * @throws BtError of kind usage for a job of another tracker or user, one of unknown outcome, or one that is no update of bugs;
 * of kind no if it changed nothing
 */
export async function readUndoableChanges(
  word: string,
  login: () => Promise<string>,
  { session, io }: CommandContext,
): Promise<CommandChanges> {
  const { name, job } = findJob(word, io);
  if (job === undefined) throw damagedJobError(name);
  const jobs = readCommandJobs(job, io);
  const updates = jobs.filter(({ writes }) => writes.some(isBugUpdate));
  for (const one of updates.length > 0 ? updates : jobs) checkUndoable(one, jobs, session.address, io);
  const me = await login();
  if (!isOwn(job, me)) throw usageError(`job ${name} is by ${job.head.user}, not by you (${me})`);
  const { undoneBy } = readUndoneChanges({ address: session.address }, io);
  const changed = changesOfCommand(jobs, io).map((one) => ({ ...one, undoneBy: undoneBy(one.job, one.bug) }));
  const commented = jobs.flatMap(changesAndComments);
  const changes = new Map<number, PastChange>([...commented, ...changed].map((one) => [one.bug, one]));
  const filed = filedBugs(jobs);
  const message = `filing not undone: ${closingLine(filed)}`;
  const rest = updates.filter((one) => findJob(one.head.job, io).isOpen && writesLeft(one).length > 0);
  if (changed.length > 0)
    return { changes, filed: filed.map((id) => ({ bug: String(id), message })), rest: unsentRest(rest, io) };
  const details = jobs.flatMap(commentLines).map(([, line]) => line);
  throw new BtError("no", `nothing to undo: job ${name} changed no fields`, { details, changed: "nothing" });
}

/** The unsent rest of a command, by its jobs that are not complete. */
function unsentRest(jobs: Job[], io: Io): UnsentRest {
  return {
    lines: jobs.map((job) => {
      const open = writesLeft(job).flatMap(targetIds);
      const bugs = `${open.length === 1 ? "bug" : "bugs"} ${firstNames(open)}`;
      return `job ${job.head.job} is unfinished: the undo drops the rest: ${bugs}`;
    }),
    drop: async () => {
      for (const { head } of jobs) await dropJob(head.job, io);
      return jobs.map(({ head }) => head.job);
    },
  };
}

/** @throws BtError of kind usage for a job of another tracker, one of unknown outcome, or one that is no update of bugs */
function checkUndoable(job: Job, command: Job[], address: string, io: Io): void {
  const { head, writes } = job;
  if (head.tracker !== address)
    throw usageError(
      `job ${head.job} is for ${head.tracker}, not for ${address}`,
      `bt bug undo --job ${head.job} --base-url ${head.tracker}`,
    );
  const [first] = writes;
  if (first && !writes.some(isBugUpdate)) {
    throw new BtError("usage", `${describeWrite(first.request)} cannot be undone`, {
      details: writes.flatMap(valuesBefore),
      hint: OTHER_WAYS[first.request.operation ?? ""]?.(first, filedBugs(command)),
      changed: "nothing",
    });
  }
  if (writes.some(isUnknown) && findJob(head.job, io).isOpen) throw incompleteError(job);
}

function isBugUpdate({ request }: JobWrite): boolean {
  return request.operation === "Update Bug";
}

function incompleteError({ head: { job } }: Job): BtError {
  return usageError(`job ${job} is not complete: unknown outcome`, `complete it: bt job send ${job}`);
}

function filedBugs(jobs: Job[]): number[] {
  return jobs.flatMap(({ writes }) => writes.flatMap((write) => createdBug(write) ?? []));
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
  const jobs = [...newestJobs(io, oldest)].flatMap(({ job }) => job ?? []);
  const own = jobs.filter(({ head }) => address === undefined || head.tracker === address);
  for (const change of own.flatMap(jobChanges)) {
    const { bug, command, undoes = [] } = change;
    newestFirst.set(bug, withOlder(newestFirst.get(bug) ?? [], change));
    const by = undone.get(`${bug} ${command}`);
    for (const name of by ? [change.job] : undoes) {
      const key = `${bug} ${name}`;
      undone.set(key, undone.get(key) ?? by ?? change);
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

/** Other ways to take back writes, by operation; they get a write, and the bugs that its job filed. */
const OTHER_WAYS: Readonly<Record<string, (write: JobWrite, filed: number[]) => string>> = {
  "Create Bug": (_, filed) => closingLine(filed),
  "Create Comments": ({ request }) =>
    `bt bug update ${writeTargets(request)[0]} --comment-is-private COMMENT=yes hides it`,
  "Create Attachment": () => "bt attachment update ID --is-obsolete yes",
  "Update Attachment": ({ request }) => `set the values again: bt attachment update ${writeTargets(request)[0]}`,
  "Update Comment Tags": ({ request }) => `bt tag update ${writeTargets(request)[0]} --add TAG or --remove TAG`,
  "Update Group": ({ request }) => `set the values again: bt group update ${writeTargets(request)[0]}`,
  "Create Group": () => "bt group update NAME --is-active no",
};

/** Values that the journal kept from before an update of an attachment or group. */
function valuesBefore({ request, before = [] }: JobWrite): string[] {
  const names = Object.keys(requestBody(request)).filter((name) => name !== "id");
  return before.flatMap((thing) =>
    names
      .filter((name) => ["string", "number", "boolean"].includes(typeof thing[name]))
      .map((name) => `${thing["id"] ?? thing["name"]}: ${name} was "${thing[name]}"`),
  );
}

/** The changes that a job made to bugs, oldest first. */
export function jobChanges(job: Job): PastChange[] {
  return changesAndComments(job).filter(({ fields }) => fields.length > 0);
}

/** The changes of a job, also those without a field, of bugs that it only commented on. */
function changesAndComments({ head, writes }: Job): PastChange[] {
  const changes = writes.filter(isBugUpdate).flatMap((write) => changesOfWrite(write, head));
  return changes.filter(({ fields, hasComment }) => fields.length > 0 || hasComment);
}

function changesOfWrite({ request, outcome, before: read = [] }: JobWrite, head: JobHead): PastChange[] {
  if (outcome?.st !== "applied") return [];
  const { user: who, job, undoes, leaves, edits = [] } = head;
  const body = requestBody(request);
  const hasComment = COMMENTED.some((field) => body[field] !== undefined);
  const shared = { who, job, command: commandName(head), undoes: undoes && [...undoes], hasComment };
  return readChangedItems<ChangedBug>(outcome.response, "bugs").map((changed) => {
    const { id: bug, last_change_time: when } = changed;
    const before = read.find(({ id }) => Number(id) === bug) ?? {};
    const time = before["last_change_time"];
    const fields = jobFields(changed, { before, body, edits });
    return { ...shared, bug, when, left: leaves?.[bug], fields, before: typeof time === "string" ? time : undefined };
  });
}

/** Parts of an update with which a comment is added: its own, or the tracker's about a duplicate. */
const COMMENTED = ["comment", "dupe_of"];

type SentFields = { before: JsonObject; body: JsonObject; edits: readonly string[] };

function jobFields({ changes }: ChangedBug, { before, body, edits }: SentFields): PastField[] {
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

function storedJob(name: string, io: Io): Job | undefined {
  for (const { name: other, job } of newestJobs(io, name)) if (other === name) return job;
  return undefined;
}
