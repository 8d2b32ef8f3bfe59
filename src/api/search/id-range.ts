import { BtError } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";

/** Range of bug ids: `from` inclusive, `below` exclusive; open where absent. */
export type IdRange = { readonly from?: number | undefined; readonly below?: number | undefined };

/** The order of a search by id: from the highest, if absent. */
export type IdOrder = { readonly isOldestFirst?: boolean | undefined };

/** The part of a range after these ids, which are its first ones; undefined if there is none. */
export function rangeAfter(ids: number[], range: IdRange, { isOldestFirst }: IdOrder): IdRange | undefined {
  const last = ids.at(-1) ?? 0;
  if (!isOldestFirst) return last > (range.from ?? 1) ? { ...range, below: last } : undefined;
  return { ...range, from: last + 1 };
}

/**
 * Ids of a response.
 * @throws BtError of kind reply if they are unsorted or out of range, which would lose bugs
 */
export function checkedIds(
  bugs: Bug[],
  { from = 0, below = Number.POSITIVE_INFINITY }: IdRange,
  { isOldestFirst }: IdOrder,
) {
  const ids = bugs.map(({ id }) => id);
  const stray = ids.find((id) => id < from || id >= below);
  if (stray !== undefined) {
    throw unreliableResponseError(
      `the tracker returned bug ${stray} for a search for bugs ${from > 0 ? `from ${from} ` : ""}below ${below}`,
    );
  }
  const sign = isOldestFirst ? 1 : -1;
  if (ids.some((id, at) => at > 0 && sign * (id - (ids[at - 1] ?? 0)) <= 0)) {
    throw unreliableResponseError("the tracker ignored the sort order by bug number");
  }
  return ids;
}

/** True for the error of `checkedIds`. */
export function isOutOfPlace(error: unknown): boolean {
  return error instanceof BtError && error.facts.isOutOfPlace === true;
}

function unreliableResponseError(sentence: string): BtError {
  return new BtError("reply", sentence, {
    hint: "it seems to ignore search parameters, so its results cannot be trusted; --refresh checks it again",
    isOutOfPlace: true,
  });
}
