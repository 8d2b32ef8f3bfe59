import { type Bug, PER_PRODUCT_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { FIELD_TYPE } from "../../wire/field-types.ts";
import type { Comment, HistoryEntry } from "../../wire/resources.ts";
import { type Catalog, findField } from "../catalog.ts";
import { STATUS_FIELDS } from "../delivery/write-state.ts";
import type { ParameterKind } from "../operations/operation.ts";
import { UPDATE_BUG } from "../operations/write-bugs.ts";
import { isSameLogin } from "../write/flag-requests.ts";
import { type PastChange, type PastField, secondOf } from "./past-change.ts";
import { type NotUndone, type PartUndo, undoFlags } from "./undo-flags.ts";
import { undoStatus } from "./undo-status.ts";
import { undoList, undoValue, type ValueUndoContext } from "./undo-values.ts";

/** Context for undoing a change: the current bug, and everything that decides what can be undone. */
export type UndoContext = {
  readonly bug: Bug;
  readonly history: readonly HistoryEntry[]; // all of it
  readonly comments: readonly Comment[]; // at least those since the change
  readonly catalog: Catalog;
  readonly zones: readonly string[]; // possible zones of the tracker, for custom date-times; empty if unknown
  readonly me: string;
  readonly comment: JsonObject; // comment of the update; empty for none
};

/** Update that undoes a change, and the parts that are not undone. Both are empty if the bug is as it was before. */
export type Undo = { readonly body: JsonObject; readonly left: readonly NotUndone[] };

/**
 * Undoes a change field by field: a field is restored if it still has the value of the change, lists item by item.
 * Later changes by others are collisions.
 */
export function undoOf(change: PastChange, context: UndoContext): Undo {
  const { own, left } = separated(change);
  const status = own.filter(({ field }) => STATUS_FIELDS.includes(field));
  const parts: readonly PartUndo[] = [
    { left },
    ...(status.length > 0 ? [undoStatus(status, { ...context, collision: collisions(change, context) })] : []),
    ...own.filter((past) => !status.includes(past)).map((past) => undoField(past, change, context)),
    { left: staying(change, context) },
  ];
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

function lastingReason({ field, removed, attachment }: PastField, isMove: boolean): string | undefined {
  if (attachment !== undefined || field.startsWith("attachments.")) return `attachment ${attachment ?? ""} is kept`;
  if (isMove && OF_PRODUCT.has(field)) return `was "${removed}"; product moves are not undone`;
  return LASTING[field];
}

const LASTING: Readonly<Record<string, string>> = {
  work_time: "hours are kept",
  "longdescs.isprivate": "comment privacy is kept",
  comment_is_private: "comment privacy is kept",
};

/** Comments of the change: those of its second but the description, if it has one. */
function staying({ when, who, hasComment }: PastChange, { comments }: UndoContext): readonly NotUndone[] {
  if (hasComment === false) return [];
  return comments
    .filter(
      ({ count, creator, time, creation_time }) =>
        count !== 0 && isSameLogin(creator, who) && secondOf(creation_time ?? time) === secondOf(when),
    )
    .map(({ count, id }) => ({ field: "comment", reason: `comment ${count ?? id} stays` }));
}

function undoField(past: PastField, change: PastChange, context: UndoContext): PartUndo {
  if (past.field === "flagtypes.name") {
    if (past.doubt !== undefined) return { left: [{ field: "flags", reason: past.doubt }] };
    return undoFlags(past, change, { ...context, flags: context.bug.flags ?? [] });
  }
  const kind = kindOf(past.field, context.catalog);
  if (kind === undefined) return { left: [{ field: past.field, reason: "cannot be set" }] };
  const values: ValueUndoContext = {
    ...context,
    kind,
    since: context.history.filter(({ when }) => secondOf(when) > secondOf(change.when)),
    collision: collisions(change, context),
  };
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

/** Fields that have another value now: those that were changed since, by whom, and those of an inexact history. */
function collisions(change: PastChange, { history, bug }: UndoContext): ValueUndoContext["collision"] {
  return (field, added) => {
    const now = `"${shown((bug as JsonObject)[field])}", not "${added}"`;
    const later = history.findLast(
      ({ when, changes }) =>
        secondOf(when) > secondOf(change.when) && changes.some(({ field_name }) => field_name === field),
    );
    if (later) return { field, reason: `${later.who} changed it ${later.when}; it is now ${now}`, isCollision: true };
    if (change.job) return { field, reason: `it was changed since; it is now ${now}`, isCollision: true };
    return { field, reason: `it is now ${now}, and the history does not say why` };
  };
}

function shown(value: Json | undefined): string {
  return [value ?? ""].flat().map(String).join(", ");
}
