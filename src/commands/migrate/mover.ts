import { type BugResult, type BulkTally, bulkError, isAboutBugs, repeatedRefusal } from "../../api/delivery/bulk.ts";
import type { FinishContext } from "../../api/migrate/finish.ts";
import { namedOnly } from "../../api/migrate/moved-body.ts";
import { type SourceBug, sourcePlace } from "../../api/migrate/moved-bug.ts";
import { mappedBug, unmovedResolution } from "../../api/migrate/name-map.ts";
import type { TextContext } from "../../api/migrate/texts.ts";
import { BtError, isDenied, withFacts } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import { bulkProgress } from "../bug/show-results.ts";
import { readAll } from "../bug/thread.ts";
import { sourceBugs, WHOLE_BUGS } from "./source.ts";
import { isDoneStep, renumberingOf, type Steps } from "./steps.ts";
import type { Survey } from "./survey.ts";
import { CONTINUE_MOVE, checkInterrupted, type Moving } from "./trackers.ts";

/** A move while it runs. */
export type Mover = {
  readonly moving: Moving;
  readonly survey: Survey;
  readonly steps: Steps;
  readonly files: string; // folder of attachments on their way
  readonly failed: Map<number, BtError>; // by old number
  readonly notes: Map<number, readonly string[]>; // fields that were not applied, by old number
};

/** Context of the texts of a bug. */
export function textContext({ moving, survey, steps }: Mover): TextContext {
  const { map, source } = moving;
  const { target, census } = survey;
  // The last updates of a complete bug added comments, too.
  const isUnsure = (bug: number) => census.long.has(bug) || isDoneStep(steps.entries, bug, "end");
  return {
    ...renumberingOf(steps.numbers, { gaps: census.gaps, isUnsure }, source.session.address),
    named: (bug) => namedOnly(bug, mappedBug(bug, map), { target, map }),
  };
}

/** Context of the last updates of a bug. */
export function finishContext(bug: number, { moving, survey, steps }: Mover): FinishContext {
  return {
    target: survey.target,
    bug: (old) => steps.numbers.bugs.get(old),
    unmovedResolution: unmovedResolution(moving.map),
    place: sourcePlace(moving.source.session.address, bug),
  };
}

/**
 * Does one part of the move for each of these bugs. A bug that the target refuses is left out from then on.
 * @throws BtError of any failure that is not about one bug, and once all bugs are refused for one reason
 */
export async function eachBug(
  ids: readonly number[],
  mover: Mover,
  act: (bug: SourceBug, mover: Mover) => Promise<void>,
): Promise<void> {
  const { moving, failed } = mover;
  const bar = bulkProgress(moving.target);
  const results: BugResult[] = [];
  const one = async (source: SourceBug) => {
    checkInterrupted(moving);
    results.push(await resultOf(source, mover, act));
    const stop = repeatedRefusal(results);
    if (stop) throw stop;
    await bar.draw({ total: ids.length, succeeded: results.length, failed: [] });
  };
  for await (const portion of sourceBugs(ids, moving.source, { histories: false })) {
    for (const source of portion.filter(({ bug }) => !failed.has(bug.id))) await one(source);
  }
  await bar.away();
}

async function resultOf(
  source: SourceBug,
  mover: Mover,
  act: (bug: SourceBug, mover: Mover) => Promise<void>,
): Promise<BugResult> {
  const bug = String(source.bug.id);
  try {
    await act(source, mover);
    return { bug, st: "done" };
  } catch (error) {
    if (!(error instanceof BtError) || !isAboutBugs(error)) throw withWayOn(error);
    mover.failed.set(source.bug.id, error);
    return { bug, st: "failed", error };
  }
}

function withWayOn(error: unknown): unknown {
  if (!(error instanceof BtError)) return error;
  const { hint } = error.facts;
  return withFacts(error, { hint: hint === undefined ? CONTINUE_MOVE : `${hint}; then ${CONTINUE_MOVE}` });
}

/** Error for the bugs that were not moved; undefined if all were. */
export function failure({ failed, survey }: Mover): BtError | undefined {
  const results = [...failed].map(([bug, error]) => ({ bug: String(bug), st: "failed" as const, error }));
  const total = survey.ids.length;
  const tally: BulkTally = { total, succeeded: total - results.length, failed: results };
  return bulkError(tally, CONTINUE_MOVE);
}

/** Runs an optional step that sets fields of a bug; those of a denied one are noted. */
export async function tolerantly(
  { bug, fields }: { readonly bug: number; readonly fields: readonly string[] },
  mover: Mover,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isDenied(error)) throw error;
    noteFields(bug, fields, mover);
  }
}

/** Notes fields of a bug that were not applied. */
export function noteFields(bug: number, fields: readonly string[], { notes }: Mover): void {
  if (fields.length > 0) notes.set(bug, [...new Set([...(notes.get(bug) ?? []), ...fields])]);
}

/** A bug of the target as it is. @throws BtError of kind missing if it is not visible */
export async function bugNow(id: number, target: Moving["target"]): Promise<Bug> {
  const found = await readAll([String(id)], WHOLE_BUGS, target);
  const bug = found.get(String(id));
  if (bug !== undefined) return bug;
  throw new BtError("missing", `bug ${id} was not found in the target`, { changed: "some" });
}
