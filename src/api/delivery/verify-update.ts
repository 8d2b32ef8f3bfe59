import { ADDED_FIELDS } from "../../wire/added-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { BugHistory, Changes, FieldChange } from "../../wire/resources.ts";
import { BUG_HISTORY, GET_BUG } from "../operations/bugs.ts";
import { requestFor } from "../operations/operation.ts";
import { readBugs, readHistories, unexpectedShapeError } from "../response/response-objects.ts";
import { requestBody, writeTargets } from "../write/update-request.ts";
import {
  changedNames,
  conflictingFields,
  isUpdateInHistory,
  pendingFields,
  rewrittenFields,
  STATUS_FIELDS,
  stateFields,
  writeState,
} from "../write/write-state.ts";
import { fetchComment, findSimilarComments, verifyWantedComment, type WantedComment } from "./verify-comment.ts";
import {
  type FindMatchesBefore,
  isRequester,
  type SentWrite,
  type Verification,
  type VerifyContext,
  type VerifyWrite,
} from "./write.ts";

/** A sent update under verification, with its parsed body, and recent changes by bug. */
type UpdateCheck = {
  sent: SentWrite;
  body: JsonObject;
  changes: ReadonlyMap<string, LoggedChange[]>;
  context: VerifyContext;
};

type LoggedChange = FieldChange & { who: string; when: string };

/** Verification of an update by one of its bugs. */
type BugVerification = { status: "applied"; details?: string[] } | Exclude<Verification, { status: "applied" }>;

/**
 * Verifies an update of bugs. An update is one transaction, so one affected bug is evidence for all; a second one
 * confirms it.
 */
export const verifyUpdate: VerifyWrite = async (sent, context) => {
  const body = requestBody(sent.request);
  const ids = writeTargets(sent.request);
  const histories = readHistories(await context.send(requestFor(BUG_HISTORY, { ids, new_since: sent.since })));
  const changes = new Map(histories.map((history) => [String(history.id), loggedChanges(history)]));
  const results: BugVerification[] = [];
  for (const bug of sampleBugs(sent, body)) results.push(await verifyBug(bug, { sent, body, changes, context }));
  const [first = APPLIED, second = first] = results;
  if (first.status !== second.status) {
    return { status: "ambiguous", details: ["only some of the bugs have the change"] };
  }
  if (first.status !== "applied") return first;
  const { details } = first;
  const bugs = ids.map((id) => reconstructBugChanges(id, histories, sent, context));
  return { status: "applied", response: { bugs }, ...(details && { details }) };
};

const APPLIED: BugVerification = { status: "applied" };

/** Up to two bugs that the update must have changed; none if all were as requested before. */
function sampleBugs(sent: SentWrite, body: JsonObject): string[] {
  const ids = writeTargets(sent.request);
  const isAdded = ["comment", "work_time", "comment_is_private"].some((name) => body[name] !== undefined);
  const isAffected = (id: string) => {
    const before = bugBefore(sent, id);
    return isAdded || before === undefined || writeState(body, { before: undefined, now: before }) !== "requested";
  };
  return ids.filter(isAffected).slice(0, 2);
}

/** Verifies one bug by its strongest evidence: a comment, then work time, then the fields. */
function verifyBug(bug: string, check: UpdateCheck): Promise<BugVerification> {
  const { sent, body, context } = check;
  if (isObject(body["comment"])) return verifyWantedComment(wantedComment(bug, body["comment"], body), sent, context);
  if (body["work_time"] !== undefined) return verifyHours(bug, check);
  if (isObject(body["comment_is_private"])) return verifyPrivacy(body["comment_is_private"], context);
  return verifyFields(bug, check);
}

/** Ids of recent comments with the same text as the update's. Bugs without recent changes need no request. */
export const commentsBeforeUpdate: FindMatchesBefore = async (sent, send) => {
  const body = requestBody(sent.request);
  const { comment } = body;
  if (!isObject(comment)) return [];
  const isIdle = (bug: string) => (lastChangeBefore(bugBefore(sent, bug)) ?? sent.since) < sent.since;
  const matches: number[] = [];
  for (const bug of sampleBugs(sent, body)) {
    if (!isIdle(bug)) matches.push(...(await findSimilarComments(wantedComment(bug, comment, body), sent, send)));
  }
  return matches;
};

function wantedComment(bug: string, comment: JsonObject, body: JsonObject): WantedComment {
  return {
    bug,
    text: String(comment["body"] ?? comment["comment"] ?? ""),
    isPrivate: comment["is_private"] === true,
    isPrefix: body["dupe_of"] !== undefined,
  };
}

/** Verifies work time by the bug's history and total. The response of an update does not contain work time. */
async function verifyHours(bug: string, { sent, body, changes, context }: UpdateCheck): Promise<BugVerification> {
  const before = bugBefore(sent, bug);
  const hours = Number(body["work_time"]);
  const now = await readCurrentBug(bug, ["actual_time"], context);
  const rows = (changes.get(bug) ?? []).filter(
    ({ who, when, field_name, added }) =>
      field_name === "work_time" &&
      Number(added) === hours &&
      isRequester(context, who) !== false &&
      when >= (lastChangeBefore(before) ?? ""),
  );
  if (before?.["actual_time"] === undefined && rows.length > 0)
    return { status: "ambiguous", details: rows.map(({ when }) => `bug ${bug}: you added ${hours} hours at ${when}`) };
  const hoursBefore = Number(before?.["actual_time"]);
  const hoursAdded = Number(now["actual_time"]) - hoursBefore - hoursOfOtherWrites(bug, hoursBefore, context);
  const isApplied = rows.length > 0 && hoursAdded >= hours - HOURS_TOLERANCE;
  return { status: isApplied ? "applied" : "not-found" };
}

