import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { ChangedBug, Changes, Comment, HistoryEntry } from "../../wire/resources.ts";
import { GET_ATTACHMENTS, GET_BUG_ATTACHMENTS } from "../operations/attachments.ts";
import { BUG_HISTORY, GET_BUG, SEARCH_BUGS } from "../operations/bugs.ts";
import { GET_COMMENTS, GET_COMMENTS_BY_ID } from "../operations/comments.ts";
import { pathValues } from "../operations/known-operations.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { GET_GROUP } from "../operations/tracker.ts";
import { hasCode } from "../response/response.ts";
import {
  readAttachments,
  readBugAttachments,
  readBugComments,
  readBugs,
  readChangedItems,
  readGroups,
  readHistories,
  readTexts,
  unexpectedShapeError,
} from "../response/response-objects.ts";
import {
  changedNames,
  isAsRequested,
  previewChanges,
  requestBody,
  STATUS_FIELDS,
  sameValue,
  updatedFields,
  writeTargets,
} from "../write/changes.ts";
import type { KnownWrite } from "./outcome.ts";

/** An object that a write may have made; `isEqual`: as the tracker stores what was sent. */
export type Candidate = {
  readonly names: readonly string[]; // by which other writes have it as their result, see `resultsOf`; the first for users
  readonly who: string;
  readonly when: string;
  readonly isEqual: boolean;
  readonly response: Json; // of the write that made it
};

/** Candidates, exactly one of which must be made by the write; or the response, if values decide. */
export type Found = readonly Candidate[] | { readonly response: Json };

export type Search = {
  readonly request: Request;
  readonly before: readonly JsonObject[]; // its objects; empty if they were not read
  readonly read: SendRequest;
  readonly me: string | undefined;
  readonly since: string | undefined; // a little before the write left; undefined: unknown
  readonly isOurs: (who: string, when: string) => boolean; // by this user since the write left
  readonly isKnown: (name: string) => boolean; // the result of another write, see `resultsOf`
};

/** Looks for a new comment by its text and privacy. */
export async function findComment(search: Search): Promise<Found> {
  const { is_private } = requestBody(search.request);
  const [bug = ""] = writeTargets(search.request);
  const text = textSent(search.request);
  const isEqual = (one: Comment) => storedComment(one.text) === text && one.is_private === (is_private === true);
  return commentCandidates(bug, search, isEqual, ({ id }) => ({ id }));
}

async function commentCandidates(
  bug: string,
  { read, since }: Search,
  isEqual: (comment: Comment) => boolean,
  response: (comment: Comment) => Json,
): Promise<Candidate[]> {
  const found = readBugComments(await read(requestFor(GET_COMMENTS, { id_or_alias: bug, new_since: since })));
  const [comments] = [...found.values()];
  if (!comments) throw unexpectedShapeError(`comments of bug ${bug}`);
  return comments
    .filter(({ count }) => count !== 0)
    .map((one) => ({
      names: [`comment ${one.id}`, commentName(one.bug_id, one.time, storedComment(one.text))],
      who: one.creator,
      when: one.time,
      isEqual: isEqual(one),
      response: response(one),
    }));
}

/** Looks for a new bug: by its alias, which is unique, else among those that the user filed since. */
export async function findBug({ request, read, me, since }: Search): Promise<Found> {
  const body = requestBody(request);
  const { alias = [], product, component, description, comment = description } = body;
  const [name] = /[^\s,]+/.exec(String(alias)) ?? []; // a list is joined by commas
  if (name === undefined && (me === undefined || since === undefined)) return [];
  const criteria = name === undefined ? { creator: me, creation_time: since, limit: "0" } : { alias: name };
  const bugs = readBugs(await read(requestFor(SEARCH_BUGS, { ...criteria, include_fields: FIELDS })));
  const candidates: Candidate[] = [];
  for (const { id, summary, creator, creation_time, ...bug } of bugs) {
    const [who, when] = [creator ?? "", creation_time ?? ""];
    const isAlike = bug.product === product && bug.component === component && summary === storedLine(body["summary"]);
    const isEqual = isAlike && (await readDescription(id, read)) === storedComment(String(comment ?? ""));
    candidates.push({ names: [`bug ${id}`], who, when, isEqual, response: { id } });
  }
  return candidates;
}

