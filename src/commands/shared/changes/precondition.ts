import { type BatchOutcome, foundThings, requestAll } from "../../../api/batch.ts";
import { bugPlan } from "../../../api/bugs/bug-numbers.ts";
import { type BugResult, isCollision } from "../../../api/delivery/bulk.ts";
import { partition } from "../../../api/lists.ts";
import { editBase, fieldsSentWhole } from "../../../api/write/body.ts";
import type { Change } from "../../../api/write/change.ts";
import { flagChangeText } from "../../../api/write/preview.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { BtError, withFacts } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { isObject } from "../../../wire/json.ts";
import type { Context } from "../../verb.ts";
import { readMoment } from "../text/input-text.ts";
import { byWhom, type LaterChange, readLaterChanges } from "./later-changes.ts";
import type { UpdateOptions } from "./write-flags.ts";

/** Protection against overwriting changes of others; `seen` is the `last_change_time` of each bug as read. */
export type Precondition = {
  readonly seen: ReadonlyMap<number, string>;
  readonly latest: string | undefined; // bugs modified after this moment are not updated
};

/**
 * Precondition of a conditional change, `--if-unchanged` and `--unchanged-since`; undefined without any.
 * @throws BtError of kind guard for a bug without the time of its last change
 */
export function preconditionOf(
  { bugs, isConditional }: Change,
  { ifUnchanged, unchangedSince: since }: UpdateOptions,
  context: Context,
): Precondition | undefined {
  if (!isConditional && !ifUnchanged && since === undefined) return undefined;
  const seen = new Map<number, string>();
  for (const { id, last_change_time } of bugs) {
    if (!last_change_time) throw unknownChangeTimeError(id);
    seen.set(id, last_change_time);
  }
  return { seen, latest: since === undefined ? undefined : readMoment(since, context) };
}

function unknownChangeTimeError(id: number): BtError {
  const message = `cannot check whether bug ${id} was modified: the tracker does not return when the bug changed`;
  return new BtError("guard", message, { changed: "nothing" });
}

/**
 * Checks the bugs of a guarded change right before it is sent.
 * @throws BtError of kind collision if one of the bugs was modified, or a flag that is answered; of
 * the failure's kind if one of them cannot be read
 */
export async function checkUnmodified(
  { bugs, parts }: Change,
  precondition: Precondition | undefined,
  context: Context,
): Promise<void> {
  const ids = bugs.map(({ id }) => id);
  const results = await findModified(ids, precondition, context);
  for (const { bugs: some, body } of parts) {
    const { flags } = body;
    if (flags !== undefined) results.push(...(await findConflictingValues(some, { flags }, context)));
  }
  const [collisions, failures] = partition(results, isCollision);
  if (failures.length > 0) throw combinedError([...failures, ...collisions], "some of the bugs could not be read");
  if (collisions.length === 0) return;
  const error = combinedError(collisions, "some of the bugs were modified in the meantime");
  throw withFacts(error, { hint: error.facts.hint ?? OVERWRITE_HINT });
}

const OVERWRITE_HINT = "review it, then update it without --if-unchanged and --unchanged-since";

/** The error of a single bug as it is, those of several as lines below a sentence; the first decides the kind. */
function combinedError(results: RefusedResult[], sentence: string): BtError {
  const [first] = results;
  const messages = [...new Set(results.map(({ error }) => error.message))];
  const hint = first?.error.facts.hint;
  const kind = first?.error.kind ?? "internal";
  if (messages.length === 1) return new BtError(kind, messages[0] ?? "", { hint, changed: "nothing" });
  return new BtError(kind, sentence, { details: messages, hint, changed: "nothing" });
}

/** A bug that must not be written, and why. */
type RefusedResult = BugResult & { error: BtError };

/** Collisions of bugs modified since, read right before they are written. */
export async function findModified(
  ids: readonly number[],
  precondition: Precondition | undefined,
  context: Context,
): Promise<RefusedResult[]> {
  if (!precondition) return [];
  const results = await findRefusedNow(ids, ["last_change_time"], (bug) => modifiedError(bug, precondition), context);
  return withLaterChanges(results, precondition, context);
}

/** Adds to collisions what was changed since the bugs were seen, or since the given moment, as far as their histories tell. */
async function withLaterChanges(
  results: RefusedResult[],
  { seen, latest }: Precondition,
  context: Context,
): Promise<RefusedResult[]> {
  const since = (id: number) => [seen.get(id), latest].filter((time) => time !== undefined).sort()[0] ?? "";
  const ids = results.filter(isCollision).map(({ bug }) => Number(bug));
  const later = await readLaterChanges(new Map(ids.map((id) => [id, since(id)])), context);
  return results.map((result) => {
    const changes = (later.get(Number(result.bug)) ?? []).slice(-MAX_CHANGES);
    const { kind, message, facts } = result.error;
    if (changes.length === 0) return result;
    return { ...result, error: new BtError(kind, `${message}: ${changes.map(laterText).join("; ")}`, facts) };
  });
}

const MAX_CHANGES = 3; // of a bug in a message

