import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { BugHistory, Changes, Comment, FieldChange, HistoryEntry } from "../../wire/resources.ts";
import { getRequest, pathSegment } from "../operations/operation.ts";
import { isObject, readBugs, readHistories, unexpectedShape } from "../response/response-objects.ts";
import { currentComment, judgeComments, likelyComments, sameComments, type WantedComment } from "./verify-comment.ts";
import {
  type FindMatchesBefore,
  isOlderThanWrite,
  isRequester,
  requestBody,
  type SentWrite,
  secondsBeforeWrite,
  since,
  TOLERANCE_S,
  type Verification,
  type VerifyContext,
  type VerifyWrite,
  writeTargets,
} from "./write.ts";
import { conflictingFields, isUpdateInHistory, stateFields, writeState } from "./write-state.ts";

/**
 * Looks whether an update was applied. It is one transaction over all its bugs, so that one bug that it would have changed
 * is the witness for all, and a second one confirms it.
 */
export const verifyUpdate: VerifyWrite = async (sent, eyes) => {
  const body = requestBody(sent.request);
  const signs: Sign[] = [];
  for (const bug of sampleBugs(sent, body)) signs.push(await checkOverwritten(bug, { sent, body, eyes }));
  const [first = { sight: "present" } as const, second = first] = signs;
  if (first.sight !== second.sight) {
    return { sight: "contradiction", details: ["some of the bugs show the change, others do not"] };
  }
  if (first.sight !== "present") return first;
  return { sight: "present", answer: { bugs: await changedBugs(sent, eyes) } };
};

type Sign = { readonly sight: "present" } | Exclude<Verification, { sight: "present" }>;
type Case = { readonly sent: SentWrite; readonly body: JsonObject; readonly eyes: VerifyContext };

/** Up to two bugs on which the update must have left a mark; none when all of them were as wished from the start. */
function sampleBugs(sent: SentWrite, body: JsonObject): readonly string[] {
  const ids = writeTargets(sent.request);
  const isAdded = ["comment", "work_time", "comment_is_private"].some((name) => body[name] !== undefined);
  const isOpen = (id: string) => {
    const before = bugBefore(sent, id);
    return isAdded || before === undefined || writeState(before, body) !== "as wished";
  };
  return ids.filter(isOpen).slice(0, 2);
}

function bugBefore({ before = [] }: SentWrite, id: string): JsonObject | undefined {
  return before.find((bug) => String(bug["id"]) === id);
}

/** A change that is not there must not be sent after all over what the bug has become since. */
async function checkOverwritten(bug: string, one: Case): Promise<Sign> {
  const sign = await verifyBug(bug, one);
  const before = bugBefore(one.sent, bug);
  if (sign.sight !== "absent" || before === undefined) return sign;
  const moved = conflictingFields(await bugNow(bug, stateFields(one.body), one.eyes), one.body, before);
  return moved.length === 0 ? sign : { sight: "overwritten", details: moved.map((detail) => `bug ${bug}: ${detail}`) };
}

/** What is added each time shows best; then hours, then the fields themselves. */
function verifyBug(bug: string, one: Case): Promise<Sign> {
  if (isObject(one.body["comment"])) return verifyComment(bug, one.body["comment"], one);
  if (one.body["work_time"] !== undefined) return verifyHours(bug, one);
  if (isObject(one.body["comment_is_private"])) return verifyPrivacy(one.body["comment_is_private"], one);
  return verifyFields(bug, one);
}

/** Only comments of the last moments can be taken for the one of this change, and none on bugs at rest. */
export const commentsBeforeUpdate: FindMatchesBefore = async (sent, ask) => {
  const body = requestBody(sent.request);
  const { comment } = body;
  const rest = secondsBeforeWrite(sent, 2 * TOLERANCE_S);
  const isAtRest = (bug: string) => sent.clock === "database" && (readAt(bugBefore(sent, bug)) ?? "9999") < rest;
  const busy = isObject(comment) ? sampleBugs(sent, body).filter((bug) => !isAtRest(bug)) : [];
  const alike: number[] = [];
  for (const bug of busy) alike.push(...(await sameComments(wantedOn(bug, comment as JsonObject, body), sent, ask)));
  return busy.length > 0 ? alike : undefined;
};

