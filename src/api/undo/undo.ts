import { type Bug, PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import { type Catalog, findField } from "../catalog.ts";
import { STATUS_FIELDS, sameValue } from "../delivery/write-state.ts";
import { statusNames } from "../legal-values.ts";
import type { ParameterKind } from "../operations/operation.ts";
import { UPDATE_BUG } from "../operations/write-bugs.ts";
import { DUPLICATE, moveRefusal } from "../write/moves.ts";
import type { PastChange, PastField } from "../write/past-change.ts";
import { type NotUndone, type PartUndo, undoFlags } from "./undo-flags.ts";
import { collision, undoList, undoValue, type ValueUndoContext } from "./undo-values.ts";

/** Context for undoing a change: the current bug, and everything that decides what can be undone. */
export type UndoContext = {
  bug: Bug;
  catalog: Catalog;
  readonly zones: readonly string[]; // possible zones of the tracker, for custom date-times; empty if unknown
  me: string;
  comment: JsonObject; // comment of the update; empty for none
};

/** Update that undoes a change, and the parts that are not undone. Both are empty if the bug is as it was before. */
export type Undo = { readonly body: JsonObject; readonly left: readonly NotUndone[] };

/**
 * Undoes a change field by field: a field is restored if it still has the value of the change, lists item by item.
 * Later changes are collisions.
 */
export function undoOf(change: PastChange, context: UndoContext): Undo {
  const { own, left } = separated(change);
  const status = own.filter(({ field }) => STATUS_FIELDS.includes(field));
  const parts: PartUndo[] = [{ left }];
  if (status.length > 0) parts.push(undoStatus(status, context));
  for (const past of own) if (!status.includes(past)) parts.push(undoField(past, change, context));
  if (change.hasComment) parts.push({ left: [{ field: "comment", reason: "comments are kept" }] });
  return {
    body: Object.assign({}, ...parts.map(({ body }) => body ?? {})) as JsonObject,
    left: parts.flatMap((part) => part.left ?? []),
  };
}

/** Fields that follow others, and cannot be set. */
const DERIVED: ReadonlySet<string> = new Set(["is_confirmed", "is_open", "cf_last_closed", "actual_time"]);

/** Fields whose values belong to the product. */
const OF_PRODUCT: ReadonlySet<string> = new Set(["product", ...PER_PRODUCT_FIELDS, "groups"]);

/** Separates the fields that can be restored from those that never are. */
function separated({ fields }: PastChange) {
  const isMove = fields.some(({ field }) => field === "product");
  const own: PastField[] = [];
  const left: NotUndone[] = [];
  for (const past of fields.filter(({ field }) => !DERIVED.has(field))) {
    const reason = lastingReason(past, isMove);
    if (reason === undefined) own.push(past);
    else left.push({ field: past.field, reason });
  }
  return { own, left };
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

function undoField(past: PastField, { who }: PastChange, context: UndoContext): PartUndo {
  const { bug, me } = context;
  if (past.field === "flagtypes.name") return undoFlags(past, { flags: bug.flags ?? [], who: who ?? me, me });
  const kind = kindOf(past.field, context.catalog);
  if (kind === undefined) return { left: [{ field: past.field, reason: "cannot be set" }] };
  const values: ValueUndoContext = { ...context, kind };
  return kind === "list" ? undoList(past, values) : undoValue(past, values);
}

const KINDS: ReadonlyMap<string, ParameterKind> = new Map(UPDATE_BUG.parameters.map(({ name, kind }) => [name, kind]));
const LISTS: ReadonlySet<ParameterKind | undefined> = new Set(["edit", "links"]);

/** Kinds of custom fields by type. */
const CUSTOM_KINDS: Readonly<Record<number, ValueUndoContext["kind"]>> = {
  [FIELD_TYPE.select]: "choice",
  [FIELD_TYPE.multiSelect]: "list",
  [FIELD_TYPE.dateTime]: "datetime",
  [FIELD_TYPE.bugId]: "number",
  [FIELD_TYPE.date]: "date",
  [FIELD_TYPE.integer]: "number",
};

function kindOf(field: string, catalog: Catalog): ValueUndoContext["kind"] | undefined {
  if (field.startsWith("cf_")) return CUSTOM_KINDS[findField(catalog, field)?.type ?? 0] ?? "text";
  const kind = KINDS.get(field);
  if (LISTS.has(kind)) return "list";
  if (kind === "hours") return "number";
  return kind === "bool" || kind === "date" || kind === "choice" ? kind : kind && "text";
}

/** Undoes a change of status, resolution and duplicate together, by a valid transition. */
function undoStatus(fields: PastField[], context: UndoContext): PartUndo {
  const { bug, catalog } = context;
  const changed = new Map(fields.map((past) => [past.field, past]));
  const was = (name: string) => valueBefore(changed.get(name), bug, name);
  if (STATUS_FIELDS.every((name) => sameValue(was(name), nowOf(bug, name)))) return {};
  const moved = fields.find(
    ({ field, added }) => nowOf(bug, field) !== undefined && !sameValue(nowOf(bug, field), added),
  );
  if (moved) return { left: [collision(moved.field, moved.added, bug)] };
  const body = moveBack(
    { status: was("status"), resolution: was("resolution"), dupe_of: was("dupe_of") },
    bug,
    catalog,
  );
  if (body === undefined) return { left: [{ field: "status", reason: "the original of the duplicate is unknown" }] };
  const refusal = moveRefusal(bug, { ...body, ...context.comment }, catalog);
  return refusal === undefined ? { body } : { left: [{ field: "status", reason: `${refusal.why}; ${refusal.hint}` }] };
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
  if (past === undefined) return String(nowOf(bug, name) ?? "");
  return past.before === undefined ? past.removed : String(past.before ?? "");
}

function nowOf(bug: Bug, name: string) {
  return (bug as JsonObject)[name];
}
