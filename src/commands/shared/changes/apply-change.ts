import { bugNamedInError } from "../../../api/bugs/bug-ref.ts";
import type { CommandJobs } from "../../../api/delivery/write.ts";
import { stateBefore } from "../../../api/delivery/write-state.ts";
import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { readChangedItems } from "../../../api/response/response-objects.ts";
import { fieldsSentWhole } from "../../../api/write/body.ts";
import type { Change } from "../../../api/write/change.ts";
import { checkBugs, checkSingleBugRules } from "../../../api/write/checks.ts";
import { type AppliedEdit, editedFields } from "../../../api/write/lost-edits.ts";
import { findUnreportedChanges, overwrittenLines, revertedValues } from "../../../api/write/overwritten.ts";
import { expectedChanges } from "../../../api/write/preview.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { changingParts, partForBug, splitByEditBase, updateRequest } from "../../../api/write/update-request.ts";
import { BtError, isKind, withDetails } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { withCatalog } from "../../../session/session.ts";
import { CHANGE_COLUMNS } from "../../../view/change-rows.ts";
import { plain } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { ChangedBug, Changes } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { chosenColumns, isForCards } from "../output/print.ts";
import { reportNoTargets } from "../targets.ts";
import { changeMany } from "./bulk-change.ts";
import { checkTimesOfParts } from "./date-times.ts";
import { readBackFields, refuseIgnored } from "./ignored-fields.ts";
import { lostEditLines, readLostEdits } from "./lost-edits.ts";
import { completePart, confirmExposure, exposureLines, madePublic } from "./move-groups.ts";
import {
  checkUnmodified,
  isGuarded,
  MAX_NEW_EDITS,
  mayRepeatEdits,
  type Precondition,
  preconditionOf,
  readNewestValuesOrFail,
  reportOverwritten,
  updateTokens,
} from "./precondition.ts";
import { reportTally, showChanges, showPlan, unreportedParts } from "./show-changes.ts";
import type { UpdateOptions } from "./write-flags.ts";

/** Checks a change of bugs, sends it, and prints what it changed; with `--dry-run`, prints what it would send. */
export async function applyChange(given: Change, options: UpdateOptions, context: Context): Promise<void> {
  const { bugs, lost, meant } = given;
  if (bugs.length + lost.length === 0) return reportNoTargets(context);
  const parts = await Promise.all(given.parts.map((part) => completePart(part, context)));
  const change = { ...given, parts };
  const changing = changingParts(parts);
  for (const part of changing) if (part.bugs.length > 1) checkSingleBugRules(part.bugs.length, part.body);
  if (bugs.length + lost.length > MAX_ATOMIC_BUGS && !options.dryRun) return changeMany(change, options, context);
  chosenColumns(CHANGE_COLUMNS, context); // an unknown one is refused before anything is sent

  const { session } = context;
  const { address } = session;
  await withCatalog(session, (catalog) => checkBugs(changing, bugs, { catalog, address, meant }));
  if (options.dryRun) return showChangePlan(parts, context);
  if (parts.some(({ target }) => target)) await confirmExposure(parts, options, context);
  const precondition = preconditionOf(change, options, context);
  const isProtected = isGuarded(parts, precondition);
  if (isProtected) await checkUnmodified(change, precondition, context);
  const results = { changed: [], sent: [], lost: [], kept: new Set<string>() };
  const sending: Sending = { parts, precondition, context, command: {}, ...results };
  for (const part of parts) {
    const mayRepeat = mayRepeatEdits(part.body, precondition);
    await sendPart(part, mayRepeat ? MAX_NEW_EDITS : 0, sending);
    if (mayRepeat) await restoreLostEdits(part, sending);
  }
  const read = new Map(sending.sent.flatMap((part) => part.bugs).map((bug) => [bug.id, bug]));
  const newest = bugs.map((bug) => read.get(bug.id) ?? bug);
  await reportChange(sending, newest, isProtected);
}

/** Prints each request and the changes that are expected of it; on a terminal, of too many bugs for one only the changes. */
async function showChangePlan(parts: UpdatePart[], context: Context): Promise<void> {
  const catalog = await context.session.metadata.catalog();
  const plans = parts.flatMap(splitByEditBase).map((part) => ({
    part,
    previews: part.bugs.map((bug) => ({ bug, changes: expectedChanges(bug, part, catalog), part })),
  }));
  const all = plans.flatMap(({ previews }) => previews);
  const isShort = isForCards(context) && all.length > MAX_ATOMIC_BUGS;
  if (isShort) await showPlan(undefined, all, context);
  for (const { part, previews } of plans) {
    const ids = part.bugs.map(({ id }) => id);
    const request = changingParts([part]).length > 0 ? updateRequest(ids, part.body) : undefined;
    if (!isShort) await showPlan(request, previews, context);
    for (const line of exposureLines([part])) await note(context.io, `${line}; this requires --allow-no-groups`);
  }
  const updated = all.filter(({ part, changes }) => isUpdated(changes, part.body)).length;
  if (all.length > 1) await reportTally(updated, all.length - updated, context, "would be updated");
}