const HOURS_TOLERANCE = 0.001;

/** Hours added by other confirmed writes since the bug had this total. */
function hoursOfOtherWrites(bug: string, hoursBefore: number, { confirmed }: VerifyContext): number {
  let sum = 0;
  for (const other of confirmed()) {
    const { work_time } = requestBody(other.request);
    if (Number(bugBefore(other, bug)?.["actual_time"]) >= hoursBefore) sum += Number(work_time ?? 0);
  }
  return sum;
}

async function verifyPrivacy(privacy: JsonObject, context: VerifyContext): Promise<BugVerification> {
  for (const [id, isPrivate] of Object.entries(privacy)) {
    const comment = await fetchComment(id, context);
    if (comment?.["is_private"] !== isPrivate) return { status: "not-found" };
  }
  return { status: "applied" };
}

/**
 * Verifies fields by their current values, or by the requester's own changes since the bug was read: others may have
 * changed the fields again.
 */
async function verifyFields(bug: string, check: UpdateCheck): Promise<BugVerification> {
  const { sent, body, changes, context } = check;
  const before = bugBefore(sent, bug);
  const now = await readCurrentState(bug, check);
  if (writeState(body, { before, now }) === "requested") return APPLIED;
  if (before === undefined) return { status: "not-found" };
  const rewritten = rewrittenFields(body, { before, now }, `bug ${bug}`);
  if (rewritten) return { status: "applied", details: rewritten };
  const rows = (changes.get(bug) ?? []).filter(
    ({ who, when }) => isRequester(context, who) !== false && when > (lastChangeBefore(before) ?? ""),
  );
  if (rows.length > 0 && isUpdateInHistory(rows, body, before)) return { status: "applied" };
  return { status: "not-found", details: conflictingFields(body, { before, now }).map((one) => `bug ${bug}: ${one}`) };
}

/** State of a bug before the update; undefined if unknown. */
function bugBefore({ before = [] }: SentWrite, id: string): JsonObject | undefined {
  return before.find((bug) => String(bug["id"]) === id);
}

/** `last_change_time` of the bug as read before the update; anything older is not from the update. */
function lastChangeBefore(before: JsonObject | undefined): string | undefined {
  const time = before?.["last_change_time"];
  return typeof time === "string" ? time : undefined;
}

/**
 * Current values of the fields that the body sets.
 * @throws BtError if the response lacks a field that was visible before
 */
async function readCurrentState(bug: string, { sent, body, context }: UpdateCheck): Promise<JsonObject> {
  const names = stateFields(body);
  const now = await readCurrentBug(bug, names, context);
  const before = bugBefore(sent, bug) ?? {};
  const missing = names.find((name) => before[name] !== undefined && now[name] === undefined);
  if (missing !== undefined) throw unexpectedShapeError(`"${missing}" of bug ${bug}`);
  return now;
}

/** Current values of these fields, and the id. @throws BtError if the bug is missing in the response */
async function readCurrentBug(bug: string, names: string[], { send }: VerifyContext): Promise<JsonObject> {
  const fields = ["id", ...names].join(",");
  const bugs = readBugs(await send(requestFor(GET_BUG, { id_or_alias: bug, include_fields: fields })));
  const now = bugs.find(({ id }) => !/^\d+$/.test(bug) || String(id) === bug);
  if (now === undefined) throw unexpectedShapeError(`bug ${bug}`);
  return now as JsonObject;
}

/** Changes of a history, without consequences of changes to other bugs and fields. */
function loggedChanges({ history }: BugHistory): LoggedChange[] {
  const all = history.flatMap(({ who, when, changes }) => changes.map((change) => ({ ...change, who, when })));
  return all.filter(({ field_name }) => !ADDED_FIELDS.get(field_name)?.isReadOnly);
}

/**
 * Reconstructed response for a bug: the requester's changes since it was read. If it was not read, or in the second of another
 * change, their last changes of requested fields.
 */
function reconstructBugChanges(
  id: string,
  histories: BugHistory[],
  sent: SentWrite,
  context: VerifyContext,
): JsonObject {
  const history = histories.find((one) => String(one.id) === id);
  const before = bugBefore(sent, id);
  const time = lastChangeBefore(before);
  const requested = pendingFields(requestBody(sent.request), before).flatMap(([name]) => changedNames(name));
  if (requested.some((name) => STATUS_FIELDS.includes(name))) requested.push(...STATUS_FIELDS);
  const own = (history ? loggedChanges(history) : []).filter(({ who }) => isRequester(context, who) !== false);
  const last = own.at(-1)?.when;
  const later = time === undefined ? [] : own.filter(({ when }) => when > time);
  const isRequested = ({ when, field_name }: LoggedChange) =>
    when === last && when >= (time ?? "") && requested.includes(field_name);
  const rows = later.length > 0 ? later : own.filter(isRequested);
  const changes: Changes = Object.fromEntries(
    rows.map(({ field_name, added, removed }) => [field_name, { added, removed }]),
  );
  return { id: Number(id), alias: history?.alias ?? [], last_change_time: last ?? time ?? "", changes };
}