async function readDescription(bug: number, read: SendRequest): Promise<string> {
  const [comments] = readBugComments(await read(requestFor(GET_COMMENTS, { id_or_alias: bug }))).values();
  return storedComment(comments?.[0]?.text ?? "");
}

const FIELDS = "id,summary,product,component,creator,creation_time";

/** A text of one line as trackers store it. @see Bugzilla/Util.pm, `clean_text` */
function storedLine(text: Json | undefined): string {
  return String(text ?? "")
    .replace(/\p{Cc}+/gu, " ")
    .trim();
}

/** Looks for a new attachment by name, summary, size and privacy. */
export async function findAttachment({ request, read }: Search): Promise<Found> {
  const [bug = "", another] = writeTargets(request);
  if (another !== undefined) return []; // of several bugs: cannot be told
  const { file_name, summary, is_private, data } = requestBody(request);
  const listing = requestFor(GET_BUG_ATTACHMENTS, { id: bug, exclude_fields: "data" });
  const found = readBugAttachments(await read(listing)).get(bug);
  if (!found) throw unexpectedShapeError(`attachments of bug ${bug}`);
  const size = request.file?.size ?? Buffer.byteLength(String(data ?? ""), "base64");
  return found.map((one) => ({
    names: [`attachment ${one.id}`],
    who: one.creator,
    when: one.creation_time,
    isEqual:
      one.file_name === storedLine(file_name) &&
      one.summary === storedLine(summary) &&
      (one.size ?? size) === size &&
      Boolean(one.is_private) === Boolean(is_private),
    response: { ids: [one.id] },
  }));
}

/** Looks for an update of one bug: a comment decides, then hours, values, and the history. */
export async function findBugUpdate(search: Search): Promise<Found> {
  const { request, read, since, isOurs } = search;
  const [bug = ""] = writeTargets(request);
  const { ids: _, comment, ...body } = requestBody(request);
  const [log] = readHistories(await read(requestFor(BUG_HISTORY, { ids: [bug], new_since: since })));
  const own = entriesAbout(body, log?.history ?? []).filter(({ who, when }) => isOurs(who, when));
  const text = textSent(request);
  if (text !== undefined) {
    const isPrivate = Object(comment).is_private === true;
    const isStored = (stored: string) =>
      stored === text || (body["dupe_of"] !== undefined && stored.startsWith(`${text}\n\n`));
    const isEqual = (one: Comment) => isStored(storedComment(one.text)) && one.is_private === isPrivate;
    const entriesAt = (time: string) => own.filter(({ when }) => Date.parse(when) === Date.parse(time));
    const response = ({ time }: Comment) => updateResponse(bug, time, changesIn(entriesAt(time)));
    return commentCandidates(bug, search, isEqual, response);
  }
  if (body["work_time"] === undefined) return findValues(bug, body, own, search);
  return own.flatMap((one) => hoursIn(one, bug, Number(body["work_time"])));
}

/**
 * Entries with only the changes of the fields of an update, and of those that a move of the status
 * sets: Bugzilla merges all changes of a user within a second.
 */
function entriesAbout(body: JsonObject, entries: readonly HistoryEntry[]): HistoryEntry[] {
  const names = Object.keys(body);
  const isMove = names.some((name) => STATUS_FIELDS.includes(name));
  const requested = [...names.flatMap(changedNames), ...(isMove ? STATUS_FIELDS : [])];
  const isRequested = ({ field_name }: { field_name: string }) => requested.includes(field_name);
  return entries.map((entry) => ({ ...entry, changes: entry.changes.filter(isRequested) }));
}

function updateResponse(bug: string, when: string, changes: Changes): Json {
  return { bugs: [{ id: Number(bug), alias: [], last_change_time: when, changes }] };
}

function changesIn(entries: readonly HistoryEntry[]): Changes {
  const changes = entries.flatMap((entry) => entry.changes);
  return Object.fromEntries(changes.map(({ field_name, added, removed }) => [field_name, { added, removed }]));
}

