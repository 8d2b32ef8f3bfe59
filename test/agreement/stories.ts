import type { BugValues, DemoBug } from "../../src/tracker/demo/bugs.ts";
import { type TimelineEntry, timeline } from "../../src/tracker/demo/replay.ts";
import { chartFieldName } from "../../src/tracker/fields.ts";
import { idByName } from "../../src/tracker/setup/kinds.ts";
import type { Store } from "../../src/tracker/store/store.ts";
import {
  daysAgo,
  type EventContext,
  insertActivity,
  insertBug,
  insertComments,
  insertFlags,
  type Replay,
} from "./insert-story.ts";

/**
 * Tells stories into a store: bugs as they stand at the end, with the comments, flags and history that brought them there.
 * Rows are written as they are told, against any rule of a tracker, so that searches meet every mixture; lists of new values
 * are whole ones here.
 */
export function applyEvents(store: Store, stories: readonly DemoBug[], now: Date): void {
  const user = (name: string) => idByName(store, "users", `${name}@example.org`);
  const telling: Replay = { store, now, user, bugs: new Map() };
  store.exec("PRAGMA defer_foreign_keys = ON");
  for (const step of timeline(stories)) {
    applyEvent(telling, step);
  }
  for (const [story, bug] of telling.bugs) {
    insertBug(telling, story, bug);
  }
}

const NEW_BUG_VALUES: BugValues = {
  status: "CONFIRMED",
  resolution: "",
  priority: "Normal",
  severity: "normal",
  target_milestone: "---",
  cf_impact: "---",
  cf_channel: "---",
};

function applyEvent(telling: Replay, { story, event, isFirst }: TimelineEntry): void {
  const { now, bugs, user } = telling;
  const time = daysAgo(now, event.ago);
  const before = bugs.get(story) ?? { values: filedValues(telling, story), created: time };
  const set = dated(now, event.set);
  bugs.set(story, { values: { ...before.values, ...set }, created: before.created, changed: time });
  const act: EventContext = { bugId: story.id, userId: user(event.by), time };
  for (const [field, after] of isFirst ? [] : Object.entries(set)) {
    recordChange(telling, act, { field, before: before.values[field] ?? "", after });
  }
  insertFlags(telling, act, event.flags ?? []);
  insertComments(telling, act, isFirst ? { ...event, say: story.text } : event);
}

function filedValues({ store, now }: Replay, story: DemoBug): BugValues {
  const [product, component, version] = story.in;
  const owner = store.get<{ readonly login: string }>(COMPONENT_OWNER, [component, product])?.login ?? "";
  return { ...NEW_BUG_VALUES, version, assigned_to: owner.replace(/@.*/, ""), ...dated(now, story.with) };
}

const COMPONENT_OWNER = `
  SELECT login FROM users
  JOIN components ON components.default_assignee_id = users.id
  JOIN products ON products.id = components.product_id
  WHERE components.name = ? AND products.name = ?`;

type FieldValue = BugValues[string];

const DAYS = new Set(["deadline", "cf_ship_by"]);
const MOMENTS = new Set(["cf_last_seen"]);

// Dates are told as days from now, so that the demo never grows old.
function dated(now: Date, values: BugValues = {}): BugValues {
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [field, datedValue(now, field, value)]));
}

function datedValue(now: Date, field: string, value: FieldValue): FieldValue {
  if (typeof value !== "number" || !(DAYS.has(field) || MOMENTS.has(field))) return value;
  const moment = daysAgo(now, -value);
  return DAYS.has(field) ? moment.slice(0, 10) : moment;
}

type FieldChange = { readonly field: string; readonly before: FieldValue; readonly after: FieldValue };

// Duplicates are not part of the history; their comments tell.
function recordChange(telling: Replay, act: EventContext, { field, before, after }: FieldChange): void {
  if (field === "dupe_of") return;
  const old = asList(before);
  const recent = asList(after);
  insertActivity(telling, act, {
    field: chartFieldName(field),
    removed: personText(
      field,
      old.filter((item) => !recent.includes(item)),
    ),
    added: personText(
      field,
      recent.filter((item) => !old.includes(item)),
    ),
  });
}

const PERSONS = new Set(["assigned_to", "qa_contact", "cc"]);

function personText(field: string, items: readonly (string | number)[]): string {
  return items.map((item) => (PERSONS.has(field) && item !== "" ? `${item}@example.org` : String(item))).join(", ");
}

function asList(value: FieldValue): readonly (string | number)[] {
  return typeof value === "object" ? value : [value];
}
