import { ADDED_FIELDS } from "../../wire/added-fields.ts";
import { type Bug, PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { isObject, itemsIn } from "../../wire/json.ts";
import type { Changes } from "../../wire/resources.ts";
import { type Catalog, findField, isSettable } from "../catalog/catalog.ts";
import { statusNames } from "../catalog/legal-values.ts";
import { hasIgnoringCase } from "../lists.ts";
import { UPDATED_FIELDS } from "../operations/write-bugs.ts";
import { DUPLICATE, moveRefusal, statusBetween } from "../write/moves.ts";
import { tokensIn } from "../write/tokens.ts";
import { STATUS_FIELDS, sameValue } from "../write/write-state.ts";
import { type Kept, undoFlags } from "./undo-flags.ts";

/** An applied update of a bug: the bug as it was read before, of the fields that are named, the body, and the response. */
export type BugWrite = {
  readonly before: JsonObject;
  readonly body: JsonObject;
  readonly edits: readonly string[]; // texts and lists that were edited in part, and sent whole
  readonly changes: Changes;
  readonly time: string; // of the bug's last change by then
};

/** Body of the update that undoes writes, of a second one after it, and the parts that are not undone. */
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

/** What a write did to a field: its value as read before, as sent, and as the response has both sides. */
type Step = {
  readonly before: Json | undefined;
  readonly sent: Json | undefined;
  readonly removed: string;
  readonly added: string;
  readonly isEdit: boolean;
  readonly time: string;
};

/** Undoes writes to a bug, oldest first, field by field: a field gets its value back if it still has that of the writes. */
export function undoWrites(writes: readonly BugWrite[], context: UndoContext): Undo {
  const steps = stepsByField(writes, context.catalog);
  const isMove = steps.has("product");
  const parts: Partial<Undo>[] = [undoStatus(steps, context), { kept: keptOf(writes, steps) }];
  for (const [field, own] of steps) {
    if (STATUS_FIELDS.includes(field) || isDerived(field)) continue;
    if (isMove && OF_PRODUCT.has(field))
      parts.push(keep(field, `was "${own.first.removed}"; product moves are not undone`));
    else parts.push(undoField(field, own, context));
  }
  return {
    body: Object.assign({}, ...parts.map(({ body }) => body ?? {})) as JsonObject,
    next: parts.find(({ next }) => next)?.next,
    kept: parts.flatMap(({ kept = [] }) => kept),
  };
}

type Steps = { readonly first: Step; readonly last: Step; readonly all: readonly Step[] };

function stepsByField(writes: readonly BugWrite[], catalog: Catalog): ReadonlyMap<string, Steps> {
  const steps = new Map<string, Steps>();
  for (const { before, body, edits, changes, time } of writes) {
    for (const [name, { removed, added }] of Object.entries(changes)) {
      const field = fieldNamed(name, catalog);
      const values = { before: before[field], sent: body[field], removed: removed ?? "", added: added ?? "", time };
      const step = { ...values, isEdit: edits.includes(field) && before[field] !== undefined };
      const { first = step, all = [] } = steps.get(field) ?? {};
      steps.set(field, { first, last: step, all: [...all, step] });
    }
  }
  return steps;
}

/** The name in bug JSON of a field in the changes of a response. */
function fieldNamed(name: string, catalog: Catalog): string {
  if (name === "flagtypes.name") return "flags";
  const known = findField(catalog, name);
  return known?.isAdded ? known.api : name;
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
  return { kept: [{ field, reason: `it was changed since; it is now "${text}", not "${added}"`, isLater: true }] };
}

/** Undoes a change of status, resolution and original together, by way of another status where there is no direct one. */
function undoStatus(steps: ReadonlyMap<string, Steps>, { bug, catalog, comment }: UndoContext): Partial<Undo> {
  const now = bug as JsonObject;
  const changed = STATUS_FIELDS.flatMap((field) => {
    const own = steps.get(field);
    return own ? [{ field, first: own.first, added: own.last.added }] : [];
  });
  const was = (name: string) => {
    const first = changed.find(({ field }) => field === name)?.first;
    return String((first ? (first.before ?? first.removed) : now[name]) ?? "");
  };
  if (STATUS_FIELDS.every((name) => sameValue(was(name), now[name]))) return {};
  const later = changed.find(({ field, added }) => !sameValue(now[field], added));
  if (later) return keepLater(later.field, later.added, now[later.field]);
  const body = moveBack(was, bug, catalog);
  if (body === undefined) return keep("status", "the original of the duplicate is unknown");
  const refusal = moveRefusal(bug, { ...body, ...comment }, catalog);
  if (refusal === undefined) return { body };
  const between = statusBetween(bug.status ?? "", was("status"), catalog);
  if (between === undefined) return keep("status", `it ${refusal.why} (${refusal.hint})`);
  return { body: { ...body, status: between }, next: { status: was("status") } };
}

/** The body that sets what was; undefined for a duplicate of an unknown bug. Open bugs have no resolution. */
function moveBack(was: (field: string) => string, bug: Bug, catalog: Catalog): JsonObject | undefined {
  const [status, resolution] = [was("status"), was("resolution")];
  const move: JsonObject = sameValue(status, bug.status ?? "") ? {} : { status };
  if (statusNames(catalog, "open").includes(status) || resolution === "") return move;
  if (resolution !== DUPLICATE) return { ...move, resolution };
  if (was("dupe_of") === "") return undefined;
  const isDuplicate = bug.resolution === DUPLICATE;
  return { ...move, ...(isDuplicate ? {} : { resolution }), dupe_of: Number(was("dupe_of")) };
}

function undoField(field: string, steps: Steps, context: UndoContext): Partial<Undo> {
  const { bug, catalog } = context;
  if (field === "flags") return undoFlags(steps.all, bug.flags ?? [], context.me);
  const known = findField(catalog, field);
  const isKnown = field.startsWith("cf_") || UPDATED_FIELDS.has(field) || (known !== undefined && isSettable(known));
  const now = (bug as JsonObject)[field];
  if (!isKnown || isObject(now ?? null)) return keep(field, "it cannot be set");
  if (now === undefined) return keep(field, "the tracker does not return it");
  if (!Array.isArray(now)) return undoValue(field, now, steps, context);
  return undoList(field, now, steps);
}

function undoValue(field: string, now: Json, steps: Steps, { bug, catalog }: UndoContext): Partial<Undo> {
  const { last, first } = steps;
  const { before, removed } = first;
  const type = findField(catalog, field)?.type;
  const isMoment = type === FIELD_TYPE.dateTime && field.startsWith("cf_"); // sent and reported in the tracker's own zone
  const was = isMoment || before === undefined ? typedLike(now, removed) : (before ?? "");
  const isSame = (then: Json | undefined) => sameValue(now, then) || (typeof now === "number" && Number(then) === now);
  if (!isMoment && isSame(was)) return {};
  const isOurs = isMoment
    ? bug.last_change_time === last.time
    : isSame(last.added) || (last.sent !== undefined && !isObject(last.sent) && isSame(last.sent));
  if (isOurs) return { body: { [field]: type === FIELD_TYPE.date ? String(was).slice(0, DAY_LENGTH) : was } };
  if (!last.isEdit) return keepLater(field, last.added, now);
  const [lost, own] = netItems(steps.all, (value) => tokensIn(String(value ?? "")));
  return editOf(field, [lost, own], tokensIn(String(now)));
}

const DAY_LENGTH = "2026-10-03".length;

/** A text of a response as a value of the type of another. */
function typedLike(value: Json, text: string): Json {
  if (typeof value === "boolean") return text === "1" || text === "true";
  return typeof value === "number" ? Number(text) : text;
}

/** Undoes the change of a list item by item, from the items that were read and sent. */
function undoList(field: string, now: Json[], { all: steps }: Steps): Partial<Undo> {
  if (steps.some((step) => step.before === undefined)) return keep(field, "its items before are unknown");
  const before = steps.flatMap((step) => itemsIn(step.before ?? []));
  const added = steps.flatMap((step) => step.added.split(", "));
  const isStored = (item: Json) => field === "see_also" && !before.includes(item) && added.includes(String(item));
  const [lost, own] = netItems(steps, (value) => itemsIn(value ?? []).map(String));
  const stored = now.filter(isStored).map(String); // addresses in another form than that in which they were sent
  const isNumbered = [...now, ...before].some((item) => typeof item === "number");
  return editOf(field, [lost, [...own, ...stored]], now.map(String), isNumbered);
}

/** The items that writes removed, and those that they added, less what they took back themselves. */
function netItems(steps: readonly Step[], read: (value: Json | undefined) => string[]): [string[], string[]] {
  const sides = steps.map(({ before, sent = null }) => {
    const { add, remove, set }: JsonObject = isObject(sent) ? sent : { set: sent };
    const was = read(before);
    const after = set === undefined ? [...without(was, read(remove)), ...read(add)] : read(set);
    return { lost: without(was, after), own: without(after, was) };
  });
  const [lost, own] = [sides.flatMap((side) => side.lost), sides.flatMap((side) => side.own)];
  return [without(lost, own), without(own, lost)];
}

function without(items: readonly string[], others: readonly string[]): string[] {
  return items.filter((item) => !hasIgnoringCase([...others], item));
}

/** The edit that adds lost items and removes own ones, as far as needed. */
function editOf(field: string, [lost, own]: string[][], now: readonly string[], isNumbered = false): Partial<Undo> {
  const edit = { add: without(lost ?? [], now), remove: now.filter((item) => hasIgnoringCase(own ?? [], item)) };
  const parts = Object.entries(edit).filter(([, items]) => items.length > 0);
  const body = Object.fromEntries(parts.map(([name, items]) => [name, isNumbered ? items.map(Number) : items]));
  return parts.length > 0 ? { body: { [field]: body } } : {};
}
