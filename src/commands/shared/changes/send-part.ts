import type { UpdatePart } from "../../../api/write/update-part.ts";
import { mayRepeatEdits, type Precondition } from "./precondition.ts";

/** Sends parts as requests of one command, by a job of many bugs, or as rows of a file. */
export type PartSender<Result> = {
  /** Sends the part, its edits applied to the values that its bugs have; yields results as they come. */
  attempt: (part: UpdatePart) => AsyncIterable<readonly Result[]>;
  /** Ids of the bugs of a result if they were modified in the meantime. */
  modifiedBugs: (result: Result) => number[] | undefined;
  /** The part with the newest values of the fields that its edits apply to, and results of bugs that it lacks. */
  readNewest: (part: UpdatePart) => Promise<{ newest: UpdatePart; failures: Result[] }>;
  /** True if an attempt itself compares the values with the newest, so that the first one needs no reading. */
  comparesValues?: true;
};

/**
 * Sends a part. Edits that may be repeated apply to the newest values, read right before: bugs that were modified even so are
 * read and edited again, up to `MAX_NEW_EDITS` times. All other edits apply once, to the values that were checked.
 */
export async function* sendPart<Result>(
  part: UpdatePart,
  precondition: Precondition | undefined,
  sender: PartSender<Result>,
): AsyncGenerator<readonly Result[]> {
  if (!mayRepeatEdits(part.body, precondition)) return yield* sender.attempt(part);
  yield* sendEdits(part, MAX_NEW_EDITS, sender, !sender.comparesValues);
}

async function* sendEdits<Result>(
  part: UpdatePart,
  attemptsLeft: number,
  sender: PartSender<Result>,
  isReadFirst = true,
): AsyncGenerator<readonly Result[]> {
  const { newest = part, failures = [] } = isReadFirst ? await sender.readNewest(part) : {};
  if (failures.length > 0) yield failures;
  const modified: number[] = [];
  for await (const results of sender.attempt(newest)) {
    const settled: Result[] = [];
    for (const result of results) {
      const ids = attemptsLeft > 0 ? sender.modifiedBugs(result) : undefined;
      if (ids) modified.push(...ids);
      else settled.push(result);
    }
    if (settled.length > 0) yield settled;
  }
  const bugs = newest.bugs.filter(({ id }) => modified.includes(id));
  if (bugs.length > 0) yield* sendEdits({ ...newest, bugs }, attemptsLeft - 1, sender);
}

/** Maximum number of times that an edit is applied to a newer value. */
export const MAX_NEW_EDITS = 3;
