import type { Outcome } from "../../api/delivery/deliver.ts";
import type { Write } from "../../api/delivery/write.ts";
import { completeJob, endOutcome, type Writer } from "../../api/delivery/writer.ts";
import type { Renumbering } from "../../api/migrate/references.ts";
import { isObject } from "../../api/response/response-objects.ts";
import { BtError, usage } from "../../errors.ts";
import { keptEntry, type MoveEntry, type MoveLog, stepKey } from "../../session/results/move-log.ts";
import type { Json } from "../../wire/exchange.ts";

/** The steps of a move: what was done so far, and a function that does one. */
export type Steps = {
  readonly entries: ReadonlyMap<string, MoveEntry>;
  readonly numbers: Numbers;
  readonly begun: ReadonlySet<number>; // bugs of which an earlier run did something
  /**
   * Does a step, or completes it where an earlier run was stopped; a step that was done is not repeated.
   * @throws BtError of the step
   */
  readonly run: (step: Step, prepare: () => Promise<Write>) => Promise<MoveEntry>;
  /** Writes down that a bug is complete. */
  readonly end: (bug: number) => void;
};

/** A step of moving a bug; `number` is that of its comment in the target. */
export type Step = Pick<MoveEntry, "bug" | "step" | "count" | "number">;

/** New numbers, as far as they are known. */
export type Numbers = {
  readonly bugs: ReadonlyMap<number, number>;
  readonly attachments: ReadonlyMap<number, number>;
  readonly comments: ReadonlyMap<string, number>; // by "bug/number" of the source
};

/** Context of steps: the trackers' addresses, the writer of the target, and the results file. */
export type StepTools = {
  readonly from: string;
  readonly to: string;
  readonly writer: Writer;
  readonly log: MoveLog;
};

/**
 * The steps of a move, each a job of its own, written to the results file before it is sent.
 * @throws BtError of kind usage for the results of other trackers
 */
export function movingSteps({ from, to, writer, log }: StepTools): Steps {
  const entries = new Map(log.entries);
  for (const entry of entries.values()) checkTrackers(entry, { from, to });
  const numbers = { bugs: new Map<number, number>(), attachments: new Map(), comments: new Map<string, number>() };
  for (const entry of entries.values()) noteNumbers(entry, numbers);
  const note = (entry: MoveEntry) => {
    log.write([entry]);
    entries.set(stepKey(entry), keptEntry(entry));
    noteNumbers(entry, numbers);
    return entry;
  };
  return {
    entries,
    numbers,
    begun: new Set([...log.entries.values()].map(({ bug }) => bug)),
    end: (bug) => void note({ from, to, bug, step: "end", result: "done", id: numbers.bugs.get(bug) }),
    run: async (step, prepare) => {
      const known = entries.get(stepKey(step));
      if (known?.result === "done") return known;
      const begun = isOpenStep(known) ? { count: known.count, number: known.number } : {};
      const base = { from, to, ...step, ...begun };
      const sent = (job: string | undefined) => void note({ ...base, result: "sending", job });
      const outcome = isOpenStep(known) ? await completed(known, writer) : await attempted(writer, prepare, sent);
      const job = entries.get(stepKey(step))?.job;
      if (outcome.st === "DONE") return note({ ...base, result: "done", id: idIn(outcome.answer), job });
      note({ ...base, result: FAILURES[outcome.st], job, error: outcome.error.message });
      throw outcome.error;
    },
  };
}

const FAILURES = { FAILED: "failed", COLLISION: "failed", ABSENT: "unknown", UNKNOWN: "unknown" } as const;

function checkTrackers(entry: MoveEntry, { from, to }: Pick<StepTools, "from" | "to">): void {
  if (entry.from === from && entry.to === to) return;
  const why = `the results are of a move from ${entry.from} to ${entry.to}, not from ${from} to ${to}`;
  throw usage(why, "--results FILE names another file");
}

function noteNumbers({ step, result, bug, id, count, number }: MoveEntry, numbers: MutableNumbers): void {
  if (result !== "done") return;
  const [kind, old = ""] = step.split(" ");
  if (kind === "create" && id !== undefined) numbers.bugs.set(bug, id);
  if (kind === "attachment" && id !== undefined) numbers.attachments.set(Number(old), id);
  if (count !== undefined && number !== undefined) numbers.comments.set(`${bug}/${count}`, number);
}

type MutableNumbers = {
  readonly bugs: Map<number, number>;
  readonly attachments: Map<number, number>;
  readonly comments: Map<string, number>;
};

/** Numbers of comments that are not there yet: `gaps` as in a census, `isUnsure` is true for bugs with others in the target. */
export type Foreseen = {
  readonly gaps: ReadonlyMap<number, readonly number[]>;
  readonly isUnsure: (bug: number) => boolean;
};

/**
 * New numbers for texts. Comments that are not there yet count as they will be, without the gaps of hidden ones.
 */
export function renumberingOf(
  { bugs, attachments, comments }: Numbers,
  { gaps, isUnsure }: Foreseen,
  source: string,
): Renumbering {
  const foreseen = (bug: number, old: number) => {
    if (isUnsure(bug)) return undefined;
    const numbers = gaps.get(bug);
    const place = numbers === undefined ? old : numbers.indexOf(old);
    return place < 0 ? undefined : place;
  };
  return {
    source,
    bug: (old) => bugs.get(old),
    attachment: (old) => attachments.get(old),
    comment: (bug, old) => comments.get(`${bug}/${old}`) ?? foreseen(bug, old),
  };
}

/** True if a step was done. */
export function isDoneStep(entries: MoveLog["entries"], bug: number, step: MoveEntry["step"]): boolean {
  return entries.get(stepKey({ bug, step }))?.result === "done";
}

/** True if the outcome of a step is not known. */
export function isOpenStep(entry: MoveEntry | undefined): entry is MoveEntry {
  return entry?.result === "sending" || entry?.result === "unknown";
}

async function attempted(
  writer: Writer,
  prepare: () => Promise<Write>,
  sent: (job: string | undefined) => void,
): Promise<Outcome> {
  const write = await prepare();
  return writer.begin({ request: write.request }, (job) => {
    sent(job.isJournaled ? job.name : undefined);
    return job.attempt(write);
  });
}

async function completed(entry: MoveEntry, writer: Writer): Promise<Outcome> {
  const { job, bug, step } = entry;
  if (job === undefined) {
    throw new BtError("unknown", `bug ${bug}: bt was stopped during the step ${JSON.stringify(step)}`, {
      hint: "look for its effect in the target; then remove its last line from the results file",
      changed: "unknown",
    });
  }
  const end = writer.finished(job)?.attempts.at(-1)?.end;
  return end ? endOutcome(end) : writer.resume(job, completeJob);
}

/** Id of what a response says was created. */
function idIn(answer: Json): number | undefined {
  if (!isObject(answer)) return undefined;
  const { id, ids } = answer;
  const created = Array.isArray(ids) ? ids[0] : id;
  return typeof created === "number" ? created : undefined;
}
