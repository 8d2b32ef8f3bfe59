import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { BugHistory, Changes, HistoryEntry } from "../../wire/resources.ts";
import { BUG_HISTORY, GET_BUG } from "../operations/bugs.ts";
import { requestFor } from "../operations/operation.ts";
import { readBugs, readHistories, unexpectedShape } from "../response/response-objects.ts";
import { writeTargets } from "../write/update-request.ts";
import { isOlderThanWrite, isRequester, lookbackStart, type SentWrite, type VerifyContext } from "./write.ts";
import { stateFields } from "./write-state.ts";

/** A sent update under verification, with its parsed body. */
export type UpdateCheck = { readonly sent: SentWrite; readonly body: JsonObject; readonly context: VerifyContext };

/** State of a bug before the update; undefined if unknown. */
export function bugBefore({ before = [] }: SentWrite, id: string): JsonObject | undefined {
  return before.find((bug) => String(bug["id"]) === id);
}

/** `last_change_time` of the bug as read before the update; anything older is not from the update. */
export function changedBefore(before: JsonObject | undefined): string | undefined {
  const time = before?.["last_change_time"];
  return typeof time === "string" ? time : undefined;
}

/**
 * Current values of the fields that the body sets.
 * @throws BtError if the response lacks a field that was visible before
 */
export async function currentState(bug: string, { sent, body, context }: UpdateCheck): Promise<JsonObject> {
  const names = stateFields(body);
  const now = await currentBug(bug, names, context);
  const before = bugBefore(sent, bug) ?? {};
  const missing = names.find((name) => before[name] !== undefined && now[name] === undefined);
  if (missing !== undefined) throw unexpectedShape(`"${missing}" of bug ${bug}`);
  return now;
}

/** Current values of these fields, and the id. @throws BtError if the bug is missing in the response */
export async function currentBug(bug: string, names: readonly string[], { ask }: VerifyContext): Promise<JsonObject> {
  const fields = ["id", ...names].join(",");
  const bugs = readBugs(await ask(requestFor(GET_BUG, { id_or_alias: bug, include_fields: fields })));
  const now = bugs.find(({ id }) => !/^\d+$/.test(bug) || String(id) === bug);
  if (now === undefined) throw unexpectedShape(`bug ${bug}`);
  return now as JsonObject;
}

/** History entries of these fields. */
export async function fieldHistory(
  fields: readonly string[],
  bug: string,
  { sent, context }: Pick<UpdateCheck, "sent" | "context">,
) {
  const names = new Set(fields.map((name) => (name === "flags" ? "flagtypes.name" : name)));
  const rows = changesWhere(await fetchHistory(bug, sent, context), () => true);
  return rows.filter((row) => names.has(row.field_name));
}

/** History entries of a bug since shortly before the write. */
export async function fetchHistory(
  bug: string,
  sent: SentWrite,
  { ask }: VerifyContext,
): Promise<readonly HistoryEntry[]> {
  const answer = await ask(requestFor(BUG_HISTORY, { id: bug, new_since: lookbackStart(sent) }));
  return readHistories(answer).flatMap(({ history }) => history);
}

/** Changes made by the users for which `by` holds, with author and time. */
export function changesWhere(entries: readonly HistoryEntry[], by: (who: string) => boolean) {
  return entries
    .filter(({ who }) => by(who))
    .flatMap(({ who, when, changes }) => changes.map((change) => ({ ...change, who, when })));
}

/** Reconstructed response, from the histories of the bugs. */
export async function changedBugs(sent: SentWrite, context: VerifyContext): Promise<readonly Json[]> {
  const ids = writeTargets(sent.request);
  const histories = readHistories(await context.ask(requestFor(BUG_HISTORY, { ids, new_since: lookbackStart(sent) })));
  return ids.map((id) =>
    changedBug(
      id,
      histories.find((history) => String(history.id) === id),
      { sent, context },
    ),
  );
}

function changedBug(
  id: string,
  history: BugHistory | undefined,
  { sent, context }: Pick<UpdateCheck, "sent" | "context">,
): Json {
  const before = changedBefore(bugBefore(sent, id));
  const rows = changesWhere(history?.history ?? [], (who) => isRequester(context, who) !== false).filter(
    ({ when }) => when >= (before ?? "") && !isOlderThanWrite(sent, when),
  );
  const changes: Changes = Object.fromEntries(
    rows.map(({ field_name, added, removed }) => [field_name, { added, removed }]),
  );
  return {
    id: Number(id),
    alias: history?.alias ?? [],
    last_change_time: rows.at(-1)?.when ?? before ?? "",
    changes,
  };
}
