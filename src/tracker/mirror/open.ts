import { closeSync, openSync, rmSync } from "node:fs";
import { EXTRA_BUG_FIELDS } from "../../wire/bug-fields.ts";
import type { Exchange, Json, JsonObject } from "../../wire/exchange.ts";
import type { MirrorFacts, MirrorStore } from "../../wire/mirror.ts";
import { requestedAttachmentIds } from "../attachments/routes.ts";
import { requestedFields } from "../bug-fields/read.ts";
import { readListField } from "../bugs/columns.ts";
import { requestedBugIds } from "../bugs/find.ts";
import { requestedComments } from "../comments/read.ts";
import { requestedGroups } from "../groups/routes.ts";
import type { Call, Route, Runtime } from "../http/call.ts";
import { Fault, faults } from "../http/fault.ts";
import { type FieldSelection, type FieldSet, pickFields, readFieldSelection } from "../http/field-selection.ts";
import { firstTextValue, textsInPathAndInput, textValues } from "../http/input.ts";
import { userByLogin } from "../http/requester.ts";
import { createRouter } from "../http/router.ts";
import { requestedProducts } from "../products/read.ts";
import { ROUTES } from "../routes.ts";
import { runSearch } from "../search/search.ts";
import { UnusableStore } from "../store/database.ts";
import { openStore, type Store } from "../store/store.ts";
import { readTimestamp } from "../timestamps.ts";
import { createTracker } from "../tracker.ts";
import { requestedUsers } from "../users/routes.ts";
import { type MirrorCoverage, mirrorCoverage } from "./judged-search.ts";
import { createMirrorStore } from "./mirror-store.ts";
import { receivedInteger, storedTime } from "./received.ts";
import {
  type Discussion,
  keptObjects,
  type MetadataKind,
  receivedBugs,
  receivedComments,
  receivedDiscussions,
} from "./received-json.ts";
import { openRegistry } from "./registry.ts";
import { MIRROR_VERSION, mirrorVersion, NO_FACTS, prepareMirror, readMirrorFacts, writeFacts } from "./schema.ts";

/** A mirror opened in this process. */
export type OpenedMirror = {
  store: Store;
  mirror: MirrorStore;
  exchange: Exchange; // the tracker's reads over the mirror, as a user who sees all of it
  facts: () => MirrorFacts;
  coverage: () => MirrorCoverage; // for judging searches
  failedBugs: () => number; // that could not be read
  login: string | undefined; // of the mirrored tracker
  /** Moves all changes from the log beside the file into the file: the log has texts that were removed since. */
  emptyLog: () => void;
  close: () => void;
};

/** Options of a new mirror. */
export type NewMirror = Pick<MirrorFacts, "tracker" | "login" | "products" | "attachments" | "publicOnly"> &
  Partial<Pick<MirrorFacts, "folding">>;

/**
 * Creates the file of a mirror, readable by its owner only; nothing is in it yet.
 * @throws Error with code EEXIST if there is one
 */
export function createMirror(file: string, facts: NewMirror, runtime: Runtime): OpenedMirror {
  if (file !== ":memory:") closeSync(openSync(file, "wx", 0o600));
  const store = openNew(file);
  prepareMirror(store, { isNew: true });
  store.transaction("write", () => {
    writeFacts(store, { ...NO_FACTS, ...facts });
    if (facts.login !== null) openRegistry(store, { isAnonymous: false }).registerPerson(facts.login);
    store.run("INSERT OR REPLACE INTO parameters VALUES ('max_search_results', ?), ('header_api_keys', '1')", [
      MAX_RESULTS,
    ]);
  });
  return openedMirror(store, runtime);
}

function openNew(file: string): Store {
  try {
    return openStore(file);
  } catch (error) {
    rmSync(file, { force: true });
    throw error;
  }
}

const MAX_RESULTS = "10000";

/**
 * Opens the file of a mirror.
 * @throws UnusableStore, or Error with a code if it is missing or cannot be read
 */
export function openMirror(file: string, runtime: Runtime): OpenedMirror {
  closeSync(openSync(file, "r")); // SQLite would create it
  const store = openStore(file);
  if (mirrorVersion(store) !== MIRROR_VERSION) {
    store.close();
    throw new UnusableStore("The file is not a mirror of this version of bt.", { isLost: true });
  }
  prepareMirror(store, { isNew: false });
  return openedMirror(store, runtime);
}

/** Condition for rows about attachments that searches of the mirror's login find. */
const isFound = (id: string) => `(
  (SELECT value FROM mirror_facts WHERE name = 'isInsider') IS NOT 'false'
  OR ${id} IS NULL OR ${id} NOT IN (SELECT id FROM main.attachments WHERE is_private = 1))`;

/** Conditions of the `visible_...` views of a mirror, whose login may see all that was received. */
const VISIBLE = {
  bugs: "1",
  comments: "1",
  attachments: isFound("id"),
  flags: isFound("attachment_id"),
  activity: isFound("attachment_id"),
};

