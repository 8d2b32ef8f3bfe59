import { bugsByMessage } from "../../../api/bug-messages.ts";
import { bugNamedInError } from "../../../api/bug-ref.ts";
import { type BugResult, bulkError } from "../../../api/delivery/bulk.ts";
import type { CommandJobs } from "../../../api/delivery/write.ts";
import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { readChangedItems } from "../../../api/response/response-objects.ts";
import { fieldsSentWhole } from "../../../api/write/body.ts";
import type { Change } from "../../../api/write/change.ts";
import { checkBugs, checkSingleBugRules } from "../../../api/write/checks.ts";
import { type AppliedEdit, editedFields } from "../../../api/write/lost-edits.ts";
import { lastingStatuses } from "../../../api/write/moves.ts";
import { findUnreportedChanges, overwrittenLines, revertedValues } from "../../../api/write/overwritten.ts";
import { expectedChanges } from "../../../api/write/preview.ts";
import { checkReferences } from "../../../api/write/references.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { changingParts, partForBug, splitByEditBase, updateRequest } from "../../../api/write/update-request.ts";
import { stateBefore } from "../../../api/write/write-state.ts";
import { BtError, isKind, withDetails } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { withCatalog } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject, Request } from "../../../wire/exchange.ts";
import type { ChangedBug, Changes } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { isForCards } from "../output/print.ts";
import { reportNoTargets } from "../targets.ts";
import { changeMany, isInParts, type ManyPlan, planMany } from "./bulk-change.ts";
import { withIgnored } from "./bulk-read-back.ts";
import { reportUndo } from "./bulk-report.ts";
import { checkTimesOfParts } from "./date-times.ts";
import { readBackFields, refuseIgnored } from "./ignored-fields.ts";
import { lostEditLines, readLostEdits } from "./lost-edits.ts";
import { completePart, confirmExposure, exposureLines, madePublic } from "./move-groups.ts";
import {
  checkUnmodified,
  isGuarded,
  mayRepeatEdits,
  type Precondition,
  preconditionOf,
  readNewestValuesOrFail,
  refuseOverwritten,
  reportOverwritten,
  updateTokens,
} from "./precondition.ts";
import { sendBoth } from "./second-update.ts";
import { MAX_NEW_EDITS, sendPart } from "./send-part.ts";
import { reportTally, resultOf, showChanges, shownResult, showPlan, unchangedBug } from "./show-changes.ts";
import type { UpdateOptions } from "./write-flags.ts";

/**
 * Checks a change of bugs, sends it, and prints what it changed; with `--dry-run`, prints what it would send. Returns the number
 * of bugs that were, or would be, updated; undefined of none, and of too many for one request.
 */
export async function applyChange(
  given: Change,
  options: UpdateOptions,
  context: Context,
): Promise<number | undefined> {
  const { bugs, unreadable, meant } = given;
  if (bugs.length + unreadable.length === 0) return reportNoTargets(context);
  const parts = await Promise.all(given.parts.map((part) => completePart(part, context)));
  const change = { ...given, parts };
  const changing = changingParts(parts);
  for (const part of changing) if (part.bugs.length > 1) checkSingleBugRules(part.bugs.length, part.body);
  if (options.dryRun) return planChange(change, context);
  const { session } = context;
  const { address } = session;
  const plan = bugs.length + unreadable.length > 1 ? await planMany(change, context) : undefined;
  const many = plan && isInParts(change, plan) ? plan : undefined;
  if (!many) await withCatalog(session, (catalog) => checkBugs(changing, bugs, { catalog, address, meant }));
  if (bugs.length > 1) {
    const bodies = changing.map(({ body }) => body);
    await checkReferences(bodies, await session.metadata.catalog(), session.send);
  }
  if (many) return changeMany(change, many, options, context);
  if (parts.some(({ target }) => target)) await confirmExposure(parts, options, context);
  const precondition = preconditionOf(change, options, context);
  const isProtected = isGuarded(parts, precondition);
  if (isProtected) await checkUnmodified(change, precondition, context);
  const sent = await sendParts(parts, precondition, context);
  return reportChange(bugs, sent, { isConditional: precondition !== undefined, isProtected }, context);
}

