import { momentBefore } from "../api/bugs/change-reach.ts";
import { isInsider } from "../api/facts/insider.ts";
import { requestOptional } from "../api/facts/optional.ts";
import { inChunks } from "../api/lists.ts";
import { GET_GROUP } from "../api/operations/groups.ts";
import { requestFor, type SendRequest } from "../api/operations/operation.ts";
import {
  ENTERABLE_PRODUCTS,
  GET_FIELDS,
  GET_PRODUCTS,
  GET_USERS,
  LAST_AUDIT_TIME,
  PARAMETERS,
} from "../api/operations/tracker.ts";
import { isSameLogin } from "../api/people.ts";
import { listUnder, unexpectedShapeError } from "../api/response/response-objects.ts";
import { BtError, isKind, isNotOffered } from "../errors.ts";
import type { Account } from "../session/account.ts";
import type { Json, JsonObject } from "../wire/exchange.ts";
import { isObject, objectsIn } from "../wire/json.ts";
import type {
  AccentedBug,
  MirrorFacts,
  MirrorProgress,
  MirrorStore,
  ReceivedMetadata,
  TextFolding,
} from "../wire/mirror.ts";
import { timestamp } from "../wire/time.ts";
import { refreshBugs, refreshStale, type SyncContext, type SyncCount } from "./read-bugs.ts";
import { lastChangeTime, receivedId, searchPage, withRows } from "./search.ts";
import { latestPlausible, NEVER, syncChanges } from "./sync-changes.ts";
import { type OnProgress, walkBugs, walkStart } from "./walk.ts";

export type SyncOptions = {
  send: SendRequest;
  mirror: MirrorStore;
  now: () => Date;
  ticks: () => number; // monotonic clock (ms)
  account: () => Promise<Pick<Account, "state" | "login">>; // as the tracker tells it now
  onProgress?: OnProgress | undefined;
};

export type SyncResult = SyncCount & { isFirst: boolean };

/**
 * Updates a mirror to what its login sees on the tracker. It can be interrupted at any point: stored bugs are kept, and
 * the mark only moves when everything up to it is stored.
 * @throws BtError of kind auth if the requests are not answered for the mirror's login
 */
export async function syncMirror(options: SyncOptions): Promise<SyncResult> {
  const { send, mirror, now, ticks, onProgress } = options;
  const begun = timestamp(now().getTime());
  const count: SyncCount = { changed: 0, added: 0, removed: 0, failed: 0 };
  const before = mirror.facts();
  const [{ groups, savedSearches }, audit] = await Promise.all([proveLogin(before, options), readLastAuditTime(send)]);
  const metadata = await syncMetadata(before, { send, mirror, begun, audit });
  checkProducts(mirror);
  const isFirst = before.mark === null;
  if (isFirst) await begin("open", { send, mirror, now });
  else if (areOtherGroups(before, groups)) beginFullWalk(mirror);
  mirror.setFacts({ ...metadata, groups: groups ?? before.groups, savedSearches }); // what follows from them is begun
  const context = (): SyncContext => ({ send, mirror, facts: mirror.facts(), now });
  await refreshStale(count, context());
  await retryFailed(before, { begun, count, context: context() });
  const walk = async () => {
    const { progress } = mirror.facts();
    if (progress) await walkBugs(progress, { context: context(), ticks, count, onProgress });
    return syncChanges(context(), count);
  };
  let news = await walk();
  if (news.isBack) {
    await begin("check", { send, mirror, now });
    news = await walk();
  }
  mirror.setFacts({
    ...news.facts,
    ...(await detectFolding(mirror, send)),
    ...(await readInsiderFact(mirror, send)),
    lastSync: begun,
  });
  return { ...count, isFirst };
}

type Beginning = {
  send: SendRequest;
  mirror: MirrorStore;
  now: () => Date;
};