const MIRROR_VIEWS = Object.entries(VISIBLE)
  .map(
    ([table, condition]) =>
      `DROP VIEW visible_${table}; CREATE TEMP VIEW visible_${table} AS SELECT * FROM main.${table} WHERE ${condition};`,
  )
  .join("\n");

function openedMirror(store: Store, runtime: Runtime): OpenedMirror {
  const { login, folding } = readMirrorFacts(store);
  const ofMirror: Runtime = { ...runtime, isMirror: true, folding: folding ?? undefined };
  store.exec(MIRROR_VIEWS);
  const tracker = createTracker(store, ofMirror, MIRROR_ROUTER);
  const userId = login === null ? undefined : userByLogin(store, login)?.id;
  return {
    store,
    mirror: createMirrorStore({ store, login }),
    exchange: (request) => tracker(request, { address: "127.0.0.1", ...(userId === undefined ? {} : { userId }) }),
    facts: () => readMirrorFacts(store),
    coverage: () => mirrorCoverage(store, readMirrorFacts(store), ofMirror),
    failedBugs: () => Number(store.get("SELECT count(*) AS n FROM mirror_bugs WHERE state = 'failed'")?.["n"]),
    login: login ?? undefined,
    emptyLog: () => void store.all("PRAGMA wal_checkpoint(TRUNCATE)"),
    close: store.close,
  };
}

/** Routes of a mirror that return what was received; others are the tracker's own, over the mirror's tables. */
const READS: readonly Route[] = [
  { method: "GET", path: "/bug/", handle: (call) => getBugs(call) },
  { method: "GET", path: "/bug", handle: (call) => runSearch(call, presentReceivedBugs) },
  { method: "GET", path: "/bug/comment/{comment_id}", handle: (call) => getComments(call) },
  { method: "GET", path: "/bug/attachment/{attachment_id}", handle: (call) => getAttachments(call) },
  { method: "GET", path: "/bug/{id}", handle: (call) => getBugs(call) },
  { method: "GET", path: "/bug/{id}/comment", handle: (call) => getComments(call) },
  { method: "GET", path: "/bug/{id}/history", handle: (call) => getHistories(call) },
  { method: "GET", path: "/bug/{id}/attachment", handle: (call) => getAttachments(call) },
  { method: "GET", path: "/field/bug", handle: (call) => getFields(call) },
  { method: "GET", path: "/field/bug/{id_or_name}", handle: (call) => getFields(call) },
  { method: "GET", path: "/product", handle: (call) => getProducts(call) },
  { method: "GET", path: "/product/{id_or_name}", handle: (call) => getProducts(call) },
  { method: "GET", path: "/group", handle: (call) => getGroups(call) },
  { method: "GET", path: "/group/{id_or_name}", handle: (call) => getGroups(call) },
  { method: "GET", path: "/user", handle: (call) => getUsers(call) },
];

/** The routes of a mirror. */
const MIRROR_ROUTER = createRouter([...READS, ...ROUTES]);

function getBugs(call: Call): Json {
  return { bugs: presentReceivedBugs(call, requestedBugIds(call), readFieldSelection(call.input)), faults: [] };
}

function presentReceivedBugs({ store }: Call, ids: number[], selection: FieldSelection): JsonObject[] {
  const isWanted = (name: string) => selection.includes(baseField(name), fieldSets(baseField(name)));
  return receivedBugs(store, ids, isWanted).map((bug) => {
    const parts = Object.entries(bug).map(([name, value]) => {
      const field = baseField(name);
      return [name, name === field ? value : selectedParts(value, field, selection)] as const;
    });
    return Object.fromEntries(parts);
  });
}

/** The field that a name is about: `assigned_to_detail` has the person of `assigned_to`. */
function baseField(name: string): string {
  return name.endsWith("_detail") ? name.slice(0, -"_detail".length) : name;
}

function fieldSets(field: string): FieldSet[] {
  if (EXTRA_BUG_FIELDS.includes(field)) return ["extra"];
  return field.startsWith("cf_") ? ["default", "custom"] : ["default"];
}

/** The selected parts of an object, or of each in a list. */
function selectedParts(value: Json, field: string, selection: FieldSelection): Json {
  if (Array.isArray(value)) return value.map((item: Json) => selectedParts(item, field, selection));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).filter(([part]) => selection.includesPart(field, part)));
}

function getComments(call: Call): Json {
  const selection = readFieldSelection(call.input);
  const isLater = laterTest(call);
  const ids = bugsInRequest(call);
  const named = requestedComments(call);
  const received = receivedComments(call.store, [...ids, ...named.map(({ bug_id }) => bug_id)]);
  const ofBugs = ids.map((id) => {
    const later = (received.get(id) ?? []).filter((object) => isLater(object["creation_time"] ?? object["time"]));
    return [String(id), { comments: later.map((object) => pickFields(object, selection)) }];
  });
  const comments = named.map(({ id, bug_id }) => {
    const comment = received.get(bug_id)?.find((object) => receivedInteger(object["id"]) === id);
    return [String(id), comment ? pickFields(comment, selection) : null];
  });
  return { bugs: Object.fromEntries(ofBugs), comments: Object.fromEntries(comments) };
}

