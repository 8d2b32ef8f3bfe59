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
import { timestamp } from "../wire/time.ts";
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
 * Makes a mirror equal to what its login sees. Ids and times are listed, all of them once a day, and bugs whose time differs are
 * read in full; so a sync that was interrupted goes on where it was, and a first sync is like any other. Returns numbers of bugs,
 * and the ids of those that could not be read.
 * @throws BtError of kind guard for another login
 */
export async function syncMirror(options: SyncOptions) {
  const { store, send, now, onProgress } = options;
  const begun = timestamp(now());
  checkLogin(store.facts(), await options.login());
  await syncGroups(store, send);
  await syncMetadata(store, send);
  const before = store.facts();
  const stored = store.changeTimes();
  const { isWhole, times } = await listBugs(before, { stored, begun }, options);
  const near = before.mark === before.settled ? undefined : momentBefore(before.mark ?? begun, NEAR_MS);
  const outdated = [...stored].filter(([, time]) => time === "").map(([id]) => id);
  const changed = [...times].filter(([id, time]) => stored.get(id) !== time || (near && time >= near));
  const ids = [...new Set([...outdated, ...changed.map(([id]) => id)])];
  const result = { added: 0, changed: 0, removed: 0 };
  const remove = (gone: readonly number[]) => {
    const held = gone.filter((id) => stored.has(id));
    store.removeBugs(held);
    result.removed += held.length;
  };
  const read = new Set<number>();
  const chunks = inChunks(ids, BUGS_AT_ONCE);
  for await (const { bugs, gone } of mapAhead(chunks, (some) => readTolerantly(some, store, send))) {
    store.keepBugs(bugs);
    remove(gone);
    result.added += bugs.filter(({ id }) => !stored.has(id)).length;
    result.changed += bugs.filter(({ id, bug }) => stored.has(id) && stored.get(id) !== bug.last_change_time).length;
    for (const id of [...gone, ...bugs.map((bug) => bug.id)]) read.add(id);
    await onProgress?.(read.size, ids.length);
  }
  if (isWhole) remove([...stored.keys()].filter((id) => !times.has(id)));
  const checked = isWhole ? begun.slice(0, 10) : before.checked;
  const failed = ids.filter((id) => !read.has(id));
  const mark = newestOf(times, now()) ?? before.mark;
  const isSettled = mark === before.mark && (before.lastSync ?? begun) < momentBefore(begun, NEAR_MS) && !failed.length;
  store.setFacts({ mark, settled: isSettled ? mark : before.settled, checked, lastSync: begun });
  return { ...result, failed };
}

/** Bugs in one request for comments, for history, and for attachments. */
const BUGS_AT_ONCE = 100;

/** A bulk update appears minutes after its stamps, and in autumn the clock of a server goes back. */
const REACH_MS = 25 * 3_600_000;

/** Changes so near to the mark may have its stamp, although they were made after it was seen. */
const NEAR_MS = 10_000;

function checkLogin({ login, tracker }: Facts, proven: string | null): void {
  if (login === null ? proven === null : isSameLogin(login, proven)) return;
  const [whose, now] = [login ?? "everybody", proven ?? "nobody"];
  throw new BtError("guard", `the mirror is of ${tracker} as seen by ${whose}, but you are ${now}`, {
    hint: login === null ? "create another mirror for that login" : "bt auth login",
  });
}

/** Other groups see other bugs, private comments and fields: then all bugs are read again. */
async function syncGroups(store: Store, send: SendRequest): Promise<void> {
  const { login, groups: before } = store.facts();
  if (login === null) return;
  const parameters = { names: login, include_fields: "name,groups" };
  const [user] = objectsIn(await readIfAllowed(GET_USERS, "users", send, parameters));
  const names = objectsIn(user?.["groups"]).map(({ name }) => String(name));
  const groups = user?.["groups"] === undefined ? before : names.sort();
  const isOther = before !== null && JSON.stringify(groups) !== JSON.stringify(before);
  if (isOther) store.markOutdated("1");
  store.setFacts(isOther ? { groups, checked: null } : { groups });
}

/**
 * Reads the metadata; what the login may not read is empty. Bugs with a value that was renamed or deleted are read again.
 * @throws BtError of kind missing if a product of the mirror was deleted or is hidden from its login: its bugs are kept
 */
async function syncMetadata(store: Store, send: SendRequest): Promise<void> {
  const read = async (operation: Operation, member: string) => (await readIfAllowed(operation, member, send)) ?? [];
  const products = listUnder(await send(requestFor(GET_PRODUCTS, { type: "accessible" })), "products");
  const names = objectsIn(products).map(({ name }) => name);
  const gone = store.facts().products.find((name) => !names.includes(name));
  if (gone !== undefined)
    throw new BtError("missing", `the tracker does not list the product ${gone} of the mirror`, {
      hint: "the mirror keeps its bugs; bt mirror drop deletes it",
    });
  const fields = await read(GET_FIELDS, "fields");
  if (JSON.stringify(fields) !== JSON.stringify(store.metadata("fields"))) outdateRenamed(objectsIn(fields), store);
  store.keepMetadata({ fields, products, groups: await read(GET_GROUP, "groups") });
}