/** When a bug had last been changed as it was read before the update: what is older cannot be the update's work. */
function readAt(before: JsonObject | undefined): string | undefined {
  const time = before?.["last_change_time"];
  return typeof time === "string" ? time : undefined;
}

function wantedOn(bug: string, comment: JsonObject, body: JsonObject): WantedComment {
  return {
    bug,
    text: String(comment["body"] ?? comment["comment"] ?? ""),
    isPrivate: comment["is_private"] === true,
    isBegun: body["dupe_of"] !== undefined,
  };
}

async function verifyComment(bug: string, comment: JsonObject, { sent, body, eyes }: Case): Promise<Sign> {
  const read = sent.alike === undefined ? readAt(bugBefore(sent, bug)) : undefined;
  const isOld = ({ time }: Comment) => read !== undefined && time <= read;
  return oneOf(await likelyComments({ ...wantedOn(bug, comment, body), isOld }, sent, eyes), sent);
}

/** Of several comments that it may be, one is it. */
function oneOf(found: readonly Comment[], sent: SentWrite): Sign {
  const since = found.filter(({ time }) => !isOlderThanWrite(sent, time));
  return since.length > 0 ? { sight: "present" } : judgeComments(found, sent);
}

/** Hours do not stand in the answer of an update, but they are a row of the bug's history, and move the bug's sum. */
async function verifyHours(bug: string, { sent, body, eyes }: Case): Promise<Sign> {
  const before = bugBefore(sent, bug);
  const now = await bugNow(bug, ["actual_time"], eyes);
  const was = Number(before?.["actual_time"]);
  const added = Number(now["actual_time"]) - was - hoursOfOthers(bug, was, eyes);
  if (added < Number(body["work_time"]) - MIN_HOURS) return { sight: "absent" };
  const rows = changesBy(await entriesSince(bug, sent, eyes), (who) => isRequester(eyes, who) !== false).filter(
    ({ field_name, added: hours, when }) =>
      field_name === "work_time" && Number(hours) === Number(body["work_time"]) && when >= (readAt(before) ?? ""),
  );
  if (rows.length === 0 || rows.some(({ when }) => !isOlderThanWrite(sent, when)))
    return { sight: rows.length > 0 ? "present" : "absent" };
  return { sight: "contradiction", details: rows.map(({ when }) => `bug ${bug}: the same hours were logged ${when}`) };
}

const MIN_HOURS = 0.001;

/** The hours that other writes have put on a bug after it had these, or an older one may have. */
function hoursOfOthers(bug: string, was: number, { settled, rivals }: VerifyContext): number {
  const others = [...settled(), ...rivals().filter(({ isOlder }) => isOlder)];
  return others
    .filter((other) => Number(bugBefore(other, bug)?.["actual_time"]) >= was)
    .reduce((sum, { request }) => sum + Number(requestBody(request)["work_time"] ?? 0), 0);
}

async function verifyPrivacy(wishes: JsonObject, { eyes }: Case): Promise<Sign> {
  for (const [id, wish] of Object.entries(wishes)) {
    const comment = await currentComment(id, eyes);
    if (comment?.["is_private"] !== wish) return { sight: "absent" };
  }
  return { sight: "present" };
}

/** The state decides; where it is neither as wished nor as before, the history tells whose change it was. */
async function verifyFields(bug: string, { sent, body, eyes }: Case): Promise<Sign> {
  const before = bugBefore(sent, bug);
  const stands = writeState(await stateNow(bug, { sent, body, eyes }), body, before);
  if (stands === "as wished") return { sight: "present" };
  const since = (await rowsOn(stateFields(body), bug, { sent, eyes })).filter(
    ({ when }) => when > (readAt(before) ?? ""),
  );
  const rows = since.filter(({ when }) => !isOlderThanWrite(sent, when));
  if (rows.length === 0 && isTraced(since, body, before)) {
    return {
      sight: "contradiction",
      details: [`bug ${bug}: the same was changed ${since[0]?.when}, before the request`],
    };
  }
  const others = rows.filter(({ who }) => isRequester(eyes, who) !== true);
  if (others.length === 0 && rows.length > 0) return { sight: isTraced(rows, body, before) ? "present" : "absent" };
  if (others.length === 0 && (stands === "as before" || before === undefined)) return { sight: "absent" };
  return overwritten(bug, others);
}

