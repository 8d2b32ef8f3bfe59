import { bugsByMessage } from "../../../api/bug-messages.ts";
import { bugNamedInError } from "../../../api/bug-ref.ts";
import { type BugResult, bulkError } from "../../../api/delivery/bulk.ts";
import type { CommandJobs } from "../../../api/delivery/writer.ts";
import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { readChangedItems } from "../../../api/response/response-objects.ts";
import { fieldsSentWhole } from "../../../api/write/body.ts";
import type { Change } from "../../../api/write/change.ts";
import { checkBugs, checkSingleBugRules } from "../../../api/write/checks.ts";
import { withComponentDefaults } from "../../../api/write/component-defaults.ts";
import { lastingStatuses } from "../../../api/write/moves.ts";
import { findUnreportedChanges, overwrittenLines } from "../../../api/write/overwritten.ts";
import { expectedChanges } from "../../../api/write/preview.ts";
import { checkReferences } from "../../../api/write/references.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { changingParts, partForBug, splitByEditBase, updateRequest } from "../../../api/write/update-request.ts";
import { stateBefore } from "../../../api/write/write-state.ts";
import { BtError, withDetails } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { withCatalog } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Request } from "../../../wire/exchange.ts";
import type { ChangedBug } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { isForCards } from "../output/print.ts";
import { reportNoTargets } from "../targets.ts";
import { changeMany, isInParts, type ManyPlan, planMany } from "./bulk-change.ts";
import { withIgnored } from "./bulk-read-back.ts";
import { reportUndo } from "./bulk-report.ts";
import { checkTimesOfParts } from "./date-times.ts";
import { readBackFields, refuseIgnored } from "./ignored-fields.ts";
import { completePart, confirmExposure, exposureLines, madePublic } from "./move-groups.ts";
import {
  checkUnmodified,
  editsNewest,
  type Precondition,
  preconditionOf,
  readNewestValuesOrFail,
  refuseOverwritten,
  reportOverwritten,
} from "./precondition.ts";
import { sendBoth } from "./second-update.ts";
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
  await checkUnmodified(change, precondition, context);
  const sent = await sendParts(parts, precondition, context);
  return reportChange(bugs, sent, precondition !== undefined, context);
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
    const made = await expectedResults(part, context);
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

async function expectedResults(part: UpdatePart, { session }: Context): Promise<BugResult[]> {
  const catalog = await session.metadata.catalog();
  const results: BugResult[] = [];
  for (const bug of part.bugs) {
    const known = { ...part, body: await withComponentDefaults(part.body, bug, session.send) };
    const changed = { ...unchangedBug(bug), changes: expectedChanges(bug, known, catalog) };
    results.push(resultOf(changed, known, "would change"));
  }
  return results;
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
};

/** A request that was sent, or a part that needs none: the part as it was sent, and the changes that the tracker reports. */
type SentRequest = {
  part: UpdatePart;
  changed: ChangedBug[];
};

/**
 * Sends parts, one after the other, each request once.
 * @throws BtError with the outcome of each bug if a request is refused
 */
async function sendParts(
  parts: UpdatePart[],
  precondition: Precondition | undefined,
  context: Context,
): Promise<SentChange> {
  const command: CommandJobs = {};
  const requests: SentRequest[] = [];
  for (const part of parts) {
    const newest = editsNewest(part.body, precondition) ? await readNewestValuesOrFail(part, context) : part;
    for (const group of splitByEditBase(newest)) {
      if (Object.keys(group.body).length === 0) requests.push({ part: group, changed: [] });
      else
        try {
          const changed = await sendRequest(group, { edits: fieldsSentWhole(part.body), command }, context);
          requests.push({ part: group, changed });
        } catch (error) {
          throw withEachBug(error, changingParts(parts), group.bugs, requests);
        }
    }
  }
  return { command, requests };
}

/** The fields that a request edits in part, and the command whose job it is. */
type RequestRole = { edits: string[]; command: CommandJobs };

async function sendRequest(part: UpdatePart, { edits, command }: RequestRole, context: Context): Promise<ChangedBug[]> {
  const { bugs, body, finish, undoes, leaves } = part;
  const request = updateRequest(
    bugs.map(({ id }) => id),
    body,
  );
  const write = { request, before: stateBefore(bugs, body), command, edits, undoes, leaves };
  const writer = await context.session.writes.writer();
  if (finish) return sendBoth(part, write, writer);
  return readChangedItems<ChangedBug>(await writer.deliver(write), "bugs");
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
 * Prints what was changed, side effects, and values that were not applied. Returns the number of bugs that were updated.
 * @throws BtError of kind collision for changes of others that a guarded change overwrote, of kind partial for values
 * that the tracker ignored or changed
 */
async function reportChange(
  read: Change["bugs"],
  sent: SentChange,
  isConditional: boolean,
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
  const overwritten = overwrittenLines(changed, bugs, (id) => partForBug(parts, id)?.body);
  if (isConditional) refuseOverwritten(overwritten);
  else await reportOverwritten(overwritten, context);
  await checkTimesOfParts(parts, context);
  if (ignored) refuseIgnored(ignored);
  return updated;
}
