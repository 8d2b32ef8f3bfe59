import { type BtError, bugRefusal, usageError } from "../../errors.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import { type Catalog, requireField } from "../catalog/catalog.ts";
import { legalNames, statusNames } from "../catalog/legal-values.ts";
import { hasIgnoringCase } from "../lists.ts";
import { quotedIfNeeded } from "../nearest.ts";
import { fieldsSentWhole } from "./body.ts";
import { DUPLICATE, type MoveRefusal, moveRefusal, textValueIn } from "./moves.ts";

/** Context for checking bugs before a write: field metadata, and the tracker's base URL. */
export type BugCheckContext = { readonly catalog: Catalog; readonly address: string };

/** Why a bug cannot take an update; undefined if it can, as far as the bug itself shows. */
export function bugCheckError(bug: Bug, body: JsonObject, { catalog, address }: BugCheckContext): BtError | undefined {
  const sets = (...names: string[]) => names.some((name) => body[name] !== undefined);
  const placed = PLACES.filter((name) => typeof body[name] === "string");
  const refusal =
    (sets("depends_on", "blocks", "dupe_of", "see_also") ? dependencyRefusal(bug, body, address) : undefined) ??
    (sets("status", "resolution", "dupe_of") ? moveRefusal(bug, body, catalog) : undefined) ??
    placeRefusal(bug, body, placed, catalog) ??
    unreturnedFieldRefusal(bug, fieldsSentWhole(body));
  return refusal && bugRefusal(bug.id, refusal.why, refusal.hint);
}

/** Fields whose values belong to a product. */
const PLACES = ["component", "version", "target_milestone"] as const;

/** Bugs of several products can be given a value that one of these lacks. */
function placeRefusal(
  bug: Bug,
  body: JsonObject,
  names: (typeof PLACES)[number][],
  catalog: Catalog,
): MoveRefusal | undefined {
  const product = textValueIn(body, "product") ?? bug.product ?? undefined;
  if (product === undefined) return undefined;
  for (const name of names) {
    const value = String(body[name]);
    const legal = legalNames(requireField(catalog, name), product) ?? [];
    if (legal.length === 0 || value === bug[name] || hasIgnoringCase(legal, value)) continue;
    return {
      why: `cannot have ${name.replace("_", " ")} ${JSON.stringify(value)} in ${product}`,
      hint: `bt field values ${name} --product ${quotedIfNeeded(product)} lists valid values`,
    };
  }
  return undefined;
}

/** A part of a field cannot be edited if the tracker does not return the field. */
function unreturnedFieldRefusal(bug: Bug, edited: string[]): MoveRefusal | undefined {
  const name = edited.find((field) => (bug as JsonObject)[field] === undefined);
  if (name === undefined) return undefined;
  return {
    why: `cannot have ${name} edited in part: the tracker does not return it`,
    hint: "set the whole value",
  };
}

/** Checks the status and resolution of a new bug. Statuses that the metadata does not cover are left to the tracker. */
export function checkInitialStatus(body: JsonObject, catalog: Catalog): void {
  const status = textValueIn(body, "status");
  if (status !== undefined) checkStatus(status, body, catalog);
  checkResolution(status, textValueIn(body, "resolution"), catalog);
  const tie = dependencyRefusal(undefined, body);
  if (tie) throw usageError(`a new bug ${tie.why}`, tie.hint);
}

function checkStatus(status: string, body: JsonObject, { starts }: Catalog): void {
  const hasDescription = (textValueIn(body, "description") ?? "").trim() !== "";
  const start = starts.find(({ name }) => name === status);
  if (starts.length > 0 && !start) {
    throw usageError(
      `invalid status ${status} for a new bug`,
      `valid values: ${starts.map(({ name }) => name).join(", ")}`,
    );
  }
  if (start?.comment_required && !hasDescription) {
    throw usageError(`a new bug with status ${status} requires a description`, "add --description");
  }
}

function checkResolution(status: string | undefined, resolution: string | undefined, catalog: Catalog): void {
  if (resolution === DUPLICATE) {
    throw usageError(`invalid resolution ${DUPLICATE} for a new bug`, "file it, then: bt bug dup NUMBER ORIGINAL");
  }
  const begins = status ?? catalog.starts[0]?.name ?? "";
  if (statusNames(catalog, "closed").includes(begins) && resolution === undefined) {
    const names = (legalNames(requireField(catalog, "resolution")) ?? []).filter((name) => name !== DUPLICATE);
    throw usageError(
      `a new bug with status ${begins} requires a resolution`,
      `add --resolution, one of ${names.join(", ")}`,
    );
  }
  if (statusNames(catalog, "open").includes(begins) && resolution !== undefined) {
    throw usageError(
      `a new bug with ${status === undefined ? "an open status" : `status ${status}`} cannot have a resolution`,
      "omit --resolution; to close the bug later, run bt bug close NUMBER",
    );
  }
}

/**
 * Reason why a bug cannot get these dependencies: it would duplicate, depend on, block or link to itself, or depend on
 * a bug that it blocks. Undefined if valid, as far as the bug itself shows. A new bug has no id yet.
 */
function dependencyRefusal(bug: Bug | undefined, body: JsonObject, address = ""): MoveRefusal | undefined {
  const [waits, held] = [listAfter(bug?.depends_on, body["depends_on"]), listAfter(bug?.blocks, body["blocks"])];
  const ties = [
    { what: "be a duplicate of itself", refs: [body["dupe_of"] ?? []].flat() },
    { what: "depend on itself", refs: waits },
    { what: "block itself", refs: held },
    { what: "list itself in see also", refs: addedItems(body["see_also"]) },
  ];
  const tie = ties.find(({ refs }) => refs.some((ref) => bug !== undefined && isNamedBy(bug, ref, address)));
  if (tie) return { why: `cannot ${tie.what}`, hint: "name another bug" };
  const isEdited = body["depends_on"] !== undefined || body["blocks"] !== undefined;
  const both = isEdited ? waits.find((ref) => held.includes(ref)) : undefined;
  if (both === undefined) return undefined;
  return { why: `cannot both depend on and block bug ${both}`, hint: "list the bug in only one of them" };
}

function isNamedBy({ id, alias }: Bug, ref: Json, address: string): boolean {
  const names = [String(id), `${address}/show_bug.cgi?id=${id}`, ...[alias ?? []].flat()];
  return hasIgnoringCase(names, String(ref));
}

/** The items of a list after an edit. */
function listAfter(before: Bug["blocks"], edit: Json | undefined): Json[] {
  const { set, remove } = isObject(edit) ? edit : ({} as JsonObject);
  if (Array.isArray(set)) return set;
  const gone = itemsIn(remove);
  return [...(before ?? []).filter((id) => !gone.includes(id)), ...addedItems(edit)];
}

function addedItems(edit: Json | undefined): Json[] {
  return itemsIn(isObject(edit) ? edit["add"] : edit);
}

/** Rejects changes of several bugs that are valid for a single one only, such as an alias. */
export function checkSingleBugRules(count: number, body: JsonObject): void {
  const name = ["alias", "comment_is_private", "dupe_of"].find((part) => body[part] !== undefined);
  if (name === undefined) return;
  throw usageError(
    `${name.replaceAll("_", " ")} can be changed on one bug at a time, not on ${count}`,
    "update the bugs one by one",
  );
}

/** Rejects an update without changes. */
export function checkNotEmpty(body: JsonObject, example: string): void {
  if (Object.keys(body).length > 0) return;
  throw usageError("no changes given", `${example}; --help lists the flags`);
}
