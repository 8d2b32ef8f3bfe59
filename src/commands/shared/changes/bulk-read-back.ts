import type { BugResult } from "../../../api/delivery/bulk.ts";
import { partition } from "../../../api/lists.ts";
import { findUnreportedChanges, type UnreportedChange } from "../../../api/write/overwritten.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { partForBug, splitByEditBase } from "../../../api/write/update-request.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Context } from "../../verb.ts";
import { type FieldsReadBack, readBackFields } from "./ignored-fields.ts";

/** Parts of a bulk update that earlier runs have sent, and the values that their responses do not report. */
export type SentBefore = { readonly parts: readonly UpdatePart[]; readonly unreported: readonly UnreportedChange[] };

/** A bulk update that is read back. */
export type ReadBack = {
  readonly able: readonly UpdatePart[];
  readonly newest: ReadonlyMap<number, Bug>; // bugs whose edits were applied to newer values
  readonly before?: SentBefore | undefined;
  readonly isResumable: boolean;
  readonly onVerified: (ids: readonly number[]) => void; // of bugs that are as requested
};

/** Results to print, and what the tracker ignored, by bug: also of new bugs, and of those that earlier runs have sent. */
export type CheckedResults = { results: readonly BugResult[]; ignored: FieldsReadBack["ignored"] };

/**
 * Passes on the results whose responses report all that was set. The others come last, after one reading of them, each
 * with the values that the tracker ignored. An update that ends early is read back when it is resumed.
 */
export async function* verifyResults(
  pages: AsyncIterable<readonly BugResult[]>,
  { able, newest, before, isResumable, onVerified }: ReadBack,
  context: Context,
): AsyncGenerator<CheckedResults> {
  const partByBug = partsByBug([...able.flatMap(splitByEditBase), ...(before?.parts ?? [])]);
  const partsSent = (id: number): UpdatePart[] => {
    const bug = newest.get(id);
    const part = bug && partForBug(able, id);
    return part ? splitByEditBase({ ...part, bugs: [bug] }) : [partByBug.get(id) ?? []].flat();
  };
  const unreported = [...(before?.unreported ?? [])];
  const held: BugResult[] = [];
  let isEnded = false;
  for await (const page of pages) {
    const changed = page.flatMap((result) => result.changed ?? []);
    const open = findUnreportedChanges(
      changed,
      changed.flatMap(({ id }) => partsSent(id)),
    );
    unreported.push(...open);
    const ids = new Set(open.map(({ id }) => id));
    const [doubtful, certain] = partition(page, (result) => result.changed !== undefined && ids.has(result.changed.id));
    held.push(...doubtful);
    isEnded ||= page.some(({ st }) => st === "not tried");
    const ofNew = new Map<number, readonly string[]>();
    for (const { bug, ignored: names } of certain) if (names) ofNew.set(Number(bug), names);
    if (certain.length > 0) yield { results: certain, ignored: ofNew };
  }
  if (unreported.length === 0) return;
  if (isEnded && isResumable) return yield { results: held, ignored: new Map() };
  const { ignored, verified } = await readBackFields(unreported, context);
  onVerified(verified.filter((id) => !ignored.has(id)));
  yield { results: held.map((result) => withIgnored(result, ignored.get(Number(result.bug)))), ignored };
}

/** The part of each bug, restricted to it. */
function partsByBug(parts: UpdatePart[]): ReadonlyMap<number, UpdatePart> {
  return new Map(parts.flatMap((part) => part.bugs.map((bug) => [bug.id, { ...part, bugs: [bug] }] as const)));
}

/** A result with the parameters that the tracker ignored, if any. */
export function withIgnored(result: BugResult, ignored: readonly string[] | undefined): BugResult {
  if (ignored === undefined) return result;
  return { ...result, ignored, note: `${result.st}, not applied: ${ignored.join(", ")}` };
}
