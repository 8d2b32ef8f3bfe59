import type { JsonObject } from "../../wire/exchange.ts";
import type { Comment, FieldChange } from "../../wire/resources.ts";
import { isObject } from "../response/response-objects.ts";
import { requestBody, writeTargets } from "../write/update-request.ts";
import {
  bugBefore,
  changedBefore,
  changedBugs,
  changesWhere,
  currentBug,
  currentState,
  fetchHistory,
  fieldHistory,
  type UpdateCheck,
} from "./update-evidence.ts";
import { fetchComment, judgeComments, matchingComments, sameComments, type WantedComment } from "./verify-comment.ts";
import {
  type FindMatchesBefore,
  isOlderThanWrite,
  isRequester,
  type SentWrite,
  secondsBeforeWrite,
  TOLERANCE_S,
  type Verification,
  type VerifyContext,
  type VerifyWrite,
} from "./write.ts";
import { conflictingFields, isUpdateInHistory, stateFields, writeState } from "./write-state.ts";

/**
 * Verifies an update of bugs. An update is one transaction, so one affected bug is evidence for all; a second one
 * confirms it.
 */
export const verifyUpdate: VerifyWrite = async (sent, context) => {
  const body = requestBody(sent.request);
  const results: BugVerification[] = [];
  for (const bug of sampleBugs(sent, body)) results.push(await checkOverwritten(bug, { sent, body, context }));
  const [first = { status: "applied" } as const, second = first] = results;
  if (first.status !== second.status) {
    return { status: "contradiction", details: ["only some of the bugs have the change"] };
  }
  if (first.status !== "applied") return first;
  return { status: "applied", answer: { bugs: await changedBugs(sent, context) } };
};

type BugVerification = { readonly status: "applied" } | Exclude<Verification, { status: "applied" }>;

/** Up to two bugs that the update must have changed; none if all were as requested before. */
function sampleBugs(sent: SentWrite, body: JsonObject): readonly string[] {
  const ids = writeTargets(sent.request);
  const isAdded = ["comment", "work_time", "comment_is_private"].some((name) => body[name] !== undefined);
  const isAffected = (id: string) => {
    const before = bugBefore(sent, id);
    return isAdded || before === undefined || writeState(before, body) !== "requested";
  };
  return ids.filter(isAffected).slice(0, 2);
}

/**
 * Verifies one bug. A write that was not applied counts as overwritten if a field it sets has been changed by someone
 * else, so it is not resent over that change.
 */
async function checkOverwritten(bug: string, check: UpdateCheck): Promise<BugVerification> {
  const result = await verifyBug(bug, check);
  const before = bugBefore(check.sent, bug);
  if (result.status !== "not-applied" || before === undefined) return result;
  const conflicts = conflictingFields(
    await currentBug(bug, stateFields(check.body), check.context),
    check.body,
    before,
  );
  return conflicts.length === 0
    ? result
    : { status: "overwritten", details: conflicts.map((detail) => `bug ${bug}: ${detail}`) };
}

/** Verifies one bug by its strongest evidence: a comment, then work time, then the fields. */
function verifyBug(bug: string, check: UpdateCheck): Promise<BugVerification> {
  if (isObject(check.body["comment"])) return verifyComment(bug, check.body["comment"], check);
  if (check.body["work_time"] !== undefined) return verifyHours(bug, check);
  if (isObject(check.body["comment_is_private"])) return verifyPrivacy(check.body["comment_is_private"], check);
  return verifyFields(bug, check);
}

/** Ids of recent comments with the same text as the update's. Bugs that were idle before the update need no check. */
export const commentsBeforeUpdate: FindMatchesBefore = async (sent, ask) => {
  const body = requestBody(sent.request);
  const { comment } = body;
  const idleSince = secondsBeforeWrite(sent, 2 * TOLERANCE_S);
  const isIdle = (bug: string) =>
    sent.clock === "database" && (changedBefore(bugBefore(sent, bug)) ?? "9999") < idleSince;
  const active = isObject(comment) ? sampleBugs(sent, body).filter((bug) => !isIdle(bug)) : [];
  const matches: number[] = [];
  for (const bug of active)
    matches.push(...(await sameComments(wantedComment(bug, comment as JsonObject, body), sent, ask)));
  return active.length > 0 ? matches : undefined;
};

function wantedComment(bug: string, comment: JsonObject, body: JsonObject): WantedComment {
  return {
    bug,
    text: String(comment["body"] ?? comment["comment"] ?? ""),
    isPrivate: comment["is_private"] === true,
    isPrefix: body["dupe_of"] !== undefined,
  };
}

