import { BtError, type Kind, withFacts } from "../../errors.ts";
import type { Exchange, Json, Request } from "../../wire/exchange.ts";
import { IDEMPOTENCY_KEY } from "../../wire/idempotency.ts";
import type { Ask } from "../operation.ts";
import { type Read, unexpected } from "../reply.ts";
import type { Hearsay } from "./clock.ts";
import { concluded, type Lost } from "./conclude.ts";
import type { Attempt, JobEvent, Trouble } from "./job.ts";
import type { JobLog } from "./journal.ts";
import { kindOf } from "./kinds.ts";
import { LATER, ONCE, reconcile, SOON } from "./reconcile.ts";
import type { Finding, Rival, Sent, Write } from "./write.ts";

/** What a delivery needs from outside. `now` counts milliseconds on this machine's clock. */
export type Means = {
  readonly exchange: Exchange;
  readonly read: Read;
  readonly ask: Ask; // both in one
  readonly hearsay: Hearsay;
  /** The requester's login, as far as it can be found out. */
  readonly me: () => Promise<string | undefined>;
  /** What else the journal knows to have been sent since a moment, times on this machine's clock. */
  readonly othersSince: (moment: number) => readonly Other[];
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>; // before a look for a write; a person is told why
  readonly pause: (ms: number) => Promise<void>;
  readonly isStopped: () => boolean;
  readonly resendIfAbsent: boolean;
  readonly isNear: boolean; // in this process, where no answer gets lost
  readonly note: (sentence: string) => void;
};

/** A write of some job, with its answer when it is known to have been done; without one nobody knows. */
export type Other = Sent & { readonly job: string; readonly answer?: Json | undefined };

/** How a delivery ended. */
export type Outcome =
  | { readonly st: "DONE"; readonly answer: Json }
  | { readonly st: Trouble; readonly error: BtError; readonly isOver?: boolean }; // over: a complete 2xx response came

/** One attempt: its number in the job, the bugs that it is about when these are not all of the job, and the job's journal. */
export type Place = { readonly i: number; readonly ids?: readonly number[]; readonly log: JobLog };

/**
 * Delivers a write at most once: it is written down, sent, and when the answer is lost its outcome is looked for. Never
 * throws for what the tracker or the network does; only when the journal cannot be written.
 */
export async function deliver(write: Write, place: Place, means: Means): Promise<Outcome> {
  const prior = await alikeBefore(write, means);
  if (prior instanceof BtError) return { st: "FAILED", error: prior };
  const sent = { ...write, at: means.now(), alike: prior };
  noteSending(sent, place);
  return ended({ place, means }, async () => {
    const outcome = await sendOut(sent, place, means);
    return isLost(outcome) && !means.isNear ? settle(sent, outcome, { place, means, isLater: false }) : outcome;
  });
}

function noteSending({ at, before, alike, ifMatch }: Sent, { i, ids, log }: Place): void {
  log.write({ st: "SENT", i, at, ids, before, alike, ifMatch });
}

/** Sends a write, and again as long as a complete response says that a deadlock rolled it back: up to three times. */
async function sendOut(sent: Sent, place: Place, means: Means): Promise<Outcome> {
  for (const wait of DEADLOCK_WAITS_MS) {
    const outcome = await send(sent, place, means);
    if (outcome.st !== "FAILED" || !outcome.error.facts.isRolledBack) return outcome;
    means.note(`a deadlock on the tracker rolled back ${kindOf(sent.request).what(sent.request)}; sending it again`);
    await means.pause(wait);
    if (means.isStopped()) return outcome;
    noteSending({ ...sent, at: means.now() }, place);
  }
  return send(sent, place, means);
}

const DEADLOCK_WAITS_MS: readonly number[] = [100, 500, 2000];

/** What is on the tracker already and would be taken for the work of this write; an error when that cannot be found out. */
async function alikeBefore(write: Write, means: Means): Promise<readonly number[] | undefined | BtError> {
  const { hearsay, ask, now } = means;
  const { alikeBefore: lookBefore } = kindOf(write.request);
  if (means.isNear || hearsay.isKeyed() || lookBefore === undefined) return undefined;
  return lookBefore({ ...write, at: now() + (hearsay.skew() ?? 0) }, ask).catch((error) => {
    if (!(error instanceof BtError)) throw error;
    return withFacts(error, { changed: "nothing" });
  });
}

/**
 * Finds out what became of an attempt that was left without an outcome. When it is not there it is sent again, or left as
 * failed, so that whoever asks can look at each of its bugs before it is tried anew.
 */
export async function takeUp({ sent }: Attempt, write: Write, around: Around & { absent: Absent }): Promise<Outcome> {
  const { place, means, absent } = around;
  const lost = new BtError("unknown", "bt was stopped before the answer came", { changed: "unknown" });
  const again = { ...means, resendIfAbsent: true };
  return ended({ place, means }, async () => {
    const settling = { place, means: again, isLater: true, isResent: absent === "leave" };
    const outcome = await settle({ ...write, at: sent.at, alike: sent.alike }, { error: lost }, settling);
    return absent === "leave" && outcome.st === "ABSENT" ? { ...outcome, st: "FAILED" } : outcome;
  });
}

/** What is to be done with a write that is proven not to be there. */
export type Absent = "send again" | "leave";

type Around = { readonly place: Place; readonly means: Means };

