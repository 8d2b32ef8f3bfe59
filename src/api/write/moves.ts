import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { StatusMove } from "../../wire/resources.ts";
import { type Catalog, requireField } from "../catalog.ts";
import { legalNames, statusMoves, statusNames } from "../legal-values.ts";
import type { UpdatePart } from "./update-request.ts";

/** What an update wants of the status: the parts of its body that decide whether a bug may take it. */
type Wish = {
  readonly status: string | undefined;
  readonly resolution: string | undefined;
  readonly hasComment: boolean;
};

/** Why a bug cannot take a change, as a sentence and what to do. */
export type MoveRefusal = { readonly why: string; readonly hint: string };

/**
 * Why a bug cannot make the status move that an update asks of it; undefined when it can.
 * Where the tracker does not say which moves there are, the tracker decides.
 */
export function moveRefusal(bug: Bug, body: JsonObject, catalog: Catalog): MoveRefusal | undefined {
  if (body["dupe_of"] !== undefined) return duplicateRefusal(bug, textValueIn(body, "resolution"));
  const wish: Wish = {
    status: textValueIn(body, "status"),
    resolution: textValueIn(body, "resolution"),
    hasComment: body["comment"] !== undefined,
  };
  if (wish.resolution === DUPLICATE && bug.resolution !== DUPLICATE) {
    return {
      why: `bug ${bug.id} needs a bug that it repeats to become ${DUPLICATE}`,
      hint: `bt bug dup ${bug.id} ORIGINAL`,
    };
  }
  const from = bug.status ?? "";
  const moves = statusMoves(catalog, from);
  return (
    (wish.status !== undefined && wish.status !== from ? statusRefusal(bug, wish, moves) : undefined) ??
    resolutionRefusal(bug, wish, catalog)
  );
}

/** The resolution of a bug that repeats another, which it needs to name. */
export const DUPLICATE = "DUPLICATE";

/** A tracker lets another resolution win over the bug that is repeated, and says nothing. */
function duplicateRefusal(bug: Bug, resolution: string | undefined) {
  if (resolution === undefined || resolution === DUPLICATE) return undefined;
  return {
    why: `bug ${bug.id} cannot be a duplicate and become ${resolution}`,
    hint: "leave out --dupe-of, or --resolution",
  };
}

function statusRefusal(bug: Bug, wish: Wish, moves: readonly StatusMove[] | undefined) {
  const from = bug.status ?? "";
  if (!moves || moves.length === 0) return undefined;
  const move = moves.find(({ name }) => name === wish.status);
  if (!move) {
    const possible = moves.map(({ name }) => name).filter((name) => name !== from);
    return {
      why: `bug ${bug.id} is ${from} and cannot become ${wish.status}`,
      hint: `it can become ${possible.join(", ")}`,
    };
  }
  if (!move.comment_required || wish.hasComment) return undefined;
  return { why: `bug ${bug.id} needs a comment to become ${wish.status}`, hint: "say why with --comment" };
}

function resolutionRefusal(bug: Bug, wish: Wish, catalog: Catalog) {
  const to = wish.status ?? bug.status ?? "";
  const isClosed = statusNames(catalog, "closed").includes(to);
  const isKnown = isClosed || statusNames(catalog, "open").includes(to);
  if (!isKnown) return undefined;
  const wasClosed = statusNames(catalog, "closed").includes(bug.status ?? "");
  if (isClosed && !wasClosed && !wish.resolution) {
    const names = legalNames(requireField(catalog, "resolution")) ?? [];
    return {
      why: `bug ${bug.id} needs a resolution to become ${to}`,
      hint: `add --resolution, one of ${names.join(", ")}`,
    };
  }
  if (!isClosed && wish.resolution !== undefined) {
    return {
      why: `bug ${bug.id} is open, so it has no resolution`,
      hint: "close it in the same change: --status RESOLVED",
    };
  }
  return undefined;
}

/** The text that a body holds under a name; undefined when it is not text. */
export function textValueIn(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  return typeof value === "string" ? value : undefined;
}

/** How bugs are to be closed. */
export type CloseOptions = {
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
export function closingParts(bugs: readonly Bug[], closing: CloseOptions, catalog: Catalog): readonly UpdatePart[] {
  const { said, isSaidAnyway } = closing;
  const [open, closed] = partition(bugs, (bug) => isOpen(bug, catalog));
  const [differing, same] = partition(closed, (bug) => differs(bug, closing));
  const isDefault = closing.resolution === undefined && closing.dupeOf === undefined;
  const unchanged = isSaidAnyway ? { body: said } : { body: {}, dropped: Object.keys(said) };
  const parts: readonly UpdatePart[] = [
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
function openBody(closing: CloseOptions): JsonObject {
  if (closing.dupeOf !== undefined) return wishOf(closing);
  return { status: closing.status, resolution: closing.resolution ?? DEFAULT_RESOLUTION };
}

function wishOf({ dupeOf, resolution }: CloseOptions): JsonObject {
  return {
    ...(dupeOf === undefined ? {} : { dupe_of: dupeOf }),
    ...(resolution === undefined ? {} : { resolution }),
  };
}

function differs(bug: Bug, { resolution, dupeOf }: CloseOptions): boolean {
  if (dupeOf !== undefined) return bug.dupe_of !== dupeOf;
  return resolution !== undefined && bug.resolution !== resolution;
}

/** The items that pass a test, and the others. */
export function partition<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean,
): readonly [readonly Item[], readonly Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
