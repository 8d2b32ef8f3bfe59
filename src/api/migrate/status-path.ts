import type { StatusMove } from "../../wire/resources.ts";
import type { Catalog } from "../catalog.ts";
import { statusMoves, statusNames } from "../legal-values.ts";

/** Path of a new bug to a status: the initial status, and the changes after it, in order. */
export type StatusPath = { readonly start: string | undefined; readonly moves: readonly StatusMove[] };

/**
 * The shortest path of a new bug to a status in the workflow; undefined if there is none. It starts at UNCONFIRMED only
 * if necessary. If the tracker does not report its workflow, a closed bug is created with the tracker's default status.
 */
export function statusPath(status: string, catalog: Catalog): StatusPath | undefined {
  const { starts } = catalog;
  if (starts.some(({ name }) => name === status)) return { start: status, moves: [] };
  if (starts.length === 0) return unreported(status, catalog);
  const isFirst = ({ name }: StatusMove) => name === UNCONFIRMED;
  const ordered = [...starts.filter((one) => !isFirst(one)), ...starts.filter(isFirst)];
  const paths = ordered.map(({ name }) => ({ start: name, moves: statusChanges(name, status, catalog) }));
  const possible = paths.flatMap(({ start, moves }) => (moves ? [{ start, moves }] : []));
  return possible.toSorted((one, other) => one.moves.length - other.moves.length)[0];
}

const UNCONFIRMED = "UNCONFIRMED";

function unreported(status: string, catalog: Catalog): StatusPath {
  const isOpen = statusNames(catalog, "open").includes(status);
  return isOpen
    ? { start: status, moves: [] }
    : { start: undefined, moves: [{ name: status, comment_required: false }] };
}

/** The fewest status changes from one status to another; undefined if the workflow has none, or is not reported. */
export function statusChanges(from: string, to: string, catalog: Catalog): readonly StatusMove[] | undefined {
  const seen = new Set([from]);
  const queue: (readonly StatusMove[])[] = [[]];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const at = path.at(-1)?.name ?? from;
    if (at === to) return path;
    for (const move of statusMoves(catalog, at) ?? []) {
      if (seen.has(move.name)) continue;
      seen.add(move.name);
      queue.push([...path, move]);
    }
  }
  return undefined;
}