function laterText(change: LaterChange): string {
  return `${change.field_name} from "${change.removed}" to "${change.added}"${byWhom(change)}`;
}

/** Reads bugs right before they are written, for the results of those that cannot be read or have an error. */
async function findRefusedNow(
  ids: readonly number[],
  fields: readonly string[],
  findError: (bug: Bug) => BtError | undefined,
  context: Context,
): Promise<RefusedResult[]> {
  return refusedResults(await requestAll(ids.map(String), bugPlan(fields), context.session.send), findError);
}

function refusedResults(outcomes: BatchOutcome<Bug>[], findError?: (bug: Bug) => BtError | undefined): RefusedResult[] {
  const results: RefusedResult[] = [];
  for (const outcome of outcomes) {
    const error = "error" in outcome ? outcome.error : findError?.(outcome.thing);
    if (error) results.push({ bug: outcome.ref, st: "failed", error });
  }
  return results;
}

function modifiedError({ id, last_change_time: changed }: Bug, { seen, latest }: Precondition): BtError | undefined {
  if (!changed) return unknownChangeTimeError(id);
  const limits = [seen.get(id), latest].filter((limit) => limit !== undefined);
  if (limits.every((limit) => changed <= limit)) return undefined;
  const reason = `was modified in the meantime (${changed})`;
  return new BtError("collision", `bug ${id} ${reason}`, { reason, changed: "nothing" });
}

/** Warns of overwritten changes, each in a line. */
export async function reportOverwritten(lines: readonly string[], { io }: Context): Promise<void> {
  for (const line of lines) await note(io, `overwrote a newer change: ${line}`);
}

/** @throws BtError of kind collision if a conditional update has overwritten changes */
export function refuseOverwritten(details: readonly string[]): void {
  if (details.length === 0) return;
  throw new BtError("collision", "the update was applied, but overwrote a concurrent change", {
    details,
    changed: "some",
  });
}

/**
 * Collisions of bugs on which a field written as a whole differs from the value read: writing it would revert someone
 * else's change. Read right before they are written, if any such field is edited.
 */
export async function findConflictingValues(
  bugs: readonly Bug[],
  body: JsonObject,
  context: Context,
): Promise<RefusedResult[]> {
  const names = fieldsSentWhole(body);
  if (names.length === 0) return [];
  const byId = new Map(bugs.map((bug) => [bug.id, bug]));
  return findRefusedNow([...byId.keys()], names, (now) => changedFieldError(body, byId.get(now.id), now), context);
}

/** True if edits apply to the values right before they are sent; answers to flag requests, and guarded changes, do not. */
export function editsNewest(body: JsonObject, precondition: Precondition | undefined): boolean {
  const names = fieldsSentWhole(body);
  return precondition === undefined && names.length > 0 && !names.includes("flags");
}

/**
 * The part with the newest values of the fields that its edits apply to, read right before it is written, and the bugs that
 * cannot be read, which it lacks.
 */
export async function readNewestValues(
  part: UpdatePart,
  context: Context,
): Promise<{ newest: UpdatePart; failures: RefusedResult[] }> {
  const fields = [...fieldsSentWhole(part.body), "last_change_time"];
  const ids = part.bugs.map(({ id }) => String(id));
  const outcomes = await requestAll(ids, bugPlan(fields), context.session.send);
  const found = new Map(foundThings(outcomes).map((bug) => [bug.id, bug]));
  const bugs = part.bugs.filter(({ id }) => found.has(id)).map((bug) => ({ ...bug, ...found.get(bug.id) }));
  return { newest: { ...part, bugs }, failures: refusedResults(outcomes) };
}

/** @throws BtError of the failure's kind if one of the bugs cannot be read */
export async function readNewestValuesOrFail(part: UpdatePart, context: Context): Promise<UpdatePart> {
  const { newest, failures } = await readNewestValues(part, context);
  if (failures.length > 0) throw combinedError(failures, "some of the bugs could not be read");
  return newest;
}

function changedFieldError(body: JsonObject, before: Bug | undefined, now: Bug): BtError | undefined {
  const name = fieldsSentWhole(body).find((field) => {
    const edit = { [field]: body[field] ?? null };
    return editBase(now, edit) !== editBase(before, edit);
  });
  if (name === undefined) return undefined;
  const error = changedValueError(name, before, now);
  return withFacts(error, { hint: "run the command again" });
}

function changedValueError(name: string, before: object | undefined, now: Bug, last?: LaterChange): BtError {
  const [was, is] = [before, now].map((bug) => listedValue((bug as JsonObject | undefined)?.[name]));
  const reason = `${name} changed in the meantime from "${was}" to "${is}"${byWhom(last)}`;
  return new BtError("collision", `bug ${now.id}: ${reason}`, { reason, changed: "nothing" });
}

function listedValue(value: Json | undefined): string {
  return [value ?? ""].flat().map(listedItem).join(", ");
}

function listedItem(value: Json): string {
  return isObject(value) ? flagChangeText(String(value["name"]), value) : String(value);
}