function isUpdated(changes: Changes, body: JsonObject): boolean {
  return Object.keys(changes).length > 0 || unreportedParts(body) !== undefined;
}

/** Parts that are sent: as far as that is done, as they were sent, and the changes that the tracker reports. */
type Sending = {
  parts: readonly UpdatePart[];
  precondition: Precondition | undefined;
  context: Context;
  command: CommandJobs;
  isRestoring?: true; // what is sent was lost to updates that overlapped
  changed: ChangedBug[];
  sent: UpdatePart[];
  lost: string[]; // lines about edits that were overwritten and could not be restored
  kept: Set<string>; // fields of which the bugs have all edits
};

/**
 * Sends a part as one request, or as one for each value that its edits apply to; edits that may be repeated apply to the newest
 * values, read right before, all others to those that were checked. Bugs that the tracker reports as modified even so are read
 * and edited again, up to `left` times. A refusal states which bugs were changed.
 */
async function sendPart(part: UpdatePart, left: number, sending: Sending): Promise<void> {
  const { parts, precondition, context, command, isRestoring, changed, sent } = sending;
  const edits = fieldsSentWhole(part.body);
  const isChecked = isGuarded([part], precondition);
  const newest = mayRepeatEdits(part.body, precondition) ? await readNewestValuesOrFail(part, context) : part;
  const groups = splitByEditBase(newest);
  const changing = changingParts(groups);
  sent.push(...groups.filter((group) => !changing.includes(group)));
  const modified: Bug[] = [];
  for (const group of changing) {
    const { bugs, body } = group;
    const ids = bugs.map(({ id }) => id);
    const request = updateRequest(ids, body);
    const ifMatch = isChecked ? updateTokens(bugs) : undefined;
    try {
      const write = {
        request,
        before: stateBefore(bugs, body),
        ifMatch,
        command,
        isRestoring,
        edits,
        undoes: part.undoes,
      };
      const writer = await context.session.writes.writer();
      const response = await writer.deliver(write);
      changed.push(...readChangedItems<ChangedBug>(response, "bugs"));
      sent.push(group);
    } catch (error) {
      const isModified = isKind(error, "collision");
      if (left === 0 || !isModified) throw withEachBug(error, changingParts(parts), bugs, changed);
      modified.push(...bugs);
    }
  }
  if (modified.length > 0) await sendPart({ ...part, bugs: modified }, left - 1, sending);
}

/** Repeats the edits that a bug lacks, own ones and those of others, since they were sent at the same time. */
async function restoreLostEdits(part: UpdatePart, sending: Sending): Promise<void> {
  const { context, changed, lost, kept } = sending;
  const applied = new Map(part.bugs.map(({ id }) => [id, [appliedEdit(id, part, sending)]]));
  let edits = await readLostEdits(applied, context);
  try {
    for (let left = MAX_NEW_EDITS; edits && edits.size > 0 && left > 0; left -= 1) {
      for (const [id, body] of edits) {
        const again: Sending = { ...sending, isRestoring: true, changed: [], sent: [] };
        const one = { bugs: part.bugs.filter((bug) => bug.id === id), body };
        await sendPart(one, MAX_NEW_EDITS, again);
        const edit = appliedEdit(id, one, again);
        applied.get(id)?.push(edit);
        addChanges(edit, id, changed);
      }
      await context.io.sleep(RESTORING_MS);
      edits = await readLostEdits(applied, context);
    }
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    lost.push(`not restored: ${error.message}`);
  }
  if (edits) for (const name of editedFields([part])) kept.add(name);
  lost.push(...lostEditLines(edits ?? new Map()));
}

/** Time for other commands to restore theirs before the bugs are read back. */
const RESTORING_MS = 500;

function appliedEdit(id: number, { body }: UpdatePart, { sent, changed }: Sending): AppliedEdit {
  const bug = partForBug(sent, id)?.bugs.find((one) => one.id === id);
  return { bug: (bug ?? {}) as JsonObject, body, changes: changed.find((one) => one.id === id)?.changes ?? {} };
}

/** Adds the changes of a later edit to those of a bug: a text has one change, from its first to its last value. */
function addChanges({ bug, changes }: AppliedEdit, id: number, changed: ChangedBug[]): void {
  const at = changed.findIndex((one) => one.id === id);
  const first = changed[at];
  if (!first) return;
  const both = Object.entries(changes).map(([name, { removed, added }]) => {
    const { removed: was = removed, added: became = "" } = first.changes[name] ?? {};
    const join = (...texts: (string | null)[]) => [...new Set(texts.filter(Boolean))].join(", ");
    const isList = Array.isArray(bug[name]);
    return [name, isList ? { removed: join(was, removed), added: join(became, added) } : { removed: was, added }];
  });
  changed[at] = { ...first, changes: { ...first.changes, ...Object.fromEntries(both) } };
}

