import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { KeptAs, ReceivedBug } from "../../wire/mirror.ts";
import { customFieldRows } from "../bug-fields/custom-fields.ts";
import type { Call, Runtime } from "../http/call.ts";
import { createRouter, ROUTES } from "../http/routes.ts";
import { readServerParameters } from "../http/server-parameters.ts";
import type { Store } from "../store/store.ts";
import { becomeViewer, mirrorRequester, userByLogin } from "../users/requester.ts";
import { mirrorPeople } from "./people.ts";
import { putBug } from "./put-bug.ts";
import { hideProduct } from "./put-products.ts";
import { numberOf, objectOf, objectsOf, textOf, timeOf } from "./received.ts";
import { openRegistry, type Registry } from "./registry.ts";
import { hideFromLists, keepRest } from "./rest.ts";

/** Store, clock and login of a mirror that is written. */
export type KeepContext = { readonly store: Store; readonly runtime: Runtime; readonly login: string | null };

/** A registry of a mirror: what the metadata does not list is hidden from lists. */
export function mirrorRegistry({ store, login }: KeepContext): Registry {
  return openRegistry(store, {
    person: mirrorPeople(store, login === null),
    onUnlisted: (table, id) => {
      if (table === "products") hideProduct(store, id);
      else hideFromLists(store, [table === "groups" ? "group" : "field", id]);
    },
  });
}

/**
 * Stores bugs of a mirror as received, so that the tracker's readers return them as received, too: what they would return
 * in another way is stored beside. Called in a transaction.
 */
export function keepBugs(context: KeepContext, bugs: readonly ReceivedBug[], as: KeptAs): void {
  const { store, login } = context;
  const registry = mirrorRegistry(context);
  const tagger = login === null ? undefined : userByLogin(store, login)?.id;
  const customFields = customFieldRows(store);
  const stored = storedIds(store, bugs);
  for (const received of bugs) {
    const { bug } = received;
    const id = idOf(received);
    const isNew = !stored.has(id);
    if (!isNew) forgetRests(store, id);
    putBug({ store, registry, customFields, tagger, isNew }, received);
    store.run(PUT_STATE, { id, state: as.state, change: timeOf(bug["last_change_time"]), read: as.readTime });
  }
  adaptParameters(store, bugs);
  if (bugs.length > 0) keepRests(context, bugs);
}

function idOf({ bug }: ReceivedBug): number {
  return numberOf(bug["id"]);
}

/** Ids of those of the bugs that have rows already. */
function storedIds(store: Store, bugs: readonly ReceivedBug[]): ReadonlySet<number> {
  const rows = store.all<{ readonly id: number }>("SELECT id FROM bugs WHERE id IN (SELECT value FROM json_each(?))", [
    JSON.stringify(bugs.map(idOf)),
  ]);
  return new Set(rows.map(({ id }) => id));
}

const PUT_STATE = `INSERT OR REPLACE INTO mirror_bugs (bug_id, state, last_change_time, read_time)
  VALUES (@id, @state, @change, @read)`;

/** Removes the rests of a bug and of all that belongs to it. */
function forgetRests(store: Store, id: number): void {
  store.run("DELETE FROM mirror_rest WHERE kind IN ('bug', 'history') AND id = ?", [id]);
  for (const [kind, table] of [
    ["comment", "comments"],
    ["attachment", "attachments"],
  ]) {
    store.run(`DELETE FROM mirror_rest WHERE kind = '${kind}' AND id IN (SELECT id FROM ${table} WHERE bug_id = ?)`, [
      id,
    ]);
  }
}

/** Makes the groups that decide which fields are shown those of a login that sees what was received. */
function adaptParameters(store: Store, bugs: readonly ReceivedBug[]): void {
  const [first] = bugs;
  const comment = bugs.find(({ comments }) => comments.length > 0)?.comments[0];
  const group = (isShown: boolean) => (isShown ? "editbugs" : "");
  const set = (name: string, value: string) =>
    store.run(
      "INSERT INTO parameters (name, value) VALUES (@name, @value) ON CONFLICT (name) DO UPDATE SET value = @value WHERE value <> @value",
      { name, value },
    );
  if (first) set("timetrackinggroup", group("estimated_time" in first.bug));
  if (comment) set("comment_taggers_group", group("tags" in comment));
}

const router = createRouter(ROUTES);