/** Begins a walk of all bugs. The mark is the time of the last change before it: changes from then on are read after it. */
async function begin(phase: MirrorProgress["phase"], { send, mirror, now }: Beginning): Promise<void> {
  const first = async (order: string) => {
    const query = withRows([], [["bug_id", "greaterthan", "0"]]);
    return (await searchPage({ query, order, include: "id,last_change_time", limit: 1 }, send))[0];
  };
  const [newest, lowest] = [await first("changeddate DESC,bug_id"), await first("bug_id")];
  const time = newest === undefined ? NEVER : lastChangeTime(newest);
  const mark = time <= latestPlausible(now()) ? time : NEVER;
  const lowestId = lowest === undefined ? 0 : receivedId(lowest);
  const fromTop = { highestId: 0, checkedAbove: null };
  mirror.setFacts({ mark, wide: mark, lowestId, ...fromTop, progress: walkStart(phase) });
}

/** Other groups see other bugs, private comments and fields. */
function areOtherGroups({ groups: before }: MirrorFacts, groups: string[] | null): boolean {
  return groups !== null && before !== null && JSON.stringify(groups) !== JSON.stringify(before);
}

/** Begins a walk, unless one that reads bugs goes on. */
function beginFullWalk(mirror: MirrorStore): void {
  const { progress } = mirror.facts();
  if (progress === null || progress.phase === "check") mirror.setFacts({ progress: walkStart("open") });
}

/**
 * @throws BtError of kind missing if a product of the mirror was deleted or is hidden from its login: the mirror keeps
 * its bugs
 */
function checkProducts(mirror: MirrorStore): void {
  const listed = mirror.productNames();
  const gone = mirror.facts().products.filter((name) => !listed.includes(name));
  if (gone.length === 0) return;
  const facts = { hint: "the mirror keeps its bugs; bt mirror drop deletes it", changed: "nothing" } as const;
  throw new BtError("missing", `the tracker does not list the product ${gone.join(", ")} of the mirror`, facts);
}

type Retry = { begun: string; count: SyncCount; context: SyncContext };

/** Bugs that failed are read again once a day. */
async function retryFailed({ checked }: MirrorFacts, { begun, count, context }: Retry): Promise<void> {
  if (checked === begun.slice(0, 10)) return;
  const ids = context.mirror.bugs({ state: "failed" }).map(({ id }) => id);
  await refreshBugs(ids, count, context);
}

/** The groups of a mirror's login, by name, and its saved searches; null if they cannot be seen. */
type ProvenLogin = { groups: string[] | null; savedSearches: JsonObject[] | null };

/**
 * Proves that requests are answered for the login whose bugs are mirrored. Servers return the groups and saved searches of
 * users to themselves only.
 * @throws BtError of kind auth if they are answered for another one, or anonymously
 */
async function proveLogin(
  { login, tracker, publicOnly }: MirrorFacts,
  { send, account }: SyncOptions,
): Promise<ProvenLogin> {
  const own = login === null ? undefined : await readOwnAccount(login, send);
  if (own) return publicOnly ? { ...own, savedSearches: null } : own;
  const { state, login: now } = await account();
  if (login === null ? state === "anonymous" : state === "logged in" && isSameLogin(now ?? login, login))
    return { groups: null, savedSearches: null };
  const who = state === "logged in" ? `authenticated as ${now ?? "another user"}` : "anonymous";
  throw new BtError("auth", `the mirror is of ${tracker} as seen by ${login ?? "everybody"}, but you are ${who}`, {
    hint: login === null ? "create another mirror for that login" : "bt auth login",
    changed: "nothing",
  });
}

async function readOwnAccount(login: string, send: SendRequest): Promise<ProvenLogin | undefined> {
  try {
    const response = await send(requestFor(GET_USERS, { names: login, include_fields: "name,groups,saved_searches" }));
    const [user] = listUnder(response, "users").filter(isObject);
    const isOwn = user !== undefined && Array.isArray(user["saved_searches"]) && Array.isArray(user["groups"]);
    if (!isOwn || !isSameLogin(String(user["name"]), login)) return undefined;
    const groups = objectsIn(user["groups"]).map((group) => String(group["name"]));
    return { groups: groups.sort(), savedSearches: objectsIn(user["saved_searches"]) };
  } catch (error) {
    if (isNotOffered(error)) return undefined;
    throw error;
  }
}

/**
 * Bugzilla shows private attachments to those who added them, but finds bugs by them for insiders alone.
 * @see Bugzilla/Attachment.pm, get_attachments_by_bug, and Bugzilla/Search.pm
 */
