import { type BatchOutcome, foundThings, mapAhead, requestAll } from "../api/batch.ts";
import { ATTACHMENTS_OF_BUGS, bugPlan, commentsPlan, historyPlan, momentBefore } from "../api/bugs.ts";
import { inChunks } from "../api/lists.ts";
import { GET_ATTACHMENTS } from "../api/operations/attachments.ts";
import { type Operation, requestFor, type SendRequest } from "../api/operations/operation.ts";
import { GET_FIELDS, GET_GROUP, GET_PRODUCTS, GET_USERS } from "../api/operations/tracker.ts";
import { isSameLogin } from "../api/people.ts";
import { fieldTest } from "../api/query/families.ts";
import { allOf, EVERY_BUG, type Leaf, type Query } from "../api/query/tree.ts";
import { hasCode } from "../api/response/response.ts";
import { listUnder, readAttachments, receivedTime } from "../api/response/response-objects.ts";
import type { Searches } from "../api/search/searches.ts";
import { BtError, isKind } from "../errors.ts";
import type { JsonObject } from "../wire/exchange.ts";
import { isObject, objectsIn } from "../wire/json.ts";
import { fieldNamed } from "../wire/search-names.ts";
import { HOUR_MS, timestamp } from "../wire/time.ts";
import { columnKind, columnText } from "./columns.ts";
import type { Facts, MirroredBug, Store } from "./store.ts";

export type SyncOptions = {
  readonly store: Store;
  readonly send: SendRequest; // to the tracker
  readonly searches: Pick<Searches, "pages">;
  readonly login: () => Promise<string | null>; // as the tracker proves it now; null: nobody
  readonly now: () => Date;
  readonly onProgress?: (done: number, of: number) => Promise<void>;
};

/**
 * Makes a mirror equal to what its login sees. Lists ids and times of change, of all bugs once a day, and reads bugs in full
 * whose time differs from that in the mirror: so an interrupted sync continues, and a first sync is like any other. Returns
 * numbers of bugs, and the ids of bugs that could not be read.
 * @throws BtError of kind guard for another login
 */
export async function syncMirror(options: SyncOptions) {
  const { store, send, now, onProgress } = options;
  const start = timestamp(now());
  checkLogin(store.facts(), await options.login());
  await syncGroups(store, send);
  await syncMetadata(store, send);
  const before = store.facts();
  const stored = store.changeTimes();
  const { isWhole, times } = await listBugs(before, stored, start, options);
  const ids = chooseIdsToRead(before, stored, times, start);
  const result = { added: 0, changed: 0, removed: 0 };
  const remove = (gone: readonly number[]) => {
    const mirrored = gone.filter((id) => stored.has(id));
    store.removeBugs(mirrored);
    result.removed += mirrored.length;
  };
  const done = new Set<number>();
  const chunks = inChunks(ids, BUGS_AT_ONCE);
  for await (const { bugs, gone } of mapAhead(chunks, (chunk) => readTolerantly(chunk, store, send))) {
    store.keepBugs(bugs);
    remove(gone);
    result.added += bugs.filter(({ id }) => !stored.has(id)).length;
    result.changed += bugs.filter(({ id, bug }) => stored.has(id) && stored.get(id) !== bug.last_change_time).length;
    for (const id of [...gone, ...bugs.map((bug) => bug.id)]) done.add(id);
    await onProgress?.(done.size, ids.length);
  }
  if (isWhole) remove([...stored.keys()].filter((id) => !times.has(id)));
  const failed = ids.filter((id) => !done.has(id));
  const mark = findNewest(times, now()) ?? before.mark;
  // no later change has the time of the mark
  const isMarkPast = (before.lastSync ?? start) < momentBefore(start, NEAR_MS);
  const settled = mark === before.mark && isMarkPast && failed.length === 0 ? mark : before.settled;
  store.setFacts({ mark, settled, checked: isWhole ? dayOf(start) : before.checked, lastSync: start });
  return { ...result, failed };
}

/** Bugs in one request for comments, for history, and for attachments. */
const BUGS_AT_ONCE = 100;

/** Changes so near to the mark may have its time, although they were made after it was seen. */
const NEAR_MS = 10_000;

function checkLogin({ login, tracker }: Facts, proven: string | null): void {
  if (isSameLogin(login, proven)) return;
  const [mirrored, current] = [login ?? "everybody", proven ?? "nobody"];
  throw new BtError("guard", `the mirror is of ${tracker} as seen by ${mirrored}, but you are ${current}`, {
    hint: login === null ? "create another mirror for that login" : "bt auth login",
  });
}

