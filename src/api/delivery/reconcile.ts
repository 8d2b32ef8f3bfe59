import { BtError } from "../../errors.ts";
import type { Delivery, Outcome } from "./deliver.ts";
import type { SendRecord } from "./send-write.ts";
import type { Verification } from "./write.ts";

/** Schedule of the verifications of one write. */
export type VerifySchedule = {
  readonly timesMs: readonly number[]; // from the start
  readonly resend: ResendPolicy;
  readonly sleep: (ms: number) => Promise<void>;
  readonly isStopped: () => boolean;
};

/** Result of verifying a write: the next step, and the last verification. */
export type ReconcileResult = {
  readonly step: Exclude<NextStep, "check again">;
  readonly verification?: Verification | undefined; // of the last check
  readonly checks: number;
  readonly error?: BtError | undefined; // of the last check, if it failed
  readonly details: readonly string[];
};

/** Verification times after a lost response: the request may still be running, and a replica may lag behind. */
export const RETRY_DELAYS_MS: readonly number[] = [1000, 3000, 7000, 15_000, 30_000];

/** Verification times after a complete response that was not understood: the request has ended. */
export const SINGLE_DELAY_MS: readonly number[] = [1000];

/** Minimum delay between the verifications of a resumed job. */
export const RESUME_DELAY_MS = 10_000;

/**
 * Verifies a write repeatedly until the result is conclusive. "not-applied" needs two checks unless the schedule has
 * only one.
 */
export async function reconcile(
  check: () => Promise<Verification>,
  schedule: VerifySchedule,
): Promise<ReconcileResult> {
  const { timesMs, resend, sleep, isStopped } = schedule;
  const results: CheckResult[] = [];
  for (const [index, time] of timesMs.entries()) {
    await sleep(time - (timesMs[index - 1] ?? 0));
    if (isStopped()) return { step: "unknown", checks: index, details: ["stopped before it could be verified"] };
    const last = await tryCheck(check);
    results.push(last);
    const step = nextStep(effectiveStatus(results, Math.min(2, timesMs.length)), index === timesMs.length - 1, resend);
    if (step !== "check again") return { step, checks: results.length, ...last };
  }
  return { step: "unknown", checks: results.length, details: [] };
}

/** Status of the last check; "not-applied" counts as "no response" until it was seen often enough. */
function effectiveStatus(results: readonly CheckResult[], needed: number): VerificationStatus {
  const last = results.at(-1)?.status ?? "no response";
  const isEnough = results.filter(({ status }) => status === "not-applied").length >= needed;
  return last === "not-applied" && !isEnough ? "no response" : last;
}

type CheckResult = Pick<ReconcileResult, "details" | "verification" | "error"> & {
  readonly status: VerificationStatus;
};

async function tryCheck(check: () => Promise<Verification>): Promise<CheckResult> {
  try {
    const verification = await check();
    return {
      status: verification.status,
      verification,
      details: "details" in verification ? verification.details : [],
    };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { status: "no response", details: [`verification failed: ${error.message}`], error };
  }
}

/** Result of one check; "no response" if the tracker could not be reached. */
export type VerificationStatus = Verification["status"] | "no response";

/** Next step for a write whose response was lost. */
export type NextStep = "done" | "check again" | "resend" | "refused" | "collision" | "not applied" | "unknown";

/** Permission to resend a write that is verified as not applied. */
export type ResendPolicy = "allowed" | "on request";

type StepRow = { readonly meanwhile: NextStep; readonly atEnd: Readonly<Record<ResendPolicy, NextStep>> };

/**
 * Decision table for lost responses: by status of the last check, by whether checks are left, and by resend policy. The
 * request may still be running, so "not-applied" is only conclusive at the end.
 */
const STEPS: Readonly<Record<VerificationStatus, StepRow>> = {
  applied: always("done"),
  refused: always("refused"),
  overwritten: always("collision"),
  contradiction: always("unknown"),
  unverifiable: always("unknown"),
  "not-applied": { meanwhile: "check again", atEnd: { allowed: "resend", "on request": "not applied" } },
  "no response": { meanwhile: "check again", atEnd: { allowed: "unknown", "on request": "unknown" } },
};

