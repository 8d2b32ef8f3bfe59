import { type Bug, PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { ADDED_FIELDS, FIELD_TYPE } from "../../wire/field-types.ts";
import { isObject, itemsIn, objectsIn } from "../../wire/json.ts";
import type { Changes, Flag } from "../../wire/resources.ts";
import { type Catalog, type CatalogField, findField, isSettable } from "../catalog/catalog.ts";
import { statusNames } from "../catalog/legal-values.ts";
import { hasIgnoringCase } from "../lists.ts";
import { UPDATED_FIELDS } from "../operations/write-bugs.ts";
import { isSameLogin } from "../people.ts";
import { itemsAfter } from "../write/body.ts";
import { listDifference } from "../write/changes.ts";
import { DUPLICATE, moveRefusal, statusBetween } from "../write/checks.ts";
import { flagChangeText, isFlagAs, isFlagOf } from "../write/flags.ts";
import { tokensIn } from "../write/texts.ts";
import { STATUS_FIELDS, sameValue } from "../write/write-state.ts";

/** An applied update of a bug: the named fields as read before, the body, and the response. */
export type BugWrite = {
  readonly before: JsonObject;
  readonly body: JsonObject;
  readonly edits: readonly string[]; // texts and lists that were edited in part, and sent whole
  readonly changes: Changes;
  readonly time: string; // of the bug's last change by then
};

/** Body of the update that undoes writes, of a second one after it, and what is not undone. */
export type Undo = {
  readonly body: JsonObject;
  readonly next?: JsonObject | undefined;
  readonly kept: readonly { readonly field: string; readonly reason: string }[];
};

export type UndoContext = {
  readonly bug: Bug; // as it is now
  readonly catalog: Catalog;
  readonly me: string; // login
  readonly comment: JsonObject; // of the update; empty for none
};

/** What the writes did to a field: its value before them, as sent last, and as in the responses. */
type Step = {
  readonly before: Json | undefined;
  readonly sent: Json | undefined;
  readonly removed: string;
  readonly added: string;
  readonly isEdit: boolean;
  readonly isRepeated: boolean; // by a second write
  readonly time: string;
};

/** Undoes writes to a bug, oldest first: a field gets its value back if it still has theirs. */
export function undoWrites(writes: readonly BugWrite[], context: UndoContext): Undo {
  const steps = stepsByField(writes, context.catalog);
  const parts: Partial<Undo>[] = [undoStatus(steps, context), { kept: keptOf(writes, steps) }];
  for (const [field, step] of steps) {
    if (STATUS_FIELDS.includes(field) || isDerived(field)) continue;
    if (steps.has("product") && OF_PRODUCT.has(field))
      parts.push(keep(field, `was "${step.removed}"; product moves are not undone`));
    else parts.push(undoField(field, step, context));
  }
  return {
    body: Object.assign({}, ...parts.map(({ body }) => body ?? {})) as JsonObject,
    next: parts.find(({ next }) => next)?.next,
    kept: parts.flatMap(({ kept = [] }) => kept),
  };
}

function stepsByField(writes: readonly BugWrite[], catalog: Catalog): ReadonlyMap<string, Step> {
  const steps = new Map<string, Step>();
  for (const { before, body, edits, changes, time } of writes) {
    for (const [name, { removed, added }] of Object.entries(changes)) {
      const known = findField(catalog, name);
      const api = known?.isAdded ? known.api : name; // in bug JSON
      const field = name === "flagtypes.name" ? "flags" : api;
      const isEdit = edits.includes(field) && before[field] !== undefined;
      const first = steps.get(field) ?? { before: before[field], removed: removed ?? "" };
      const last = { sent: body[field], added: added ?? "", isEdit, isRepeated: steps.has(field), time };
      steps.set(field, { ...first, ...last });
    }
  }
  return steps;
}

/** True for a field that the tracker derives from others. */
function isDerived(field: string): boolean {
  return ["is_confirmed", "is_open", "actual_time"].includes(field) || ADDED_FIELDS.get(field)?.isReadOnly === true;
}

/** Fields whose values belong to the product. */
const OF_PRODUCT: ReadonlySet<string> = new Set(["product", ...PER_PRODUCT_FIELDS, "groups"]);

/** What no update takes back. @see Bugzilla/Bug.pm, `_add_dup_cc` */
function keptOf(writes: readonly BugWrite[], steps: ReadonlyMap<string, Step>): Undo["kept"] {
  const stays = STAYING.filter(({ field }) => writes.some(({ body }) => body[field] !== undefined));
  const original = steps.get("dupe_of")?.added;
  const reason = `bug ${original} keeps the duplicate comment and its new CC users`;
  return original ? [...stays, { field: "dupe_of", reason }] : stays;
}

const STAYING: Undo["kept"] = [
  { field: "comment", reason: "the comment stays" },
  { field: "work_time", reason: "hours stay" },
  { field: "comment_is_private", reason: "privacy of comments stays" },
];

function keep(field: string, reason: string): Partial<Undo> {
  return { kept: [{ field, reason }] };
}

function keepLater(field: string, added: string, now: Json | undefined): Partial<Undo> {
  const text = [now ?? ""].flat().map(String).join(", ");
  return keep(field, `it was changed since; it is now "${text}", not "${added}"`);
}

/** Undoes a change of status, resolution and original together, if need be by another status. */
function undoStatus(steps: ReadonlyMap<string, Step>, { bug, catalog, comment }: UndoContext): Partial<Undo> {
  const now = bug as JsonObject;
  const was = (name: string) => {
    const step = steps.get(name);
    return String((step ? (step.before ?? step.removed) : now[name]) ?? "");
  };
  if (STATUS_FIELDS.every((name) => sameValue(was(name), now[name]))) return {};
  for (const field of STATUS_FIELDS) {
    const added = steps.get(field)?.added;
    if (added !== undefined && !sameValue(now[field], added)) return keepLater(field, added, now[field]);
  }
  const body = moveBack(was, bug, catalog);
  if (body === undefined) return keep("status", "the original of the duplicate is unknown");
  const refusal = moveRefusal(bug, { ...body, ...comment }, catalog);
  if (refusal === undefined) return { body };
  const between = statusBetween(bug.status ?? "", was("status"), catalog);
  if (between === undefined) return keep("status", `it ${refusal.why} (${refusal.hint})`);
  return { body: { ...body, status: between }, next: { status: was("status") } };
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

function undoField(field: string, step: Step, { bug, catalog, me }: UndoContext): Partial<Undo> {
  const now = (bug as JsonObject)[field];
  const known = findField(catalog, field);
  const reason = reasonToKeep(field, now, step, known);
  if (reason !== undefined || now === undefined) return keep(field, reason ?? "the tracker does not return it");
  if (field === "flags") return undoFlags(step, bug.flags ?? [], me);
  if (Array.isArray(now)) return undoList(field, now, step);
  const was = valueBefore(now, step, known?.type);
  if (sameValue(now, was)) return {};
  const isTime = known?.type === FIELD_TYPE.dateTime && field.startsWith("cf_"); // in the tracker's zone
  const isAsWritten = [step.added, step.sent ?? step.added].some((value) => sameValue(now, value));
  if (isTime ? bug.last_change_time === step.time : isAsWritten) return { body: { [field]: was } };
  if (!step.isEdit) return keepLater(field, step.added, now);
  return undoItems(field, tokensIn(String(now)), [tokensIn(String(step.before)), tokensIn(String(step.sent))]);
}

/** Why a field cannot be undone, whatever its value. */
function reasonToKeep(field: string, now: Json | undefined, step: Step, known: CatalogField | undefined) {
  const isKnown = field.startsWith("cf_") || UPDATED_FIELDS.has(field) || (known !== undefined && isSettable(known));
  if (!isKnown || isObject(now)) return "it cannot be set";
  const isByItems = Array.isArray(now) || step.isEdit;
  return isByItems && (step.isRepeated || step.before === undefined) ? "its items before are unknown" : undefined;
}

/** The value before the writes as it was read, else as the response has it, typed as `now`. */
function valueBefore(now: Json, { before, removed }: Step, type: number | undefined): Json {
  if (type === FIELD_TYPE.date) return String(before ?? removed).slice(0, "2026-10-03".length);
  if (before !== undefined) return before ?? "";
  if (typeof now === "boolean") return sameValue(true, removed);
  return typeof now === "number" ? Number(removed) : removed;
}

/** Undoes the change of a list item by item, from the items that were read and sent. */
function undoList(field: string, now: Json[], { before, sent, added }: Step): Partial<Undo> {
  const old = itemsIn(before).map(String);
  const after = itemsAfter(sent, old);
  const stored = field === "see_also" ? added.split(", ") : []; // as stored, not as sent
  const isNumbered = [...now, ...itemsIn(before)].some((item) => typeof item === "number");
  return undoItems(field, now.map(String), [old, [...after, ...stored]], isNumbered);
}

/** The edit that adds lost items and removes gained ones, as far as needed. */
function undoItems(
  field: string,
  now: readonly string[],
  [before, after]: readonly [string[], string[]],
  isNumbered = false,
): Partial<Undo> {
  const { lost, gained } = listDifference(before, after);
  const edit = { add: listDifference(lost, now).lost, remove: now.filter((item) => hasIgnoringCase(gained, item)) };
  const parts = Object.entries(edit).filter(([, items]) => items.length > 0);
  const body = Object.fromEntries(parts.map(([name, items]) => [name, isNumbered ? items.map(Number) : items]));
  return parts.length > 0 ? { body: { [field]: body } } : {};
}

/**
 * Undoes changes of flags by their ids: a new flag is cleared, another gets back its status and its
 * requestee, unless another user set it: the tracker would make this user its setter.
 * @see Bugzilla/Flag.pm, set_flag
 */
function undoFlags({ before, sent }: Step, flags: readonly Flag[], me: string): Partial<Undo> {
  const old = objectsIn(before) as Json[] as Flag[];
  const left = [...flags];
  const undone = objectsIn(sent).map((edit) => {
    const was = edit["new"] ? undefined : old.find((flag) => isFlagOf(flag, edit));
    if (was) return undoChangedFlag(was, edit, { flags, old, me });
    const fresh = left.filter((flag) => isFlagOf(flag, edit) && !old.some(({ id }) => id === flag.id));
    const own = fresh.find((flag) => isFlagAs(flag, edit));
    if (!own) return fresh.length > 0 ? `${flagChangeText(String(edit["name"] ?? ""), edit)} was changed since` : {};
    left.splice(left.indexOf(own), 1);
    return { id: own.id, status: "X" };
  });
  const edits = undone.filter((one) => typeof one === "object" && Object.keys(one).length > 0);
  const kept = undone.flatMap((one) => (typeof one === "string" ? [{ field: "flags", reason: one }] : []));
  return { ...(edits.length > 0 && { body: { flags: edits } }), kept };
}

type Flags = { readonly flags: readonly Flag[]; readonly old: readonly Flag[]; readonly me: string };

/** The edit that restores a flag that was changed or cleared, empty if it is restored; or why not. */
function undoChangedFlag(was: Flag, edit: JsonObject, { flags, old, me }: Flags): JsonObject | string {
  const current = flags.find(({ id }) => id === was.id);
  const wanted = { status: was.status, ...(was.status === "?" && was.requestee && { requestee: was.requestee }) };
  if (current && isFlagAs(current, wanted)) return {};
  const isCleared = edit["status"] === "X";
  const others = flags.filter(({ name }) => name === was.name);
  const isSetAgain = others.some(({ id }) => !old.some((flag) => flag.id === id));
  const isOther = isCleared ? current || isSetAgain : !current || !isFlagAs(current, edit);
  if (isOther) return `${flagChangeText(was.name, edit)} was changed since`;
  if (current?.status !== was.status && !isSameLogin(was.setter, me))
    return `${flagChangeText(was.name, wanted)} was set by ${was.setter}, which cannot be restored`;
  if (!isCleared) return { id: was.id, ...wanted };
  return { type_id: was.type_id, ...wanted, ...(others.length > 0 && { new: true }) };
}
