import { fieldName } from "../bugs/names.ts";
import { idOf } from "../setup/lookup.ts";
import type { Store } from "../store/store.ts";
import { tellComments } from "./comments.ts";
import { tellFlags } from "./flags.ts";
import { saveBug } from "./save.ts";
import { type BugValues, type Step, type Story, timeline } from "./story.ts";
import { type Act, daysAgo, saveActivity, type Telling } from "./telling.ts";

/** Tells stories into a store: bugs as they stand at the end, with the comments, flags and history that brought them there. */
export function tellStories(store: Store, stories: readonly Story[], now: Date): void {
  const user = (name: string) => idOf(store, "user", `${name}@example.org`);
  const telling: Telling = { store, now, user, bugs: new Map() };
  store.exec("PRAGMA defer_foreign_keys = ON");
  for (const step of timeline(stories)) {
    tellStep(telling, step);
  }
  for (const [story, bug] of telling.bugs) {
    saveBug(telling, story, bug);
  }
}

const FILED: BugValues = {
  status: "CONFIRMED",
  resolution: "",
  priority: "Normal",
  severity: "normal",
  target_milestone: "---",
  cf_impact: "---",
  cf_channel: "---",
};

function tellStep(telling: Telling, { story, event, isFirst }: Step): void {
  const { now, bugs, user } = telling;
  const time = daysAgo(now, event.ago);
  const before = bugs.get(story) ?? { values: filedValues(telling, story), created: time };
  const set = dated(now, event.set);
  bugs.set(story, { values: { ...before.values, ...set }, created: before.created, changed: time });
  const act: Act = { bugId: story.id, userId: user(event.by), time };
  for (const [field, after] of isFirst ? [] : Object.entries(set)) {
    recordChange(telling, act, { field, before: before.values[field] ?? "", after });
  }
  tellFlags(telling, act, event.flags ?? []);
  tellComments(telling, act, event);
}

function filedValues({ store, now }: Telling, story: Story): BugValues {
  const [product, component, version] = story.in;
  const owner = store.get<{ readonly login: string }>(OWNER, [component, product])?.login ?? "";
  return { ...FILED, version, assigned_to: owner.replace(/@.*/, ""), ...dated(now, story.with) };
}

const OWNER = `
  SELECT login FROM users
  JOIN components ON components.default_assignee_id = users.id
  JOIN products ON products.id = components.product_id
  WHERE components.name = ? AND products.name = ?`;

type Value = BugValues[string];

const DAYS = new Set(["deadline", "cf_ship_by"]);
const MOMENTS = new Set(["cf_last_seen"]);

// Dates are told as days from now, so that the demo never grows old.
function dated(now: Date, values: BugValues = {}): BugValues {
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [field, datedValue(now, field, value)]));
}

function datedValue(now: Date, field: string, value: Value): Value {
  if (typeof value !== "number" || !(DAYS.has(field) || MOMENTS.has(field))) return value;
  const moment = daysAgo(now, -value);
  return DAYS.has(field) ? moment.slice(0, 10) : moment;
}

type Change = { readonly field: string; readonly before: Value; readonly after: Value };

// Duplicates are not part of the history; their comments tell.
function recordChange(telling: Telling, act: Act, { field, before, after }: Change): void {
  if (field === "dupe_of") return;
  const old = asList(before);
  const recent = asList(after);
  saveActivity(telling, act, {
    field: fieldName(field),
    removed: shown(
      field,
      old.filter((item) => !recent.includes(item)),
    ),
    added: shown(
      field,
      recent.filter((item) => !old.includes(item)),
    ),
  });
}

const PERSONS = new Set(["assigned_to", "qa_contact", "cc"]);

function shown(field: string, items: readonly (string | number)[]): string {
  return items.map((item) => (PERSONS.has(field) && item !== "" ? `${item}@example.org` : String(item))).join(", ");
}

function asList(value: Value): readonly (string | number)[] {
  return typeof value === "object" ? value : [value];
}
