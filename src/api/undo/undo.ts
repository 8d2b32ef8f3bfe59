import { type Bug, PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE, VENDOR_FIELDS } from "../../wire/field-types.ts";
import { isObject, itemsIn, objectsIn } from "../../wire/json.ts";
import type { Changes, Flag } from "../../wire/resources.ts";
import { type Catalog, type CatalogField, findField, isSettable, statusNames } from "../catalog/catalog.ts";
import { hasIgnoringCase } from "../lists.ts";
import { UPDATED_FIELDS } from "../operations/write-bugs.ts";
import { itemsAfter } from "../write/body.ts";
import { STATUS_FIELDS, sameValue } from "../write/changes.ts";
import { DUPLICATE, moveRefusal, statusBetween } from "../write/checks.ts";
import { flagChangeText, isFlagAs, isFlagOf } from "../write/flags.ts";

/** An applied update of a bug: the named fields as read before, the body, and the response. */
export type BugWrite = {
  readonly before: JsonObject;
  readonly body: JsonObject;
  readonly changes: Changes;
  readonly time: string; // of the bug's last change by then
};

/** Body of the update that undoes writes, of a second one after it, and what is not undone. */
export type Undo = {
  readonly body: JsonObject;
  readonly next?: JsonObject | undefined;
  readonly kept: readonly Kept[];
};

type Kept = { readonly field: string; readonly reason: string };

export type UndoContext = {
  readonly bug: Bug; // as it is now
  readonly catalog: Catalog;
  readonly comment: JsonObject; // of the update; empty for none
};

/** What the writes did to a field: its value before them, as sent last, and as in the responses. */
type Step = {
  readonly before: Json | undefined;
  readonly sent: Json | undefined;
  readonly removed: string;
  readonly added: string;
  readonly isRepeated: boolean; // by a second write
  readonly time: string;
};

/** The part of a body that undoes a change, empty if nothing is to be done; or why it is not undone. */
type Undone = JsonObject | string;

/**
 * Plans how to undo writes to a bug, which are given oldest first. A field gets back its value
 * before the writes if it still has the value that they gave it.
 */
export function planUndo(writes: readonly BugWrite[], context: UndoContext): Undo {
  const steps = stepsByField(writes, context.catalog);
  const body: Record<string, Json> = {};
  const kept = keptOf(writes, steps);
  const add = (field: string, undone: Undone) => {
    if (typeof undone === "string") kept.push({ field, reason: undone });
    else Object.assign(body, undone);
  };
  const [move, next] = undoStatus(steps, context);
  add("status", move);
  for (const [field, step] of steps) {
    if (STATUS_FIELDS.includes(field) || isDerived(field)) continue;
    const isMoved = steps.has("product") && OF_PRODUCT.has(field);
    const undone = isMoved ? `was "${step.removed}"; product moves are not undone` : undoField(field, step, context);
    for (const one of [undone].flat()) add(field, one);
  }
  return { body, next, kept };
}

function stepsByField(writes: readonly BugWrite[], catalog: Catalog): ReadonlyMap<string, Step> {
  const steps = new Map<string, Step>();
  for (const { before, body, changes, time } of writes) {
    for (const [name, { removed, added }] of Object.entries(changes)) {
      const field = findField(catalog, name)?.api ?? name; // as in bug JSON
      const first = steps.get(field);
      steps.set(field, {
        before: first ? first.before : before[field],
        removed: first?.removed ?? removed ?? "",
        sent: body[field],
        added: added ?? "",
        isRepeated: first !== undefined,
        time,
      });
    }
  }
  return steps;
}

/** True for a field that the tracker derives from others. */
function isDerived(field: string): boolean {
  return ["is_confirmed", "is_open", "actual_time"].includes(field) || VENDOR_FIELDS.get(field)?.isReadOnly === true;
}

/** Fields whose values belong to the product. */
const OF_PRODUCT: ReadonlySet<string> = new Set(["product", ...PER_PRODUCT_FIELDS, "groups"]);

/** What no update takes back. @see Bugzilla/Bug.pm, `_add_dup_cc` */
function keptOf(writes: readonly BugWrite[], steps: ReadonlyMap<string, Step>): Kept[] {
  const kept = STAYING.filter(({ field }) => writes.some(({ body }) => body[field] !== undefined));
  const original = steps.get("dupe_of")?.added;
  const reason = `bug ${original} keeps the duplicate comment and its new CC users`;
  return original ? [...kept, { field: "dupe_of", reason }] : kept;
}

const STAYING: readonly Kept[] = [
  { field: "comment", reason: "comments stay" },
  { field: "work_time", reason: "hours stay" },
  { field: "comment_is_private", reason: "privacy of comments stays" },
];

/** Undoes a change of status, resolution and original together, if need be by another status, and a second update. */
function undoStatus(
  steps: ReadonlyMap<string, Step>,
  { bug, catalog, comment }: UndoContext,
): readonly [Undone, JsonObject?] {
  const now = bug as JsonObject;
  const was = (name: string) => {
    const step = steps.get(name);
    return String((step ? (step.before ?? step.removed) : now[name]) ?? "");
  };
  if (STATUS_FIELDS.every((name) => sameValue(was(name), now[name]))) return [{}];
  const other = STATUS_FIELDS.find((name) => !sameValue(now[name], steps.get(name)?.added ?? now[name]));
  if (other !== undefined) return [changedSince(other, steps.get(other)?.added, now[other])];
  const body = moveBack(was, bug, catalog);
  if (body === undefined) return ["the original of the duplicate is unknown"];
  const refusal = moveRefusal(bug, { ...body, ...comment }, catalog);
  if (refusal === undefined) return [body];
  const between = statusBetween(bug.status ?? "", was("status"), catalog);
  if (between === undefined) return [`it ${refusal.why} (${refusal.hint})`];
  return [{ ...body, status: between }, { status: was("status") }];
}