async function readInsiderFact(mirror: MirrorStore, send: SendRequest): Promise<Partial<MirrorFacts>> {
  const { privateComments, privateAttachments } = mirror.counts();
  if (privateComments > 0) return { isInsider: true };
  return privateAttachments > 0 ? { isInsider: (await isInsider(send)) === true } : {};
}

/**
 * Text folding of the tracker, detected by at most two searches for a bug by a variant of an accented word; null if no
 * stored bug has one.
 */
export async function detectFolding(
  mirror: Pick<MirrorStore, "facts" | "accentedBugs">,
  send: SendRequest,
): Promise<{ folding: MirrorFacts["folding"] }> {
  const { folding } = mirror.facts();
  if (folding !== null) return { folding };
  const [sample] = mirror.accentedBugs().flatMap(accentedSamples);
  if (sample === undefined) return { folding: null };
  const { id, word } = sample;
  const finds = async (text: string) => {
    const query = withRows(
      [],
      [
        ["bug_id", "equals", String(id)],
        ["short_desc", "substring", text],
      ],
    );
    return (await searchPage({ query, order: "bug_id", include: "id,last_change_time", limit: 1 }, send)).length > 0;
  };
  if (await finds(withoutMarks(word))) return { folding: "accents" };
  const found: TextFolding = (await finds(otherAccent(word))) ? "bytes" : "case";
  return { folding: found };
}

/** Accented words of a summary that are not in it without accents, or with others. */
function accentedSamples({ id, summary }: AccentedBug): { id: number; word: string }[] {
  const text = summary.normalize("NFC").toLowerCase();
  const words = [...text.matchAll(ACCENTED)].map(([word]) => word);
  const isTelling = (word: string) =>
    ![withoutMarks(word), otherAccent(word)].some((variant) => text.includes(variant));
  return words.filter(isTelling).map((word) => ({ id, word }));
}

/** A word with an accented letter of two bytes. */
const ACCENTED = /[\p{L}\p{N}]*[à-åè-ïñò-öù-ü][\p{L}\p{N}]*/giu;

function withoutMarks(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "");
}

/** The word with other accents on its letters, which have as many bytes. */
function otherAccent(word: string): string {
  return [...word].map((letter) => (withoutMarks(letter) === letter ? letter : withAccent(letter))).join("");
}

function withAccent(letter: string): string {
  const [base = ""] = letter.normalize("NFD");
  const variants = ["\u0300", "\u0301", "\u0303"].map((accent) => (base + accent).normalize("NFC"));
  return variants.find((variant) => variant !== letter && variant.length === 1) ?? letter;
}

/** Facts about the metadata of a mirror. */
type MetadataFacts = Pick<MirrorFacts, "audit" | "checked" | "settling">;

/** Options of reading metadata: the start by this machine's clock, and the last change of settings by the tracker's. */
type MetadataReading = {
  send: SendRequest;
  mirror: MirrorStore;
  begun: string;
  audit: string | null;
};

/**
 * Reloads the metadata if the tracker's settings changed, and the fields once a day, since not every tracker reports
 * the time of its last change. A replica that lags behind may return bugs with old names for a while: such bugs are
 * read again later. Returns the facts about the stored metadata.
 */
async function syncMetadata(known: MetadataFacts, reading: MetadataReading): Promise<Partial<MetadataFacts>> {
  const { send, begun, mirror, audit } = reading;
  const facts = { audit, checked: begun.slice(0, 10) };
  const isSettled = known.settling !== null && begun >= known.settling.until;
  const isChanged = known.checked === null || audit !== known.audit;
  const isSure = isChanged || isSettled;
  if (!isSure && known.checked === facts.checked) return {};
  const fields = checkedObjects(listUnder(await send(requestFor(GET_FIELDS)), "fields"));
  if (!isSure && mirror.hasFields(fields)) return facts;
  const named = await readUsersByLogin(mirror.usersWithoutId(), send);
  const users = [...(await readUsers(mirror.userIds(), send)), ...named.users];
  mirror.keepMetadata({ ...(await readMetadata(send)), fields, users });
  mirror.markStaleOf(named.gone);
  if (isSettled && known.settling) mirror.markStale(known.settling);
  return { ...facts, settling: isChanged ? settlingTime(known, begun) : null };
}

