import type { Flag } from "../../wire/bug-values.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { objectsIn } from "../../wire/json.ts";
import { isSameLogin } from "../write/flag-requests.ts";
import type { PastField } from "../write/past-change.ts";
import { flagChangeText } from "../write/preview.ts";

/** A part of a change that is not undone, and why. */
export type NotUndone = { readonly field: string; readonly reason: string; readonly isCollision?: true };

/** Undo of a part of a change: fields of an update, and the parts that are not undone. */
export type PartUndo = { readonly body?: JsonObject; readonly left?: readonly NotUndone[] };

/** Context for undoing flags: the current flags, who changed them, and the login of the user who undoes. */
export type FlagUndoContext = {
  readonly flags: readonly Flag[];
  who: string;
  me: string;
};

/** A flag as recorded in a change. */
type ReportedFlag = { name: string; status: string; requestee: string | undefined };

type FlagStep = { edit?: JsonObject; left?: string; isCollision?: true };

/**
 * Undoes the change of a bug's flags, flag by flag: set ones are cleared, others get their status and requestee back. A
 * tracker makes whoever sets a status its setter, so another user's flags are not set again.
 * @see Bugzilla/Flag.pm, set_flag
 */
export function undoFlags(past: PastField, context: FlagUndoContext): PartUndo {
  const [removed, added] = [reportedFlags(past.removed), reportedFlags(past.added)];
  const used = new Set<number>();
  const steps: FlagStep[] = [];
  const open = [...removed];
  for (const flag of added) {
    const at = open.findIndex(({ name }) => name === flag.name);
    const [was] = at < 0 ? [] : open.splice(at, 1);
    steps.push(undoSet(flag, was, { past, context, used }));
  }
  for (const flag of open) steps.push(undoCleared(flag, { past, context, used }));
  const edits = steps.flatMap(({ edit }) => edit ?? []);
  const left = steps.flatMap(({ left: reason, isCollision }) =>
    reason === undefined ? [] : [{ field: "flags", reason, ...(isCollision ? { isCollision } : {}) }],
  );
  return { ...(edits.length > 0 ? { body: { flags: edits } } : {}), left };
}

type FlagPlace = {
  past: PastField;
  context: FlagUndoContext;
  used: Set<number>; // ids of flags that other steps are about
};

/** Undoes that a flag was set, or changed from another status or requestee. */
function undoSet(flag: ReportedFlag, was: ReportedFlag | undefined, place: FlagPlace): FlagStep {
  const { context, used } = place;
  const alike = context.flags.filter((one) => isReported(one, flag) && !used.has(one.id));
  const own = alike.filter(({ setter }) => isSameLogin(setter, context.who));
  const [only, ...others] = own.length > 0 ? own : alike;
  if (only === undefined)
    return was === undefined ? {} : { left: `${toldText(flag)} was changed since`, isCollision: true };
  if (others.length > 0) return { left: `${toldText(flag)} is set several times` };
  used.add(only.id);
  if (was === undefined) return { edit: { id: only.id, status: "X" } };
  const reason = was.status === flag.status ? undefined : setterDoubt(was, place);
  return reason === undefined ? { edit: { id: only.id, ...settingOf(was) } } : { left: reason };
}

/** Undoes that a flag was cleared. */
function undoCleared(flag: ReportedFlag, place: FlagPlace): FlagStep {
  const { flags } = place.context;
  if (flags.some((one) => isReported(one, flag) && !place.used.has(one.id))) return {};
  const reason = setterDoubt(flag, place);
  if (reason !== undefined) return { left: reason };
  const known = flagsBefore(place.past).find((one) => isReported(one, flag));
  const named = known ? { type_id: known.type_id } : { name: flag.name };
  const isFurther = flags.some(({ name }) => name === flag.name);
  return { edit: { ...named, ...settingOf(flag), ...(isFurther ? { new: true } : {}) } };
}

function settingOf({ status, requestee }: ReportedFlag): JsonObject {
  return { status, ...(status === "?" && requestee !== undefined ? { requestee } : {}) };
}

/** Reason why a flag cannot be set as it was: another user had set it, or nobody knows who. */
function setterDoubt(flag: ReportedFlag, { past, context }: FlagPlace): string | undefined {
  const setter = flagsBefore(past).find((one) => isReported(one, flag))?.setter;
  if (setter === undefined) return `${toldText(flag)}: its setter is unknown`;
  return isSameLogin(setter, context.me)
    ? undefined
    : `${toldText(flag)} was set by ${setter}, which cannot be restored`;
}

function flagsBefore({ before }: PastField): Flag[] {
  return objectsIn(before) as Json[] as Flag[];
}

/** True if a flag equals a recorded one; a record without a requestee matches any. */
function isReported({ name, status, requestee }: Flag, reported: ReportedFlag): boolean {
  return (
    name === reported.name &&
    status === reported.status &&
    (reported.requestee === undefined || isSameLogin(requestee, reported.requestee))
  );
}

function toldText({ name, status, requestee }: ReportedFlag): string {
  return flagChangeText(name, { status, requestee: requestee ?? null });
}

function reportedFlags(text: string): ReportedFlag[] {
  return [...text.matchAll(/([^\s,?+()-][^\s,?+()]*?)([?+-])(?:\(([^()]+)\))?(?=,|\s|$)/g)].map(
    ([, name = "", status = "", requestee]) => ({ name, status, requestee }),
  );
}
