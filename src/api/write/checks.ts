import { type BtError, bugRefusal, usageError } from "../../errors.ts";
import { type Bug, PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { findMissingBugs } from "../bugs.ts";
import {
  activeNames,
  type Catalog,
  type CatalogField,
  legalNames,
  requireField,
  statusMoves,
  statusNames,
  valueNoun,
} from "../catalog/catalog.ts";
import { hasIgnoringCase } from "../lists.ts";
import { findUnknownNames } from "../names.ts";
import { commandFlagName, type SendRequest } from "../operations/operation.ts";
import { fieldsSentWhole, itemsAfter } from "./body.ts";

/** Why a bug cannot take an update; undefined if it can, as far as the bug itself shows. */
export function bugCheckError(bug: Bug, body: JsonObject, catalog: Catalog): BtError | undefined {
  const refusal = moveRefusal(bug, body, catalog) ?? wrongProductRefusal(bug, body, catalog);
  if (refusal) return bugRefusal(bug.id, refusal.why, refusal.hint);
  const unreturned = fieldsSentWhole(body).find((name) => (bug as JsonObject)[name] === undefined);
  const why = `cannot have ${unreturned} edited in part: the tracker does not return it`;
  return unreturned === undefined ? undefined : bugRefusal(bug.id, why, "set the whole value");
}

/** Refusal of a component, version or milestone that the product, or the new product, of a bug lacks. */
function wrongProductRefusal(bug: Bug, body: JsonObject, catalog: Catalog): Refusal | undefined {
  const product = textValueIn(body, "product") ?? bug.product ?? "";
  for (const name of PER_PRODUCT_FIELDS) {
    const field = requireField(catalog, name);
    const value = textValueIn(body, name) ?? bug[name] ?? undefined;
    const isKept = value === undefined || (value === bug[name] && product === bug.product);
    if (isKept || !lacksValue(product, field, value)) continue;
    const why = `cannot have ${valueNoun(field)} ${JSON.stringify(value)} in ${product}`;
    return { why, hint: `valid values of --${commandFlagName(name)}: ${activeNames(field, product).join(", ")}` };
  }
  return undefined;
}

/** True for a product that has values of a field, but not this one of a bug. */
export function lacksValue(product: string, field: CatalogField, value: string | null | undefined): boolean {
  const names = legalNames(field, product) ?? [];
  return names.length > 0 && !hasIgnoringCase(names, value ?? "");
}

/** True for a move or an edit of groups by which a bug may lose its last group. */
export function mayBecomePublic({ product, groups }: Bug, body: JsonObject): boolean {
  const held = groups ?? [];
  const isMove = typeof body["product"] === "string" && body["product"] !== product;
  const edit = isObject(body["groups"]) ? body["groups"] : {};
  return held.length > 0 && itemsAfter(edit, isMove ? [] : held).length === 0;
}

/** @throws BtError of kind usage for a status that a new bug cannot have */
export function checkInitialStatus(body: JsonObject, { starts }: Catalog): void {
  const names = starts.map(({ name }) => name);
  const status = textValueIn(body, "status");
  if (status === undefined || names.length === 0 || names.includes(status)) return;
  throw usageError(`invalid status ${status} for a new bug`, `valid values: ${names.join(", ")}`);
}

/** Rejects an update without changes. */
export function checkNotEmpty(body: JsonObject): void {
  if (Object.keys(body).length === 0) throw usageError("no changes given", "--help lists the flags");
}

/** The error of each body with an unknown login, group or bug, for previews and several bugs. */
export async function findWrongReferences(
  bodies: JsonObject[],
  catalog: Catalog,
  send: SendRequest,
): Promise<(BtError | undefined)[]> {
  const unknown = await findUnknownNames(bodies, catalog, send);
  const missing = await findMissingBugs(bodies, send);
  return bodies.map((_, at) => unknown[at] ?? missing[at]);
}

/** Reason why a bug cannot take an update, and a hint. */
type Refusal = { readonly why: string; readonly hint: string };

/** Reason why a bug cannot make the status transition of an update. */
export function moveRefusal(bug: Bug, body: JsonObject, catalog: Catalog): Refusal | undefined {
  const [status, resolution] = [textValueIn(body, "status"), textValueIn(body, "resolution")];
  if (body["dupe_of"] === undefined) {
    if (resolution === DUPLICATE && bug.resolution !== DUPLICATE)
      return { why: `cannot be ${DUPLICATE} without the original bug`, hint: "add --dupe-of" };
    return statusRefusal(bug, status, body, catalog) ?? resolutionRefusal(bug, body, catalog);
  }
  if (resolution !== undefined && resolution !== DUPLICATE)
    // trackers silently prefer it to the duplicate
    return { why: `cannot be a duplicate with resolution ${resolution}`, hint: "omit --dupe-of or --resolution" };
  const isMarked = (resolution ?? bug.resolution) !== DUPLICATE; // else the tracker closes it
  return statusRefusal(bug, status ?? (isMarked ? defaultClosedStatus(catalog) : undefined), body, catalog);
}

/** Resolution of duplicates, which requires the other bug's id. */
export const DUPLICATE = "DUPLICATE";

/** Status of bugs that nobody confirmed. */
export const UNCONFIRMED = "UNCONFIRMED";

function statusRefusal(bug: Bug, to: string | undefined, body: JsonObject, catalog: Catalog): Refusal | undefined {
  const from = bug.status ?? "";
  const moves = (statusMoves(catalog, from) ?? []).filter(({ name }) => name !== from);
  if (to === undefined || to === from || moves.length === 0) return undefined;
  const move = moves.find(({ name }) => name === to);
  const hint = `valid values: ${moves.map(({ name }) => name).join(", ")}`;
  if (!move) return { why: `cannot change from ${from} to ${to}`, hint };
  if (!move.comment_required || body["comment"] !== undefined) return undefined;
  return { why: `cannot become ${to} without a comment`, hint: "add --comment" };
}

function resolutionRefusal(bug: Bug, body: JsonObject, catalog: Catalog): Refusal | undefined {
  const [to, resolution] = [textValueIn(body, "status") ?? bug.status ?? "", textValueIn(body, "resolution")];
  const [open, closed] = [statusNames(catalog, "open"), statusNames(catalog, "closed")];
  if (closed.includes(to) && !closed.includes(bug.status ?? "") && !resolution) {
    const names = legalNames(requireField(catalog, "resolution")) ?? [];
    return { why: `cannot become ${to} without a resolution`, hint: `add --resolution, one of ${names.join(", ")}` };
  }
  if (!open.includes(to) || resolution === undefined) return undefined;
  return { why: "cannot have a resolution while open", hint: `add --status ${defaultClosedStatus(catalog)}` };
}

/** An intermediate status between two others, open or closed like `to`; moves with a required comment do not count. */
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

/** Status of bugs closed without naming one: the tracker's first. */
export function defaultClosedStatus(catalog: Catalog): string {
  return statusNames(catalog, "closed")[0] ?? "RESOLVED";
}

/** True if a bug is open: by its status in the metadata, else by `is_open`. */
export function isOpen({ status, is_open }: Bug, catalog: Catalog): boolean {
  if (statusNames(catalog, "open").includes(status ?? "")) return true;
  return !statusNames(catalog, "closed").includes(status ?? "") && is_open !== false;
}

/** The first two statuses of confirmed bugs: waiting, and in progress. */
export function confirmedStatuses(catalog: Catalog): { readonly waiting: string; readonly started: string } {
  const names = statusNames(catalog, "open").filter((name) => name !== UNCONFIRMED);
  const [waiting = "CONFIRMED", started = waiting] = names;
  return { waiting, started };
}
