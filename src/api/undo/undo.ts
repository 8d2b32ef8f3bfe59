import { ADDED_FIELDS, EDITED_LISTS } from "../../wire/added-fields.ts";
import { type Bug, DEPENDENCY_FIELDS, PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { Flag } from "../../wire/bug-values.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { isObject, itemsIn, objectsIn } from "../../wire/json.ts";
import { type Catalog, findField, isSettable } from "../catalog/catalog.ts";
import { legalNames, statusNames } from "../catalog/legal-values.ts";
import { hasIgnoringCase } from "../lists.ts";
import type { ParameterKind } from "../operations/operation.ts";
import { UPDATE_BUG } from "../operations/write-bugs.ts";
import { isSameLogin } from "../people.ts";
import { certainMoment, isLocalTime } from "../write/custom-fields.ts";
import { DUPLICATE, moveRefusal, statusBetween } from "../write/moves.ts";
import { joinedItems } from "../write/overwritten.ts";
import type { PastChange, PastField } from "../write/past-change.ts";
import { flagChangeText } from "../write/preview.ts";
import { tokensIn } from "../write/tokens.ts";
import { STATUS_FIELDS, sameValue } from "../write/write-state.ts";

/** Context for undoing a change: the current bug, and everything that decides what can be undone. */
export type UndoContext = {
  bug: Bug;
  catalog: Catalog;
  readonly zones: readonly string[]; // possible zones of the tracker, for custom date-times; empty if unknown
  me: string;
  comment: JsonObject; // comment of the update; empty for none
};

/**
 * Update that undoes a change, values that a second one has to set then, and the parts that are not undone. All are empty if the
 * bug is as it was before.
 */
export type Undo = {
  body: JsonObject;
  finish?: JsonObject | undefined;
  notUndone: readonly NotUndone[];
};

/**
 * Undoes a change field by field: a field is restored if it still has the value of the change, lists item by item.
 * Later changes are collisions.
 */
export function undoChange(change: PastChange, context: UndoContext): Undo {
  const { own, notUndone } = separateFields(change);
  const status = own.filter(({ field }) => STATUS_FIELDS.includes(field));
  const parts: PartUndo[] = [{ notUndone }];
  if (status.length > 0) parts.push(undoStatus(status, context));
  for (const past of own) if (!status.includes(past)) parts.push(undoField(past, change, context));
  const reason = ["comments are kept", ...keptByOriginal(change)].join("; ");
  if (change.hasComment) parts.push({ notUndone: [{ field: "comment", reason }] });
  return {
    body: Object.assign({}, ...parts.map(({ body }) => body ?? {})) as JsonObject,
    finish: parts.find(({ finish }) => finish)?.finish,
    notUndone: parts.flatMap((part) => part.notUndone ?? []),
  };
}

/** Changes of the original that stay, if the change marked a bug as a duplicate. @see Bugzilla/Bug.pm, `update` and `_add_dup_cc` */
export function keptByOriginal({ fields }: PastChange): string[] {
  const originals = fields.filter(({ field, added }) => field === "dupe_of" && added !== "");
  return originals.map(
    ({ added }) => `bug ${added} keeps its comment about the duplicate, and whom that added to its CC`,
  );
}

/** True for a field that follows others, and cannot be set. */
export function isDerived(field: string): boolean {
  return ["is_confirmed", "is_open", "actual_time"].includes(field) || ADDED_FIELDS.get(field)?.isReadOnly === true;
}

/** Fields whose values belong to the product. */
const OF_PRODUCT: ReadonlySet<string> = new Set(["product", ...PER_PRODUCT_FIELDS, "groups"]);

/** Separates the fields that can be restored from those that never are. */
function separateFields({ fields }: PastChange) {
  const isMove = fields.some(({ field }) => field === "product");
  const own: PastField[] = [];
  const notUndone: NotUndone[] = [];
  for (const past of fields.toSorted(comparePlaces)) {
    if (isDerived(past.field)) continue;
    const reason = lastingReason(past, isMove);
    if (reason === undefined) own.push(past);
    else notUndone.push({ field: past.field, reason });
  }
  return { own, notUndone };
}

/** Order of fields: that of the parameters of an update, then by name; trackers report them in any. */
function comparePlaces(one: PastField, other: PastField): number {
  const names: string[] = UPDATE_BUG.parameters.map(({ name }) => name);
  const place = ({ field }: PastField) => (names.includes(field) ? names.indexOf(field) : names.length);
  return place(one) - place(other) || (one.field < other.field ? -1 : 1);
}

function lastingReason({ field, removed }: PastField, isMove: boolean): string | undefined {
  if (isMove && OF_PRODUCT.has(field)) return `was "${removed}"; product moves are not undone`;
  return LASTING[field];
}

const LASTING: Readonly<Record<string, string>> = {
  work_time: "hours are kept",
  "longdescs.isprivate": "comment privacy is kept",
  comment_is_private: "comment privacy is kept",
};

function undoField(changed: PastField, { who }: PastChange, context: UndoContext): PartUndo {
  const { bug, me } = context;
  const known = findField(context.catalog, changed.field);
  const past = known?.isAdded ? { ...changed, field: known.api } : changed;
  if (past.field === "flagtypes.name" || past.field === "flags")
    return undoFlags(past, { flags: bug.flags ?? [], who: who ?? me, me });
  if ([past.before, valueNow(bug, past.field)].flat().some(isObject)) return partLeft(past, "it has no text");
  const kind = valueKind(past.field, context.catalog);
  if (kind === undefined) return { notUndone: [{ field: past.field, reason: "cannot be set" }] };
  const values: ValueUndoContext = { ...context, kind };
  return kind === "list" ? undoList(past, values) : undoValue(past, values);
}

const KIND_BY_PARAMETER: ReadonlyMap<string, ParameterKind> = new Map(
  UPDATE_BUG.parameters.map(({ name, kind }) => [name, kind]),
);
const EDIT_KINDS: ReadonlySet<ParameterKind | undefined> = new Set(["edit", "links"]);

/** Kinds of custom fields by type. */
const CUSTOM_KINDS: Readonly<Record<number, ValueUndoContext["kind"]>> = {
  [FIELD_TYPE.select]: "choice",
  [FIELD_TYPE.multiSelect]: "list",
  [FIELD_TYPE.dateTime]: "datetime",
  [FIELD_TYPE.bugId]: "number",
  [FIELD_TYPE.date]: "date",
  [FIELD_TYPE.integer]: "number",
  [FIELD_TYPE.users]: "list",
  [FIELD_TYPE.bugs]: "list",
};

function valueKind(field: string, catalog: Catalog): ValueUndoContext["kind"] | undefined {
  const known = findField(catalog, field);
  if (field.startsWith("cf_") || (known && isSettable(known))) return CUSTOM_KINDS[known?.type ?? 0] ?? "text";
  const kind = KIND_BY_PARAMETER.get(field);
  if (EDIT_KINDS.has(kind)) return "list";
  if (kind === "hours") return "number";
  return kind === "bool" || kind === "date" || kind === "choice" ? kind : kind && "text";
}

/** Undoes a change of status, resolution and duplicate together, by a valid transition. */
function undoStatus(fields: PastField[], context: UndoContext): PartUndo {
  const { bug, catalog } = context;
  const changed = new Map(fields.map((past) => [past.field, past]));
  const was = (name: string) => valueBefore(changed.get(name), bug, name);
  if (STATUS_FIELDS.every((name) => sameValue(was(name), valueNow(bug, name)))) return {};
  const moved = fields.find(
    ({ field, added }) => valueNow(bug, field) !== undefined && !sameValue(valueNow(bug, field), added),
  );
  if (moved) return { notUndone: [supersededField(moved.field, moved.added, bug)] };
  const body = moveBack(
    { status: was("status"), resolution: was("resolution"), dupe_of: was("dupe_of") },
    bug,
    catalog,
  );
  if (body === undefined)
    return { notUndone: [{ field: "status", reason: "the original of the duplicate is unknown" }] };
  const refusal = moveRefusal(bug, { ...body, ...context.comment }, catalog);
  if (refusal === undefined) return { body };
  const between = statusBetween(bug.status ?? "", was("status"), catalog);
  if (between === undefined) return { notUndone: [{ field: "status", reason: `it ${refusal.why}; ${refusal.hint}` }] };
  return { body: { ...body, status: between }, finish: { status: was("status") } };
}

type OldMove = Readonly<Record<"status" | "resolution" | "dupe_of", string>>;

/** The update that sets these; undefined for a duplicate of an unknown bug. Open bugs have no resolution. */
function moveBack(old: OldMove, bug: Bug, catalog: Catalog): JsonObject | undefined {
  const status: JsonObject = sameValue(old.status, bug.status ?? "") ? {} : { status: old.status };
  if (statusNames(catalog, "open").includes(old.status) || old.resolution === "") return status;
  if (old.resolution !== DUPLICATE) return { ...status, resolution: old.resolution };
  if (old.dupe_of === "") return undefined;
  const isDuplicate = bug.resolution === DUPLICATE;
  return { ...status, ...(isDuplicate ? {} : { resolution: DUPLICATE }), dupe_of: Number(old.dupe_of) };
}

/** A value before the change: as read by the job, else from its response, else the current one. */
function valueBefore(past: PastField | undefined, bug: Bug, name: string): string {
  if (past === undefined) return String(valueNow(bug, name) ?? "");
  return past.before === undefined ? past.removed : String(past.before ?? "");
}

function valueNow(bug: Bug, name: string) {
  return (bug as JsonObject)[name];
}

/** Context for undoing a value: the current bug, and the kind of the field. */
type ValueUndoContext = {
  bug: Bug;
  catalog: Catalog;
  zones: readonly string[];
  kind: "text" | "choice" | "number" | "bool" | "date" | "datetime" | "list";
};

/** Undoes the change of a single value. */
function undoValue(past: PastField, context: ValueUndoContext): PartUndo {
  const { field, added, sent } = past;
  const now = (context.bug as JsonObject)[field];
  if (now === undefined) return partLeft(past, "the tracker does not return it");
  if (past.isEdit && !isEqual(now, added, context)) return undoTokens(past, String(now));
  const old = oldValue(past, context);
  if (old === undefined) return partLeft(past, "its time is ambiguous in the tracker's zone");
  if (isEqual(now, past.before ?? past.removed, context)) return {};
  const isKept = isEqual(now, added, context) || (sent !== undefined && !isObject(sent) && isEqual(now, sent, context));
  if (!isKept) return { notUndone: [supersededField(field, added, context.bug)] };
  return isLegal(field, String(old), context)
    ? { body: { [field]: old } }
    : partLeft(past, `"${old}" is no longer valid`);
}

/** Undoes the edit of a text that others edited at the same time: only its own tokens. */
function undoTokens(past: PastField, text: string): PartUndo {
  const now = tokensIn(text);
  const [removed, added] = ownItems(past, (value) => tokensIn(String(value ?? "")));
  const edit = {
    add: removed.filter((token) => !now.includes(token)),
    remove: added.filter((token) => now.includes(token)),
  };
  return edit.add.length + edit.remove.length > 0 ? { body: { [past.field]: edit } } : {};
}

/** Items that a job removed and added itself, whatever its response says. */
function ownItems({ before, sent }: PastField, read: (value: Json | undefined) => string[]): [string[], string[]] {
  const [was, became] = [read(before), read(sent)];
  return [was.filter((item) => !became.includes(item)), became.filter((item) => !was.includes(item))];
}

/** A field that has another value now. */
function supersededField(field: string, added: string, bug: Bug): NotUndone {
  const now = joinedValue((bug as JsonObject)[field]);
  return { field, reason: `it was changed since; it is now "${now}", not "${added}"`, isCollision: true };
}

function joinedValue(value: Json | undefined): string {
  return [value ?? ""].flat().map(String).join(", ");
}

function partLeft({ field }: PastField, reason: string): PartUndo {
  return { notUndone: [{ field, reason }] };
}

/** The value to send; undefined for a time that is not certain. */
function oldValue({ before, removed }: PastField, { kind, zones }: ValueUndoContext): Json | undefined {
  const text = before === undefined || kind === "datetime" ? removed : String(before ?? "");
  return (VALUE_READER_BY_KIND[kind] ?? asIs)(text, zones);
}

type Reader = (text: string, zones: readonly string[]) => Json | undefined;

const asIs: Reader = (text) => text;

/** Trackers read date-times of custom fields in their own zone, and record changes in it. */
const VALUE_READER_BY_KIND: Readonly<Partial<Record<ValueUndoContext["kind"], Reader>>> = {
  datetime: (text, zones) => (text === "" || certainInstant(text, zones) !== undefined ? text : undefined),
  bool: (text) => text === "1" || text === "true",
  number: (text) => (text === "" ? "" : Number(text)),
  date: (text) => text.slice(0, "2026-10-03".length),
};

function certainInstant(text: string, zones: readonly string[]): string | undefined {
  return isLocalTime(text) ? certainMoment(text, zones) : undefined;
}

/** True for two forms of a value: histories have days with a time, and numbers with decimals. */
function isEqual(now: Json, then: Json, { kind, zones }: ValueUndoContext): boolean {
  if (sameValue(now, then)) return true;
  if (kind === "datetime") return typeof then === "string" && certainInstant(then, zones) === now;
  return kind === "number" && now !== null && then !== null && Number(now) === Number(then);
}

/** Undoes the change of a list: items that it added are removed, those that it removed are added again. */
function undoList(past: PastField, context: ValueUndoContext): PartUndo {
  const { field } = past;
  const list = (context.bug as JsonObject)[field];
  if (!Array.isArray(list)) return partLeft(past, "the tracker does not return it");
  const now = list.map(String);
  const known = [...now, ...itemTexts(past.before), ...editTexts(past.sent), ...(validNames(field, context) ?? [])];
  const [removed, added] = past.isEdit
    ? ownItems(past, itemTexts)
    : [joinedItems(past.removed, known), joinedItems(past.added, known)];
  const lost = removed.filter((item) => !hasIgnoringCase(now, item));
  const invalid = lost.filter((item) => field === "groups" || !isLegal(field, item, context));
  const reason = field === "groups" ? "stays removed" : "is no longer valid";
  const edit = {
    add: lost.filter((item) => !invalid.includes(item)),
    remove: added.filter((item) => hasIgnoringCase(now, item)),
  };
  const parts = Object.entries(edit).filter(([, items]) => items.length > 0);
  const wire = parts.map(([name, items]) => [name, NUMBERED.has(field) ? items.map(Number) : items] as const);
  return {
    ...(wire.length > 0 ? { body: { [field]: Object.fromEntries(wire) } } : {}),
    notUndone: invalid.map((item) => ({ field, reason: `"${item}" ${reason}` })),
  };
}

/** Lists of numbers. */
const NUMBERED: ReadonlySet<string> = new Set([...DEPENDENCY_FIELDS, ...EDITED_LISTS]);

/** True unless the tracker lists other values. */
function isLegal(field: string, text: string, context: ValueUndoContext): boolean {
  const names = validNames(field, context);
  return text === "" || names === undefined || hasIgnoringCase(names, text);
}

function validNames(field: string, { bug, catalog }: ValueUndoContext): string[] | undefined {
  const known = findField(catalog, field);
  return known && legalNames(known, bug.product ?? undefined);
}

function itemTexts(value: Json | undefined): string[] {
  return itemsIn(value).map(String);
}

/** Items of an edit of a list. */
function editTexts(edit: Json | undefined): string[] {
  return isObject(edit) ? Object.values(edit).flatMap(itemTexts) : itemTexts(edit);
}

/** A part of a change that is not undone, and why. */
export type NotUndone = {
  field: string;
  reason: string;
  isCollision?: true;
};

/** Undo of a part of a change: fields of an update, and the parts that are not undone. */
type PartUndo = { body?: JsonObject; finish?: JsonObject; notUndone?: readonly NotUndone[] };

/** Context for undoing flags: the current flags, who changed them, and the login of the user who undoes. */
type FlagUndoContext = {
  flags: readonly Flag[];
  who: string;
  me: string;
};

/** A flag as recorded in a change. */
type ReportedFlag = { name: string; status: string; requestee: string | undefined };

type FlagStep = { edit?: JsonObject; reason?: string; isCollision?: true };

/**
 * Undoes the change of a bug's flags, flag by flag: set ones are cleared, others get their status and requestee back. A
 * tracker makes whoever sets a status its setter, so another user's flags are not set again.
 * @see Bugzilla/Flag.pm, set_flag
 */
function undoFlags(past: PastField, context: FlagUndoContext): PartUndo {
  const [removed, added] = [parseReportedFlags(past.removed), parseReportedFlags(past.added)];
  const used = new Set<number>();
  const edits: JsonObject[] = [];
  const notUndone: NotUndone[] = [];
  const add = ({ edit, reason, isCollision }: FlagStep) => {
    if (edit) edits.push(edit);
    if (reason !== undefined) notUndone.push({ field: "flags", reason, ...(isCollision ? { isCollision } : {}) });
  };
  const open = [...removed];
  for (const flag of added) {
    const at = open.findIndex(({ name }) => name === flag.name);
    const [was] = at < 0 ? [] : open.splice(at, 1);
    add(undoFlagSet(flag, was, { past, context, used }));
  }
  for (const flag of open) add(undoFlagCleared(flag, { past, context, used }));
  return { ...(edits.length > 0 ? { body: { flags: edits } } : {}), notUndone };
}

type FlagPlace = {
  past: PastField;
  context: FlagUndoContext;
  used: Set<number>; // ids of flags that other steps are about
};

/** Undoes that a flag was set, or changed from another status or requestee. */
function undoFlagSet(flag: ReportedFlag, was: ReportedFlag | undefined, place: FlagPlace): FlagStep {
  const { context, used } = place;
  const alike = context.flags.filter((one) => isSameAsReported(one, flag) && !used.has(one.id));
  const own = alike.filter(({ setter }) => isSameLogin(setter, context.who));
  const [only, ...others] = own.length > 0 ? own : alike;
  const isThere = context.flags.some(({ id, name }) => name === flag.name && !used.has(id));
  if (only === undefined) return was === undefined && !isThere ? {} : changedSince(flag);
  if (others.length > 0) return { reason: `${reportedText(flag)} is set several times` };
  used.add(only.id);
  if (was === undefined) return { edit: { id: only.id, status: "X" } };
  const reason = was.status === flag.status ? undefined : setterDoubt(was, place);
  return reason === undefined ? { edit: { id: only.id, ...flagSetting(was) } } : { reason };
}

function changedSince(flag: ReportedFlag): FlagStep {
  return { reason: `${reportedText(flag)} was changed since`, isCollision: true };
}

/** Undoes that a flag was cleared. */
function undoFlagCleared(flag: ReportedFlag, place: FlagPlace): FlagStep {
  const { flags } = place.context;
  if (flags.some((one) => isSameAsReported(one, flag) && !place.used.has(one.id))) return {};
  const ids = flagsBefore(place.past).map(({ id }) => id);
  const isNew = (one: Flag) => one.name === flag.name && !ids.includes(one.id) && !place.used.has(one.id);
  if (ids.length > 0 && flags.some(isNew)) return changedSince(flag);
  const reason = setterDoubt(flag, place);
  if (reason !== undefined) return { reason };
  const known = flagsBefore(place.past).find((one) => isSameAsReported(one, flag));
  const named = known ? { type_id: known.type_id } : { name: flag.name };
  const isFurther = flags.some(({ name }) => name === flag.name);
  return { edit: { ...named, ...flagSetting(flag), ...(isFurther ? { new: true } : {}) } };
}

function flagSetting({ status, requestee }: ReportedFlag): JsonObject {
  return { status, ...(status === "?" && requestee !== undefined ? { requestee } : {}) };
}

/** Reason why a flag cannot be set as it was: another user had set it, or nobody knows who. */
function setterDoubt(flag: ReportedFlag, { past, context }: FlagPlace): string | undefined {
  const setter = flagsBefore(past).find((one) => isSameAsReported(one, flag))?.setter;
  if (setter === undefined) return `${reportedText(flag)}: its setter is unknown`;
  return isSameLogin(setter, context.me)
    ? undefined
    : `${reportedText(flag)} was set by ${setter}, which cannot be restored`;
}

function flagsBefore({ before }: PastField): Flag[] {
  return objectsIn(before) as Json[] as Flag[];
}

/** True if a flag equals a recorded one; a record without a requestee matches any. */
function isSameAsReported({ name, status, requestee }: Flag, reported: ReportedFlag): boolean {
  return (
    name === reported.name &&
    status === reported.status &&
    (reported.requestee === undefined || isSameLogin(requestee, reported.requestee))
  );
}

function reportedText({ name, status, requestee }: ReportedFlag): string {
  return flagChangeText(name, { status, requestee: requestee ?? null });
}

function parseReportedFlags(text: string): ReportedFlag[] {
  return [...text.matchAll(/([^\s,?+()-][^\s,?+()]*?)([?+-])(?:\(([^()]+)\))?(?=,|\s|$)/g)].map(
    ([, name = "", status = "", requestee]) => ({ name, status, requestee }),
  );
}
