import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { ReceivedBug } from "../../wire/mirror.ts";
import type { Store } from "../store/store.ts";
import { isTextInTable } from "./put-bugs.ts";
import { receivedInteger } from "./received.ts";
import type { ShortSteps } from "./row-batch.ts";

/**
 * Comments, history and attachments of a bug as received, without what is in the tables for searches: the data of
 * attachments, and the texts of comments, in whose place is a 0.
 */
export type Discussion = Omit<ReceivedBug, "bug">;

/** Keeps the JSON of bugs as received, in place of what was there; a token for updates is of no use. */
export function* keepReceived(store: Store, bugs: readonly ReceivedBug[]): ShortSteps<void> {
  const packed = createPacker(store);
  for (const [at, { bug: received, ...parts }] of bugs.entries()) {
    const { update_token: _, ...bug } = received;
    const id = receivedInteger(bug["id"]);
    store.run(KEEP, [id, packed(bug), packed(discussionWithoutTexts(parts))]);
    if (at % 25 === 0) yield;
  }
}

function discussionWithoutTexts({ comments, history, attachments }: Discussion): Discussion {
  return {
    comments: comments.map((comment) => (isTextInTable(comment) ? { ...comment, text: 0 } : comment)),
    history,
    attachments: attachments.map(({ data: _, ...attachment }) => attachment),
  };
}

const KEEP = "INSERT OR REPLACE INTO mirror_received (bug_id, bug, discussion) VALUES (?, ?, ?)";

/** The bugs with these ids as received, in their order, with the fields that `isWanted` wants. */
export function receivedBugs(store: Store, ids: number[], isWanted: (name: string) => boolean): JsonObject[] {
  const unpacked = createUnpacker(store, isWanted);
  const rows = new Map(store.all<PackedRow>(BUGS, [JSON.stringify(ids)]).map(({ id, json }) => [id, json]));
  const bugs: JsonObject[] = [];
  for (const id of ids) {
    const json = rows.get(id);
    if (json !== undefined) bugs.push(unpacked(json));
  }
  return bugs;
}

/** Comments, history and attachments of these bugs, by id. */
export function receivedDiscussions(store: Store, ids: number[]): ReadonlyMap<number, Discussion> {
  const unpacked = createUnpacker(store);
  const rows = store.all<PackedRow>(DISCUSSIONS, [JSON.stringify(ids)]);
  return new Map(rows.map(({ id, json }) => [id, unpacked(json) as unknown as Discussion]));
}

/** Comments of these bugs, by id. */
export function receivedComments(store: Store, ids: number[]): ReadonlyMap<number, JsonObject[]> {
  const rows = store.all<{ id: number; text: string }>(TEXTS, [JSON.stringify(ids)]);
  const texts = new Map(rows.map(({ id, text }) => [id, text]));
  const withText = (comment: JsonObject) =>
    comment["text"] === 0 ? { ...comment, text: texts.get(receivedInteger(comment["id"])) ?? "" } : comment;
  const bugs = [...receivedDiscussions(store, ids)];
  return new Map(bugs.map(([id, { comments }]) => [id, comments.map(withText)]));
}

const TEXTS = "SELECT id, text FROM comments WHERE bug_id IN (SELECT value FROM json_each(?))";

type PackedRow = { id: number; json: string };

const BUGS = "SELECT bug_id AS id, bug AS json FROM mirror_received WHERE bug_id IN (SELECT value FROM json_each(?))";
const DISCUSSIONS =
  "SELECT bug_id AS id, discussion AS json FROM mirror_received WHERE bug_id IN (SELECT value FROM json_each(?))";

/**
 * JSON in which the names of an object's fields are a number, under which the mirror has them once: `[7,44,"Crash"]` for
 * `{"id":44,"summary":"Crash"}`; a list begins with 0.
 */
function createPacker(store: Store): (value: object) => string {
  const ids = new Map(namesRows(store).map(({ id, names }) => [names, id]));
  const idOf = (names: string) => {
    const id = ids.get(names) ?? store.run("INSERT INTO mirror_names (names) VALUES (?)", [names]).id;
    ids.set(names, id);
    return id;
  };
  const pack = (value: unknown): unknown => {
    if (value === null || typeof value !== "object") return value;
    if (Array.isArray(value)) return [0, ...value.map(pack)];
    return [idOf(JSON.stringify(Object.keys(value))), ...Object.values(value).map(pack)];
  };
  return (value) => JSON.stringify(pack(value));
}

/** Reads packed objects, with the fields that are wanted of the outermost one. */
function createUnpacker(store: Store, isWanted: (name: string) => boolean = () => true) {
  const names = new Map<number, string[]>(namesRows(store).map((row) => [row.id, JSON.parse(row.names)]));
  const wanted = new Map([...names].map(([id, all]) => [id, all.map((name) => isWanted(name))]));
  const unpack = (value: Json): Json => {
    if (!Array.isArray(value)) return value;
    return value[0] === 0 ? value.slice(1).map(unpack) : unpackObject(value);
  };
  const unpackObject = ([id, ...parts]: Json[], isChosen?: boolean[]): JsonObject => {
    const fields: [string, Json][] = [];
    for (const [at, name] of (names.get(Number(id)) ?? []).entries()) {
      if (isChosen?.[at] !== false) fields.push([name, unpack(parts[at] ?? null)]);
    }
    return Object.fromEntries(fields);
  };
  return (json: string): JsonObject => {
    const packed: Json[] = JSON.parse(json);
    return unpackObject(packed, wanted.get(Number(packed[0])));
  };
}

function namesRows(store: Store) {
  return store.all<{ id: number; names: string }>("SELECT id, names FROM mirror_names");
}

/** Kinds of metadata that are kept as received. */
export type MetadataKind = "field" | "product" | "group";

/** Keeps all metadata of a kind as received, in place of what was there. */
export function keepObjects(store: Store, kind: MetadataKind, objects: readonly JsonObject[]): void {
  store.run("DELETE FROM mirror_objects WHERE kind = ?", [kind]);
  for (const object of objects) {
    store.run("INSERT OR REPLACE INTO mirror_objects (kind, id, json) VALUES (?, ?, ?)", [
      ...[kind, receivedInteger(object["id"])],
      JSON.stringify(object),
    ]);
  }
}

/** The metadata of a kind as received, by id. */
export function keptObjects(store: Store, kind: MetadataKind): ReadonlyMap<number, JsonObject> {
  const rows = store.all<PackedRow>("SELECT id, json FROM mirror_objects WHERE kind = ?", [kind]);
  return new Map(rows.map(({ id, json }) => [id, JSON.parse(json)]));
}