/**
 * Checks a change as it would be, and prints its plan. Of a change that is refused as a whole, programs get the bugs that are.
 * @throws BtError if the change, or some of its bugs, are refused
 */
async function planChange(change: Change, context: Context): Promise<number> {
  const { bugs, parts, meant } = change;
  const { address, metadata, send } = context.session;
  const changing = changingParts(parts);
  const plan = await planMany(change, context);
  if (!isInParts(change, plan)) {
    if (!isForCards(context)) await showRefused(bugs, plan, context);
    await withCatalog(context.session, (catalog) => checkBugs(changing, bugs, { catalog, address, meant }));
  }
  const bodies = changing.map(({ body }) => body);
  await checkReferences(bodies, await metadata.catalog(), send);
  return showChangePlan(change, plan.refused, context);
}

/** Prints which bugs of a change are refused, if any are, and the others as not tried. */
async function showRefused(bugs: readonly Bug[], { refused }: ManyPlan, context: Context): Promise<void> {
  if (refused.length === 0) return;
  const results = bugs.map(({ id }): BugResult => {
    const own = refused.find(({ bug }) => bug === String(id));
    return own ? { ...own, st: "would fail" } : { bug: String(id), st: "not tried" };
  });
  const shown = results.map((result) => shownResult(result, { parts: [] }, context));
  await showPlan([], shown, context);
}

/**
 * Prints each request and the changes that are expected of it; on a terminal, of too many bugs for one only the changes.
 * @throws BtError with the tally if some bugs cannot be changed
 */
async function showChangePlan(change: Change, refused: ManyPlan["refused"], context: Context): Promise<number> {
  const catalog = await context.session.metadata.catalog();
  const out = new Set(refused.map(({ bug }) => bug));
  const isMany = refused.length > 0 || change.bugs.length > MAX_ATOMIC_BUGS;
  const inOrder = (bugs: readonly Bug[]) => (isMany ? bugs.toSorted((one, other) => one.id - other.id) : bugs);
  const left = change.parts.map((part) => ({
    ...part,
    bugs: inOrder(part.bugs).filter(({ id }) => !out.has(String(id))),
  }));
  const parts = left.filter(({ bugs }) => bugs.length > 0).flatMap(splitByEditBase);
  const failed = refused.map((result): BugResult => ({ ...result, st: "would fail" }));
  const results: BugResult[] = [];
  const isTerminal = isForCards(context);
  const isShort = isTerminal && left.flatMap(({ bugs }) => bugs).length > MAX_ATOMIC_BUGS;
  const show = (some: BugResult[]) => some.map((result) => shownResult(result, { parts }, context));
  const requests: Request[] = [];
  const open = failed.filter(() => !isTerminal); // there, only the error at the end names these
  for (const part of parts) {
    const expected = part.bugs.map((bug) => ({ ...unchangedBug(bug), changes: expectedChanges(bug, part, catalog) }));
    const made = expected.map((changed) => resultOf(changed, part, "would change"));
    results.push(...made);
    open.push(...made);
    const ids = part.bugs.map(({ id }) => id);
    const updates = changingParts([part, { ...part, body: part.finish ?? {} }]);
    if (!isShort) requests.push(...updates.map(({ body }) => updateRequest(ids, body)));
    if (isTerminal && !isShort) await showPlan(requests.splice(0), show(open.splice(0)), context);
    for (const line of exposureLines([part])) await note(context.io, `${line}; this requires --allow-no-groups`);
  }
  if (isShort) open.sort((one, other) => Number(one.bug) - Number(other.bug));
  if (open.length > 0) await showPlan(requests, show(open), context);
  const all = results.flatMap((result) => result.changed ?? []);
  for (const line of bugsByMessage(lastingStatuses(all, catalog))) await note(context.io, line);
  return reportPlan(results, failed, context);
}

