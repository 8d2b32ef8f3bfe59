import { BtError } from "../../errors.ts";
import type { Delivery, Outcome } from "./deliver.ts";
import type { SendRecord } from "./in-flight.ts";
import { RESUME_DELAY_MS, type ReconcileResult } from "./reconcile.ts";

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
