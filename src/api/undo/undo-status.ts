import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Catalog } from "../catalog.ts";
import { STATUS_FIELDS, sameValue } from "../delivery/write-state.ts";
import { statusNames } from "../legal-values.ts";
import { DUPLICATE, moveRefusal } from "../write/moves.ts";
import type { PastField } from "./past-change.ts";
import type { NotUndone, PartUndo } from "./undo-flags.ts";

/** Context for undoing a status: the current bug, the workflow, and the comment of the update. */
export type StatusUndoContext = {
  readonly bug: Bug;
  readonly catalog: Catalog;
  readonly comment: JsonObject; // empty, or with a comment
  readonly collision: (field: string, added: string) => NotUndone;
};

/** Undoes a change of status, resolution and duplicate together, by a valid transition. */
export function undoStatus(fields: readonly PastField[], context: StatusUndoContext): PartUndo {
  const { bug, catalog } = context;
  const changed = new Map(fields.map((past) => [past.field, past]));
  const was = (name: string) => valueBefore(changed.get(name), bug, name);
  if (STATUS_FIELDS.every((name) => sameValue(was(name), nowOf(bug, name)))) return {};
  const moved = fields.find(
    ({ field, added }) => nowOf(bug, field) !== undefined && !sameValue(nowOf(bug, field), added),
  );
  if (moved) return { left: [context.collision(moved.field, moved.added)] };
  const body = moveBack(
    { status: was("status"), resolution: was("resolution"), dupe_of: was("dupe_of") },
    bug,
    catalog,
  );
  if (body === undefined) return { left: [left("the original of the duplicate is unknown")] };
  const refusal = moveRefusal(bug, { ...body, ...context.comment }, catalog);
  return refusal === undefined ? { body } : { left: [left(`${refusal.why}; ${refusal.hint}`)] };
}

function left(reason: string): NotUndone {
  return { field: "status", reason };
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

/** A value before the change: as read by the job, else from the history, else the current one. */
function valueBefore(past: PastField | undefined, bug: Bug, name: string): string {
  if (past === undefined) return String(nowOf(bug, name) ?? "");
  return past.before === undefined ? past.removed : String(past.before ?? "");
}

function nowOf(bug: Bug, name: string) {
  return (bug as JsonObject)[name];
}