/** Reports how many bugs would be updated, and returns it. */
async function reportPlan(results: readonly BugResult[], failed: readonly BugResult[], context: Context) {
  const unchanged = results.filter(({ st }) => st === "unchanged").length;
  const [total, updated] = [results.length + failed.length, results.length - unchanged];
  const tally = { total, succeeded: results.length, unchanged, failed, word: "would be updated" };
  const error = bulkError(tally, undefined);
  if (error) throw error;
  if (total > 1) await reportTally({ updated, unchanged }, context, "would be updated");
  return updated;
}

/** A change that was sent. */
type SentChange = {
  command: CommandJobs;
  requests: SentRequest[];
  unrestored: string[]; // lines about edits that were overwritten and could not be restored
  verified: string[]; // fields of which the bugs have all edits
};

/** A request that was sent, or a part that needs none: the part as it was sent, and the changes that the tracker reports. */
type SentRequest = {
  part: UpdatePart;
  changed: ChangedBug[];
  error?: unknown;
};

/**
 * Sends parts, one after the other, and restores the edits that they lose to updates which overlap.
 * @throws BtError with the outcome of each bug if a request is refused
 */
async function sendParts(
  parts: UpdatePart[],
  precondition: Precondition | undefined,
  context: Context,
): Promise<SentChange> {
  const command: CommandJobs = {};
  const requests: SentRequest[] = [];
  const unrestored: string[] = [];
  const verified: string[] = [];
  for (const part of parts) {
    const own: SentRequest[] = [];
    for await (const results of sendRequests(part, { precondition, command }, context)) {
      own.push(...results);
      for (const { part: refused, error } of results)
        if (error !== undefined) throw withEachBug(error, changingParts(parts), refused.bugs, [...requests, ...own]);
    }
    if (mayRepeatEdits(part.body, precondition)) {
      const restored = await restoreLostEdits(part, own, command, context);
      requests.push(...restored.requests);
      unrestored.push(...restored.unrestored);
      verified.push(...restored.verified);
    } else requests.push(...own);
  }
  return { command, requests, unrestored, verified };
}

/** The condition of requests, and the command whose jobs they are. */
type RequestRole = {
  precondition: Precondition | undefined;
  command: CommandJobs;
  isRestoring?: true; // what is sent was lost to updates that overlapped
};

/** Sends a part as one request, or as one for each value that its edits apply to. */
function sendRequests(
  part: UpdatePart,
  { precondition, command, isRestoring }: RequestRole,
  context: Context,
): AsyncGenerator<readonly SentRequest[]> {
  const edits = fieldsSentWhole(part.body);
  const isChecked = isGuarded([part], precondition);
  return sendPart<SentRequest>(part, precondition, {
    attempt: async function* (open) {
      const groups = splitByEditBase(open);
      const changing = changingParts(groups);
      yield groups.filter((group) => !changing.includes(group)).map((group) => ({ part: group, changed: [] }));
      for (const group of changing) {
        const { bugs, body } = group;
        const request = updateRequest(
          bugs.map(({ id }) => id),
          body,
        );
        const ifMatch = isChecked ? updateTokens(bugs) : undefined;
        try {
          const writer = await context.session.writes.writer();
          const job = { command, isRestoring, edits, undoes: part.undoes, leaves: part.leaves };
          const write = { request, before: stateBefore(bugs, body), ifMatch, ...job };
          const changed = group.finish
            ? await sendBoth(group, write, writer)
            : readChangedItems<ChangedBug>(await writer.deliver(write), "bugs");
          yield [{ part: group, changed }];
        } catch (error) {
          yield [{ part: group, changed: [], error }];
        }
      }
    },
    modifiedBugs: ({ part: { bugs }, error }) => (isKind(error, "collision") ? bugs.map(({ id }) => id) : undefined),
    readNewest: (open) => readNewestValuesOrFail(open, context),
  });
}

/**
 * Sets again what updates that overlapped reverted, which is no change by the user.
 * @throws BtError if a request is refused
 */
async function sendAgain(part: UpdatePart, command: CommandJobs, context: Context): Promise<SentRequest[]> {
  const requests: SentRequest[] = [];
  for await (const results of sendRequests(part, { precondition: undefined, command, isRestoring: true }, context)) {
    for (const { error } of results) if (error !== undefined) throw error;
    requests.push(...results);
  }
  return requests;
}

