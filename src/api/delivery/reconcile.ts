import { BtError } from "../../errors.ts";
import { type Repetition, type Sight, type Step, stepAfter } from "./step.ts";
import type { Finding } from "./write.ts";

/** How the looks are taken: when, in milliseconds after the first moment, and what may end them early. */
export type Looking = {
  readonly times: readonly number[];
  readonly repetition: Repetition;
  readonly sleep: (ms: number) => Promise<void>;
  readonly isStopped: () => boolean;
};

/** The end of the looks: what is to be done next, the answer when it was found, and what else was seen. */
export type Verdict = {
  readonly step: Exclude<Step, "look again">;
  readonly finding?: Finding | undefined; // of the last look
  readonly looks: number;
  readonly error?: BtError | undefined; // why the last look failed
  readonly details: readonly string[];
};

/** After an answer was lost: the request may still be at work, and a replica may lag behind. */
export const SOON: readonly number[] = [1000, 3000, 7000, 15_000, 30_000];

/** After a complete response that was not understood: the request is over. */
export const ONCE: readonly number[] = [1000];

/** Between the looks when a job is resumed, at least. */
export const LATER_MS = 10_000;

/** Looks for the outcome of a write until it is decided; of several looks, two must have seen that it is absent. */
export async function reconcile(look: () => Promise<Finding>, looking: Looking): Promise<Verdict> {
  const { times, repetition, sleep, isStopped } = looking;
  const seen: Seen[] = [];
  for (const [index, time] of times.entries()) {
    await sleep(time - (times[index - 1] ?? 0));
    if (isStopped()) return { step: "unknown", looks: index, details: ["stopped before it could be found out"] };
    const last = await settledLook(look);
    seen.push(last);
    const step = stepAfter(sightOf(seen, Math.min(2, times.length)), index === times.length - 1, repetition);
    if (step !== "look again") return { step, looks: seen.length, ...last };
  }
  return { step: "unknown", looks: seen.length, details: [] };
}

/** What was seen last; absence that was seen less often than needed proves nothing. */
function sightOf(seen: readonly Seen[], needed: number): Sight {
  const last = seen.at(-1)?.sight ?? "no answer";
  const isEnough = seen.filter(({ sight }) => sight === "absent").length >= needed;
  return last === "absent" && !isEnough ? "no answer" : last;
}

type Seen = Pick<Verdict, "details" | "finding" | "error"> & { readonly sight: Sight };

async function settledLook(look: () => Promise<Finding>): Promise<Seen> {
  try {
    const finding = await look();
    return { sight: finding.sight, finding, details: "details" in finding ? finding.details : [] };
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    return { sight: "no answer", details: [`looking for it failed: ${error.message}`], error };
  }
}
