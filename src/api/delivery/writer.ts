import type { JsonObject } from "../../wire/exchange.ts";
import { fieldsSentWhole, withWholeValues } from "../write/body.ts";
import type { LeftFields } from "../write/update-part.ts";
import { requestBody, updateRequest, writeTargets } from "../write/update-request.ts";
import type { BugResult } from "./bulk.ts";
import type { Journal, UndoFacts } from "./journal.ts";
import type { Outcome, responseOf, Write } from "./outcome.ts";
import type { OpenJob } from "./send-all.ts";

/** The jobs of one command share this: the first of them names the command in the heads of the others. */
export type CommandJobs = { first?: string; last?: string };

type JobRole = {
  command?: CommandJobs | undefined;
  edits?: string[] | undefined;
  undoes?: string[] | undefined;
  leaves?: LeftFields | undefined;
};

export type RoleWrite = JobRole & Write;

export type PublicConsent = "all" | readonly number[];

export type JobPlan = JobRole & {
  readonly request: Write["request"];
  bulk?: { read: JsonObject[] } | undefined;
  readonly seen?: Readonly<Record<string, string>> | undefined;
  readonly latest?: string | undefined;
  readonly exposed?: PublicConsent | undefined;
};

export type RunningJob = {
  readonly name: string;
  readonly isJournaled: boolean;
  readonly attempt: (write: RoleWrite, ids?: readonly number[]) => Promise<Outcome>;
  markUnchanged: (ids: readonly number[]) => void;
  markRefused: (results: readonly BugResult[]) => void;
};

/** Writes as updates of bugs send them, until all of these go through `sendAll`. */
export type Writer = {
  readonly deliver: (write: RoleWrite) => Promise<ReturnType<typeof responseOf>>;
  readonly begin: <Result>(plan: JobPlan, use: (job: RunningJob) => Promise<Result>) => Promise<Result>;
};

export function adaptedWriter(journal: Journal): Writer {
  const begin: Writer["begin"] = ({ request, bulk, ...role }, use) => {
    const planned = bulk ? singleWrites(request, bulk.read) : [{ request }];
    const edits = role.edits ?? fieldsSentWhole(requestBody(request));
    return journal.begin({ command: "bug update", writes: planned, ...undoFacts({ ...role, edits }) }, (job) => {
      if (job.isStored) noteCommand(role.command, job.name);
      return use(runningJob(job, planned));
    });
  };
  return {
    begin,
    deliver: ({ request, before, ...role }) =>
      journal.deliver("bug update", { request, before }, undoFacts(role), (name) => noteCommand(role.command, name)),
  };
}

function undoFacts({ command, edits, undoes, leaves }: JobRole): UndoFacts {
  return { of: command?.first, edits, undoes, leaves };
}

function noteCommand(command: CommandJobs | undefined, name: string): void {
  if (command === undefined) return;
  command.first ??= name;
  command.last = name;
}

/** One update of each bug, with edits of values that are sent as a whole applied to those that were read. */
function singleWrites(request: Write["request"], read: readonly JsonObject[]): Write[] {
  const { ids: _, ...body } = requestBody(request);
  return writeTargets(request).map((target) => {
    const before = read.filter(({ id }) => String(id) === target);
    const whole = fieldsSentWhole(body).length > 0 && before[0] ? withWholeValues(body, before[0]) : body;
    return { request: updateRequest([Number(target)], whole), before };
  });
}

function runningJob(job: OpenJob, planned: readonly Write[]): RunningJob {
  const open = new Map(planned.map(({ request }, n) => [writeTargets(request).join(), n]));
  const take = (ids: readonly number[]) => {
    for (const id of ids) {
      const n = open.get(String(id));
      if (n !== undefined) job.skip(n);
      open.delete(String(id));
    }
  };
  return {
    name: job.name,
    isJournaled: job.isStored,
    attempt: async ({ request, before }, ids) => {
      const targets = writeTargets(request);
      const known = open.get(targets.join());
      if (known !== undefined) {
        open.delete(targets.join());
        return job.send(known, { request, before });
      }
      const n = job.add({ request, before });
      take(ids ?? []);
      return job.send(n);
    },
    markUnchanged: take,
    markRefused: (results) => take(results.map(({ bug }) => Number(bug)).filter(Number.isSafeInteger)),
  };
}