/** Repeats the edits that bugs of a part lack, own ones and those of others, since they were sent at the same time. */
async function restoreLostEdits(
  part: UpdatePart,
  sent: SentRequest[],
  command: CommandJobs,
  context: Context,
): Promise<Omit<SentChange, "command">> {
  const applied = new Map(part.bugs.map(({ id }) => [id, [appliedEdit(id, part.body, sent)]]));
  const unrestored: string[] = [];
  let missing = await readLostEdits(applied, context);
  try {
    for (let attemptsLeft = MAX_NEW_EDITS; missing && missing.size > 0 && attemptsLeft > 0; attemptsLeft -= 1) {
      for (const [id, body] of missing) {
        const bugs = part.bugs.filter((bug) => bug.id === id);
        applied.get(id)?.push(appliedEdit(id, body, await sendAgain({ bugs, body }, command, context)));
      }
      await context.io.sleep(RESTORING_MS);
      missing = await readLostEdits(applied, context);
    }
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    unrestored.push(`not restored: ${error.message}`);
  }
  const requests = sent.map((request) => ({
    ...request,
    changed: request.changed.map((first) => {
      const [, ...later] = applied.get(first.id) ?? [];
      return withLaterEdits(first, later);
    }),
  }));
  if (missing === undefined) return { requests, unrestored, verified: [] };
  return { requests, unrestored: [...unrestored, ...lostEditLines(missing)], verified: editedFields([part]) };
}

/** Time for other commands to restore theirs before the bugs are read back. */
const RESTORING_MS = 500;

function appliedEdit(id: number, body: JsonObject, requests: SentRequest[]): AppliedEdit {
  const bugs = requests.flatMap(({ part }) => part.bugs);
  const changed = requests.flatMap((request) => request.changed);
  return {
    bug: (bugs.find((bug) => bug.id === id) ?? {}) as JsonObject,
    body,
    changes: changed.find((item) => item.id === id)?.changes ?? {},
  };
}

/** Changes of a bug with those of later edits: a text has one change, from its first to its last value. */
function withLaterEdits(first: ChangedBug, later: AppliedEdit[]): ChangedBug {
  const changes: Record<string, Changes[string]> = { ...first.changes };
  const join = (...texts: (string | null)[]) => [...new Set(texts.filter(Boolean))].join(", ");
  for (const { bug, changes: more } of later) {
    for (const [name, { removed, added }] of Object.entries(more)) {
      const before = changes[name];
      if (!before) changes[name] = { removed, added };
      else if (!Array.isArray(bug[name])) changes[name] = { removed: before.removed, added };
      else changes[name] = { removed: join(before.removed, removed), added: join(before.added, added) };
    }
  }
  return { ...first, changes };
}

/** Adds the outcome of each bug to a refusal, which names at most one of the bugs that it is about. */
function withEachBug(
  error: unknown,
  parts: readonly UpdatePart[],
  refused: readonly Bug[],
  requests: SentRequest[],
): unknown {
  if (!(error instanceof BtError) || error.facts.changed === "unknown") return error;
  const ids = parts.flatMap(({ bugs }) => bugs.map(({ id }) => id));
  if (ids.length < 2) return error;
  const refusedIds = refused.map(({ id }) => String(id));
  const guilty = Number(bugNamedInError(refusedIds, error));
  const done = new Set(requests.flatMap(({ changed }) => changed.map(({ id }) => id)));
  const lines = ids.map((id) => `bug ${id}: ${done.has(id) ? "" : "not "}changed${id === guilty ? " (refused)" : ""}`);
  const detailed = withDetails(error, lines);
  if (done.size === 0) return detailed;
  return new BtError("partial", detailed.message, { ...detailed.facts, changed: "some", cause: error });
}

/**
 * Prints what was changed, side effects, and values that were not applied; sets again what the tracker reverted. Returns the
 * number of bugs that were updated.
 * @throws BtError of kind collision for changes of others that a guarded change overwrote, of kind partial for values
 * that the tracker ignored or changed
 */
