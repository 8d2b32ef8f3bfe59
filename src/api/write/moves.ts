import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { StatusMove } from "../../wire/field.ts";
import { type Catalog, fieldOf } from "../catalog.ts";
import { legalNames, statusMoves, statusNames } from "../legal-value.ts";

/** What an update wants of the status: the parts of its body that decide whether a bug may take it. */
type Wish = {
  readonly status: string | undefined;
  readonly resolution: string | undefined;
  readonly hasComment: boolean;
};

/** Why a bug cannot take a change, as a sentence and what to do. */
export type Refusal = { readonly why: string; readonly hint: string };

/**
 * Why a bug cannot make the status move that an update asks of it; undefined when it can.
 * Where the tracker does not say which moves there are, the tracker decides.
 */
export function moveRefusal(bug: Bug, body: JsonObject, catalog: Catalog): Refusal | undefined {
  if (body["dupe_of"] !== undefined) return duplicateRefusal(bug, textIn(body, "resolution"));
  const wish: Wish = {
    status: textIn(body, "status"),
    resolution: textIn(body, "resolution"),
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
    const names = legalNames(fieldOf(catalog, "resolution")) ?? [];
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
export function textIn(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  return typeof value === "string" ? value : undefined;
}