/** What came of it is told even when it cannot be written down any more. */
async function ended({ place, means }: Around, act: () => Promise<Outcome>): Promise<Outcome> {
  const outcome = await act();
  try {
    place.log.write(endOf(place.i, outcome));
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    means.note(`the journal is not complete: ${error.message}`);
  }
  return outcome;
}

function endOf(i: number, outcome: Outcome): JobEvent {
  if (outcome.st === "DONE") return { st: "DONE", i, answer: outcome.answer };
  const { kind, message, facts } = outcome.error;
  const code = facts.bugzillaCode === undefined ? {} : { code: facts.bugzillaCode };
  return { st: outcome.st, i, kind, message, ...code };
}

async function send(write: Write, { i, log }: Place, { exchange, read, hearsay }: Means): Promise<Outcome> {
  const { request, ifMatch } = write;
  let isOver = false;
  const guard = ifMatch !== undefined && hearsay.isKeyed() ? { "if-match": ifMatch } : {};
  const headers = { ...request.headers, [IDEMPOTENCY_KEY]: `${log.job}-${i}`, ...guard };
  try {
    const reply = await exchange({ ...request, headers });
    isOver = reply.status >= 200 && reply.status < 300;
    write.heard?.(reply);
    const answer = await read(reply, request);
    if (kindOf(request).isAnswer(answer, request)) return { st: "DONE", answer };
    throw unexpected(request, "is not about what was asked");
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { st: error.facts.changed === "unknown" ? "UNKNOWN" : "FAILED", error, isOver };
  }
}

/** Whether the answer is lost and can be looked for; where a redirect took it, looking leads to the same place. */
function isLost(outcome: Outcome): outcome is Outcome & Lost {
  return outcome.st === "UNKNOWN" && outcome.error.kind !== "guard";
}

type Settling = Around & { readonly isLater: boolean; readonly isResent?: boolean };

async function settle(sent: Sent, lost: Lost, settling: Settling): Promise<Outcome> {
  const { place, means, isLater, isResent = false } = settling;
  const { isOver = false } = lost;
  const soon = isOver ? ONCE : SOON;
  const verdict = await reconcile(() => look(sent, place, means), {
    times: isLater ? LATER : soon,
    repetition: means.resendIfAbsent && !isResent && !isOver ? "allowed" : "only when asked for",
    sleep: means.sleep,
    isStopped: means.isStopped,
  });
  if (verdict.step !== "send again") {
    const resume = place.log.isKept ? `bt resume ${place.log.job}` : undefined;
    return concluded(verdict, { what: kindOf(sent.request).what(sent.request), lost, resume, note: means.note });
  }
  means.note(`${kindOf(sent.request).what(sent.request)} is not on the tracker; sending it again`);
  const again = await sendOut(sent, place, means);
  return isLost(again) ? settle(sent, again, { ...settling, isLater: false, isResent: true }) : again;
}

/** A tracker that knows a write again by its key is simply told it again; any other one is looked through. */
async function look(sent: Sent, place: Place, means: Means): Promise<Finding> {
  const { hearsay, ask } = means;
  if (!hearsay.isKeyed()) await hearsay.askTime(ask);
  if (hearsay.isKeyed() && means.now() - sent.at < KEY_LASTS_MS) return sendByKey(sent, place, means);
  const skew = hearsay.skew();
  const others = () => neighbours(sent, means);
  const eyes = {
    ask,
    me: await means.me(),
    settled: () => others().flatMap((one) => (one.answer === undefined ? [] : [{ ...one, answer: one.answer }])),
    rivals: () => others().flatMap((one) => rivalOf(place.log, one)),
  };
  const finding = await kindOf(sent.request).look({ ...sent, at: sent.at + (skew ?? 0) }, eyes);
  if (finding.sight === "absent" && skew === undefined) throw timeless(sent.request);
  return finding;
}

/** What is looked for by its time may be there at another one, when the clocks of this machine and the tracker may differ. */
function timeless(request: Request): BtError {
  return unexpected(request, "does not tell the time, so that nothing can be proven not to be there");
}

/** What else was sent about that time, on the tracker's clock. */
function neighbours({ at }: Sent, { othersSince, hearsay }: Means): readonly Other[] {
  const skew = hearsay.skew() ?? 0;
  return othersSince(at - NEIGHBOURHOOD_MS).map((other) => ({ ...other, at: other.at + skew }));
}

/** The names of jobs stand in the order of their beginnings. */
function rivalOf({ job }: JobLog, other: Other): readonly Rival[] {
  return other.answer !== undefined || other.job === job ? [] : [{ ...other, isOlder: other.job < job }];
}

const NEIGHBOURHOOD_MS = 60_000;
const KEY_LASTS_MS = 20 * 60 * 60 * 1000; // such trackers keep their answers for a day at least

/** Only a refusal of the change itself proves that it was not done the first time; whatever else fails tells nothing of that. */
async function sendByKey(sent: Sent, place: Place, means: Means): Promise<Finding> {
  const outcome = await send(sent, place, means);
  if (outcome.st === "DONE") return { sight: "present", answer: outcome.answer };
  const { kind, facts } = outcome.error;
  if (outcome.st === "UNKNOWN" || facts.bugzillaCode === undefined || DOES_NOT_DECIDE.includes(kind))
    throw outcome.error;
  return { sight: "refused", error: outcome.error };
}

const DOES_NOT_DECIDE: readonly Kind[] = ["auth", "busy"];