async function reportChange(
  read: Change["bugs"],
  sent: SentChange,
  { isConditional, isProtected }: { isConditional: boolean; isProtected: boolean },
  context: Context,
): Promise<number> {
  const parts = sent.requests.map(({ part }) => part);
  const changed = sent.requests.flatMap((request) => request.changed);
  const bugs = read.map((bug) => partForBug(parts, bug.id)?.bugs.find(({ id }) => id === bug.id) ?? bug);
  const unreported = findUnreportedChanges(changed, parts);
  const ignored = unreported.length > 0 ? (await readBackFields(unreported, context)).ignored : undefined;
  const reported = new Map(changed.map((item) => [item.id, item]));
  const all = bugs.map((bug) => reported.get(bug.id) ?? unchangedBug(bug));
  all.push(...changed.filter(({ id }) => !bugs.some((bug) => bug.id === id)));
  const sentResults = all.map((item) => resultOf(item, partForBug(parts, item.id)));
  const results = ignored ? sentResults.map((one) => withIgnored(one, ignored.get(Number(one.bug)))) : sentResults;
  const scope = { parts, command: sent.command };
  await showChanges(
    results.map((result) => shownResult(result, scope, context)),
    context,
  );
  const updated = results.filter(({ st }) => st === "done").length;
  if (results.length > 1) {
    await reportTally({ updated, unchanged: results.length - updated }, context);
    await reportUndo(sent.command, changed, context);
  }
  for (const id of madePublic(changed, parts)) await note(context.io, `bug ${id} is now public`);
  const known = bugs.map((bug) =>
    Object.fromEntries(Object.entries(bug).filter(([name]) => !sent.verified.includes(name))),
  );
  let overwritten = overwrittenLines(changed, known, (id) => partForBug(parts, id)?.body);
  if (!isConditional && overwritten.length > 0) {
    const unrestored = await restoreReverted(bugs, sent, context);
    overwritten = overwrittenLines(unrestored, known, (id) => partForBug(parts, id)?.body);
  }
  const lines = [...sent.unrestored, ...overwritten];
  if (isProtected) refuseOverwritten(lines);
  else if (lines.length > 0) await reportOverwritten(lines, context);
  await checkTimesOfParts(parts, context);
  if (ignored) refuseIgnored(ignored);
  return updated;
}

/** Sets values again that the tracker reverted; returns the changes without these. A refusal leaves them overwritten. */
async function restoreReverted(
  bugs: Bug[],
  { requests, command }: SentChange,
  context: Context,
): Promise<ChangedBug[]> {
  const parts = requests.map(({ part }) => part);
  const unrestored: ChangedBug[] = [];
  for (const item of requests.flatMap(({ changed }) => changed)) {
    const bug = bugs.find(({ id }) => id === item.id);
    const body = revertedValues(item.changes, (bug ?? {}) as JsonObject, partForBug(parts, item.id)?.body);
    const isRestored = bug !== undefined && (await setAgain(bug, body, command, context));
    const others = Object.entries(item.changes).filter(([name]) => body[name] === undefined);
    unrestored.push(isRestored ? { ...item, changes: Object.fromEntries(others) } : item);
  }
  return unrestored;
}

/** Sets values of a bug again, and a few times what that reverts itself. Returns false for a refusal. */
async function setAgain(bug: Bug, values: JsonObject, command: CommandJobs, context: Context): Promise<boolean> {
  let body = values;
  for (let attempt = 0; attempt <= MAX_NEW_EDITS && Object.keys(body).length > 0; attempt += 1) {
    const requests = await sendAgain({ bugs: [bug], body }, command, context).catch((error) => {
      if (error instanceof BtError) return undefined;
      throw error;
    });
    if (requests === undefined) return false;
    const texts = Object.entries(body).map(([name, value]) => `${name} "${value}"`);
    await note(context.io, `restored what the tracker reverted: bug ${bug.id}: ${texts.join(", ")}`);
    const [reported] = requests.flatMap(({ changed }) => changed);
    body = revertedValues(reported?.changes ?? {}, bug as JsonObject, body);
  }
  return true;
}