/** Adds the outcome of each bug to a refusal, which names at most one of the bugs that it is about. */
function withEachBug(
  error: unknown,
  parts: readonly UpdatePart[],
  refused: readonly Bug[],
  changed: readonly ChangedBug[],
): unknown {
  if (!(error instanceof BtError) || error.facts.changed === "unknown") return error;
  const ids = parts.flatMap(({ bugs }) => bugs.map(({ id }) => id));
  if (ids.length < 2) return error;
  const refusedIds = refused.map(({ id }) => String(id));
  const guilty = Number(bugNamedInError(refusedIds, error));
  const done = new Set(changed.map(({ id }) => id));
  const lines = ids.map((id) => `bug ${id}: ${done.has(id) ? "" : "not "}changed${id === guilty ? " (refused)" : ""}`);
  const detailed = withDetails(error, lines);
  if (changed.length === 0) return detailed;
  return new BtError("partial", detailed.message, { ...detailed.facts, changed: "some", cause: error });
}

/**
 * Prints what was changed, side effects, and values that were not applied.
 * @throws BtError of kind collision for changes of others that a guarded change overwrote, of kind partial for values
 * that the tracker ignored or changed
 */
async function reportChange(sending: Sending, bugs: Bug[], isProtected: boolean): Promise<void> {
  const { changed, sent, lost, kept, precondition, context } = sending;
  const unreported = findUnreportedChanges(changed, sent);
  const ignored = unreported.length > 0 ? (await readBackFields(unreported, context)).ignored : undefined;
  const results = resultsByBug(bugs, changed);
  await showChanges(
    results,
    sent.map((part) => ({ ...part, ...(ignored && { ignored }) })),
    context,
  );
  if (results.length > 1) {
    const updated = results.filter(({ id, changes }) => isUpdated(changes, partForBug(sent, id)?.body ?? {})).length;
    await reportTally(updated, results.length - updated, context);
  }
  for (const id of madePublic(changed, sent)) await note(context.io, `bug ${id} is now public`);
  const known = bugs.map((bug) => Object.fromEntries(Object.entries(bug).filter(([name]) => !kept.has(name))));
  let overwritten = overwrittenLines(changed, known, (id) => partForBug(sent, id)?.body);
  if (precondition === undefined && overwritten.length > 0) {
    await restoreReverted(bugs, sending);
    overwritten = overwrittenLines(changed, known, (id) => partForBug(sent, id)?.body);
  }
  await reportOverwritten([...lost, ...overwritten], isProtected, context);
  await checkTimesOfParts(sent, context);
  if (ignored) refuseIgnored(ignored);
}

/** Sets values again that the tracker reverted, which then count as unchanged; a refusal leaves them overwritten. */
async function restoreReverted(bugs: Bug[], sending: Sending): Promise<void> {
  const { changed, sent } = sending;
  for (const [at, item] of changed.entries()) {
    const bug = bugs.find(({ id }) => id === item.id);
    const body = revertedValues(item.changes, (bug ?? {}) as JsonObject, partForBug(sent, item.id)?.body);
    if (!bug || Object.keys(body).length === 0) continue;
    try {
      await setAgain(bug, body, MAX_NEW_EDITS, sending);
    } catch (error) {
      if (error instanceof BtError) continue;
      throw error;
    }
    const left = Object.entries(item.changes).filter(([name]) => body[name] === undefined);
    changed[at] = { ...item, changes: Object.fromEntries(left) };
  }
}

/** Sets values of a bug again, and up to `left` times what that reverts itself. */
async function setAgain(bug: Bug, body: JsonObject, left: number, sending: Sending): Promise<void> {
  const again: Sending = { ...sending, isRestoring: true, changed: [], sent: [] };
  await sendPart({ bugs: [bug], body }, 0, again);
  const values = Object.entries(body).map(([name, value]) => `${name} "${value}"`);
  const line = `bt: restored what the tracker reverted: bug ${bug.id}: ${values.join(", ")}`;
  await sending.context.io.err(`${plain(line)}\n`);
  const reverted = again.changed.map(({ changes }) => revertedValues(changes, bug as JsonObject, body));
  for (const next of reverted)
    if (left > 0 && Object.keys(next).length > 0) await setAgain(bug, next, left - 1, sending);
}

/** Changed and unchanged bugs, in the given order. */
function resultsByBug(bugs: readonly Bug[], changed: ChangedBug[]): ChangedBug[] {
  const found = new Map(changed.map((one) => [one.id, one]));
  const others = changed.filter(({ id }) => !bugs.some((bug) => bug.id === id));
  const ordered = bugs.map(
    ({ id, alias, last_change_time }) =>
      found.get(id) ?? { id, alias: alias ?? [], last_change_time: last_change_time ?? "", changes: {} },
  );
  return [...ordered, ...others];
}