/** Stores the groups of the login; other groups see other bugs, so all are read again. */
async function syncGroups(store: Store, send: SendRequest): Promise<void> {
  const { login, groups: before } = store.facts();
  if (login === null) return;
  const parameters = { names: login, include_fields: "name,groups" };
  const [user] = objectsIn(await readIfAllowed(GET_USERS, "users", send, parameters));
  const names = objectsIn(user?.["groups"]).map(({ name }) => String(name));
  const groups = user?.["groups"] === undefined ? before : names.sort();
  const hasChanged = before !== null && JSON.stringify(groups) !== JSON.stringify(before);
  if (hasChanged) store.markOutdated("1");
  store.setFacts(hasChanged ? { groups, checked: null } : { groups });
}

/**
 * Stores fields, products and groups; lists that the login may not read are empty. Bugs with a value that was renamed or deleted
 * are read again.
 * @throws BtError of kind missing if a product of the mirror was deleted or is hidden from its login: its bugs are kept
 */
async function syncMetadata(store: Store, send: SendRequest): Promise<void> {
  const read = async (operation: Operation, member: string) => (await readIfAllowed(operation, member, send)) ?? [];
  const response = await send(requestFor(GET_PRODUCTS, { type: "accessible" })).catch(undefinedIfMissing);
  const products = response === undefined ? undefined : listUnder(response, "products");
  const names = objectsIn(products).map(({ name }) => name);
  const gone = products && store.facts().products.find((name) => !names.includes(name));
  if (gone !== undefined)
    throw new BtError("missing", `the tracker does not list the product ${gone} of the mirror`, {
      hint: "the mirror keeps its bugs; bt mirror drop deletes it",
    });
  const fields = await read(GET_FIELDS, "fields");
  const haveChanged = JSON.stringify(fields) !== JSON.stringify(store.metadata("fields"));
  if (haveChanged) markIllegalOutdated(objectsIn(fields), store);
  store.keepMetadata({ fields, products: products ?? [], groups: await read(GET_GROUP, "groups") });
}

/** Returns undefined for a list that a plain server does not have. @throws any other error */
function undefinedIfMissing(error: unknown): undefined {
  if (!isKind(error, "missing")) throw error;
}

/** A member of a response; undefined if the tracker does not offer it to this login. */
async function readIfAllowed(operation: Operation, member: string, send: SendRequest, parameters = {}) {
  const response = await send(requestFor(operation, parameters)).catch((error: unknown) => {
    if (isKind(error, "missing", "refused", "reply", "auth")) return undefined;
    throw error;
  });
  return isObject(response) ? response[member] : undefined;
}

/** Marks bugs with a value that is not among the legal values of its field. */
function markIllegalOutdated(fields: readonly JsonObject[], store: Store): void {
  for (const { name, values } of fields) {
    const column = fieldNamed(String(name))?.api ?? String(name);
    const legal = objectsIn(values).map((value) => columnText(String(value["name"])));
    if (columnKind(column) !== "text" || legal.length === 0) continue;
    store.markOutdated(`${column} <> '' AND ${column} NOT IN (SELECT value FROM json_each(?))`, [
      JSON.stringify(legal),
    ]);
  }
}

/** Times of change by id. */
type ChangeTimes = ReadonlyMap<number, string>;

/** Lists all bugs once a day, and where a time of change went back; else bugs changed since a day before the mark. */
async function listBugs(before: Facts, stored: ChangeTimes, start: string, { searches }: SyncOptions) {
  const { mark, checked, products } = before;
  const ofProducts = products.length > 0 ? fieldTest("product", "=", ...products) : EVERY_BUG;
  const list = async (query: Query): Promise<ChangeTimes> => {
    const times = new Map<number, string>();
    for await (const page of searches.pages({ query }, { include: ["id", "last_change_time"] }))
      for (const { id, last_change_time } of page) times.set(id, receivedTime(last_change_time));
    return times;
  };
  if (mark !== null && checked === dayOf(start)) {
    const since = momentBefore(mark, REACH_MS);
    const times = await list(allOf<Leaf>([ofProducts, fieldTest("last_change_time", ">=", since)]));
    const recent = [...stored].filter(([, time]) => time >= since);
    if (recent.every(([id, time]) => (times.get(id) ?? "") >= time)) return { isWhole: false, times };
  } // a bug is hidden, deleted or moved, or its tracker was restored from a backup
  return { isWhole: true, times: await list(ofProducts) };
}

