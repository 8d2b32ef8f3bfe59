import { customFieldRows } from "../../src/tracker/bug-fields/values.ts";
import type { BugValues } from "../../src/tracker/demo/bugs.ts";
import { chartFieldName } from "../../src/tracker/fields.ts";
import { idByName } from "../../src/tracker/setup/kinds.ts";
import type { Store } from "../../src/tracker/store/store.ts";
import { FIELD_TYPE } from "../../src/wire/field-types.ts";

/** A bug from its first day on. */
export type Story = {
  readonly id: number;
  readonly in: readonly [product: string, component: string, version: string];
  readonly summary: string;
  readonly by: string;
  readonly ago: number; // when it was filed, in days before now
  readonly text: string;
  readonly with?: BugValues; // what it was filed with
  readonly flags?: readonly string[];
  readonly later?: readonly StoryEvent[];
};

export type StoryEvent = {
  readonly ago: number; // days before now
  readonly by: string; // the login without its domain
  readonly say?: string; // a comment
  readonly isPrivate?: boolean;
  readonly tags?: readonly string[]; // of the comment
  readonly set?: BugValues;
  readonly flags?: readonly string[]; // review?(mei), review+, needinfoX
};

/** All events of all stories in the order in which they happened. */
function timeline(stories: readonly Story[]) {
  return stories
    .flatMap((story) => [
      { story, event: { ago: story.ago, by: story.by, flags: story.flags ?? [] } as StoryEvent, isFirst: true },
      ...(story.later ?? []).map((event) => ({ story, event, isFirst: false })),
    ])
    .sort((a, b) => b.event.ago - a.event.ago);
}

/**
 * Tells stories into a store: bugs as they stand at the end, with the comments, flags and history that brought them there.
 * Rows are written as they are told, against any rule of a tracker, so that searches meet every mixture; lists of new values
 * are whole ones here.
 */
export function applyEvents(store: Store, stories: readonly Story[], now: Date): void {
  const bugs = new Map<Story, { readonly values: BugValues; readonly created: string; readonly changed: string }>();
  store.exec("PRAGMA defer_foreign_keys = ON");
  for (const { story, event, isFirst } of timeline(stories)) {
    const time = daysAgo(now, event.ago);
    const before = bugs.get(story) ?? { values: filedValues(store, story, now), created: time };
    const set = dated(now, event.set);
    bugs.set(story, { values: { ...before.values, ...set }, created: before.created, changed: time });
    const act: Act = { bugId: story.id, userId: userId(store, event.by), time };
    if (!isFirst)
      for (const [field, after] of Object.entries(set))
        insertChange(store, act, field, before.values[field] ?? "", after);
    for (const flag of event.flags ?? []) insertFlag(store, act, flag);
    insertComment(store, act, isFirst ? { ...event, say: story.text } : event);
  }
  for (const [story, { values, created, changed }] of bugs) {
    insertBug(store, story, { ...values, creation_time: created, last_change_time: changed });
    insertLists(store, story.id, values);
    insertCustomValues(store, story.id, values);
  }
}

/** Who did something to a bug, and when. */
type Act = { readonly bugId: number; readonly userId: number; readonly time: string };

type Value = BugValues[string];

function userId(store: Store, name: string): number {
  return idByName(store, "users", `${name}@example.org`);
}

function filedValues(store: Store, { in: [product, component, version], with: values }: Story, now: Date): BugValues {
  const owner = store.get<{ readonly login: string }>(COMPONENT_OWNER, [component, product])?.login ?? "";
  return { ...NEW_BUG_VALUES, version, assigned_to: owner.replace(/@.*/, ""), ...dated(now, values) };
}

const NEW_BUG_VALUES: BugValues = {
  ...{ status: "CONFIRMED", resolution: "", priority: "Normal", severity: "normal", target_milestone: "---" },
  ...{ cf_impact: "---", cf_channel: "---" },
};

const COMPONENT_OWNER = `
  SELECT login FROM users
  JOIN components ON components.default_assignee_id = users.id
  JOIN products ON products.id = components.product_id
  WHERE components.name = ? AND products.name = ?`;

const DAYS = ["deadline", "cf_ship_by"];
const MOMENTS = ["cf_last_seen"];

/** Values whose days from now are dates. */
function dated(now: Date, values: BugValues = {}): BugValues {
  const asDate = (field: string, value: Value): Value => {
    if (typeof value !== "number" || ![...DAYS, ...MOMENTS].includes(field)) return value;
    return daysAgo(now, -value).slice(0, DAYS.includes(field) ? 10 : undefined);
  };
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [field, asDate(field, value)]));
}

/** A moment so many days before now (after it, when negative), as stored. */
function daysAgo(now: Date, days: number): string {
  return `${new Date(now.getTime() - Math.round(days * 86_400) * 1000).toISOString().slice(0, 19)}Z`;
}

function insertChange(store: Store, act: Act, field: string, before: Value, after: Value): void {
  const [old, recent] = [before, after].map((value) => (typeof value === "object" ? value : [value]).map(String));
  const isPerson = ["assigned_to", "qa_contact", "cc"].includes(field);
  const without = (items: readonly string[] = [], others: readonly string[] = []) => {
    const rest = items.filter((item) => !others.includes(item));
    return rest.map((item) => (isPerson && item !== "" ? `${item}@example.org` : item)).join(", ");
  };
  insertActivity(store, act, chartFieldName(field), without(old, recent), without(recent, old));
}

