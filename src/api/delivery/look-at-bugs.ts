import type { Comment } from "../../wire/comment.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { BugHistory, Change, Changes, HistoryEntry } from "../../wire/history.ts";
import { get, segment } from "../operation.ts";
import { isObject, readBugs, readHistories, unexpectedShape } from "../read.ts";
import { alikeOn, commentNow, commentsLike, findingOf, type WantedComment } from "./look-for-comment.ts";
import { movedOn, standing, stateNames } from "./standing.ts";
import { areTraces } from "./traces.ts";
import {
  bodyOf,
  type Eyes,
  type Finding,
  isMine,
  type Look,
  type LookBefore,
  precedes,
  type Sent,
  secondsBefore,
  since,
  TOLERANCE_S,
  targetsOf,
} from "./write.ts";

/**
 * Looks whether an update was applied. It is one transaction over all its bugs, so that one bug that it would have changed
 * is the witness for all, and a second one confirms it.
 */
export const lookAtBugs: Look = async (sent, eyes) => {
  const body = bodyOf(sent.request);
  const signs: Sign[] = [];
  for (const bug of witnesses(sent, body)) signs.push(await unlessMovedOn(bug, { sent, body, eyes }));
  const [first = { sight: "present" } as const, second = first] = signs;
  if (first.sight !== second.sight) {
    return { sight: "contradiction", details: ["some of the bugs show the change, others do not"] };
  }
  if (first.sight !== "present") return first;
  return { sight: "present", answer: { bugs: await changedBugs(sent, eyes) } };
};

type Sign = { readonly sight: "present" } | Exclude<Finding, { sight: "present" }>;
type Case = { readonly sent: Sent; readonly body: JsonObject; readonly eyes: Eyes };

/** Up to two bugs on which the update must have left a mark; none when all of them were as wished from the start. */
function witnesses(sent: Sent, body: JsonObject): readonly string[] {
  const ids = targetsOf(sent.request);
  const isAdded = ["comment", "work_time", "comment_is_private"].some((name) => body[name] !== undefined);
  const isOpen = (id: string) => {
    const before = bugBefore(sent, id);
    return isAdded || before === undefined || standing(before, body) !== "as wished";
  };
  return ids.filter(isOpen).slice(0, 2);
}

function bugBefore({ before = [] }: Sent, id: string): JsonObject | undefined {
  return before.find((bug) => String(bug["id"]) === id);
}

/** A change that is not there must not be sent after all over what the bug has become since. */
async function unlessMovedOn(bug: string, one: Case): Promise<Sign> {
  const sign = await signOn(bug, one);
  const before = bugBefore(one.sent, bug);
  if (sign.sight !== "absent" || before === undefined) return sign;
  const moved = movedOn(await bugNow(bug, stateNames(one.body), one.eyes), one.body, before);
  return moved.length === 0 ? sign : { sight: "overwritten", details: moved.map((detail) => `bug ${bug}: ${detail}`) };
}

/** What is added each time shows best; then hours, then the fields themselves. */
function signOn(bug: string, one: Case): Promise<Sign> {
  if (isObject(one.body["comment"])) return signOfComment(bug, one.body["comment"], one);
  if (one.body["work_time"] !== undefined) return signOfHours(bug, one);
  if (isObject(one.body["comment_is_private"])) return signOfPrivacy(one.body["comment_is_private"], one);
  return signOfFields(bug, one);
}