/** The time in which bugs may be received with old names; none for a first sync, after which all is read. */
function settlingTime({ checked, settling }: MetadataFacts, begun: string): MirrorFacts["settling"] {
  if (checked === null) return null;
  const isOver = settling === null || begun >= settling.until;
  return { from: isOver ? begun : settling.from, until: momentBefore(begun, -SETTLING_MS) };
}

/** A replica is not expected to lag behind for longer. */
const SETTLING_MS = 70 * 60_000;

async function readLastAuditTime(send: SendRequest): Promise<string | null> {
  const response = await requestOptional(requestFor(LAST_AUDIT_TIME), send);
  return isObject(response) ? String(response["last_audit_time"]) : null;
}

async function readMetadata(send: SendRequest): Promise<Omit<ReceivedMetadata, "fields">> {
  const products = checkedObjects(listUnder(await send(requestFor(GET_PRODUCTS, { type: "accessible" })), "products"));
  const enterable = await requestIfAllowed(requestFor(ENTERABLE_PRODUCTS), send);
  const groups = await requestIfAllowed(requestFor(GET_GROUP), send);
  const parameters = await requestIfAllowed(requestFor(PARAMETERS), send);
  return {
    products,
    ...(enterable ? { enterable: [enterable["ids"] ?? []].flat().map(Number) } : {}),
    ...(groups ? { groups: checkedObjects(groups["groups"]) } : {}),
    ...(isObject(parameters?.["parameters"]) ? { parameters: parameters["parameters"] } : {}),
  };
}

/** Number of users whose names are read by one request. */
const USERS_PER_REQUEST = 500;

/** The names of users with known ids, since people are renamed; none if the tracker refuses one of them. */
async function readUsers(ids: readonly number[], send: SendRequest): Promise<JsonObject[]> {
  const users: JsonObject[] = [];
  for (const some of inChunks(ids, USERS_PER_REQUEST)) {
    const response = await requestIfAllowed(
      requestFor(GET_USERS, { ids: some, include_fields: "id,name,real_name" }),
      send,
    );
    users.push(...checkedObjects(response?.["users"]));
  }
  return users;
}

type NamedUsers = { users: JsonObject[]; gone: readonly string[] };

/** Users by login, and the logins that nobody has any longer: a request fails for one of these. */
async function readUsersByLogin(logins: readonly string[], send: SendRequest): Promise<NamedUsers> {
  if (logins.length === 0) return { users: [], gone: [] };
  if (logins.length <= NAMES_PER_REQUEST) {
    const response = await requestIfAllowed(
      requestFor(GET_USERS, { names: logins, include_fields: "id,name,real_name" }),
      send,
    );
    if (response) return { users: checkedObjects(response["users"]), gone: [] };
    if (logins.length === 1) return { users: [], gone: logins };
  }
  const middle = Math.ceil(logins.length / 2);
  const [first, second] = [
    await readUsersByLogin(logins.slice(0, middle), send),
    await readUsersByLogin(logins.slice(middle), send),
  ];
  return { users: [...first.users, ...second.users], gone: [...first.gone, ...second.gone] };
}

const NAMES_PER_REQUEST = 100;

async function requestIfAllowed(
  request: Parameters<SendRequest>[0],
  send: SendRequest,
): Promise<JsonObject | undefined> {
  try {
    const response = await send(request);
    return isObject(response) ? response : undefined;
  } catch (error) {
    if (isNotOffered(error) || isKind(error, "auth")) return undefined;
    throw error;
  }
}

/**
 * @throws BtError of kind reply if an object, or a part of it, has an id that is not a whole number, by which nothing
 * can be stored
 */
function checkedObjects(value: Json | undefined): JsonObject[] {
  const all = objectsIn(value);
  if (!all.every(hasWholeIds)) throw unexpectedShapeError("whole numbers as ids");
  return all;
}

function hasWholeIds(value: Json): boolean {
  if (Array.isArray(value)) return value.every(hasWholeIds);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([name, part]) => (name === "id" ? isWholeId(part) : hasWholeIds(part)));
}

function isWholeId(id: Json): boolean {
  return id === null || (/^\d+$/.test(String(id)) && Number.isSafeInteger(Number(id)));
}
