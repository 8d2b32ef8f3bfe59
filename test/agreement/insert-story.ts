import { customFieldRows } from "../../src/tracker/bug-fields/custom-fields.ts";
import type { BugValues, DemoBug, Event } from "../../src/tracker/demo/bugs.ts";
import { idByName } from "../../src/tracker/setup/kinds.ts";
import type { Store } from "../../src/tracker/store/store.ts";
import { FIELD_TYPE } from "../../src/wire/field-types.ts";

/** Stores a bug as it stands at the end of its story. */
export function insertBug({ store, user }: Replay, story: DemoBug, { values, created, changed }: ReplayedBug): void {
  const [product, component, version] = story.in;
  const productId = idByName(store, "products", product);
  const home = store.get<Component>(COMPONENT, [productId, String(values["component"] ?? component)]);
  const person = (field: string, otherwise: number | null) => {
    const name = values[field];
    return name === undefined ? otherwise : user(String(name));
  };
  store.run(BUG, {
    ...TEXT_DEFAULTS,
    ...Object.fromEntries(Object.keys(TEXT_DEFAULTS).flatMap((key) => entry(key, values[key]))),
    id: story.id,
    summary: String(values["summary"] ?? story.summary),
    product: productId,
    component: home?.id ?? 0,
    version: String(values["version"] ?? version),
    creator: user(story.by),
    assignee: person("assigned_to", home?.default_assignee_id ?? 0),
    contact: person("qa_contact", home?.default_qa_contact_id ?? null),
    created,
    changed,
    deadline: values["deadline"] === undefined ? null : String(values["deadline"]),
    is_confirmed: values["status"] === "UNCONFIRMED" ? 0 : 1,
    estimated: Number(values["estimated_time"] ?? 0),
    remaining: Number(values["remaining_time"] ?? 0),
  });
  insertLists(store, story.id, values);
  insertCustomValues(store, story.id, values);
}

type Component = {
  readonly id: number;
  readonly default_assignee_id: number;
  readonly default_qa_contact_id: number | null;
};

const COMPONENT = `SELECT id, default_assignee_id, default_qa_contact_id FROM components
  WHERE product_id = ? AND name = ?`;

const TEXT_DEFAULTS = {
  status: "CONFIRMED",
  resolution: "",
  priority: "Normal",
  severity: "normal",
  platform: "All",
  op_sys: "All",
  target_milestone: "---",
  url: "",
  whiteboard: "",
};

function entry(key: string, value: BugValues[string] | undefined): [string, string][] {
  return value === undefined ? [] : [[key, String(value)]];
}

const BUG = `
  INSERT INTO bugs (id, summary, status, resolution, product_id, component_id, version, target_milestone, priority,
    severity, platform, op_sys, assigned_to_id, creator_id, qa_contact_id, creation_time, last_change_time, deadline, url,
    whiteboard, is_confirmed, estimated_time, remaining_time)
  VALUES (@id, @summary, @status, @resolution, @product, @component, @version, @target_milestone, @priority,
    @severity, @platform, @op_sys, @assignee, @creator, @contact, @created, @changed, @deadline, @url,
    @whiteboard, @is_confirmed, @estimated, @remaining)`;

const LISTS: Readonly<Record<string, string>> = {
  alias: "INSERT INTO bug_aliases (bug_id, alias) VALUES (?, ?)",
  blocks: "INSERT OR IGNORE INTO bug_dependencies (depends_on_id, bug_id) VALUES (?, ?)",
  cc: "INSERT INTO bug_cc (bug_id, user_id) SELECT ?, id FROM users WHERE login = ? || '@example.org'",
  depends_on: "INSERT OR IGNORE INTO bug_dependencies (bug_id, depends_on_id) VALUES (?, ?)",
  groups: "INSERT INTO bug_groups (bug_id, group_id) SELECT ?, id FROM groups WHERE name = ?",
  keywords: "INSERT INTO bug_keywords (bug_id, keyword_id) SELECT ?, id FROM keywords WHERE name = ?",
  see_also: "INSERT INTO bug_see_also (bug_id, url) VALUES (?, ?)",
};

function insertLists(store: Store, bugId: number, values: BugValues): void {
  for (const [field, sql] of Object.entries(LISTS)) {
    const items = values[field] ?? [];
    for (const item of typeof items === "object" ? items : [items]) {
      store.run(sql, [bugId, item]);
    }
  }
}

function insertCustomValues(store: Store, bugId: number, values: BugValues): void {
  for (const { id, name, type } of customFieldRows(store, "in use")) {
    const sql = type === FIELD_TYPE.multiSelect ? CUSTOM_CHOICE : CUSTOM_VALUE;
    for (const item of stored(values[name])) {
      store.run(sql, [bugId, id, String(item)]);
    }
  }
}

const CUSTOM_VALUE = "INSERT INTO custom_values (bug_id, field_id, value) VALUES (?, ?, ?)";
const CUSTOM_CHOICE = "INSERT INTO custom_choices (bug_id, field_id, value) VALUES (?, ?, ?)";

