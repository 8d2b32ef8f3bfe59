import { type Bug, PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { ADDED_FIELDS, FIELD_TYPE } from "../../wire/field-types.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import type { Changes } from "../../wire/resources.ts";
import { type Catalog, findField, isSettable } from "../catalog/catalog.ts";
import { statusNames } from "../catalog/legal-values.ts";
import { hasIgnoringCase } from "../lists.ts";
import { UPDATED_FIELDS } from "../operations/write-bugs.ts";
import { itemsAfter, type ListEdit } from "../write/body.ts";
import { DUPLICATE, moveRefusal, statusBetween } from "../write/moves.ts";
import { listDifference } from "../write/preview.ts";
import { tokensIn } from "../write/tokens.ts";
import { STATUS_FIELDS, sameValue } from "../write/write-state.ts";
import { undoFlags } from "./undo-flags.ts";

/** An applied update of a bug: the named fields as read before, the body, and the response. */
export type BugWrite = {
  readonly before: JsonObject;
  readonly body: JsonObject;
  readonly edits: readonly string[]; // texts and lists that were edited in part, and sent whole
  readonly changes: Changes;
  readonly time: string; // of the bug's last change by then
};

/** A part that is not undone. */
export type Kept = { readonly field: string; readonly reason: string };

/** Body of the update that undoes writes, of a second one after it, and what is not undone. */
export type Undo = {
  readonly body: JsonObject;
  readonly next?: JsonObject | undefined;
  readonly kept: readonly Kept[];
};

export type UndoContext = {
  readonly bug: Bug; // as it is now
  readonly catalog: Catalog;
  readonly me: string; // login
  readonly comment: JsonObject; // of the update; empty for none
};

/** What a write did to a field: its value as read before, as sent, and as in the response. */
type Step = {
  readonly before: Json | undefined;
  readonly sent: Json | undefined;
  readonly removed: string;
  readonly added: string;
  readonly isEdit: boolean;
  readonly time: string;
};

/** What writes did to a field, oldest first. */
type Steps = { readonly first: Step; readonly last: Step; readonly all: readonly Step[] };

/** Undoes writes to a bug, oldest first: a field gets its value back if it is still theirs. */
export function undoWrites(writes: readonly BugWrite[], context: UndoContext): Undo {
  const steps = stepsByField(writes, context.catalog);
  const parts: Partial<Undo>[] = [undoStatus(steps, context), { kept: keptOf(writes, steps) }];
  for (const [field, own] of steps) {
    if (STATUS_FIELDS.includes(field) || isDerived(field)) continue;
    if (steps.has("product") && OF_PRODUCT.has(field))
      parts.push(keep(field, `was "${own.first.removed}"; product moves are not undone`));
    else parts.push(undoField(field, own, context));
  }
  return {
    body: Object.assign({}, ...parts.map(({ body }) => body ?? {})) as JsonObject,
    next: parts.find(({ next }) => next)?.next,
    kept: parts.flatMap(({ kept = [] }) => kept),
  };
}

function stepsByField(writes: readonly BugWrite[], catalog: Catalog): ReadonlyMap<string, Steps> {
  const steps = new Map<string, Steps>();
  for (const { before, body, edits, changes, time } of writes) {
    for (const [name, { removed, added }] of Object.entries(changes)) {
      const known = findField(catalog, name);
      const api = known?.isAdded ? known.api : name; // in bug JSON
      const field = name === "flagtypes.name" ? "flags" : api;
      const values = { before: before[field], sent: body[field], removed: removed ?? "", added: added ?? "", time };
      const step = { ...values, isEdit: edits.includes(field) && before[field] !== undefined };
      const { first = step, all = [] } = steps.get(field) ?? {};
      steps.set(field, { first, last: step, all: [...all, step] });
    }
  }
  return steps;
}

/** True for a field that follows others, and cannot be set. */
function isDerived(field: string): boolean {
  return ["is_confirmed", "is_open", "actual_time"].includes(field) || ADDED_FIELDS.get(field)?.isReadOnly === true;
}

/** Fields whose values belong to the product. */
const OF_PRODUCT: ReadonlySet<string> = new Set(["product", ...PER_PRODUCT_FIELDS, "groups"]);

/** What no update takes back. @see Bugzilla/Bug.pm, `_add_dup_cc` */
function keptOf(writes: readonly BugWrite[], steps: ReadonlyMap<string, Steps>): Kept[] {
  const stays = STAYING.filter(({ field }) => writes.some(({ body }) => body[field] !== undefined));
  const original = steps.get("dupe_of")?.last.added;
  const reason = `bug ${original} keeps the duplicate comment and its new CC users`;
  return original ? [...stays, { field: "comment", reason }] : stays;
}

const STAYING: Kept[] = [
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
function undoStatus(steps: ReadonlyMap<string, Steps>, { bug, catalog, comment }: UndoContext): Partial<Undo> {
  const now = bug as JsonObject;
  const was = (name: string) => {
    const { first } = steps.get(name) ?? {};
    return String((first ? (first.before ?? first.removed) : now[name]) ?? "");
  };
  if (STATUS_FIELDS.every((name) => sameValue(was(name), now[name]))) return {};
  for (const field of STATUS_FIELDS) {
    const added = steps.get(field)?.last.added;
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

function undoField(field: string, steps: Steps, { bug, catalog, me }: UndoContext): Partial<Undo> {
  if (field === "flags") return undoFlags(steps.all, bug.flags ?? [], me);
  const known = findField(catalog, field);
  const isKnown = field.startsWith("cf_") || UPDATED_FIELDS.has(field) || (known !== undefined && isSettable(known));
  const now = (bug as JsonObject)[field];
  if (!isKnown || isObject(now)) return keep(field, "it cannot be set");
  if (now === undefined) return keep(field, "the tracker does not return it");
  if (Array.isArray(now)) return undoList(field, now, steps);
  const isTime = known?.type === FIELD_TYPE.dateTime && field.startsWith("cf_"); // sent and reported in the tracker's own zone
  const isSince = isTime && bug.last_change_time !== steps.last.time;
  const was = undoneValue(now, steps.first, known?.type);
  if (!isTime && sameValue(now, was)) return {};
  const isOurs = isTime ? !isSince : [steps.last.added, steps.last.sent].some((value) => sameValue(now, value ?? null));
  if (isOurs) return { body: { [field]: was } };
  if (!steps.last.isEdit) return keepLater(field, steps.last.added, now);
  const items = netItems(steps.all, (value) => tokensIn(String(value ?? "")));
  return editOf(field, items, tokensIn(String(now)));
}

/** The value before the writes as it was read, else as the response has it, typed as `now`. */
function undoneValue(now: Json, { before, removed }: Step, type: number | undefined): Json {
  if (type === FIELD_TYPE.date) return String(before ?? removed).slice(0, "2026-10-03".length);
  if (before !== undefined) return before ?? "";
  if (typeof now === "boolean") return sameValue(true, removed);
  return typeof now === "number" ? Number(removed) : removed;
}

/** Undoes the change of a list item by item, from the items that were read and sent. */
function undoList(field: string, now: Json[], { all: steps }: Steps): Partial<Undo> {
  if (steps.some((step) => step.before === undefined)) return keep(field, "its items before are unknown");
  const before = steps.flatMap((step) => itemsIn(step.before));
  const added = steps.flatMap((step) => step.added.split(", "));
  const isStored = (item: Json) => field === "see_also" && !before.includes(item) && added.includes(String(item));
  const { lost, gained } = netItems(steps, (value) => itemsIn(value).map(String));
  const stored = now.filter(isStored).map(String); // addresses in another form than that in which they were sent
  const isNumbered = [...now, ...before].some((item) => typeof item === "number");
  return editOf(field, { lost, gained: [...gained, ...stored] }, now.map(String), isNumbered);
}

type Items = { readonly lost: readonly string[]; readonly gained: readonly string[] };

/** The items that writes removed and added, less what they took back themselves. */
function netItems(steps: readonly Step[], read: (value: Json | undefined) => string[]): Items {
  const sides = steps.map(({ before, sent = null }) => {
    const edit: JsonObject = isObject(sent) ? sent : { set: sent };
    const parts = Object.entries(edit).map(([name, items]) => [name, read(items)] as const);
    return listDifference(read(before), itemsAfter(Object.fromEntries(parts) as ListEdit, read(before)));
  });
  return listDifference(
    sides.flatMap((side) => side.lost),
    sides.flatMap((side) => side.gained),
  );
}

/** The edit that adds lost items and removes own ones, as far as needed. */
function editOf(field: string, { lost, gained }: Items, now: readonly string[], isNumbered = false): Partial<Undo> {
  const remove = now.filter((item) => hasIgnoringCase([...gained], item));
  const edit = { add: listDifference(lost, now).lost, remove };
  const parts = Object.entries(edit).filter(([, items]) => items.length > 0);
  const body = Object.fromEntries(parts.map(([name, items]) => [name, isNumbered ? items.map(Number) : items]));
  return parts.length > 0 ? { body: { [field]: body } } : {};
}
