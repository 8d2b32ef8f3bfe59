import type { JsonObject } from "../../wire/exchange.ts";
import type { ReceivedBug } from "../../wire/mirror.ts";
import type { MakeMoved, MovedKind, MoveStore } from "../../wire/move.ts";
import { applySetup, type Setup } from "../admin/setup.ts";
import { customFieldRows } from "../bug-fields/custom-fields.ts";
import { putBugs } from "../mirror/put-bug.ts";
import { addDiscussion } from "../mirror/put-discussion.ts";
import type { PutContext } from "../mirror/put-flags.ts";
import { objectsOf, textOf, textsOf, timeOf, wholeOf } from "../mirror/received.ts";
import { openRegistry } from "../mirror/registry.ts";
import { atOnce } from "../mirror/short-steps.ts";
import type { Store } from "../store/store.ts";
import { userByLogin } from "../users/requester.ts";

/** New ids by the source's address and the old ones; a bug is there if `bugs` has its id. */
const OWN_TABLE = `
CREATE TABLE IF NOT EXISTS moved (
  source TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('bug', 'comment', 'attachment')),
  old_id INTEGER NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (source, kind, old_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS moved_by_id ON moved (kind, id);
`;

const TABLES = { bug: "bugs", comment: "comments", attachment: "attachments" } as const;

/** The data of a tracker as bugs of a source are put into it, with their authors, times and history. */
export function moveStore(store: Store, source: string): MoveStore {
  let isPrepared = false;
  const write = <T>(work: () => T): T => {
    if (!isPrepared) store.exec(OWN_TABLE);
    isPrepared = true;
    return store.transaction("write", work);
  };
  return {
    moved: () => ({
      bug: movedIds(store, source, "bug"),
      comment: movedIds(store, source, "comment"),
      attachment: movedIds(store, source, "attachment"),
    }),
    setUp: (setup) => write(() => applySetup(store, withFlagTypesKept(store, setup as Setup))),
    reserve: (kind, old) => write(() => reserved(store, source, { kind, old })),
    put: (bug, make) => write(() => put(store, source, { bug, make })),
    add: (bug, make) => write(() => add(store, source, { bug, make })),
    hasOthers: (bug) => store.get(OTHER_COMMENT, [bug, source]) !== undefined,
    linkDuplicates: (pairs) =>
      write(() => {
        for (const pair of pairs) store.run(LINK_DUPLICATE, pair);
      }),
    close: store.close,
  };
}

/** The setup with the flag types that are there as they are, but in more places. */
function withFlagTypesKept(store: Store, setup: Setup): Setup {
  const flag_types = (setup.flag_types ?? []).map((type) => {
    const { name, target = "bug", places = [""] } = type;
    const id = store.get<{ readonly id: number }>(FIND_TYPE, [name, target])?.id;
    if (id === undefined) return type;
    const own = store.all<{ readonly place: string }>(OWN_PLACES, [id]).map(({ place }) => place);
    return { name, target, places: [...new Set([...own, ...places])] };
  });
  return { ...setup, flag_types };
}

const FIND_TYPE = "SELECT id FROM flag_types WHERE name = ? AND target = ?";
const OWN_PLACES = `
  SELECT CASE WHEN products.id IS NULL THEN '' WHEN components.id IS NULL THEN products.name
    ELSE products.name || '/' || components.name END AS place
  FROM flag_type_inclusions AS inclusions
  LEFT JOIN products ON products.id = inclusions.product_id
  LEFT JOIN components ON components.id = inclusions.component_id
  WHERE type_id = ?`;

const OTHER_COMMENT = `
  SELECT 1 FROM comments WHERE bug_id = ?
    AND id NOT IN (SELECT id FROM moved WHERE kind = 'comment' AND source = ?) LIMIT 1`;

const LINK_DUPLICATE = "INSERT OR IGNORE INTO bug_duplicates (bug_id, dupe_of) VALUES (?, ?)";

type Row = { readonly old: number; readonly id: number };

function movedIds(store: Store, source: string, kind: MovedKind): ReadonlyMap<number, number> {
  if (store.get("SELECT 1 FROM sqlite_schema WHERE name = 'moved'") === undefined) return new Map();
  const rows = store.all<Row>(
    `SELECT old_id AS old, id FROM moved WHERE source = ? AND kind = ? AND id IN (SELECT id FROM ${TABLES[kind]})`,
    [source, kind],
  );
  return new Map(rows.map(({ old, id }) => [old, id]));
}

type Reservation = { readonly kind: MovedKind; readonly old: readonly number[] };

/** Ids of old ones, which stay where no other thing has them; they are not given to others from then on. */
function reserved(store: Store, source: string, { kind, old }: Reservation): ReadonlyMap<number, number> {
  const table = TABLES[kind];
  const found = new Map<number, number>();
  for (const one of old) {
    const id = knownId(store, source, { kind, old: one }) ?? (isFree(store, kind, one) ? one : nextId(store, table));
    store.run("INSERT OR IGNORE INTO moved (source, kind, old_id, id) VALUES (?, ?, ?, ?)", [source, kind, one, id]);
    keepSequence(store, table, id);
    found.set(one, id);
  }
  return found;
}