/** A bulk update appears minutes after its times of change, and in autumn the clock of a server goes back. */
const REACH_MS = 25 * HOUR_MS;

function dayOf(time: string): string {
  return time.slice(0, "YYYY-MM-DD".length);
}

/** Ids of outdated and changed bugs, and of bugs near an unsettled mark, which may change again. */
function chooseIdsToRead({ mark, settled }: Facts, stored: ChangeTimes, listed: ChangeTimes, start: string): number[] {
  const nearSince = mark === settled ? undefined : momentBefore(mark ?? start, NEAR_MS);
  const outdated = [...stored].filter(([, time]) => time === "");
  const changed = [...listed].filter(([id, time]) => stored.get(id) !== time || (nearSince && time >= nearSince));
  return [...new Set([...outdated, ...changed].map(([id]) => id))];
}

/** Bugs that were read, and ids of hidden or deleted bugs. */
type FullRead = { readonly bugs: readonly MirroredBug[]; readonly gone: readonly number[] };

/** Reads bugs in full; where a response cannot be used, in halves, without the bug that is why. */
async function readTolerantly(ids: readonly number[], store: Store, send: SendRequest): Promise<FullRead> {
  try {
    return await readInFull(ids, store, send);
  } catch (error) {
    if (!isKind(error, "reply") && !hasCode(error, "internal")) throw error;
    if (ids.length === 1) return { bugs: [], gone: [] };
    const middle = Math.ceil(ids.length / 2);
    const first = await readTolerantly(ids.slice(0, middle), store, send);
    const second = await readTolerantly(ids.slice(middle), store, send);
    return { bugs: [...first.bugs, ...second.bugs], gone: [...first.gone, ...second.gone] };
  }
}

/**
 * Reads bugs, then their parts: a change in between gives the bug another time at the next sync. A bug is left out if one of its
 * parts cannot be read.
 */
async function readInFull(ids: readonly number[], store: Store, send: SendRequest): Promise<FullRead> {
  const outcomes = await requestAll(ids.map(String), bugPlan(["_all"]), send);
  const found = foundThings(outcomes);
  const refs = found.map(({ id }) => String(id));
  const [commentLists, histories, attachmentLists] = await Promise.all([
    requestAll(refs, commentsPlan(), send),
    requestAll(refs, historyPlan(), send),
    requestAll(refs, ATTACHMENTS_OF_BUGS, send).catch(undefinedIfMissing),
  ]);
  const bugs: MirroredBug[] = [];
  for (const [at, bug] of found.entries()) {
    const comments = foundThing(commentLists[at]);
    const history = foundThing(histories[at])?.history;
    const attachments = attachmentLists ? foundThing(attachmentLists[at]) : [];
    if (comments && history && attachments) bugs.push({ id: bug.id, bug, comments, history, attachments });
  }
  if (store.facts().attachments === "all") await copyContents(bugs, store, send);
  const gone = outcomes.filter((outcome) => "error" in outcome && isKind(outcome.error, "missing"));
  return { bugs, gone: gone.map(({ ref }) => Number(ref)) };
}

function foundThing<Thing>(outcome: BatchOutcome<Thing> | undefined): Thing | undefined {
  return outcome && "thing" in outcome ? outcome.thing : undefined;
}

/** Copies the contents of attachments, one at a time: they never change. */
async function copyContents(bugs: readonly MirroredBug[], store: Store, send: SendRequest): Promise<void> {
  for (const { id } of bugs.flatMap(({ attachments }) => attachments)) {
    if (store.content(id) !== undefined) continue;
    const request = requestFor(GET_ATTACHMENTS, { attachment_ids: [id], include_fields: "id,data" });
    const [attachment] = readAttachments(await send(request)) as readonly JsonObject[];
    store.keepContent(id, String(attachment?.["data"] ?? ""));
  }
}

/** The newest time that can be true in any zone; a later mark would hide all changes before it. */
function findNewest(times: ChangeTimes, now: Date): string | undefined {
  const latest = timestamp(now.getTime() + 26 * HOUR_MS);
  const possible = [...times.values()].filter((time) => time <= latest);
  return possible.sort().at(-1);
}
