import { BtError } from "../../errors.ts";
import type { Delivery, Outcome } from "./deliver.ts";
import type { SendRecord } from "./in-flight.ts";
import type { Verification } from "./write.ts";

/** How the looks are taken: when, in milliseconds after the first moment, and what may end them early. */
export type VerifySchedule = {
  readonly times: readonly number[];
  readonly repetition: ResendPolicy;
  readonly sleep: (ms: number) => Promise<void>;
  readonly isStopped: () => boolean;
};

/** The end of the looks: what is to be done next, the answer when it was found, and what else was seen. */
export type ReconcileResult = {
  readonly step: Exclude<NextStep, "look again">;
  readonly finding?: Verification | undefined; // of the last look
  readonly looks: number;
  readonly error?: BtError | undefined; // why the last look failed
  readonly details: readonly string[];
};

/** After an answer was lost: the request may still be at work, and a replica may lag behind. */
export const RETRY_DELAYS_MS: readonly number[] = [1000, 3000, 7000, 15_000, 30_000];

/** After a complete response that was not understood: the request is over. */
export const SINGLE_DELAY_MS: readonly number[] = [1000];

/** Between the looks when a job is resumed, at least. */
export const RESUME_DELAY_MS = 10_000;

/** Looks for the outcome of a write until it is decided; of several looks, two must have seen that it is absent. */
export async function reconcile(look: () => Promise<Verification>, looking: VerifySchedule): Promise<ReconcileResult> {
  const { times, repetition, sleep, isStopped } = looking;
  const seen: Seen[] = [];
  for (const [index, time] of times.entries()) {
    await sleep(time - (times[index - 1] ?? 0));
    if (isStopped()) return { step: "unknown", looks: index, details: ["stopped before it could be found out"] };
    const last = await settledLook(look);
    seen.push(last);
    const step = nextStep(sightOf(seen, Math.min(2, times.length)), index === times.length - 1, repetition);
    if (step !== "look again") return { step, looks: seen.length, ...last };
  }
  return { step: "unknown", looks: seen.length, details: [] };
}

/** What was seen last; absence that was seen less often than needed proves nothing. */
function sightOf(seen: readonly Seen[], needed: number): SightStatus {
  const last = seen.at(-1)?.sight ?? "no answer";
  const isEnough = seen.filter(({ sight }) => sight === "absent").length >= needed;
  return last === "absent" && !isEnough ? "no answer" : last;
}

type Seen = Pick<ReconcileResult, "details" | "finding" | "error"> & { readonly sight: SightStatus };

async function settledLook(look: () => Promise<Verification>): Promise<Seen> {
  try {
    const finding = await look();
    return { sight: finding.sight, finding, details: "details" in finding ? finding.details : [] };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { sight: "no answer", details: [`looking for it failed: ${error.message}`], error };
  }
}

/** What a look showed; "no answer" when the tracker could not be asked. */
export type SightStatus = Verification["sight"] | "no answer";

/** What comes next for a write whose answer was lost. */
export type NextStep = "done" | "look again" | "send again" | "refused" | "collision" | "absent" | "unknown";

/** Whether a write may go out a second time once it is proven that the first one was not done. */
export type ResendPolicy = "allowed" | "only when asked for";

type Row = { readonly meanwhile: NextStep; readonly atEnd: Readonly<Record<ResendPolicy, NextStep>> };

/**
 * The one table of what a lost answer leads to: by what the last look showed, whether there are looks left, and whether the
 * write may be repeated. A request may still be at work, so "not there" counts at the end only.
 */
const STEPS: Readonly<Record<SightStatus, Row>> = {
  present: always("done"),
  refused: always("refused"),
  overwritten: always("collision"),
  contradiction: always("unknown"),
  hidden: always("unknown"),
  absent: { meanwhile: "look again", atEnd: { allowed: "send again", "only when asked for": "absent" } },
  "no answer": { meanwhile: "look again", atEnd: { allowed: "unknown", "only when asked for": "unknown" } },
};

/** The next step after a look. */
function nextStep(sight: SightStatus, isLast: boolean, repetition: ResendPolicy): NextStep {
  const { meanwhile, atEnd } = STEPS[sight];
  return isLast ? atEnd[repetition] : meanwhile;
}

function always(step: NextStep): Row {
  return { meanwhile: step, atEnd: { allowed: step, "only when asked for": step } };
}

/** Why nobody knows what became of a write; over: a complete 2xx response came, so that the request has ended. */
export type LostResponse = { readonly error: BtError; readonly isOver?: boolean };

/** A write that was looked for: what messages call it, and the command that resumes it where there is a journal. */
type Case = {
  readonly what: string;
  readonly lost: LostResponse;
  readonly resume: string | undefined;
  readonly note: (sentence: string) => void;
};

/** The outcome of a lost write by what the looks for it have shown. */
export function concludeWrite({ step, looks, details, finding, error }: ReconcileResult, one: Case): Outcome {
  const { what, resume, note } = one;
  const lost = one.lost.error;
  if (finding?.sight === "present") {
    note(`${what} was confirmed after a lost answer (${lost.message})`);
    return { st: "DONE", answer: finding.answer };
  }
  if (finding?.sight === "refused") return { st: "FAILED", error: finding.error };
  const { asked } = lost.facts;
  if (step === "collision") {
    const message = `${what} met a change by somebody else, and was not sent again`;
    return { st: "COLLISION", error: new BtError("collision", message, { asked, details, changed: "unknown" }) };
  }
  if (step === "absent") return { st: "ABSENT", error: absentError(looks, one) };
  const message = `it is not known whether ${what} was made: ${lost.message}`;
  const hint = resume && finding?.sight !== "hidden" ? `${resume} finds it out` : LOOK_FIRST;
  return {
    st: "UNKNOWN",
    error: new BtError("unknown", message, { asked, details, hint, changed: "unknown", cause: error ?? lost }),
  };
}

function absentError(looks: number, { what, lost, resume }: Case): BtError {
  const { error, isOver } = lost;
  const message = `${what} is not on the tracker (looked ${looks === 1 ? "once" : `${looks} times`}); it was not sent again`;
  const unkept = isOver ? LOOK_FIRST : "--resend-if-absent sends it again by itself";
  const hint = resume ? `${resume} sends it again` : unkept;
  const facts = { asked: error.facts.asked, details: [error.message], hint, changed: "unknown", cause: error } as const;
  return new BtError("unknown", message, facts);
}

const LOOK_FIRST = "look at the tracker before you send it again";

type Holding = Pick<Delivery, "hearsay" | "ask" | "holdMs" | "beginner">;

/** How long a request may still be under way that left then, in milliseconds; nothing is sent where it cannot be told. */
export async function remainingFlightMs(
  { tracker }: SendRecord,
  { hearsay, ask, holdMs, beginner }: Holding,
): Promise<number> {
  await hearsay.askTime(ask).catch((error) => {
    if (!(error instanceof BtError)) throw error; // it is asked again with each look
  });
  const time = hearsay.time();
  if ((hearsay.isKeyed() && !beginner) || tracker?.from !== "database" || time?.from !== "database") return 0;
  return Math.min(holdMs, Math.max(0, holdMs - (time.at - tracker.at)));
}

/** Sleeps, and says how long where that is because of such a request. */
export async function sleepWithNotice(
  ms: number,
  held: number,
  { sleep, note }: Pick<Delivery, "sleep" | "note">,
): Promise<void> {
  if (held > 0 && ms === Math.max(RESUME_DELAY_MS, held))
    note(`the first request may still be under way; checking again in ${Math.ceil(ms / 1000)} s`);
  await sleep(ms);
}
