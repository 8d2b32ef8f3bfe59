import { BtError, isKind, withFacts } from "../../errors.ts";
import type { Request } from "../../wire/exchange.ts";
import { invalidResponseError, readResponse } from "../response/response.ts";
import { departureTime, findApplied, unknownOutcome } from "./find-applied.ts";
import { mayPass, type OpenJob, type Outcome, type SentWrite, type Write } from "./outcome.ts";
import { describeWrite, isResponseTo, splitWrite, writeRow } from "./write-rows.ts";

/** Journals a write, sends it once, and looks for it if the response does not say what became of it. */
export async function sendWrite(n: number, write: Write, job: OpenJob): Promise<Outcome> {
  const { tools } = job;
  const [left, ticks] = [tools.clock.now(), tools.clock.ticks()];
  try {
    job.record(n, { st: "sent", write, left, ticks: left === undefined ? ticks : undefined });
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { st: "refused", error: withFacts(error, { changed: "nothing" }) };
  }
  const sent = { ...write, n, left, ticks };
  const direct = await sendOnce(write.request, job);
  // guard: the write was redirected, as the looks would be
  const isLost = direct.st === "unknown" && direct.error.kind !== "guard";
  const outcome = isLost ? await lookUntilFound(sent, direct.error, job) : direct;
  try {
    job.record(n, { ...outcome, left: departureTime(sent, tools.clock) });
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    tools.note(`the journal is incomplete: ${error.message}`);
  }
  return outcome;
}

/**
 * Sends a write. Its outcome is "unknown" if nothing arrived, or if what arrived does not say what
 * became of it. What an unreachable or overloaded tracker did not accept stays in the job.
 */
async function sendOnce(request: Request, { name, tools }: OpenJob): Promise<Outcome> {
  let raw: Outcome["raw"];
  try {
    raw = await tools.exchange(request);
    // the refusal may be the tracker's own, and no gateway's, if it is a JSON object
    const mayBeOwn = raw.status >= 400 && raw.status < 500 && raw.body.trimStart().startsWith("{");
    const json = readResponse(raw, request, mayBeOwn && (await tools.dialect()) === "plain");
    if (isResponseTo(request, json)) return { st: "applied", response: json, raw };
    throw invalidResponseError(request, "does not match the request");
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    if (error.facts.changed === "unknown" && !tools.isInProcess) return { st: "unknown", error, raw };
    const hint = `not applied; once the tracker can be reached: bt job send ${name}`;
    return { st: "refused", error: isKind(error, "network", "busy") ? withFacts(error, { hint }) : error, raw };
  }
}

async function lookUntilFound(sent: SentWrite, lost: BtError, job: OpenJob): Promise<Outcome> {
  const { tools } = job;
  const pauses = lookPauses(sent, lost);
  if (pauses.length > 0) tools.progress("no response; checking whether the write was applied");
  let outcome: Outcome = unknownOutcome(sent, job, lost, []);
  for (const pause of pauses) {
    await tools.sleep(pause);
    if (tools.signal.aborted) break;
    outcome = await findApplied(sent, job, lost);
    if (outcome.st === "applied") break;
  }
  if (outcome.st === "applied")
    tools.note(`verified as applied after a lost response (${lost.message}): ${describeWrite(sent.request)}`);
  return outcome;
}

/** Pauses before the looks (ms): the request may still run, unless the tracker reported an error. */
function lookPauses({ request }: SentWrite, { facts: { bugzillaCode } }: BtError): readonly number[] {
  if (writeRow(request) === undefined) return [];
  return bugzillaCode === undefined ? [1000, 2000, 4000, 8000, 15_000] : [1000, 2000];
}

/** A write of a job with its outcome; without an outcome it was not tried, because of the error, or of Ctrl-C if there is none. */
export type Sent = {
  readonly n: number;
  readonly write: Write;
  readonly outcome?: Outcome | undefined;
  readonly error?: BtError | undefined;
};

/** A job while its writes are sent one after the other. */
export type Sending = {
  readonly job: OpenJob;
  unknowns: number; // unknown outcomes in a row
  end?: BtError; // with which every further write would end, so that none is tried
};

/** The newest form of a write. @throws BtError why it must not be sent */
type Fresh = (write: Write) => Promise<Write>;

/** Sends a write in its newest form; an update of several bugs that is refused as a whole is sent bug by bug. */
export async function sendOrSplit(n: number, write: Write, sending: Sending, fresh: Fresh): Promise<Sent[]> {
  const sent = await sendNext(n, write, sending, fresh);
  const { outcome } = sent;
  const singles = outcome?.st === "refused" && !mayPass(outcome.error) ? splitWrite(sent.write) : [];
  if (singles.length === 0) return [sent];
  const first = sending.job.add(singles);
  const results: Sent[] = [];
  for (const [at, single] of singles.entries()) results.push(await sendNext(first + at, single, sending, fresh));
  return results;
}

/** Sends a write, unless Ctrl-C, a refused login, an unreachable tracker, or three unknown outcomes in a row ended the job. */
export async function sendNext(n: number, write: Write, sending: Sending, fresh = asPlanned): Promise<Sent> {
  const { job } = sending;
  if (sending.end || job.tools.signal.aborted) return { n, write, error: sending.end };
  const sent = await sendFresh(n, write, job, fresh);
  const { outcome } = sent;
  sending.unknowns = outcome.st === "unknown" ? sending.unknowns + 1 : 0;
  if (outcome.st !== "applied" && (mayPass(outcome.error) || sending.unknowns === MAX_UNKNOWN))
    sending.end = outcome.error;
  return sent;
}

const MAX_UNKNOWN = 3;

const asPlanned: Fresh = async (write) => write;

async function sendFresh(n: number, write: Write, job: OpenJob, fresh: Fresh) {
  let newest = write;
  try {
    newest = await fresh(write);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    const outcome = { st: "refused", error } as const;
    if (!mayPass(error)) job.record(n, outcome);
    return { n, write, outcome };
  }
  return { n, write: newest, outcome: await sendWrite(n, newest, job) };
}
