import { customFields, FIELD_TYPE } from "../fields/custom.ts";
import { idOf } from "../setup/lookup.ts";
import type { Store } from "../store/store.ts";
import type { BugValues, Story } from "./story.ts";
import type { Telling, ToldBug } from "./telling.ts";

/** Stores a bug as it stands at the end of its story. */
export function saveBug({ store, user }: Telling, story: Story, { values, created, changed }: ToldBug): void {
  const [product, component, version] = story.in;
  const productId = idOf(store, "product", product);
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
  saveLists(store, story.id, values);
  saveCustom(store, story.id, values);
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

function saveLists(store: Store, bugId: number, values: BugValues): void {
  for (const [field, sql] of Object.entries(LISTS)) {
    const items = values[field] ?? [];
    for (const item of typeof items === "object" ? items : [items]) {
      store.run(sql, [bugId, item]);
    }
  }
}

function saveCustom(store: Store, bugId: number, values: BugValues): void {
  for (const { id, name, type } of customFields(store)) {
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