/** The hours of an entry, as `"0.50 0.50"` if some were added twice in its second. */
function hoursIn({ who, when, changes }: HistoryEntry, bug: string, hours: number): Candidate[] {
  const rows = changes.filter(({ field_name }) => field_name === "work_time");
  return rows.map(({ added }) => ({
    names: [hoursName(bug, added), changeName(bug, when)],
    who,
    when,
    isEqual: Number(added) === hours,
    response: updateResponse(bug, when, changesIn([{ who, when, changes }])),
  }));
}

/** The response of an update whose every value the bug or its history has. */
async function findValues(
  id: string,
  body: JsonObject,
  own: readonly HistoryEntry[],
  { read, isKnown, before: [before] }: Search,
): Promise<Found> {
  const names = Object.keys(body);
  const isHidden = (name: string) => name === "comment_is_private" || name.startsWith("reset_");
  if (names.length === 0 || names.some(isHidden)) return [];
  const fields = ["id", "last_change_time", ...updatedFields(body)].join(",");
  const [bug] = readBugs(await read(requestFor(GET_BUG, { id_or_alias: id, include_fields: fields })));
  const changed = own.filter(({ when }) => !isKnown(changeName(id, when)));
  const isApplied = ([name, sent]: [string, Json]) =>
    isAsRequested(name, sent, bug as JsonObject, before) || isInHistory(name, sent, changed);
  if (bug?.id !== Number(id) || !Object.entries(body).every(isApplied)) return [];
  const entries = own.filter(({ changes }) => changes.length > 0);
  const made = entries.length > 0 || !before ? changesIn(entries) : previewChanges(before, body); // the login is unknown
  return { response: updateResponse(id, entries.at(-1)?.when ?? bug.last_change_time ?? "", made) };
}

/** True if an entry set a field to this value. Items of lists, joined there, decide nothing. */
function isInHistory(name: string, sent: Json, entries: readonly HistoryEntry[]): boolean {
  const fields = changedNames(name);
  const rows = entries.flatMap(({ changes }) => changes).filter(({ field_name }) => fields.includes(field_name));
  return typeof sent !== "object" && rows.some((row) => sameValue(row.added, sent));
}

export async function findTags({ request, read }: Search): Promise<Found> {
  const { add = [], remove = [] } = requestBody(request);
  const { comment_id: id = "" } = pathValues(request);
  const { comments } = Object(await read(requestFor(GET_COMMENTS_BY_ID, { comment_id: id })));
  const tags = readTexts(Object(Object(comments)[id]).tags);
  return hasAllValues({ tags: { add, remove } }, { tags }) ? { response: tags } : [];
}

/** Looks for an update of attachments: a comment decides, else the values of all. */
export async function findAttachmentUpdate(search: Search): Promise<Found> {
  const { request, read } = search;
  const { comment: _, ids: __, ...body } = requestBody(request);
  const ids = writeTargets(request);
  const now = readAttachments(await read(requestFor(GET_ATTACHMENTS, { attachment_ids: ids, exclude_fields: "data" })));
  const attachments = now.map(({ id, last_change_time }) => ({ id, last_change_time, changes: changesOf(id, search) }));
  const text = textSent(request);
  if (text !== undefined) {
    const isStored = (stored: string) => stored === text || stored.endsWith(`\n\n${text}`);
    const isEqual = (one: Comment) => String(one.attachment_id) === ids[0] && isStored(storedComment(one.text));
    return commentCandidates(String(now[0]?.bug_id), search, isEqual, () => ({ attachments }));
  }
  const isThere = (id: string) =>
    hasAllValues(body, now.find((one) => String(one.id) === id) as JsonObject | undefined);
  return ids.every(isThere) ? { response: { attachments } } : [];
}