function insertActivity(store: Store, { bugId, userId, time }: Act, ...change: [string, string, string]): void {
  const sql = "INSERT INTO activity (bug_id, user_id, time, field, removed, added) VALUES (?, ?, ?, ?, ?, ?)";
  store.run(sql, [bugId, userId, time, ...change]);
}

/** Sets, changes or clears a flag: `review?(mei)`, `review+`, `needinfoX`. */
function insertFlag(store: Store, act: Act, text: string): void {
  const [, name = "", status = "", requestee] = /^([\w-]+)([?+X-])(?:\((\w+)\))?$/.exec(text) ?? [];
  const typeId = idByName(store, "flag_types", name);
  const known = store.get<{ readonly id: number; readonly status: string; readonly requestee: string | null }>(
    `SELECT flags.id, status, login AS requestee FROM flags LEFT JOIN users ON users.id = requestee_id
     WHERE bug_id = ? AND type_id = ?`,
    [act.bugId, typeId],
  );
  if (known) store.run("DELETE FROM flags WHERE id = ?", [known.id]);
  if (status !== "X") {
    const requesteeId = requestee === undefined ? null : userId(store, requestee);
    store.run(
      `INSERT INTO flags (type_id, bug_id, status, setter_id, requestee_id, creation_date, modification_date)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [typeId, act.bugId, status, act.userId, requesteeId, act.time, act.time],
    );
  }
  const shown = (state: string, login?: string | null) => `${name}${state}${login ? `(${login})` : ""}`;
  const added = status === "X" ? "" : shown(status, requestee && `${requestee}@example.org`);
  insertActivity(store, act, "flagtypes.name", known ? shown(known.status, known.requestee) : "", added);
}

function insertComment(
  store: Store,
  { bugId, userId, time }: Act,
  { say, isPrivate = false, tags = [] }: StoryEvent,
): void {
  if (say === undefined) return;
  const { id } = store.run(
    "INSERT INTO comments (bug_id, creator_id, creation_time, text, is_private) VALUES (?, ?, ?, ?, ?)",
    [bugId, userId, time, say, Number(isPrivate)],
  );
  for (const tag of tags) store.run("INSERT INTO comment_tags (comment_id, tag) VALUES (?, ?)", [id, tag]);
}

function insertBug(store: Store, story: Story, values: BugValues): void {
  const [product, name] = story.in;
  const productId = idByName(store, "products", product);
  const component = store.get<Component>("SELECT * FROM components WHERE product_id = ? AND name = ?", [
    productId,
    name,
  ]);
  const person = (field: string, otherwise: number | null | undefined) =>
    values[field] === undefined ? (otherwise ?? null) : userId(store, String(values[field]));
  const columns = {
    ...{ platform: "All", op_sys: "All", url: "", whiteboard: "" },
    ...Object.fromEntries(
      TEXTS.flatMap((field) => (values[field] === undefined ? [] : [[field, String(values[field])]])),
    ),
    ...{ id: story.id, summary: story.summary, product_id: productId, component_id: component?.id ?? 0 },
    creator_id: userId(store, story.by),
    assigned_to_id: person("assigned_to", component?.default_assignee_id ?? 0),
    qa_contact_id: person("qa_contact", component?.default_qa_contact_id),
    is_confirmed: values["status"] === "UNCONFIRMED" ? 0 : 1,
    estimated_time: Number(values["estimated_time"] ?? 0),
  };
  const names = Object.keys(columns);
  store.run(`INSERT INTO bugs (${names}) VALUES (${names.map((column) => `@${column}`)})`, columns);
}

type Component = {
  readonly id: number;
  readonly default_assignee_id: number;
  readonly default_qa_contact_id: number | null;
};

const TEXTS = [
  ...["status", "resolution", "version", "target_milestone", "priority", "severity", "platform", "op_sys", "url"],
  ...["whiteboard", "deadline", "creation_time", "last_change_time"],
];

const LISTS: Readonly<Record<string, string>> = {
  alias: "INSERT INTO bug_aliases (bug_id, alias) VALUES (?, ?)",
  cc: "INSERT INTO bug_cc (bug_id, user_id) SELECT ?, id FROM users WHERE login = ? || '@example.org'",
  depends_on: "INSERT OR IGNORE INTO bug_dependencies (bug_id, depends_on_id) VALUES (?, ?)",
  groups: "INSERT INTO bug_groups (bug_id, group_id) SELECT ?, id FROM groups WHERE name = ?",
  keywords: "INSERT INTO bug_keywords (bug_id, keyword_id) SELECT ?, id FROM keywords WHERE name = ?",
  see_also: "INSERT INTO bug_see_also (bug_id, url) VALUES (?, ?)",
};

function insertLists(store: Store, bugId: number, values: BugValues): void {
  for (const [field, sql] of Object.entries(LISTS)) {
    const items = values[field] ?? [];
    for (const item of typeof items === "object" ? items : [items]) store.run(sql, [bugId, item]);
  }
}

/** Stores custom values; the empty value of a select field has no row. */
function insertCustomValues(store: Store, bugId: number, values: BugValues): void {
  for (const { id, name, type } of customFieldRows(store, "in use")) {
    const table = type === FIELD_TYPE.multiSelect ? "custom_choices" : "custom_values";
    const value = values[name] === "---" ? [] : (values[name] ?? []);
    for (const item of typeof value === "object" ? value : [value])
      store.run(`INSERT INTO ${table} (bug_id, field_id, value) VALUES (?, ?, ?)`, [bugId, id, String(item)]);
  }
}
