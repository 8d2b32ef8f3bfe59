import { BtError, type Kind } from "../../errors.ts";
import type { Result } from "./many.ts";

/** The results of a change of many bugs as they add up. */
export type Tally = { readonly total: number; readonly good: number; readonly bad: readonly Result[] };

/** Adds results to a tally. */
export function added({ total, good, bad }: Tally, results: readonly Result[]): Tally {
  const worse = results.filter(({ st }) => st !== "done" && st !== "unchanged");
  return { total, good: good + results.length - worse.length, bad: [...bad, ...worse] };
}

/** What is wrong with the end of a change of many bugs; undefined when every bug is as it should be. */
export function verdictOn(tally: Tally, job: string | undefined): BtError | undefined {
  const { total, good, bad } = tally;
  if (bad.length === 0) return undefined;
  const counts = STATES.map((state) => [bad.filter(({ st }) => st === state).length, state] as const);
  const told = counts.filter(([count]) => count > 0).map(([count, state]) => `${count} ${state}`);
  const isTouched = good > 0 || bad.some(({ st }) => st === "unknown");
  return new BtError(kindOf(tally), `${good} of ${total} bugs done: ${told.join(", ")}`, {
    details: detailsOf(bad),
    hint: job && `bt resume ${job} goes on with the others`,
    changed: isTouched ? "some" : "nothing",
  });
}

const STATES: readonly Result["st"][] = ["failed", "collision", "unknown", "not applied", "not tried"];
const MOST_TOLD = 20;

/** Each bad one with its reason, those that were not tried under the reason that ended it all. */
function detailsOf(bad: readonly Result[]): readonly string[] {
  const tried = bad.filter(({ st }) => st !== "not tried");
  const told = tried.slice(0, MOST_TOLD).map(({ bug, error }) => `bug ${bug}: ${error?.message ?? "unknown"}`);
  const [untried] = bad.filter(({ st }) => st === "not tried");
  return [
    ...told,
    ...(tried.length > MOST_TOLD ? [`and ${tried.length - MOST_TOLD} more`] : []),
    ...(untried?.error ? [`from bug ${untried.bug} on not tried: ${untried.error.message}`] : []),
  ];
}

/** What ended it all decides; then what is not known; one kind of failure alone keeps its own code. */
function kindOf({ good, bad }: Tally): Kind {
  const ending = bad.find(({ st }) => st === "not tried")?.error;
  if (ending) return endingKind(ending, good);
  if (bad.some(({ st }) => st === "unknown" || st === "not applied")) return "unknown";
  const kinds = new Set(bad.map(({ error }) => error?.kind ?? "partial"));
  const [only = "partial"] = kinds;
  return kinds.size === 1 && (good === 0 || only === "collision") ? only : "partial";
}

/** A tracker that could not be asked any more is told as what it was: unreachable, or broken once it had done some. */
function endingKind({ kind, facts }: BtError, good: number): Kind {
  const cause = facts.cause;
  const root = kind === "unknown" && cause instanceof BtError ? cause.kind : kind;
  return root === "network" && good > 0 ? "busy" : root;
}