/** Looks for groups by name, which is unique, or by id: new, or with the values of an update. */
export async function findGroups(search: Search): Promise<Found> {
  const { request, read } = search;
  const isNew = request.operation === "Create Group";
  const { ids: _, icon_url: __, ...body } = requestBody(request); // no tracker shows icons
  const targets = isNew ? [String(body["name"])] : writeTargets(request);
  const groups = await readNamedGroups(targets, read);
  const isThere = (target: string) => groups.some(({ id, name }) => [String(id), name].includes(target));
  if (!targets.every(isThere) || !groups.every((group) => hasAllValues(body, group))) return [];
  const changed = groups.map(({ id = 0 }) => ({ id, changes: changesOf(id, search) }));
  return { response: isNew ? { id: changed[0]?.id ?? 0 } : { groups: changed } };
}

/** Changes of an object that has the values of an update, as far as it was read before. */
function changesOf(id: Json, { request, before }: Search): Changes {
  const was = before.find((one) => one["id"] === id);
  return was ? previewChanges(was, requestBody(request)) : {};
}

/** Groups by their names or ids; none if one is missing. */
async function readNamedGroups(names: string[], read: SendRequest): Promise<JsonObject[]> {
  try {
    const pairs = names.map((name) => [Number.isNaN(Number(name)) ? "names" : "ids", name] as const);
    return readGroups(await read(requestFor(GET_GROUP, pairs))) as unknown as JsonObject[];
  } catch (error) {
    if (hasCode(error, "object_does_not_exist")) return [];
    throw error;
  }
}

/** True if an object shows all of these values; a value that it does not show decides nothing. */
function hasAllValues(body: JsonObject, now: JsonObject = {}): boolean {
  const values = Object.entries(body);
  return values.length > 0 && values.every(([name, sent]) => isAsRequested(name, sent, now));
}

/** Equal for two writes that may have made the same stored object. */
export function traceOf(request: Request): string {
  const { work_time, ids: _, ...values } = requestBody(request);
  const text = request.operation === "Create Attachment" ? undefined : textSent(request);
  const kind = text === undefined ? request.operation : "comment";
  return JSON.stringify([kind, writeTargets(request), text ?? work_time ?? values]);
}

/** Names of the objects that a write is known to have made. */
export function resultsOf({ request, st, response = null }: KnownWrite): string[] {
  if (st !== "applied") return [];
  const { operation = "" } = request;
  if (operation === "Update Bug")
    return readChangedItems<ChangedBug>(response, "bugs").flatMap(({ id, last_change_time: when }) => [
      changeName(id, when),
      commentName(id, when, textSent(request) ?? ""),
    ]);
  const made = createdIds(response).map((id) => `${CREATED[operation]} ${id}`);
  return [...made, hoursName(writeTargets(request)[0], requestBody(request)["work_time"])];
}

const CREATED: Readonly<Record<string, string>> = {
  "Create Bug": "bug",
  "Create Comments": "comment",
  "Create Attachment": "attachment",
};

/** Name of the changes of an update, which all have the time that Bugzilla reports. */
function changeName(bug: number | string, when: string): string {
  return `change of bug ${bug} at ${Date.parse(when)}`;
}

function commentName(bug: number, when: string, text: string): string {
  return `comment on bug ${bug} at ${Date.parse(when)}: ${text}`;
}

/** Name of the hours of a comment; its response has no time. */
function hoursName(bug: string | undefined, hours: Json | undefined): string {
  return `${Number(hours ?? 0)} hours on bug ${bug}`;
}

/** The comment of a write as it is stored; undefined without one, or if it is blank. */
export function textSent(request: Request): string | undefined {
  const { comment } = requestBody(request);
  const text = isObject(comment) ? (comment["body"] ?? comment["comment"]) : comment;
  return typeof text === "string" && text.trim() !== "" ? storedComment(text) : undefined;
}

/** A comment as trackers store it. @see Bugzilla/Comment.pm, `_check_thetext` */
function storedComment(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").trimEnd();
}

/** Ids of new objects in a response: its `id`, its `ids`, or the names in `attachments`. */
export function createdIds(response: Json): number[] {
  const { id, ids = id, attachments } = Object(response) as JsonObject;
  const found = ids === undefined ? Object.keys(Object(attachments)).map(Number) : [ids].flat();
  return found.map(Number).filter((one) => Number.isSafeInteger(one) && one > 0);
}
