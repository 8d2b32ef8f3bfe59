import type { Flag } from "../../wire/bug-values.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { objectsIn } from "../../wire/json.ts";
import { isSameLogin } from "../people.ts";
import { flagChangeText } from "../write/preview.ts";

/**
 * Undoes the changes of flags by their ids: a flag that was set is cleared, any other gets its status and requestee back. A
 * tracker makes whoever sets a status its setter, so another user's flag is not set again.
 * @see Bugzilla/Flag.pm, set_flag
 */
export function undoFlags(steps: readonly FlagStep[], flags: readonly Flag[], me: string) {
  const now = [...flags];
  const undone = steps.flatMap(({ before, sent }): FlagUndo[] => {
    if (before === undefined || sent === undefined) return [keepFlag("the flags before are unknown")];
    const old = objectsIn(before) as Json[] as Flag[];
    return objectsIn(sent).map((edit) => {
      const was = edit["new"] ? undefined : old.find((flag) => isMeant(flag, edit));
      return was ? undoChanged(was, edit, { now, old, me }) : undoSet(edit, now, old);
    });
  });
  const edits = undone.flatMap(({ edit }) => edit ?? []);
  return { ...(edits.length > 0 && { body: { flags: edits } }), kept: undone.flatMap(({ kept }) => kept ?? []) };
}

/** A write to flags: the flags as they were read before, and the edits that were sent. */
type FlagStep = { readonly before: Json | undefined; readonly sent: Json | undefined };

/** A part that is not undone; `isLater`: because of a later change. */
export type Kept = { readonly field: string; readonly reason: string; readonly isLater?: true };

type FlagUndo = { readonly edit?: JsonObject; readonly kept?: Kept };

function isMeant({ id, name, type_id }: Flag, edit: JsonObject): boolean {
  if (edit["id"] !== undefined) return edit["id"] === id;
  return edit["name"] === name || edit["type_id"] === type_id;
}

/** Clears a flag that an edit set, which is taken out of `now`. */
function undoSet(edit: JsonObject, now: Flag[], old: readonly Flag[]): FlagUndo {
  const fresh = now.filter((flag) => isMeant(flag, edit) && !old.some(({ id }) => id === flag.id));
  const own = fresh.find((flag) => isAs(flag, edit));
  if (own) {
    now.splice(now.indexOf(own), 1);
    return { edit: { id: own.id, status: "X" } };
  }
  return fresh.length > 0 ? changedSince(edit, edit["name"]) : {};
}

type Flags = { readonly now: readonly Flag[]; readonly old: readonly Flag[]; readonly me: string };

/** Gives a flag that an edit changed or cleared its status and requestee back. */
function undoChanged(was: Flag, edit: JsonObject, { now, old, me }: Flags): FlagUndo {
  const current = now.find(({ id }) => id === was.id);
  const wanted = { status: was.status, ...(was.status === "?" && was.requestee && { requestee: was.requestee }) };
  if (current && isAs(current, wanted)) return {};
  const isCleared = edit["status"] === "X";
  const isSetAgain = now.some((flag) => flag.name === was.name && !old.some(({ id }) => id === flag.id));
  const isOurs = isCleared ? !current && !isSetAgain : current !== undefined && isAs(current, edit);
  if (!isOurs) return changedSince(edit, was.name);
  if (current?.status !== was.status && !isSameLogin(was.setter, me))
    return keepFlag(`${flagChangeText(was.name, wanted)} was set by ${was.setter}, which cannot be restored`);
  if (!isCleared) return { edit: { id: was.id, ...wanted } };
  const isFurther = now.some(({ name }) => name === was.name);
  return { edit: { type_id: was.type_id, ...wanted, ...(isFurther && { new: true }) } };
}

function isAs({ status, requestee }: Flag, edit: JsonObject): boolean {
  if (status !== edit["status"]) return false;
  return edit["requestee"] === undefined || isSameLogin(requestee, String(edit["requestee"]));
}

function changedSince(edit: JsonObject, name: Json = "the flag"): FlagUndo {
  const text = flagChangeText(String(name), edit);
  return { kept: { field: "flags", reason: `${text} was changed since`, isLater: true } };
}

function keepFlag(reason: string): FlagUndo {
  return { kept: { field: "flags", reason } };
}
