import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Changes } from "../../wire/resources.ts";
import { type Catalog, requireField } from "../catalog/catalog.ts";
import { legalNames, statusMoves, statusNames } from "../catalog/legal-values.ts";

/** The parts of an update's body that decide on a status transition. */
type WantedStatus = {
  status: string | undefined;
  resolution: string | undefined;
  hasComment: boolean;
};

/** Reason why a bug cannot take an update, and a hint. */
export type MoveRefusal = { readonly why: string; readonly hint: string };

/**
 * Reason why a bug cannot make the status transition of an update; undefined if it can, or if the tracker does not
 * report its transitions.
 */
export function moveRefusal(bug: Bug, body: JsonObject, catalog: Catalog): MoveRefusal | undefined {
  const wanted: WantedStatus = {
    status: textValueIn(body, "status"),
    resolution: textValueIn(body, "resolution"),
    hasComment: body["comment"] !== undefined,
  };
  const original = body["dupe_of"];
  if (original !== undefined) {
    const status = wanted.status ?? (closesAsDuplicate(bug, body, catalog) ? defaultClosedStatus(catalog) : undefined);
    const refusal = duplicateRefusal(wanted.resolution) ?? statusRefusal(bug, { ...wanted, status }, catalog);
    const kept = `bt bug update ${bug.id} --dupe-of ${original} --resolution ${DUPLICATE} keeps the status`;
    return refusal && status !== wanted.status && !isOpen(bug, catalog) ? { ...refusal, hint: kept } : refusal;
  }
  const refusal = statusRefusal(bug, wanted, catalog);
  if (wanted.resolution === DUPLICATE && bug.resolution !== DUPLICATE) {
    return {
      why: `cannot be ${DUPLICATE} without the original bug`,
      hint: `bt bug dup ${bug.id} ORIGINAL`,
    };
  }
  return refusal ?? resolutionRefusal(bug, wanted, catalog);
}

/** True if an update makes a bug a duplicate that was none, for which the tracker closes it. */
export function closesAsDuplicate(bug: Bug, { status, resolution, dupe_of }: JsonObject, catalog: Catalog): boolean {
  const isOpened = statusNames(catalog, "open").some((name) => name === status);
  return dupe_of !== undefined && (isOpened || (resolution ?? bug.resolution) !== DUPLICATE);
}

/** Resolution of duplicates, which requires the other bug's id. */
export const DUPLICATE = "DUPLICATE";

/** Status of bugs that nobody confirmed. */
export const UNCONFIRMED = "UNCONFIRMED";

/** Trackers silently prefer another resolution to the duplicate. */
function duplicateRefusal(resolution: string | undefined) {
  if (resolution === undefined || resolution === DUPLICATE) return undefined;
  return {
    why: `cannot be a duplicate with resolution ${resolution}`,
    hint: "omit --dupe-of or --resolution",
  };
}

function statusRefusal(bug: Bug, wanted: WantedStatus, catalog: Catalog) {
  const from = bug.status ?? "";
  const moves = statusMoves(catalog, from) ?? [];
  if (wanted.status === undefined || wanted.status === from || moves.length === 0) return undefined;
  const move = moves.find(({ name }) => name === wanted.status);
  if (!move) {
    const possible = moves.map(({ name }) => name).filter((name) => name !== from);
    return {
      why: `cannot change from ${from} to ${wanted.status}`,
      hint: `valid values: ${possible.join(", ")}`,
    };
  }
  if (!move.comment_required || wanted.hasComment) return undefined;
  return { why: `cannot become ${wanted.status} without a comment`, hint: "add --comment" };
}

function resolutionRefusal(bug: Bug, wanted: WantedStatus, catalog: Catalog) {
  const to = wanted.status ?? bug.status ?? "";
  const isClosed = statusNames(catalog, "closed").includes(to);
  const isKnown = isClosed || statusNames(catalog, "open").includes(to);
  if (!isKnown) return undefined;
  const wasClosed = statusNames(catalog, "closed").includes(bug.status ?? "");
  if (isClosed && !wasClosed && !wanted.resolution) {
    const names = legalNames(requireField(catalog, "resolution")) ?? [];
    return {
      why: `cannot become ${to} without a resolution`,
      hint: `add --resolution, one of ${names.join(", ")}`,
    };
  }
  if (!isClosed && wanted.resolution !== undefined) {
    return {
      why: "cannot have a resolution while open",
      hint: "close it in the same change: --status RESOLVED",
    };
  }
  return undefined;
}

/** A status by way of which a bug can get from one to another that is as open or closed; undefined if there is none. */
export function statusBetween(from: string, to: string, catalog: Catalog): string | undefined {
  const alike = statusNames(catalog, statusNames(catalog, "open").includes(to) ? "open" : "closed");
  const freeMoves = (name: string) =>
    (statusMoves(catalog, name) ?? []).filter((move) => !move.comment_required).map((move) => move.name);
  const ways = freeMoves(from).filter((name) => alike.includes(name) && freeMoves(name).includes(to));
  return ways.find((name) => name !== UNCONFIRMED) ?? ways[0];
}

/** The bugs whose change of status cannot be undone, and why, as far as the tracker reports its transitions. */
export function lastingStatuses(changed: { id: number; changes: Changes }[], catalog: Catalog | undefined) {
  const messages: { bug: string; message: string }[] = [];
  for (const { id, changes } of changed) {
    const { removed: from, added: to } = changes["status"] ?? {};
    if (!catalog || !from || !to || !statusMoves(catalog, to)?.length) continue;
    if (statusMoves(catalog, to)?.some(({ name }) => name === from) || statusBetween(to, from, catalog)) continue;
    messages.push({ bug: String(id), message: `the status cannot be undone: ${to} does not lead back to ${from}` });
  }
  return messages;
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
  return statusNames(catalog, "closed")[0] ?? CLOSED;
}

/** The status of most trackers for closed bugs. */
const CLOSED = "RESOLVED";

/** True if a bug is open: by its status in the metadata, else by `is_open`. */
export function isOpen({ status, is_open }: Bug, catalog: Catalog): boolean {
  if (statusNames(catalog, "open").includes(status ?? "")) return true;
  return !statusNames(catalog, "closed").includes(status ?? "") && is_open !== false;
}

/** Status of confirmed bugs that nobody works on, the first of the workflow. */
export function confirmedStatus(catalog: Catalog): string {
  return openConfirmed(catalog)[0] ?? "CONFIRMED";
}

/** Status of bugs in progress, the second of the workflow; that of other confirmed bugs if there is no second. */
export function inProgressStatus(catalog: Catalog): string {
  return openConfirmed(catalog)[1] ?? confirmedStatus(catalog);
}

function openConfirmed(catalog: Catalog): string[] {
  return statusNames(catalog, "open").filter((name) => name !== UNCONFIRMED);
}