function overwritten(bug: string, others: readonly (FieldChange & { readonly who: string })[]): Sign {
  const told = others.map(
    (row) => `bug ${bug}: ${row.who} changed ${row.field_name} from "${row.removed}" to "${row.added}"`,
  );
  return {
    sight: "overwritten",
    details: told.length > 0 ? told : [`bug ${bug} is neither as it was nor as it should be`],
  };
}

function isTraced(rows: readonly FieldChange[], body: JsonObject, before: JsonObject | undefined): boolean {
  return rows.length > 0 && isUpdateInHistory(rows, body, before);
}

/** What the history tells of some fields of a bug. */
async function rowsOn(fields: readonly string[], bug: string, { sent, eyes }: Pick<Case, "sent" | "eyes">) {
  const names = new Set(fields.map((name) => (name === "flags" ? "flagtypes.name" : name)));
  const rows = changesBy(await entriesSince(bug, sent, eyes), () => true);
  return rows.filter((row) => names.has(row.field_name));
}

/** All of a bug that a body is about, as far as it could be seen before; an answer without it tells nothing. */
async function stateNow(bug: string, { sent, body, eyes }: Case): Promise<JsonObject> {
  const names = stateFields(body);
  const now = await bugNow(bug, names, eyes);
  const before = bugBefore(sent, bug) ?? {};
  const untold = names.find((name) => before[name] !== undefined && now[name] === undefined);
  if (untold !== undefined) throw unexpectedShape(`"${untold}" of bug ${bug}`);
  return now;
}

async function bugNow(bug: string, names: readonly string[], { ask }: VerifyContext): Promise<JsonObject> {
  const fields = ["id", ...names].join(",");
  const bugs = readBugs(await ask(getRequest(`/rest/bug/${pathSegment(bug)}`, [["include_fields", fields]])));
  const now = bugs.find(({ id }) => !/^\d+$/.test(bug) || String(id) === bug);
  if (now === undefined) throw unexpectedShape(`bug ${bug}`);
  return now as JsonObject;
}

async function entriesSince(bug: string, sent: SentWrite, { ask }: VerifyContext): Promise<readonly HistoryEntry[]> {
  const answer = await ask(getRequest(`/rest/bug/${pathSegment(bug)}/history`, [["new_since", since(sent)]]));
  return readHistories(answer).flatMap(({ history }) => history);
}

function changesBy(entries: readonly HistoryEntry[], by: (who: string) => boolean) {
  return entries
    .filter(({ who }) => by(who))
    .flatMap(({ who, when, changes }) => changes.map((change) => ({ ...change, who, when })));
}

/** The answer that was lost, as the histories tell it. */
async function changedBugs(sent: SentWrite, eyes: VerifyContext): Promise<readonly Json[]> {
  const ids = writeTargets(sent.request);
  const [first = "", ...rest] = ids;
  const query = [...rest.map((id) => ["ids", id] as const), ["new_since", since(sent)] as const];
  const histories = readHistories(await eyes.ask(getRequest(`/rest/bug/${pathSegment(first)}/history`, query)));
  return ids.map((id) =>
    changedBug(
      id,
      histories.find((one) => String(one.id) === id),
      { sent, eyes },
    ),
  );
}

function changedBug(id: string, history: BugHistory | undefined, { sent, eyes }: Pick<Case, "sent" | "eyes">): Json {
  const before = readAt(bugBefore(sent, id));
  const rows = changesBy(history?.history ?? [], (who) => isRequester(eyes, who) !== false).filter(
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
