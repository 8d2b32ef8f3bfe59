import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { type Catalog, requireField } from "../catalog/catalog.ts";
import { legalNames, statusMoves, statusNames } from "../catalog/legal-values.ts";

/** Reason why a bug cannot take an update, and a hint. */
export type MoveRefusal = { readonly why: string; readonly hint: string };

/**
 * Reason why a bug cannot make the status transition of an update; undefined if it can, or if the tracker does not
 * report its transitions.
 */
export function moveRefusal(bug: Bug, body: JsonObject, catalog: Catalog): MoveRefusal | undefined {
  const [status, resolution] = [textValueIn(body, "status"), textValueIn(body, "resolution")];
  const { dupe_of: original } = body;
  if (original === undefined) {
    if (resolution === DUPLICATE && bug.resolution !== DUPLICATE)
      return { why: `cannot be ${DUPLICATE} without the original bug`, hint: `bt bug dup ${bug.id} ORIGINAL` };
    return statusRefusal(bug, status, body, catalog) ?? resolutionRefusal(bug, status, resolution, catalog);
  }
  if (resolution !== undefined && resolution !== DUPLICATE)
    // trackers silently prefer it to the duplicate
    return { why: `cannot be a duplicate with resolution ${resolution}`, hint: "omit --dupe-of or --resolution" };
  const isMarked = (resolution ?? bug.resolution) !== DUPLICATE; // the tracker closes a bug that was no duplicate
  const refusal = statusRefusal(bug, status ?? (isMarked ? defaultClosedStatus(catalog) : undefined), body, catalog);
  if (!refusal || status !== undefined || isOpen(bug, catalog)) return refusal;
  const hint = `bt bug update ${bug.id} --dupe-of ${original} --resolution ${DUPLICATE} keeps the status`;
  return { ...refusal, hint };
}

/** Resolution of duplicates, which requires the other bug's id. */
export const DUPLICATE = "DUPLICATE";

/** Status of bugs that nobody confirmed. */
export const UNCONFIRMED = "UNCONFIRMED";

function statusRefusal(bug: Bug, to: string | undefined, body: JsonObject, catalog: Catalog): MoveRefusal | undefined {
  const from = bug.status ?? "";
  const moves = statusMoves(catalog, from) ?? [];
  if (to === undefined || to === from || moves.length === 0) return undefined;
  const move = moves.find(({ name }) => name === to);
  const possible = moves.map(({ name }) => name).filter((name) => name !== from);
  if (!move) return { why: `cannot change from ${from} to ${to}`, hint: `valid values: ${possible.join(", ")}` };
  if (!move.comment_required || body["comment"] !== undefined) return undefined;
  return { why: `cannot become ${to} without a comment`, hint: "add --comment" };
}

function resolutionRefusal(
  bug: Bug,
  status: string | undefined,
  resolution: string | undefined,
  catalog: Catalog,
): MoveRefusal | undefined {
  const to = status ?? bug.status ?? "";
  const [open, closed] = [statusNames(catalog, "open"), statusNames(catalog, "closed")];
  if (closed.includes(to) && !closed.includes(bug.status ?? "") && !resolution) {
    const names = legalNames(requireField(catalog, "resolution")) ?? [];
    return { why: `cannot become ${to} without a resolution`, hint: `add --resolution, one of ${names.join(", ")}` };
  }
  if (!open.includes(to) || resolution === undefined) return undefined;
  return {
    why: "cannot have a resolution while open",
    hint: "close it in the same change: --status RESOLVED",
  };
}

/** A status, as open or closed as the wanted one, by way of which a bug can get there. */
export function statusBetween(from: string, to: string, catalog: Catalog): string | undefined {
  const alike = statusNames(catalog, statusNames(catalog, "open").includes(to) ? "open" : "closed");
  const freeMoves = (name: string) =>
    (statusMoves(catalog, name) ?? []).filter((move) => !move.comment_required).map((move) => move.name);
  const ways = freeMoves(from).filter((name) => alike.includes(name) && freeMoves(name).includes(to));
  return ways.find((name) => name !== UNCONFIRMED) ?? ways[0];
}

/** The text under this key of a body; undefined for other types. */
export function textValueIn(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  return typeof value === "string" ? value : undefined;
}

/** Resolution of bugs closed without naming one. */
export const DEFAULT_RESOLUTION = "FIXED";

/** Status of bugs closed without naming one: the tracker's first. */
export function defaultClosedStatus(catalog: Catalog): string {
  return statusNames(catalog, "closed")[0] ?? "RESOLVED";
}

/** True if a bug is open: by its status in the metadata, else by `is_open`. */
export function isOpen({ status, is_open }: Bug, catalog: Catalog): boolean {
  if (statusNames(catalog, "open").includes(status ?? "")) return true;
  return !statusNames(catalog, "closed").includes(status ?? "") && is_open !== false;
}

/** Status of confirmed bugs that nobody works on, the first of the workflow. */
export function confirmedStatus(catalog: Catalog): string {
  return openConfirmed(catalog)[0] ?? "CONFIRMED";
}

/** Status of bugs in progress: the second confirmed one of the workflow, else the first. */
export function inProgressStatus(catalog: Catalog): string {
  return openConfirmed(catalog)[1] ?? confirmedStatus(catalog);
}

function openConfirmed(catalog: Catalog): string[] {
  return statusNames(catalog, "open").filter((name) => name !== UNCONFIRMED);
}