function nextStep(status: VerificationStatus, isLastCheck: boolean, resend: ResendPolicy): NextStep {
  const { meanwhile, atEnd } = STEPS[status];
  return isLastCheck ? atEnd[resend] : meanwhile;
}

function always(step: NextStep): StepRow {
  return { meanwhile: step, atEnd: { allowed: step, "on request": step } };
}

/** Error that left the outcome unknown. `isOver`: a complete 2xx response arrived, so the request has ended. */
export type LostResponse = { readonly error: BtError; readonly isOver?: boolean };

/** A write whose response was lost: its label in messages, and the command that resumes it if it is journaled. */
type LostWrite = {
  readonly label: string;
  readonly lost: LostResponse;
  readonly resume: string | undefined;
  readonly note: (sentence: string) => void;
};

/** Outcome of a lost write according to its verification. */
export function concludeWrite(
  { step, checks, details, verification, error }: ReconcileResult,
  write: LostWrite,
): Outcome {
  const { label, resume, note } = write;
  const lost = write.lost.error;
  if (verification?.status === "applied") {
    note(`${label} was verified as applied after a lost response (${lost.message})`);
    return { st: "DONE", answer: verification.answer };
  }
  if (verification?.status === "refused") return { st: "FAILED", error: verification.error };
  const { asked } = lost.facts;
  if (step === "collision") {
    const message = `${label} conflicts with a change by another user; it was not resent`;
    return { st: "COLLISION", error: new BtError("collision", message, { asked, details, changed: "unknown" }) };
  }
  if (step === "not applied") return { st: "ABSENT", error: notAppliedError(checks, write) };
  const message = `unknown outcome of ${label}: ${lost.message}`;
  const hint = resume && verification?.status !== "unverifiable" ? `${resume} checks it again` : LOOK_FIRST;
  return {
    st: "UNKNOWN",
    error: new BtError("unknown", message, { asked, details, hint, changed: "unknown", cause: error ?? lost }),
  };
}

function notAppliedError(checks: number, { label, lost, resume }: LostWrite): BtError {
  const { error, isOver } = lost;
  const message = `${label} was not found on the tracker (checked ${checks === 1 ? "once" : `${checks} times`}); it was not resent`;
  const noJournalHint = isOver ? LOOK_FIRST : "--resend-if-absent resends it automatically";
  const hint = resume ? `${resume} resends it` : noJournalHint;
  const facts = { asked: error.facts.asked, details: [error.message], hint, changed: "unknown", cause: error } as const;
  return new BtError("unknown", message, facts);
}

const LOOK_FIRST = "check the tracker before you retry";

type HoldContext = Pick<Delivery, "serverFacts" | "ask" | "holdMs" | "jobOwner">;

/** Time (ms) for which an earlier request may still be running, so that nothing may be resent; 0 if unknown. */
export async function remainingFlightMs(
  { tracker }: SendRecord,
  { serverFacts, ask, holdMs, jobOwner }: HoldContext,
): Promise<number> {
  await serverFacts.fetchTime(ask).catch((error) => {
    if (!(error instanceof BtError)) throw error; // fetched again with each check
  });
  const time = serverFacts.time();
  if ((serverFacts.hasIdempotencyKeys() && !jobOwner) || tracker?.from !== "database" || time?.from !== "database")
    return 0;
  return Math.min(holdMs, Math.max(0, holdMs - (time.at - tracker.at)));
}

/** Sleeps; prints a notice if the delay waits for an earlier request. */
export async function sleepWithNotice(
  ms: number,
  holdMs: number,
  { sleep, note }: Pick<Delivery, "sleep" | "note">,
): Promise<void> {
  if (holdMs > 0 && ms === Math.max(RESUME_DELAY_MS, holdMs))
    note(`the first request may still be in progress; checking again in ${Math.ceil(ms / 1000)} s`);
  await sleep(ms);
}