/** Only comments of the last moments can be taken for the one of this change, and none on bugs at rest. */
export const commentsBeforeChange: LookBefore = async (sent, ask) => {
  const body = bodyOf(sent.request);
  const { comment } = body;
  const rest = secondsBefore(sent, 2 * TOLERANCE_S);
  const isAtRest = (bug: string) => sent.clock === "database" && (readAt(bugBefore(sent, bug)) ?? "9999") < rest;
  const busy = isObject(comment) ? witnesses(sent, body).filter((bug) => !isAtRest(bug)) : [];
  const alike: number[] = [];
  for (const bug of busy) alike.push(...(await alikeOn(wantedOn(bug, comment as JsonObject, body), sent, ask)));
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

async function signOfComment(bug: string, comment: JsonObject, { sent, body, eyes }: Case): Promise<Sign> {
  const read = sent.alike === undefined ? readAt(bugBefore(sent, bug)) : undefined;
  const isOld = ({ time }: Comment) => read !== undefined && time <= read;
  return oneOf(await commentsLike({ ...wantedOn(bug, comment, body), isOld }, sent, eyes), sent);
}

/** Of several comments that it may be, one is it. */
function oneOf(found: readonly Comment[], sent: Sent): Sign {
  const since = found.filter(({ time }) => !precedes(sent, time));
  return since.length > 0 ? { sight: "present" } : findingOf(found, sent);
}

/** Hours do not stand in the answer of an update, but they are a row of the bug's history, and move the bug's sum. */
async function signOfHours(bug: string, { sent, body, eyes }: Case): Promise<Sign> {
  const before = bugBefore(sent, bug);
  const now = await bugNow(bug, ["actual_time"], eyes);
  const was = Number(before?.["actual_time"]);
  const added = Number(now["actual_time"]) - was - hoursOfOthers(bug, was, eyes);
  if (added < Number(body["work_time"]) - LEAST_HOURS) return { sight: "absent" };
  const rows = changesBy(await entriesSince(bug, sent, eyes), (who) => isMine(eyes, who) !== false).filter(
    ({ field_name, added: hours, when }) =>
      field_name === "work_time" && Number(hours) === Number(body["work_time"]) && when >= (readAt(before) ?? ""),
  );
  if (rows.length === 0 || rows.some(({ when }) => !precedes(sent, when)))
    return { sight: rows.length > 0 ? "present" : "absent" };
  return { sight: "contradiction", details: rows.map(({ when }) => `bug ${bug}: the same hours were logged ${when}`) };
}

const LEAST_HOURS = 0.001;

/** The hours that other writes have put on a bug after it had these, or an older one may have. */
function hoursOfOthers(bug: string, was: number, { settled, rivals }: Eyes): number {
  const others = [...settled(), ...rivals().filter(({ isOlder }) => isOlder)];
  return others
    .filter((other) => Number(bugBefore(other, bug)?.["actual_time"]) >= was)
    .reduce((sum, { request }) => sum + Number(bodyOf(request)["work_time"] ?? 0), 0);
}

async function signOfPrivacy(wishes: JsonObject, { eyes }: Case): Promise<Sign> {
  for (const [id, wish] of Object.entries(wishes)) {
    const comment = await commentNow(id, eyes);
    if (comment?.["is_private"] !== wish) return { sight: "absent" };
  }
  return { sight: "present" };
}

/** The state decides; where it is neither as wished nor as before, the history tells whose change it was. */
async function signOfFields(bug: string, { sent, body, eyes }: Case): Promise<Sign> {
  const before = bugBefore(sent, bug);
  const stands = standing(await stateNow(bug, { sent, body, eyes }), body, before);
  if (stands === "as wished") return { sight: "present" };
  const since = (await rowsOn(stateNames(body), bug, { sent, eyes })).filter(
    ({ when }) => when > (readAt(before) ?? ""),
  );
  const rows = since.filter(({ when }) => !precedes(sent, when));
  if (rows.length === 0 && isTraced(since, body, before)) {
    return {
      sight: "contradiction",
      details: [`bug ${bug}: the same was changed ${since[0]?.when}, before the request`],
    };
  }
  const others = rows.filter(({ who }) => isMine(eyes, who) !== true);
  if (others.length === 0 && rows.length > 0) return { sight: isTraced(rows, body, before) ? "present" : "absent" };
  if (others.length === 0 && (stands === "as before" || before === undefined)) return { sight: "absent" };
  return overwritten(bug, others);
}

function overwritten(bug: string, others: readonly (Change & { readonly who: string })[]): Sign {
  const told = others.map(
    (row) => `bug ${bug}: ${row.who} changed ${row.field_name} from "${row.removed}" to "${row.added}"`,
  );
  return {
    sight: "overwritten",
    details: told.length > 0 ? told : [`bug ${bug} is neither as it was nor as it should be`],
  };
}

function isTraced(rows: readonly Change[], body: JsonObject, before: JsonObject | undefined): boolean {
  return rows.length > 0 && areTraces(rows, body, before);
}

/** What the history tells of some fields of a bug. */
async function rowsOn(fields: readonly string[], bug: string, { sent, eyes }: Pick<Case, "sent" | "eyes">) {
  const names = new Set(fields.map((name) => (name === "flags" ? "flagtypes.name" : name)));
  const rows = changesBy(await entriesSince(bug, sent, eyes), () => true);
  return rows.filter((row) => names.has(row.field_name));
}

/** All of a bug that a body is about, as far as it could be seen before; an answer without it tells nothing. */
async function stateNow(bug: string, { sent, body, eyes }: Case): Promise<JsonObject> {
  const names = stateNames(body);
  const now = await bugNow(bug, names, eyes);
  const before = bugBefore(sent, bug) ?? {};
  const untold = names.find((name) => before[name] !== undefined && now[name] === undefined);
  if (untold !== undefined) throw unexpectedShape(`"${untold}" of bug ${bug}`);
  return now;
}

async function bugNow(bug: string, names: readonly string[], { ask }: Eyes): Promise<JsonObject> {
  const fields = ["id", ...names].join(",");
  const bugs = readBugs(await ask(get(`/rest/bug/${segment(bug)}`, [["include_fields", fields]])));
  const now = bugs.find(({ id }) => !/^\d+$/.test(bug) || String(id) === bug);
  if (now === undefined) throw unexpectedShape(`bug ${bug}`);
  return now as JsonObject;
}

async function entriesSince(bug: string, sent: Sent, { ask }: Eyes): Promise<readonly HistoryEntry[]> {
  const answer = await ask(get(`/rest/bug/${segment(bug)}/history`, [["new_since", since(sent)]]));
  return readHistories(answer).flatMap(({ history }) => history);
}

function changesBy(entries: readonly HistoryEntry[], by: (who: string) => boolean) {
  return entries
    .filter(({ who }) => by(who))
    .flatMap(({ who, when, changes }) => changes.map((change) => ({ ...change, who, when })));
}

/** The answer that was lost, as the histories tell it. */
async function changedBugs(sent: Sent, eyes: Eyes): Promise<readonly Json[]> {
  const ids = targetsOf(sent.request);
  const [first = "", ...rest] = ids;
  const query = [...rest.map((id) => ["ids", id] as const), ["new_since", since(sent)] as const];
  const histories = readHistories(await eyes.ask(get(`/rest/bug/${segment(first)}/history`, query)));
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
  const rows = changesBy(history?.history ?? [], (who) => isMine(eyes, who) !== false).filter(
    ({ when }) => when >= (before ?? "") && !precedes(sent, when),
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
