import { BtError } from "../../errors.ts";
import type { Outcome } from "./deliver.ts";
import type { Verdict } from "./reconcile.ts";

/** Why nobody knows what became of a write; over: a complete 2xx response came, so that the request has ended. */
export type Lost = { readonly error: BtError; readonly isOver?: boolean };

/** A write that was looked for: what messages call it, and the command that resumes it where there is a journal. */
type Case = {
  readonly what: string;
  readonly lost: Lost;
  readonly resume: string | undefined;
  readonly note: (sentence: string) => void;
};

/** The outcome of a lost write by what the looks for it have shown. */
export function concluded({ step, looks, details, finding, error }: Verdict, one: Case): Outcome {
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