/** Test of the times after `new_since`; all are without it. */
function laterTest({ input }: Call): (time: Json | undefined) => boolean {
  const since = firstTextValue(input, "new_since");
  if (since === undefined) return () => true;
  const after = readTimestamp(since);
  return (time) => storedTime(time) > after;
}

const NOTHING: Discussion = { comments: [], history: [], attachments: [] };

/** The bugs that a request is about; none for one that names comments or attachments in its path. */
function bugsInRequest(call: Call): number[] {
  return call.path["id"] === undefined ? [] : [...new Set(requestedBugIds(call))];
}

function requestedDiscussions(call: Call): [id: number, discussion: Discussion][] {
  const ids = bugsInRequest(call);
  const discussions = receivedDiscussions(call.store, ids);
  return ids.map((id) => [id, discussions.get(id) ?? NOTHING]);
}

function getHistories(call: Call): Json {
  const isLater = laterTest(call);
  const discussions = requestedDiscussions(call);
  const aliases = readListField(
    call,
    "alias",
    discussions.map(([id]) => id),
  );
  const bugs = discussions.map(([id, { history }]) => {
    const later = history.filter(({ when }) => isLater(when));
    return { id, alias: aliases.get(id) ?? [], history: later };
  });
  return { bugs };
}

function getAttachments(call: Call): Json {
  const { store } = call;
  const selection = readFieldSelection(call.input);
  const present = (attachment: JsonObject) => {
    const whole = selection.includes("data") ? { ...attachment, data: receivedData(call, attachment) } : attachment;
    return pickFields(whole, selection);
  };
  const ofBugs = requestedDiscussions(call).map(([id, { attachments }]) => [String(id), attachments.map(present)]);
  const ids = requestedAttachmentIds(call);
  const absent = textsInPathAndInput(call, "attachment_id", "attachment_ids").find((id) => !ids.includes(Number(id)));
  if (absent !== undefined) throw new Fault("auth_failure", `Attachment #${absent} does not exist.`, 404);
  const named = ids.map((id) => {
    const bug = Number(store.get("SELECT bug_id FROM attachments WHERE id = ?", [id])?.["bug_id"]);
    const { attachments } = receivedDiscussions(store, [bug]).get(bug) ?? NOTHING;
    const attachment = attachments.find((object) => receivedInteger(object["id"]) === id);
    return [String(id), attachment ? present(attachment) : null];
  });
  return { bugs: Object.fromEntries(ofBugs), attachments: Object.fromEntries(named) };
}

/** Data in base64; null if it was deleted on the tracker, which refuses empty files. */
function receivedData({ store }: Call, { id }: JsonObject): Json {
  return store.get<{ data: string }>("SELECT data FROM attachments WHERE id = ?", [receivedInteger(id)])?.data || null;
}

function getFields(call: Call): Json {
  return { fields: presentObjects(call, "field", requestedFields(call)) };
}

function getProducts(call: Call): Json {
  return { products: presentObjects(call, "product", requestedProducts(call)) };
}

function getGroups(call: Call): Json {
  return { groups: presentObjects({ ...call, input: {} }, "group", requestedGroups(call)) };
}

/** Users by login and name, and the own saved searches: their groups, and who cannot log in, are not received. */
function getUsers({ store, ...call }: Call): Json {
  const selection = readFieldSelection(call.input);
  const { savedSearches } = readMirrorFacts(store);
  const ids = textValues(call.input, "ids").map((id) => ownUserId(store, id));
  const users = requestedUsers({ ...call, store, input: { ...call.input, ids } }).map(({ id, login, real_name }) => {
    const number = store.get<{ id: number }>(SERVER_ID, [id])?.id ?? id;
    if (!call.requester.user) return { id: number, real_name, name: login };
    const hasSearches = savedSearches !== null && call.requester.user.id === id;
    const searches = hasSearches ? { saved_searches: savedSearches } : {};
    return { id: number, real_name, name: login, email: login, ...searches };
  });
  return { users: users.map((user) => pickFields(user, selection)) };
}

/** Id of a user in this file by that on the tracker. @throws Fault for one that was not received */
function ownUserId(store: Store, id: string): number {
  const user = store.get<{ id: number }>("SELECT user_id AS id FROM mirror_users WHERE server_id = ?", [id]);
  if (!user) throw faults.noSuchUser(id);
  return user.id;
}

const SERVER_ID = "SELECT server_id AS id FROM mirror_users WHERE user_id = ? AND server_id IS NOT NULL";

/** The objects as received, in this order; none for one that the tracker did not list. */
function presentObjects(
  { store, input }: Call,
  kind: MetadataKind,
  requested: readonly { readonly id: number }[],
): JsonObject[] {
  const selection = readFieldSelection(input);
  const objects = keptObjects(store, kind);
  const shown: JsonObject[] = [];
  for (const { id } of requested) {
    const fields = Object.entries(objects.get(id) ?? {}).filter(([name]) => selection.includes(name));
    const parts = fields.map(([name, value]) => [name, selectedParts(value, name, selection)] as const);
    if (objects.has(id)) shown.push(Object.fromEntries(parts));
  }
  return shown;
}