function knownId(
  store: Store,
  source: string,
  { kind, old }: { readonly kind: MovedKind; readonly old: number },
): number | undefined {
  const SELECT = "SELECT id FROM moved WHERE source = ? AND kind = ? AND old_id = ?";
  return store.get<{ readonly id: number }>(SELECT, [source, kind, old])?.id;
}

function isFree(store: Store, kind: MovedKind, id: number): boolean {
  if (store.get(`SELECT 1 FROM ${TABLES[kind]} WHERE id = ?`, [id])) return false;
  return store.get("SELECT 1 FROM moved WHERE kind = ? AND id = ?", [kind, id]) === undefined;
}

function sequenceOf(store: Store, table: string): number {
  return Number(store.get("SELECT seq FROM sqlite_sequence WHERE name = ?", [table])?.["seq"] ?? 0);
}

function nextId(store: Store, table: string): number {
  return sequenceOf(store, table) + 1;
}

/** Lets the next id that the tracker gives be higher. */
function keepSequence(store: Store, table: string, id: number): void {
  if (sequenceOf(store, table) >= id) return;
  store.run("DELETE FROM sqlite_sequence WHERE name = ?", [table]);
  store.run("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [table, id]);
}

type Making = { readonly bug: number; readonly make: MakeMoved };

function put(store: Store, source: string, { bug, make }: Making): void {
  const id = knownId(store, source, { kind: "bug", old: bug });
  if (id === undefined || isThere(store, id)) return;
  const received = make((old) => commentId(store, source, old));
  const moved: ReceivedBug = {
    ...received,
    bug: {
      ...withOwnFlagTypes(store, "bug", received.bug),
      ...linksThere(store, received.bug),
      ...freeAliases(store, received.bug),
    },
    attachments: received.attachments.map((one) => withOwnFlagTypes(store, "attachment", one)),
  };
  atOnce(putBugs(contextOf(store), [moved]));
}

function add(store: Store, source: string, { bug, make }: Making): void {
  const id = knownId(store, source, { kind: "bug", old: bug });
  if (id === undefined || !isThere(store, id)) return;
  const received = make((old) => commentId(store, source, old));
  const attachments = received.attachments.map((one) => withOwnFlagTypes(store, "attachment", one));
  addDiscussion(contextOf(store), { ...received, attachments });
  store.run("UPDATE bugs SET last_change_time = max(last_change_time, ?) WHERE id = ?", [lastTime(received), id]);
}

function lastTime({ comments }: ReceivedBug): string {
  return (
    comments
      .map(({ creation_time, time }) => timeOf(creation_time ?? time))
      .toSorted()
      .at(-1) ?? ""
  );
}

function isThere(store: Store, id: number): boolean {
  return store.get("SELECT 1 FROM bugs WHERE id = ?", [id]) !== undefined;
}

function commentId(store: Store, source: string, old: number): number {
  return reserved(store, source, { kind: "comment", old: [old] }).get(old) ?? 0;
}

function contextOf(store: Store): PutContext {
  return { store, registry: openRegistry(store, { person: people(store) }), customFields: customFieldRows(store) };
}

/** Ids of users by login; a login that is new becomes a user who cannot log in. */
function people(store: Store): (login: string, detail?: JsonObject) => number {
  return (login, detail) => {
    const isSame = textOf(detail?.["name"]).toLowerCase() === login.toLowerCase();
    const name = isSame ? textOf(detail?.["real_name"]) : "";
    const known = userByLogin(store, login);
    if (!known) return store.run("INSERT INTO users (login, real_name) VALUES (?, ?)", [login, name]).id;
    if (name !== "") store.run("UPDATE users SET real_name = ? WHERE id = ? AND real_name = ''", [name, known.id]);
    return known.id;
  };
}

/** Links between bugs that are there; the others come with the bugs that are put later. */
function linksThere(store: Store, { depends_on, blocks, dupe_of }: JsonObject): JsonObject {
  const there = (ids: readonly string[]) => ids.map(Number).filter((id) => isThere(store, id));
  return {
    depends_on: there(textsOf(depends_on)),
    blocks: there(textsOf(blocks)),
    dupe_of: there(textsOf(dupe_of))[0] ?? null,
  };
}

function freeAliases(store: Store, { alias }: JsonObject): JsonObject {
  const isTaken = (one: string) => store.get("SELECT 1 FROM bug_aliases WHERE alias = ?", [one]) !== undefined;
  return { alias: textsOf(alias).filter((one) => !isTaken(one)) };
}

/** A bug or attachment whose flags have types of this tracker, found by their names. */
function withOwnFlagTypes(store: Store, target: "bug" | "attachment", thing: JsonObject): JsonObject {
  const flags = objectsOf(thing["flags"]).map(({ id: _, ...flag }) => {
    const FIND = "SELECT min(id) AS id FROM flag_types WHERE name = ? AND target = ?";
    const found = wholeOf(store.get(FIND, [textOf(flag["name"]), target])?.["id"]);
    const type_id =
      found || store.run("INSERT INTO flag_types (name, target) VALUES (?, ?)", [textOf(flag["name"]), target]).id;
    return { ...flag, type_id };
  });
  return { ...thing, flags };
}
