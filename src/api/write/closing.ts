import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Catalog } from "../catalog.ts";
import { statusNames } from "../legal-value.ts";
import type { Part } from "./parts.ts";

/** How bugs are to be closed. */
export type Closing = {
  readonly status: string; // for open bugs
  readonly resolution: string | undefined; // undefined: not named, and DEFAULT_RESOLUTION for open bugs
  readonly dupeOf: number | undefined;
  readonly said: JsonObject; // comment and hours
  readonly isSaidAnyway: boolean; // to unchanged bugs too
};

/** The resolution of bugs that are closed without naming one. */
export const DEFAULT_RESOLUTION = "FIXED";

/**
 * What closing means for each bug. A closed bug keeps its status, and keeps its resolution unless another one, or a bug that
 * it duplicates, was named. An unchanged bug gets no comment and no hours unless these are wanted anyway.
 */
export function closingParts(bugs: readonly Bug[], closing: Closing, catalog: Catalog): readonly Part[] {
  const { said, isSaidAnyway } = closing;
  const [open, closed] = split(bugs, (bug) => isOpen(bug, catalog));
  const [differing, same] = split(closed, (bug) => differs(bug, closing));
  const isDefault = closing.resolution === undefined && closing.dupeOf === undefined;
  const unchanged = isSaidAnyway ? { body: said } : { body: {}, dropped: Object.keys(said) };
  const parts: readonly Part[] = [
    { bugs: open, body: { ...openBody(closing), ...said }, ...(isDefault ? { only: "open" } : {}) },
    { bugs: differing, body: { ...wishOf(closing), ...said } },
    { bugs: same, ...unchanged },
  ];
  return parts.filter((part) => part.bugs.length > 0);
}

/** Whether a bug is open: by its status in the metadata, else by what the tracker says of the bug. */
export function isOpen({ status, is_open }: Bug, catalog: Catalog): boolean {
  if (statusNames(catalog, "open").includes(status ?? "")) return true;
  return !statusNames(catalog, "closed").includes(status ?? "") && is_open !== false;
}

/** A duplicate gets its status from the tracker. */
function openBody(closing: Closing): JsonObject {
  if (closing.dupeOf !== undefined) return wishOf(closing);
  return { status: closing.status, resolution: closing.resolution ?? DEFAULT_RESOLUTION };
}

function wishOf({ dupeOf, resolution }: Closing): JsonObject {
  return {
    ...(dupeOf === undefined ? {} : { dupe_of: dupeOf }),
    ...(resolution === undefined ? {} : { resolution }),
  };
}

function differs(bug: Bug, { resolution, dupeOf }: Closing): boolean {
  if (dupeOf !== undefined) return bug.dupe_of !== dupeOf;
  return resolution !== undefined && bug.resolution !== resolution;
}

/** The items that pass a test, and the others. */
export function split<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean,
): readonly [readonly Item[], readonly Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
