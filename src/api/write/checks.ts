import { type BtError, bugRefusal, usageError } from "../../errors.ts";
import { type Bug, PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import { findMissingBugs } from "../bugs.ts";
import { type Catalog, type CatalogField, requireField } from "../catalog/catalog.ts";
import { activeNames, legalNames, statusNames, valueNoun } from "../catalog/legal-values.ts";
import { hasIgnoringCase } from "../lists.ts";
import { findUnknownNames } from "../names.ts";
import { commandFlagName, type SendRequest } from "../operations/operation.ts";
import { fieldsSentWhole, itemsAfter } from "./body.ts";
import { DUPLICATE, type MoveRefusal, moveRefusal, textValueIn } from "./moves.ts";

/** Why a bug cannot take an update; undefined if it can, as far as the bug itself shows. */
export function bugCheckError(bug: Bug, body: JsonObject, catalog: Catalog): BtError | undefined {
  const isMove = ["status", "resolution", "dupe_of"].some((name) => body[name] !== undefined);
  const refusal =
    (isMove ? moveRefusal(bug, body, catalog) : undefined) ??
    placeRefusal(bug, body, catalog) ??
    unreturnedFieldRefusal(bug, fieldsSentWhole(body));
  return refusal && bugRefusal(bug.id, refusal.why, refusal.hint);
}

/** The component, version and milestone of a bug must be of the product that it has or gets. */
function placeRefusal(bug: Bug, body: JsonObject, catalog: Catalog): MoveRefusal | undefined {
  const product = textValueIn(body, "product") ?? bug.product ?? "";
  const isMove = product !== bug.product;
  const lacking = PER_PRODUCT_FIELDS.flatMap((name) => {
    const field = requireField(catalog, name);
    const value = textValueIn(body, name) ?? bug[name] ?? undefined;
    if (value === undefined || (value === bug[name] && !isMove) || !lacksValue(product, field, value)) return [];
    const valid = activeNames(field, product).join(", ");
    return { what: `${valueNoun(field)} ${JSON.stringify(value)}`, hint: `--${commandFlagName(name)}: ${valid}` };
  });
  if (product === "" || lacking.length === 0) return undefined;
  return {
    why: `cannot have ${lacking.map(({ what }) => what).join(" and ")} in ${product}`,
    hint: `valid values of ${lacking.map(({ hint }) => hint).join("; ")}`,
  };
}

/** True for a product that has values of a field, but not this one of a bug. */
export function lacksValue(product: string, field: CatalogField, value: string | null | undefined): boolean {
  const names = legalNames(field, product) ?? [];
  return names.length > 0 && !hasIgnoringCase(names, value ?? "");
}

/** A part of a field cannot be edited if the tracker does not return the field. */
function unreturnedFieldRefusal(bug: Bug, edited: string[]): MoveRefusal | undefined {
  const name = edited.find((field) => (bug as JsonObject)[field] === undefined);
  const why = `cannot have ${name} edited in part: the tracker does not return it`;
  return name === undefined ? undefined : { why, hint: "set the whole value" };
}

/** True for a move or an edit of groups by which a bug may lose its last group. */
export function mayBecomePublic({ product, groups }: Bug, body: JsonObject): boolean {
  const held = groups ?? [];
  const isMove = typeof body["product"] === "string" && body["product"] !== product;
  const edit: JsonObject = isObject(body["groups"]) ? body["groups"] : {};
  const [add, remove] = [edit["add"], edit["remove"]].map((items) => itemsIn(items).map(String));
  return held.length > 0 && itemsAfter({ add, remove }, isMove ? [] : held).length === 0;
}

/** @throws BtError of kind usage for a status or a resolution that a new bug cannot have */
export function checkInitialStatus(body: JsonObject, catalog: Catalog): void {
  const { starts } = catalog;
  const [status, resolution] = [textValueIn(body, "status"), textValueIn(body, "resolution")];
  const start = starts.find(({ name }) => name === status);
  if (status !== undefined && starts.length > 0 && !start)
    throw usageError(
      `invalid status ${status} for a new bug`,
      `valid values: ${starts.map(({ name }) => name).join(", ")}`,
    );
  if (start?.comment_required && !textValueIn(body, "description")?.trim())
    throw usageError(`a new bug with status ${status} requires a description`, "add --description");
  if (resolution === DUPLICATE)
    throw usageError(`invalid resolution ${DUPLICATE} for a new bug`, "file it, then: bt bug dup NUMBER ORIGINAL");
  const begins = status ?? starts[0]?.name ?? "";
  if (statusNames(catalog, "closed").includes(begins) && resolution === undefined) {
    const names = (legalNames(requireField(catalog, "resolution")) ?? []).filter((name) => name !== DUPLICATE);
    const hint = `add --resolution, one of ${names.join(", ")}`;
    throw usageError(`a new bug with status ${begins} requires a resolution`, hint);
  }
  if (statusNames(catalog, "open").includes(begins) && resolution !== undefined)
    throw usageError(
      `a new bug with ${status === undefined ? "an open status" : `status ${status}`} cannot have a resolution`,
      "omit --resolution; to close the bug later, run bt bug close NUMBER",
    );
}

/** Rejects changes of several bugs that are valid for a single one only, such as an alias. */
export function checkSingleBugRules(count: number, body: JsonObject): void {
  const name = ["alias", "comment_is_private", "dupe_of"].find((part) => body[part] !== undefined);
  if (name === undefined) return;
  const sentence = `${name.replaceAll("_", " ")} can be changed on one bug at a time, not on ${count}`;
  throw usageError(sentence, "update the bugs one by one");
}

/** Rejects an update without changes. */
export function checkNotEmpty(body: JsonObject, example: string): void {
  if (Object.keys(body).length > 0) return;
  throw usageError("no changes given", `${example}; --help lists the flags`);
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

/** @throws BtError of kind usage for an unknown login, group or bug in a body */
export async function checkReferences(bodies: JsonObject[], catalog: Catalog, send: SendRequest): Promise<void> {
  for (const error of await findWrongReferences(bodies, catalog, send)) if (error) throw error;
}