function changedSince(what: string, added: string | undefined, now: Json | undefined): string {
  return `${what} was changed since; it is now "${[now ?? ""].flat().map(String).join(", ")}", not "${added}"`;
}

/** The body that sets what was; undefined for a duplicate of an unknown bug. */
function moveBack(was: (field: string) => string, bug: Bug, catalog: Catalog): JsonObject | undefined {
  const [status, resolution, original] = [was("status"), was("resolution"), was("dupe_of")];
  const move: JsonObject = sameValue(status, bug.status) ? {} : { status };
  if (statusNames(catalog, "open").includes(status) || resolution === "") return move;
  if (resolution !== DUPLICATE) return { ...move, resolution };
  if (original === "") return undefined;
  return { ...move, ...(bug.resolution !== DUPLICATE && { resolution }), dupe_of: Number(original) };
}

function undoField(field: string, step: Step, { bug, catalog }: UndoContext): Undone | Undone[] {
  const now = (bug as JsonObject)[field];
  const known = findField(catalog, field);
  const reason = reasonToKeep(field, now, step, known);
  if (reason !== undefined || now === undefined) return reason ?? "the tracker does not return it";
  if (field === "flags") return undoFlags(step, bug.flags ?? []);
  if (Array.isArray(now)) return undoList(field, now, step);
  const was = valueBefore(now, step, known?.type);
  if (sameValue(now, was)) return {};
  const isTime = known?.type === FIELD_TYPE.dateTime && field.startsWith("cf_"); // in the tracker's zone
  const isAsWritten = [step.added, step.sent ?? step.added].some((value) => sameValue(now, value));
  if (isTime ? bug.last_change_time === step.time : isAsWritten) return { [field]: was };
  return changedSince("it", step.added, now);
}

/** Why a field cannot be undone, whatever its value. */
function reasonToKeep(field: string, now: Json | undefined, step: Step, known: CatalogField | undefined) {
  const isKnown = field.startsWith("cf_") || UPDATED_FIELDS.has(field) || (known !== undefined && isSettable(known));
  if (!isKnown || isObject(now)) return "it cannot be set";
  return Array.isArray(now) && (step.isRepeated || step.before === undefined)
    ? "its items before are unknown"
    : undefined;
}

/** The value before the writes as it was read, else as the response has it, typed as `now`. */
function valueBefore(now: Json, { before, removed }: Step, type: number | undefined): Json {
  if (type === FIELD_TYPE.date) return String(before ?? removed).slice(0, "2026-10-03".length);
  if (before !== undefined) return before ?? "";
  if (typeof now === "boolean") return sameValue(true, removed);
  return typeof now === "number" ? Number(removed) : removed;
}

/** The edit that adds the items that a list lost and removes those that it gained, by what was read and sent. */
function undoList(field: string, now: Json[], { before, sent, added }: Step): JsonObject {
  const has = (items: readonly Json[], item: Json) => hasIgnoringCase(items.map(String), String(item));
  const old = itemsIn(before);
  const stored = field === "see_also" ? added.split(", ") : []; // as stored, not as sent
  const after = [...itemsAfter(sent, old.map(String)), ...stored];
  const add = old.filter((item) => !has(after, item) && !has(now, item));
  const remove = now.filter((item) => has(after, item) && !has(old, item));
  const edit = { ...(add.length > 0 && { add }), ...(remove.length > 0 && { remove }) };
  return Object.keys(edit).length > 0 ? { [field]: edit } : {};
}

/**
 * Undoes changes of flags by their ids: a new flag is cleared, another gets back its status and its requestee.
 * @see Bugzilla/Flag.pm, set_flag
 */
function undoFlags({ before, sent }: Step, flags: readonly Flag[]): Undone[] {
  const old = objectsIn(before) as Json[] as Flag[];
  const fresh = flags.filter(({ id }) => !old.some((flag) => flag.id === id));
  const undone = objectsIn(sent).map((edit): Undone => {
    const was = edit["new"] ? undefined : old.find((flag) => isFlagOf(flag, edit));
    if (was) return undoChangedFlag(was, edit, flags, fresh);
    const set = fresh.filter((flag) => isFlagOf(flag, edit));
    const own = set.find((flag) => isFlagAs(flag, edit));
    if (!own) return set.length > 0 ? `${flagChangeText(String(edit["name"] ?? ""), edit)} was changed since` : {};
    fresh.splice(fresh.indexOf(own), 1);
    return { id: own.id, status: "X" };
  });
  const edits = undone.filter((one) => typeof one === "object" && Object.keys(one).length > 0);
  const kept = undone.filter((one) => typeof one === "string");
  return edits.length > 0 ? [{ flags: edits }, ...kept] : kept;
}

/** The edit that restores a flag that was changed or cleared, empty if it is restored; or why not. */
function undoChangedFlag(was: Flag, edit: JsonObject, flags: readonly Flag[], fresh: readonly Flag[]): Undone {
  const { id, name, type_id, status, requestee } = was;
  const current = flags.find((flag) => flag.id === id);
  const wanted = { status, ...(status === "?" && requestee && { requestee }) };
  if (current && isFlagAs(current, wanted)) return {};
  const isCleared = edit["status"] === "X";
  if (current && !isCleared && isFlagAs(current, edit)) return { id, ...wanted };
  if (current || !isCleared || fresh.some((flag) => flag.name === name))
    return `${flagChangeText(name, edit)} was changed since`;
  return { type_id, ...wanted, ...(flags.some((flag) => flag.name === name) && { new: true }) };
}
