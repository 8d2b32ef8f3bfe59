import type { Means, Other } from "./deliver.ts";
import { type Clocks, type Flight, sentAt } from "./flight.ts";
import type { JobLog } from "./journal.ts";
import { type Rival, type Sent, TOLERANCE_S } from "./write.ts";

/** Another write that the journal knows, with its response where that came. */
type Neighbour = Sent & Pick<Other, "job" | "answer">;

/** What else was sent about that time, read when it is needed; with a clock that was set, that may be any of all that is known. */
export function neighbours({ local }: Flight, { isSteady }: Clocks, means: Means): () => readonly Neighbour[] {
  let found: readonly Neighbour[] | undefined;
  return () => {
    found ??= means
      .othersSince(isSteady ? local - NEIGHBOURHOOD_MS : Number.NEGATIVE_INFINITY)
      .map((other) => ({ ...sentAt(other, other.sent, means), job: other.job, answer: other.answer }));
    return found;
  };
}

/** The names of jobs stand in the order of their beginnings, as far as this machine's clock was not set. */
export function rivalOf({ job }: JobLog, { at }: Sent, other: Neighbour): readonly Rival[] {
  if (other.answer !== undefined || other.job === job) return [];
  return [{ ...other, isOlder: other.at === at ? other.job < job : other.at < at }];
}

const NEIGHBOURHOOD_MS = 2 * TOLERANCE_S * 1000;
