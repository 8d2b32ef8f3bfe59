import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { requestEach } from "../../api/batch.ts";
import { bugPlan } from "../../api/bug-numbers.ts";
import type { JobHead, PublicConsent, SeenVersions } from "../../api/delivery/journal.ts";
import type { Writer } from "../../api/delivery/writer.ts";
import { setFields } from "../../api/offline/field-conflicts.ts";
import {
  mentionedNames,
  standInId,
  temporaryName,
  temporaryNumber,
  withTemporaryNames,
} from "../../api/offline/temporary-names.ts";
import type { SendRequest } from "../../api/operations/operation.ts";
import { type PartScope, requestBody, writeTargets } from "../../api/write/update-request.ts";
import { folderToWrite } from "../../config/files.ts";
import { withJob } from "../../config/jobs.ts";
import { withLock } from "../../config/lock.ts";
import { ulid } from "../../config/ulid.ts";
import { BtError, usage } from "../../errors.ts";
import type { Io } from "../../io.ts";
import type { JsonObject, Request } from "../../wire/exchange.ts";
import type { Session } from "../session.ts";
import { allOfflineJobs, listJob, type OfflineJob } from "./kept-jobs.ts";
import { withPending } from "./pending-reads.ts";

/** Keeps a write until it is sent. */
export type KeepWrite = (write: OfflineWrite) => Promise<KeptResult>;

/** A mirror whose commands that write keep jobs. */
export type QueuedMirror = {
  readonly name: string;
  readonly tracker: string; // address of the mirrored tracker
  readonly login: string | null;
  readonly asOf: string | null; // start of the last sync
  readonly version: string; // of bt
  readonly hide: (text: string) => string; // redacts keys
};

/** A write to keep until it is sent. */
export type OfflineWrite = {
  readonly request: Request;
  readonly exposed?: PublicConsent | undefined; // bugs that may become public
  readonly seen?: SeenVersions | undefined; // moments after which the bugs must not have been modified
  readonly only?: PartScope | undefined; // state of the bugs that it is for
  readonly isDraft?: true;
};

/** A kept write: its job, and the temporary name of the bug that it creates. */
export type KeptResult = { readonly job: string; readonly name?: string | undefined };

/**
 * The session of a mirror for commands that write: writes are kept as jobs, and bugs are returned as they will be after
 * the pending jobs.
 * @throws BtError of kind usage for a mirror without a login
 */
export function queueingSession(session: Session, mirror: QueuedMirror, io: Io): Session {
  if (mirror.login === null)
    throw usage(`the mirror ${mirror.name} has no login, so it cannot keep writes`, "bt auth login, then a mirror");
  const keep = async (write: OfflineWrite) => keepWrite(write, { session, mirror, io });
  return {
    ...session,
    ask: withPending(session, io),
    mirror: session.mirror && { ...session.mirror, keep },
    writer: async () => writerOfDrafts(session, async ({ request }) => (await keep({ request, isDraft: true })).job),
    zone: async () => {
      if (session.settings.server_zone !== undefined) return session.zone();
      throw usage(
        "a date-time cannot be set offline: only the tracker knows its time zone",
        "omit --offline, or set it, for example: bt config set server_zone America/New_York",
      );
    },
  };
}

/** A writer that only stores drafts. */
function writerOfDrafts({ mirror }: Session, draft: Writer["draft"]): Writer {
  const refuse = async (): Promise<never> => {
    throw mirror?.readOnly() ?? new BtError("internal", "a write that is not kept");
  };
  const none = { applied: [], finished: () => undefined, newestJobs: () => [], isOwn: async () => false };
  return { ...none, deliver: refuse, begin: refuse, resume: refuse, draft };
}

type Keeping = { readonly session: Session; readonly mirror: QueuedMirror; readonly io: Io };

/** Stores a write as the last job of the queue. */
async function keepWrite(
  { request, exposed, seen, only, isDraft }: OfflineWrite,
  { session, mirror, io }: Keeping,
): Promise<KeptResult> {
  const file = join(folderToWrite("state", io), "jobs", "offline");
  const kept = withTemporaryNames(request);
  const based = await basedOn(request, session.ask);
  const action = async () => {
    const queue = allOfflineJobs(io).map(({ head }) => head);
    const place = 1 + Math.max(0, ...queue.map(({ offline }) => offline.place));
    const name = request.operation === "Create Bug" ? nextName(queue) : undefined;
    const [nobody] = unknownNames(
      kept,
      queue.filter(({ origin }) => origin === mirror.tracker),
    );
    if (nobody !== undefined) throw notKept(nobody, name);
    const { name: from, asOf } = mirror;
    const head: JobHead = {
      ...{ v: 1, job: ulid(io.now().getTime(), randomBytes(10)), bt: mirror.version, at: io.now().getTime() },
      ...{ origin: mirror.tracker, user: mirror.login ?? undefined, request: kept, exposed, seen, only },
      ...(isDraft ? { draft: true } : {}),
      offline: { place, mirror: from, asOf, based, name },
    };
    listJob(head.job, io);
    await store(head, mirror, io);
    return { job: head.job, name };
  };
  return withLock({ file, about: "the queue of offline jobs", action }, io);
}

async function store(head: JobHead, { hide }: QueuedMirror, io: Io): Promise<void> {
  const line = JSON.stringify(head);
  if (hide(line) !== line)
    throw new BtError("guard", "the text contains your API key, so it was not kept", {
      hint: "remove the key from the text",
      changed: "nothing",
    });
  await withJob({ job: head.job, isNew: true }, io, async (file) => file.append(line));
}

/** A temporary name that no job has or mentions, of any tracker. */
function nextName(queue: readonly OfflineJob["head"][]): string {
  const names = queue.flatMap(({ offline, request }) => [offline.name, ...mentionedNames(request)]);
  return temporaryName(1 + Math.max(0, ...names.map(temporaryNumber)));
}

/** The temporary names that a request mentions although no job creates their bugs. */
function unknownNames(request: Request, queue: readonly OfflineJob["head"][]): readonly string[] {
  const known = new Set(queue.map(({ offline }) => offline.name));
  return mentionedNames(request).filter((name) => !known.has(name));
}

/** Error for a text that would be sent with a temporary name in it. */
function notKept(name: string, own: string | undefined): BtError {
  const hint =
    name === own
      ? "the number of a new bug is not known when its description is sent"
      : "bt job list lists the new bugs";
  return usage(`the text mentions bug ${name}, which no earlier job creates`, hint);
}

/** The fields that an update sets, as the mirror has them; bugs that are not created yet have none. */
async function basedOn(request: Request, ask: SendRequest): Promise<readonly JsonObject[] | undefined> {
  const fields = request.operation === "Update Bug" ? setFields(requestBody(request)) : [];
  const ids = writeTargets(request).filter((id) => Number(id) < standInId(""));
  if (fields.length === 0 || ids.length === 0) return undefined;
  const based: JsonObject[] = [];
  for await (const outcomes of requestEach(ids, bugPlan(["id", ...fields]), ask)) {
    for (const outcome of outcomes) {
      if ("error" in outcome) throw outcome.error;
      based.push(outcome.thing as JsonObject);
    }
  }
  return based;
}