async function verifyComment(
  bug: string,
  comment: JsonObject,
  { sent, body, context }: UpdateCheck,
): Promise<BugVerification> {
  const read = sent.alike === undefined ? changedBefore(bugBefore(sent, bug)) : undefined;
  const existedBefore = ({ time }: Comment) => read !== undefined && time <= read;
  return judgeUpdateComments(
    await matchingComments({ ...wantedComment(bug, comment, body), existedBefore }, sent, context),
    sent,
  );
}

/** Verification from matching comments: one of several is enough. */
function judgeUpdateComments(found: readonly Comment[], sent: SentWrite): BugVerification {
  const sinceRead = found.filter(({ time }) => !isOlderThanWrite(sent, time));
  return sinceRead.length > 0 ? { status: "applied" } : judgeComments(found, sent);
}

/** Verifies work time by the bug's history and total. The response of an update does not contain work time. */
async function verifyHours(bug: string, { sent, body, context }: UpdateCheck): Promise<BugVerification> {
  const before = bugBefore(sent, bug);
  const now = await currentBug(bug, ["actual_time"], context);
  const hoursBefore = Number(before?.["actual_time"]);
  const added = Number(now["actual_time"]) - hoursBefore - hoursOfOtherWrites(bug, hoursBefore, context);
  if (added < Number(body["work_time"]) - HOURS_TOLERANCE) return { status: "not-applied" };
  const rows = changesWhere(
    await fetchHistory(bug, sent, context),
    (who) => isRequester(context, who) !== false,
  ).filter(
    ({ field_name, added: hours, when }) =>
      field_name === "work_time" &&
      Number(hours) === Number(body["work_time"]) &&
      when >= (changedBefore(before) ?? ""),
  );
  if (rows.length === 0 || rows.some(({ when }) => !isOlderThanWrite(sent, when)))
    return { status: rows.length > 0 ? "applied" : "not-applied" };
  return { status: "contradiction", details: rows.map(({ when }) => `bug ${bug}: the same hours were logged ${when}`) };
}

const HOURS_TOLERANCE = 0.001;

/** Hours added by other confirmed or older unresolved writes since the bug had this total. */
function hoursOfOtherWrites(bug: string, hoursBefore: number, { confirmed, unresolved }: VerifyContext): number {
  const others = [...confirmed(), ...unresolved().filter(({ isOlder }) => isOlder)];
  return others
    .filter((other) => Number(bugBefore(other, bug)?.["actual_time"]) >= hoursBefore)
    .reduce((sum, { request }) => sum + Number(requestBody(request)["work_time"] ?? 0), 0);
}

async function verifyPrivacy(privacy: JsonObject, { context }: UpdateCheck): Promise<BugVerification> {
  for (const [id, isPrivate] of Object.entries(privacy)) {
    const comment = await fetchComment(id, context);
    if (comment?.["is_private"] !== isPrivate) return { status: "not-applied" };
  }
  return { status: "applied" };
}

/**
 * Verifies fields by their current values; if these are neither as requested nor as before, the history shows who
 * changed them.
 */
async function verifyFields(bug: string, { sent, body, context }: UpdateCheck): Promise<BugVerification> {
  const before = bugBefore(sent, bug);
  const state = writeState(await currentState(bug, { sent, body, context }), body, before);
  if (state === "requested") return { status: "applied" };
  const sinceRead = (await fieldHistory(stateFields(body), bug, { sent, context })).filter(
    ({ when }) => when > (changedBefore(before) ?? ""),
  );
  const rows = sinceRead.filter(({ when }) => !isOlderThanWrite(sent, when));
  if (rows.length === 0 && isTraced(sinceRead, body, before)) {
    return {
      status: "contradiction",
      details: [`bug ${bug}: the same change was made ${sinceRead[0]?.when}, before the request`],
    };
  }
  const others = rows.filter(({ who }) => isRequester(context, who) !== true);
  if (others.length === 0 && rows.length > 0)
    return { status: isTraced(rows, body, before) ? "applied" : "not-applied" };
  if (others.length === 0 && (state === "unchanged" || before === undefined)) return { status: "not-applied" };
  return overwritten(bug, others);
}

function overwritten(bug: string, others: readonly (FieldChange & { readonly who: string })[]): BugVerification {
  const details = others.map(
    (row) => `bug ${bug}: ${row.who} changed ${row.field_name} from "${row.removed}" to "${row.added}"`,
  );
  return {
    status: "overwritten",
    details: details.length > 0 ? details : [`bug ${bug} has neither its old nor its new values`],
  };
}

function isTraced(rows: readonly FieldChange[], body: JsonObject, before: JsonObject | undefined): boolean {
  return rows.length > 0 && isUpdateInHistory(rows, body, before);
}