/** Compares the bugs with what the tracker's own routes return of them, and stores the difference. */
function keepRests(context: KeepContext, bugs: readonly ReceivedBug[]): void {
  const { store } = context;
  const ids = bugs.map(({ bug }) => String(numberOf(bug["id"])));
  const readRoute = readerFor(context, ids);
  const rows = new Map(
    objectsOf(readRoute("/bug/", { include_fields: "_default,_custom" })["bugs"]).map((bug) => [
      numberOf(bug["id"]),
      bug,
    ]),
  );
  const histories = new Map(
    objectsOf(readRoute("/bug/0/history", {})["bugs"]).map((one) => [numberOf(one["id"]), one]),
  );
  const comments = objectOf(readRoute("/bug/0/comment", {})["bugs"]) ?? {};
  const attachments = objectOf(readRoute("/bug/0/attachment", { exclude_fields: "data" })["bugs"]) ?? {};
  for (const { bug, comments: ofBug, history, attachments: files } of bugs) {
    const id = numberOf(bug["id"]);
    const { update_token: _, tags: __, ...received } = bug;
    keepRest(store, ["bug", id], { received, read: rows.get(id) ?? {}, hasNone: true });
    keepRest(store, ["history", id], {
      received: { history },
      read: { history: histories.get(id)?.["history"] ?? [] },
      hasNone: true,
    });
    const read = objectsOf(objectOf(comments[String(id)])?.["comments"]);
    keepEach(store, "comment", { received: ofBug, read });
    keepEach(store, "attachment", { received: files, read: objectsOf(attachments[String(id)]) });
  }
}

type Pairs = { readonly received: readonly JsonObject[]; readonly read: readonly JsonObject[] };

function keepEach(store: Store, kind: "comment" | "attachment", { received, read }: Pairs): void {
  const byId = new Map(read.map((one) => [numberOf(one["id"]), one]));
  for (const { data: _, ...one } of received) {
    const id = numberOf(one["id"]);
    keepRest(store, [kind, id], { received: one, read: byId.get(id) ?? {}, hasNone: true });
  }
}

/** Reader of the tracker's routes for these bugs, inside the transaction; they have no rests at that time. */
function readerFor({ store, runtime, login }: KeepContext, ids: readonly string[]) {
  const parameters = readServerParameters(store);
  const user = login === null ? undefined : userByLogin(store, login);
  const requester = mirrorRequester(store, user?.id, parameters);
  becomeViewer(store, requester, parameters);
  const now = timeOf(runtime.now().toISOString());
  return (path: string, input: JsonObject): JsonObject => {
    const route = router.find("GET", path)?.route;
    const call: Call = {
      ...{ store, requester, parameters, now, runtime },
      ...{ path: {}, input: { ...input, ids }, headers: {}, address: "127.0.0.1" },
    };
    return (route?.handle(call) ?? {}) as JsonObject & Json;
  };
}

/** Rows that belong to bugs, by table and the column with the bug's id. */
const OF_BUGS = [
  ["bug_aliases", "bug_id"],
  ["bug_cc", "bug_id"],
  ["bug_keywords", "bug_id"],
  ["bug_groups", "bug_id"],
  ["bug_see_also", "bug_id"],
  ["bug_duplicates", "bug_id"],
  ["bug_tags", "bug_id"],
  ["custom_values", "bug_id"],
  ["custom_choices", "bug_id"],
  ["flags", "bug_id"],
  ["activity", "bug_id"],
  ["attachments", "bug_id"],
  ["comments", "bug_id"],
  ["mirror_bugs", "bug_id"],
  ["bugs", "id"],
] as const;

/** Removes bugs and all that belongs to them. Returns the kept bugs that refer to one of them: they may have changed. */
export function removeBugs(store: Store, ids: readonly number[]): readonly number[] {
  const list = JSON.stringify(ids);
  const neighbours = store.all<{ readonly id: number }>(NEIGHBOURS, { ids: list }).map(({ id }) => id);
  for (const id of ids) {
    forgetRests(store, id);
    store.run("DELETE FROM comment_tags WHERE comment_id IN (SELECT id FROM comments WHERE bug_id = ?)", [id]);
    for (const [table, column] of OF_BUGS) store.run(`DELETE FROM ${table} WHERE ${column} = ?`, [id]);
  }
  return neighbours;
}

const NEIGHBOURS = `
  SELECT bug_id AS id FROM mirror_bugs WHERE state IN ('held', 'stub') AND bug_id NOT IN (SELECT value FROM json_each(@ids))
    AND bug_id IN (
      SELECT bug_id FROM bug_dependencies WHERE depends_on_id IN (SELECT value FROM json_each(@ids))
      UNION SELECT depends_on_id FROM bug_dependencies WHERE bug_id IN (SELECT value FROM json_each(@ids))
      UNION SELECT bug_id FROM bug_duplicates WHERE dupe_of IN (SELECT value FROM json_each(@ids)))`;

/** Text of a received bug's problem, in one line. */
export function reasonOf(reason: string): string {
  return textOf(reason).split("\n", 1)[0] ?? "";
}