// The empty value of a select field has no row.
function stored(value: BugValues[string] | undefined): readonly (string | number)[] {
  if (value === undefined || value === "---") return [];
  return typeof value === "object" ? value : [value];
}

/** Adds the comment of an event, if it has one (or hours, which stand on a comment), and those that tell of a duplicate. */
export function insertComments(telling: Replay, act: EventContext, event: Event): void {
  if (event.say !== undefined || event.hours !== undefined) insertComment(telling, act, event);
  const dupeOf = event.set?.["dupe_of"];
  if (typeof dupeOf === "number") insertDuplicate(telling, act, dupeOf);
}

function insertComment(
  { store }: Replay,
  act: EventContext,
  { say = "", isPrivate = false, hours = 0, tags = [] }: Event,
): void {
  const { id } = store.run(
    "INSERT INTO comments (bug_id, creator_id, creation_time, text, is_private, work_time) VALUES (?, ?, ?, ?, ?, ?)",
    [act.bugId, act.userId, act.time, say, Number(isPrivate), hours],
  );
  for (const tag of tags) {
    store.run("INSERT INTO comment_tags (comment_id, tag) VALUES (?, ?)", [id, tag]);
  }
}

function insertDuplicate({ store }: Replay, { bugId, userId, time }: EventContext, dupeOf: number): void {
  store.run("INSERT INTO bug_duplicates (bug_id, dupe_of) VALUES (?, ?)", [bugId, dupeOf]);
  const comment =
    "INSERT INTO comments (bug_id, creator_id, creation_time, text, kind, about) VALUES (?, ?, ?, '', ?, ?)";
  store.run(comment, [bugId, userId, time, "duplicate_of", dupeOf]);
  store.run(comment, [dupeOf, userId, time, "has_duplicate", bugId]);
}

/** Sets, changes and clears flags: `review?(mei)`, `review+`, `needinfoX`. */
export function insertFlags(telling: Replay, act: EventContext, flags: readonly string[]): void {
  for (const text of flags) {
    const [, name = "", status = "", requestee] = /^([\w-]+)([?+X-])(?:\((\w+)\))?$/.exec(text) ?? [];
    insertFlag(telling, act, { name, status, requestee });
  }
}

type FlagEvent = { readonly name: string; readonly status: string; readonly requestee: string | undefined };
type StoredFlag = { readonly id: number; readonly status: string; readonly requestee: string | null };

function insertFlag(telling: Replay, act: EventContext, { name, status, requestee }: FlagEvent): void {
  const { store, user } = telling;
  const typeId = idByName(store, "flag_types", name);
  const known = store.get<StoredFlag>(
    `SELECT flags.id, status, login AS requestee FROM flags LEFT JOIN users ON users.id = requestee_id
     WHERE bug_id = ? AND type_id = ?`,
    [act.bugId, typeId],
  );
  const requesteeId = requestee === undefined ? null : user(requestee);
  if (known) store.run("DELETE FROM flags WHERE id = ?", [known.id]);
  if (status !== "X") {
    store.run(
      `INSERT INTO flags (type_id, bug_id, status, setter_id, requestee_id, creation_date, modification_date)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [typeId, act.bugId, status, act.userId, requesteeId, act.time, act.time],
    );
  }
  insertActivity(telling, act, {
    field: "flagtypes.name",
    removed: known ? flagText(name, known.status, known.requestee) : "",
    added: status === "X" ? "" : flagText(name, status, requestee === undefined ? null : `${requestee}@example.org`),
  });
}

function flagText(name: string, status: string, requestee: string | null): string {
  return `${name}${status}${requestee === null ? "" : `(${requestee})`}`;
}

/** State of the telling of stories. */
export type Replay = {
  readonly store: Store;
  readonly now: Date;
  readonly user: (name: string) => number;
  readonly bugs: Map<DemoBug, ReplayedBug>;
};

/** A bug while its story is told. */
export type ReplayedBug = { readonly values: BugValues; readonly created: string; readonly changed: string };

/** The user who did something to a bug, and the time. */
export type EventContext = { readonly bugId: number; readonly userId: number; readonly time: string };

/** A moment so many days before now (after it, when negative), as stored. */
export function daysAgo(now: Date, days: number): string {
  return `${new Date(now.getTime() - Math.round(days * 86_400) * 1000).toISOString().slice(0, 19)}Z`;
}

/** Writes a line of a bug's history. */
export function insertActivity({ store }: Replay, act: EventContext, { field, removed, added }: ActivityLine): void {
  store.run("INSERT INTO activity (bug_id, user_id, time, field, removed, added) VALUES (?, ?, ?, ?, ?, ?)", [
    act.bugId,
    act.userId,
    act.time,
    field,
    removed,
    added,
  ]);
}

type ActivityLine = { readonly field: string; readonly removed: string; readonly added: string };
