import type { Bug } from "../wire/bug.ts";
import type { Request } from "../wire/exchange.ts";
import { askEach, type BatchPlan, type Outcome } from "./batch.ts";
import { type BugRef, isBugId, namesOf } from "./bug-ref.ts";
import { type Ask, get } from "./operation.ts";
import { readBugs, unexpectedShape } from "./read.ts";

/**
 * Get Bug for numbers and names. A number goes into the path, the others into `ids`: a path cannot carry every name, some
 * of which servers take for another path.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#get-bug
 */
export function getBugs(refs: readonly BugRef[], include: readonly string[]): Request {
  const first = refs.find(isBugId) ?? "";
  const others = refs.filter((ref) => ref !== first);
  return get(`/rest/bug/${first}`, [
    ...others.map((ref) => ["ids", ref] as const),
    ["include_fields", include.join(",")] as const,
  ]);
}

/** How bugs are read by number and alias, with these fields and those that identify them. */
export function bugPlan(include: readonly string[]): BatchPlan<Bug> {
  return {
    request: (refs) => {
      const names = refs.every(isBugId) ? ["id"] : ["id", "alias"];
      return getBugs(refs, [...new Set([...include, ...names])]);
    },
    read: (answer) => readBugs(answer).map((thing) => ({ thing, names: namesOf(thing) })),
  };
}

/**
 * Like `askEach`, for requests that take or answer numbers only: names are resolved first. A bug that is named in two ways is
 * asked for once, under the last of its names.
 */
export async function* askByNumber<Thing>(
  refs: readonly BugRef[],
  plan: BatchPlan<Thing>,
  ask: Ask,
): AsyncGenerator<readonly Outcome<Thing>[]> {
  const named = new Map<BugRef, Outcome<Bug>>();
  for await (const batch of askEach(
    refs.filter((ref) => !isBugId(ref)),
    bugPlan([]),
    ask,
  )) {
    for (const outcome of batch) named.set(outcome.ref, outcome);
  }
  const lost = [...named.values()].filter((outcome) => "error" in outcome);
  if (lost.length > 0) yield lost;
  const refOf = new Map(refs.flatMap((ref) => numbered(ref, named.get(ref))));
  for await (const batch of askEach([...refOf.keys()], plan, ask)) {
    yield batch.map((outcome) => ({ ...outcome, ref: refOf.get(outcome.ref) ?? outcome.ref }));
  }
}

/** The number of a bug with the name that it was asked for by; none for a name that is unknown. */
function numbered(ref: BugRef, named: Outcome<Bug> | undefined): readonly (readonly [BugRef, BugRef])[] {
  if (named === undefined) return [[ref, ref]];
  return "thing" in named ? [[String(named.thing.id), ref]] : [];
}

/** The number of a bug; a name is looked up, and missing when it is unknown. A write by a name would go where the name goes. */
export async function bugNumber(ref: BugRef, ask: Ask): Promise<number> {
  if (isBugId(ref)) return Number(ref);
  for await (const [outcome] of askEach([ref], bugPlan([]), ask)) {
    if (outcome && "error" in outcome) throw outcome.error;
    if (outcome?.thing.id) return outcome.thing.id;
  }
  throw unexpectedShape(`bug ${ref}`);
}
