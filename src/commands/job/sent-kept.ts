import { isObject, readChangedItems } from "../../api/response/response-objects.ts";
import { requestBody, type UpdatePart, writeTargets } from "../../api/write/update-request.ts";
import { BtError } from "../../errors.ts";
import { changeTexts } from "../../view/change-rows.ts";
import type { ChangedThing } from "../../view/changes.ts";
import type { Listing } from "../../view/column.ts";
import { bugLabel } from "../../view/text.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import type { ChangedBug } from "../../wire/resources.ts";
import { asideOf, changesInUtc, labels } from "../bug/changes.ts";
import { resultThing } from "../bug/show-results.ts";
import { reportEffects, withIgnored } from "../bug/update.ts";
import { isJson } from "../output.ts";
import type { Context } from "../verb.ts";
import type { SentKept } from "./send-kept.ts";
import type { SentMany } from "./send-many.ts";

/** Effect of a job that was sent, as read back. */
export type Effect = {
  readonly id: number | null; // of a new bug or comment
  readonly changed: readonly ChangedBug[];
  readonly part?: UpdatePart | undefined; // of an update
  readonly notApplied?: readonly string[] | undefined; // fields of a new bug
  readonly error?: BtError | undefined; // it was applied in part, or overwrote a change of others
};

/** Verifies that the tracker took all values of a job, as the command would have done that sent it at once. */
export async function effectOf({ job, answer, part }: SentKept, isForced: boolean, context: Context): Promise<Effect> {
  const { request } = job.head;
  const id = isObject(answer) && typeof answer["id"] === "number" ? answer["id"] : null;
  if (part) return effectOfUpdate(answer, { part, isForced }, context);
  if (request.operation !== "Create Bug" || id === null) return { id, changed: [] };
  const { readBack, notAppliedError } = await import("../bug/create.ts");
  const notApplied = await readBack(id, requestBody(request), context);
  return { id, changed: [], notApplied, error: notAppliedError(id, notApplied ?? []) };
}

type SentPart = { readonly part: UpdatePart; readonly isForced: boolean };

async function effectOfUpdate(answer: Json, { part, isForced }: SentPart, context: Context): Promise<Effect> {
  const changed = readChangedItems<ChangedBug>(answer, "bugs");
  const parts = await withIgnored(changed, [part], context);
  const report = reportEffects(changed, { bugs: part.bugs, parts, isGuarded: !isForced }, context);
  const error = await report.then(() => undefined, errorOf);
  return { id: null, changed, part: parts[0], error };
}

function errorOf(failure: unknown): BtError {
  if (failure instanceof BtError) return failure;
  throw failure;
}

/** Changes of an update in JSON, bug by bug; undefined for other jobs. */
export function changesOf({ changed, part }: Effect): Json | undefined {
  if (part === undefined) return undefined;
  return changed.map(({ id, changes, last_change_time }) => {
    const ignored = part.ignored?.get(id);
    return { id, changes: changes as JsonObject, last_change_time, ...(ignored ? { not_applied: ignored } : {}) };
  });
}

/** Results of a bulk update in JSON, bug by bug. */
export function bulkChanges({ results }: SentMany): Json {
  return results.map(({ bug, st, changed, error, ignored }) => ({
    ...{ id: Number(bug), result: st, changes: (changed?.changes ?? {}) as JsonObject },
    ...(changed ? { last_change_time: changed.last_change_time } : {}),
    ...(error ? { error: error.message } : {}),
    ...(ignored ? { not_applied: ignored } : {}),
  }));
}

/** The bugs that a bulk update changed. */
export function bulkChanged(bulk: SentMany | undefined): readonly ChangedBug[] {
  return (bulk?.results ?? []).flatMap(({ changed }) => changed ?? []);
}

/** Changes of an update as one line; a tracker reports neither its comment nor its hours. */
export function changesSentence(changed: readonly ChangedBug[], request: Request): string {
  const aside = asideOf(requestBody(request));
  const otherwise = aside === undefined ? "unchanged" : `${aside} recorded`;
  return changed.map(({ id, changes }) => `${bugLabel(id)} ${changeTexts(changes).join(", ") || otherwise}`).join("; ");
}

/** A job of a queue that was sent or not, for a diff. */
export type ShownJob = {
  readonly request: Request;
  readonly name: string | undefined; // temporary name of a new bug
  readonly failure: string | undefined;
  readonly effect: Effect | undefined;
  readonly bulk: SentMany | undefined;
};

/** Jobs as the diffs that the commands would have printed that sent them at once. */
export async function jobCards(context: Context): Promise<Listing<ShownJob>> {
  const [{ changesText }, fields] = await Promise.all([import("../../view/changes.ts"), labels(context)]);
  let isFirst = true;
  return {
    head: () => "",
    page: (jobs) => {
      const gap = isFirst || jobs.length === 0 ? "" : "\n";
      isFirst = false;
      return gap + changesText({ changed: jobs.flatMap(thingsOf), fields }, context.output.view);
    },
    tail: () => "",
  };
}

function thingsOf({ request, name, failure, effect, bulk }: ShownJob): readonly ChangedThing[] {
  if (bulk) {
    const titles = new Map(bulk.bugs.map(({ id, summary }) => [String(id), summary ?? undefined]));
    return bulk.results.map((result) => resultThing(result, titles.get(result.bug), bulk.parts));
  }
  const body = requestBody(request);
  const title = request.operation === "Create Bug" ? String(body["summary"] ?? "") : undefined;
  const unchanged = { changes: {}, title, failure };
  if (effect?.part && effect.changed.length > 0) return changedThings(effect, effect.part, failure);
  const [target = name ?? ""] = name === undefined ? writeTargets(request) : [effect?.id ?? name];
  const missed = name === undefined ? undefined : `created, was ${name}`;
  return [{ ...unchanged, id: target, name: bugLabel(target), missed, aside: asideOf(body) }];
}

function changedThings(effect: Effect, part: UpdatePart, failure: string | undefined): readonly ChangedThing[] {
  return effect.changed.map(({ id, changes }) => {
    const bug = part.bugs.find((one) => one.id === id);
    const shown = { changes: changesInUtc(changes, { bug, part }), aside: asideOf(part.body), failure };
    return { id, name: bugLabel(id), title: bug?.summary ?? undefined, ...shown };
  });
}

/** Prints the effect of one job as the command would have done that sent it at once. */
export async function showEffect(effect: Effect, context: Context): Promise<void> {
  const { id, changed, part, notApplied, error } = effect;
  if (part) await (await import("../bug/changes.ts")).showChanges(changed, [part], context);
  else if (isJson(context)) await context.io.out(`${JSON.stringify({ id, not_applied: notApplied })}\n`);
  else if (id !== null) await (await import("../bug/create.ts")).showNumber(id, context);
  if (error) throw error;
}
