import type { Json, JsonObject } from "../../wire/exchange.ts";
import { objectsIn } from "../../wire/json.ts";
import type { Flag } from "../../wire/resources.ts";
import { isSameLogin } from "../people.ts";
import { flagChangeText, isFlagOf } from "../write/flags.ts";

/** A write to flags: the flags as they were read before, and the edits that were sent. */
type FlagStep = { readonly before: Json | undefined; readonly sent: Json | undefined };

/** The edit of a flag, or why it is not undone. */
type FlagUndo = { readonly edit?: JsonObject; readonly reason?: string };

/**
 * Undoes changes of flags by their ids: a new flag is cleared, another gets back its status and its
 * requestee, unless another user set it: the tracker would make this user its setter.
 * @see Bugzilla/Flag.pm, set_flag
 */
export function undoFlags(steps: readonly FlagStep[], flags: readonly Flag[], me: string) {
  const now = [...flags];
  const undone = steps.flatMap(({ before, sent }): FlagUndo[] => {
    if (before === undefined || sent === undefined) return [{ reason: "the flags before are unknown" }];
    const old = objectsIn(before) as Json[] as Flag[];
    return objectsIn(sent).map((edit) => {
      const was = edit["new"] ? undefined : old.find((flag) => isFlagOf(flag, edit));
      return was ? undoChanged(was, edit, { now, old, me }) : undoSet(edit, now, old);
    });
  });
  const edits = undone.flatMap(({ edit }) => edit ?? []);
  const kept = undone.flatMap(({ reason }) => (reason === undefined ? [] : { field: "flags", reason }));
  return { ...(edits.length > 0 && { body: { flags: edits } }), kept };
}

/** Clears a flag that an edit set, which is taken out of `now`. */
function undoSet(edit: JsonObject, now: Flag[], old: readonly Flag[]): FlagUndo {
  const fresh = now.filter((flag) => isFlagOf(flag, edit) && !old.some(({ id }) => id === flag.id));
  const own = fresh.find((flag) => isAs(flag, edit));
  if (!own) return fresh.length > 0 ? changedSince(edit, String(edit["name"] ?? "the flag")) : {};
  now.splice(now.indexOf(own), 1);
  return { edit: { id: own.id, status: "X" } };
}

type Flags = { readonly now: readonly Flag[]; readonly old: readonly Flag[]; readonly me: string };

/** Gives a flag that an edit changed or cleared its status and requestee back. */
function undoChanged(was: Flag, edit: JsonObject, { now, old, me }: Flags): FlagUndo {
  const current = now.find(({ id }) => id === was.id);
  const wanted = { status: was.status, ...(was.status === "?" && was.requestee && { requestee: was.requestee }) };
  if (current && isAs(current, wanted)) return {};
  const isCleared = edit["status"] === "X";
  const others = now.filter(({ name }) => name === was.name);
  const isSetAgain = others.some(({ id }) => !old.some((flag) => flag.id === id));
  if (isCleared ? current || isSetAgain : !current || !isAs(current, edit)) return changedSince(edit, was.name);
  if (current?.status !== was.status && !isSameLogin(was.setter, me))
    return { reason: `${flagChangeText(was.name, wanted)} was set by ${was.setter}, which cannot be restored` };
  if (!isCleared) return { edit: { id: was.id, ...wanted } };
  return { edit: { type_id: was.type_id, ...wanted, ...(others.length > 0 && { new: true }) } };
}

function isAs({ status, requestee }: Flag, edit: JsonObject): boolean {
  if (status !== edit["status"]) return false;
  return edit["requestee"] === undefined || isSameLogin(requestee, String(edit["requestee"]));
}

function changedSince(edit: JsonObject, name: string): FlagUndo {
  return { reason: `${flagChangeText(name, edit)} was changed since` };
}