/** A member of a response; undefined if the tracker does not offer it, or not to this login. */
async function readIfAllowed(operation: Operation, member: string, send: SendRequest, values = {}) {
  const response = await send(requestFor(operation, values)).catch((error: unknown) => {
    if (isKind(error, "missing", "refused", "reply", "auth")) return undefined;
    throw error;
  });
  return isObject(response) ? response[member] : undefined;
}

function outdateRenamed(fields: readonly JsonObject[], store: Store): void {
  for (const { name, values } of fields) {
    const column = fieldNamed(String(name))?.api ?? String(name);
    const legal = objectsIn(values).map((value) => columnText(String(value["name"])));
    if (columnKind(column) !== "text" || legal.length === 0) continue;
    store.markOutdated(`${column} <> '' AND ${column} NOT IN (SELECT value FROM json_each(?))`, [
      JSON.stringify(legal),
    ]);
  }
}

type Listing = { readonly stored: ReadonlyMap<number, string>; readonly begun: string };

/** Bugs by their times of change: all once a day and where something went back, else bugs changed since the day before the mark. */
async function listBugs({ mark, checked, products }: Facts, { stored, begun }: Listing, { searches }: SyncOptions) {
  const part = products.length > 0 ? fieldTest("product", "=", ...products) : EVERY_BUG;
  const list = async (query: Query) => {
    const times = new Map<number, string>();
    for await (const page of searches.pages({ query }, { include: ["id", "last_change_time"] }))
      for (const { id, last_change_time } of page) times.set(id, receivedTime(last_change_time));
    return times;
  };
  if (mark !== null && checked === begun.slice(0, 10)) {
    const since = momentBefore(mark, REACH_MS);
    const times = await list(allOf<Leaf>([part, fieldTest("last_change_time", ">=", since)]));
    const recent = [...stored].filter(([, time]) => time >= since);
    if (recent.every(([id, time]) => (times.get(id) ?? "") >= time)) return { isWhole: false, times };
  } // a bug is hidden, deleted or moved, or its tracker was restored from a backup
  return { isWhole: true, times: await list(part) };
}

/** Bugs that were read, and ids of hidden or deleted bugs. */
type FullRead = { readonly bugs: readonly MirroredBug[]; readonly gone: readonly number[] };

/** Reads bugs in full; in halves where one of them spoils the response, until it is left out alone. */
async function readTolerantly(some: readonly number[], store: Store, send: SendRequest): Promise<FullRead> {
  try {
    return await readInFull(some, store, send);
  } catch (error) {
    if (!isKind(error, "reply") && !hasCode(error, "internal")) throw error;
    if (some.length === 1) return { bugs: [], gone: [] };
    const middle = Math.ceil(some.length / 2);
    const first = await readTolerantly(some.slice(0, middle), store, send);
    const second = await readTolerantly(some.slice(middle), store, send);
    return { bugs: [...first.bugs, ...second.bugs], gone: [...first.gone, ...second.gone] };
  }
}

/** Reads bugs, and then what belongs to them: a change in between gives the bug another time at the next sync. */
async function readInFull(some: readonly number[], store: Store, send: SendRequest): Promise<FullRead> {
  const outcomes = await requestAll(some.map(String), bugPlan(["_all"]), send);
  const refs = foundThings(outcomes).map(({ id }) => String(id));
  const [comments, histories, attachments] = await Promise.all([
    requestAll(refs, commentsPlan(), send),
    requestAll(refs, historyPlan(), send),
    requestAll(refs, ATTACHMENTS_OF_BUGS, send),
  ]);
  const bugs: MirroredBug[] = [];
  for (const [at, bug] of foundThings(outcomes).entries()) {
    const files = attachments[at];
    const attached = files && "error" in files && isKind(files.error, "missing") ? [] : thingOf(files); // a plain server
    const [own, history] = [thingOf(comments[at]), thingOf(histories[at])?.history];
    if (own && history && attached) bugs.push({ id: bug.id, bug, comments: own, history, attachments: attached });
  }
  if (store.facts().attachments === "all") await copyContents(bugs, store, send);
  const gone = outcomes.flatMap((one) => ("error" in one && one.error.kind === "missing" ? Number(one.ref) : []));
  return { bugs, gone };
}

function thingOf<Thing>(outcome: BatchOutcome<Thing> | undefined): Thing | undefined {
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

/** The greatest time that can be true: a later one as the mark would hide all later changes. */
function newestOf(times: ReadonlyMap<number, string>, now: Date): string | undefined {
  const limit = momentBefore(now.toISOString(), -26 * 3_600_000);
  const possible = [...times.values()].filter((time) => time <= limit);
  return possible.sort().at(-1);
}
