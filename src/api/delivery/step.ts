import type { Finding } from "./write.ts";

/** What a look showed; "no answer" when the tracker could not be asked. */
export type Sight = Finding["sight"] | "no answer";

/** What comes next for a write whose answer was lost. */
export type Step = "done" | "look again" | "send again" | "refused" | "collision" | "absent" | "unknown";

/** Whether a write may go out a second time once it is proven that the first one was not done. */
export type Repetition = "allowed" | "only when asked for";

type Row = { readonly meanwhile: Step; readonly atEnd: Readonly<Record<Repetition, Step>> };

/**
 * The one table of what a lost answer leads to: by what the last look showed, whether there are looks left, and whether the
 * write may be repeated. A request may still be at work, so "not there" counts at the end only.
 */
const STEPS: Readonly<Record<Sight, Row>> = {
  present: always("done"),
  refused: always("refused"),
  overwritten: always("collision"),
  contradiction: always("unknown"),
  hidden: always("unknown"),
  absent: { meanwhile: "look again", atEnd: { allowed: "send again", "only when asked for": "absent" } },
  "no answer": { meanwhile: "look again", atEnd: { allowed: "unknown", "only when asked for": "unknown" } },
};

/** The next step after a look. */
export function stepAfter(sight: Sight, isLast: boolean, repetition: Repetition): Step {
  const { meanwhile, atEnd } = STEPS[sight];
  return isLast ? atEnd[repetition] : meanwhile;
}

function always(step: Step): Row {
  return { meanwhile: step, atEnd: { allowed: step, "only when asked for": step } };
}
