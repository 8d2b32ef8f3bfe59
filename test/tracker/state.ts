import { readFileSync } from "node:fs";
import type { SqlRow, SqlValue } from "../../src/tracker/store/database.ts";
import { openStore, type Store } from "../../src/tracker/store/store.ts";
import { hashPassword, sha256 } from "../../src/tracker/users/passwords.ts";
import { copiedStore } from "../copied-store.ts";

type Rows = readonly SqlRow[];
type State = { readonly [table: string]: Rows } & {
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly passwords: string;
};

const state = JSON.parse(readFileSync(new URL("../replay/state.json", import.meta.url), "utf8")) as State;

/** The password of every user of the recorded server, as the conversations say it. */
export const PASSWORD = "{password}";

/** A store that holds what the recorded server knew at the start of every conversation. */
export function recordedStore(): Store {
  return copiedStore("recorded", loadedStore);
}

function loadedStore(): Store {
  const store = openStore(":memory:");
  store.transaction("write", () => {
    for (const load of [people, catalog, fields, bugs, discussion, server]) {
      load(store);
    }
  });
  return store;
}

/** The parameters that the recorded server had, as text. */
export function recordedParameters(changed: Readonly<Record<string, SqlValue>> = {}): [string, string][] {
  return Object.entries({
    ...state.parameters,
    maintainer: "admin@example.org",
    allowemailchange: "1",
    mailfrom: "bugzilla-daemon",
    urlbase: "{base_url}/",
    ...changed,
  }).map(([name, value]) => [name, String(value)]);
}

function insert(store: Store, table: string, rows: readonly Partial<SqlRow>[]): void {
  for (const row of rows as Rows) {
    const columns = Object.keys(row);
    const sql = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map((name) => `@${name}`).join(", ")})`;
    store.run(sql, row);
  }
}

const KINDS = ["member", "bless", "see"];

const password_hash = hashPassword(PASSWORD, new Uint8Array(16));

function people(store: Store): void {
  insert(
    store,
    "users",
    rows("profiles").map((user) => ({
      id: user["userid"],
      login: user["login_name"],
      real_name: user["realname"],
      password_hash,
      disabled_text: user["disabledtext"],
      email_enabled: user["disable_mail"] === 0 ? 1 : 0,
    })),
  );
  insert(
    store,
    "api_keys",
    rows("user_api_keys").map((key) => ({
      id: key["id"],
      user_id: key["user_id"],
      key_sha256: sha256(String(key["api_key"])),
      description: key["description"],
      is_revoked: key["revoked"],
      creation_time: "2026-11-20T04:00:00Z",
    })),
  );
  insert(
    store,
    "groups",
    rows("groups").map(({ isbuggroup, userregexp, isactive, ...group }) => ({
      ...group,
      is_bug_group: isbuggroup,
      user_regexp: userregexp,
      is_active: isactive,
    })),
  );
  insert(
    store,
    "group_members",
    rows("user_group_map").map((row) => ({
      group_id: row["group_id"],
      user_id: row["user_id"],
      kind: row["isbless"] === 1 ? "bless" : "member",
      given_by: row["grant_type"] === 2 ? "regexp" : "direct",
    })),
  );
  insert(
    store,
    "group_inclusions",
    rows("group_group_map").map((row) => ({
      member_id: row["member_id"],
      grantor_id: row["grantor_id"],
      kind: KINDS[Number(row["grant_type"])],
    })),
  );
}

function catalog(store: Store): void {
  insert(
    store,
    "classifications",
    rows("classifications").map(({ sortkey, ...row }) => ({ ...row, sort_key: sortkey })),
  );
  insert(
    store,
    "products",
    rows("products").map(({ isactive, defaultmilestone, allows_unconfirmed, ...row }) => ({
      ...row,
      is_active: isactive,
      default_milestone: defaultmilestone,
      has_unconfirmed: allows_unconfirmed,
    })),
  );
  insert(
    store,
    "components",
    rows("components").map(({ isactive, initialowner, initialqacontact, ...row }) => ({
      ...row,
      is_active: isactive,
      default_assignee_id: initialowner,
      default_qa_contact_id: initialqacontact,
    })),
  );
  insert(
    store,
    "versions",
    rows("versions").map(({ isactive, value, ...row }) => ({ ...row, name: value, is_active: isactive })),
  );
  insert(
    store,
    "milestones",
    rows("milestones").map(({ isactive, value, sortkey, ...row }) => ({
      ...row,
      name: value,
      sort_key: sortkey,
      is_active: isactive,
    })),
  );
  insert(store, "keywords", rows("keyworddefs"));
  insert(
    store,
    "flag_types",
    rows("flagtypes").map(({ sortkey, target_type, ...row }) => ({
      ...row,
      sort_key: sortkey,
      target: target_type === "b" ? "bug" : "attachment",
    })),
  );
  insert(store, "flag_type_inclusions", rows("flaginclusions"));
  insert(
    store,
    "group_controls",
    rows("group_control_map").map((row) => ({
      group_id: row["group_id"],
      product_id: row["product_id"],
      entry: row["entry"],
      member_control: row["membercontrol"],
      other_control: row["othercontrol"],
      can_edit: row["canedit"],
      edit_components: row["editcomponents"],
      edit_bugs: row["editbugs"],
      can_confirm: row["canconfirm"],
    })),
  );
}

const SELECTS = [
  "bug_status",
  "resolution",
  "priority",
  "bug_severity",
  "op_sys",
  "rep_platform",
  "cf_platforms",
  "cf_tracking",
  "cf_channel",
];

function fields(store: Store): void {
  const nameOf = (id: SqlValue | undefined) => rows("fielddefs").find((field) => field["id"] === id)?.["name"] ?? null;
  const product = (id: SqlValue | undefined) => rows("products").find((row) => row["id"] === id)?.["name"] ?? null;
  store.exec("PRAGMA defer_foreign_keys = ON");
  insert(
    store,
    "fields",
    rows("fielddefs").map((field) => ({
      id: field["id"],
      name: field["name"],
      display_name: field["description"],
      description: field["long_desc"],
      type: Number(field["type"]),
      is_custom: field["custom"],
      is_mandatory: field["is_mandatory"],
      is_on_bug_entry: field["enter_bug"],
      is_obsolete: field["obsolete"],
      is_numeric: field["is_numeric"],
      in_bug_list: field["buglist"],
      sort_key: field["sortkey"],
      visibility_field: nameOf(field["visibility_field_id"]),
      value_field: nameOf(field["value_field_id"]),
    })),
  );
  insert(
    store,
    "field_visibility",
    rows("field_visibility").map((row) => ({
      field_id: row["field_id"],
      value: product(row["value_id"]),
    })),
  );
  for (const select of SELECTS) {
    const field_id = rows("fielddefs").find((field) => field["name"] === select)?.["id"];
    insert(
      store,
      "field_values",
      rows(select).map((row) => ({
        field_id,
        name: row["value"],
        sort_key: row["sortkey"],
        is_active: row["isactive"],
        is_open: row["is_open"] ?? 0,
        visible_for: product(row["visibility_value_id"]),
      })),
    );
  }
  const status = (id: SqlValue | undefined) => rows("bug_status").find((row) => row["id"] === id)?.["value"] ?? null;
  insert(
    store,
    "status_moves",
    rows("status_workflow").map((row) => ({
      from_status: status(row["old_status"]),
      to_status: status(row["new_status"]),
      comment_required: row["require_comment"],
    })),
  );
}

function iso(time: SqlValue | undefined): string {
  return `${String(time).replace(" ", "T")}Z`;
}

function bugs(store: Store): void {
  insert(
    store,
    "bugs",
    rows("bugs").map((bug) => ({
      id: bug["bug_id"],
      summary: bug["short_desc"],
      status: bug["bug_status"],
      resolution: bug["resolution"],
      product_id: bug["product_id"],
      component_id: bug["component_id"],
      version: bug["version"],
      target_milestone: bug["target_milestone"],
      priority: bug["priority"],
      severity: bug["bug_severity"],
      platform: bug["rep_platform"],
      op_sys: bug["op_sys"],
      assigned_to_id: bug["assigned_to"],
      creator_id: bug["reporter"],
      qa_contact_id: bug["qa_contact"],
      creation_time: iso(bug["creation_ts"]),
      last_change_time: iso(bug["delta_ts"]),
      deadline: bug["deadline"],
      url: bug["bug_file_loc"],
      whiteboard: bug["status_whiteboard"],
      is_confirmed: bug["everconfirmed"],
      is_cc_accessible: bug["cclist_accessible"],
      is_creator_accessible: bug["reporter_accessible"],
      estimated_time: Number(bug["estimated_time"]),
      remaining_time: Number(bug["remaining_time"]),
    })),
  );
  store.run("UPDATE sqlite_sequence SET seq = 20001 WHERE name = 'bugs'");
}

function discussion(store: Store): void {
  const fieldName = (id: SqlValue | undefined) => rows("fielddefs").find((field) => field["id"] === id)?.["name"];
  insert(
    store,
    "comments",
    rows("longdescs").map((comment) => ({
      id: comment["comment_id"],
      bug_id: comment["bug_id"],
      creator_id: comment["who"],
      creation_time: iso(comment["bug_when"]),
      text: comment["thetext"],
      is_private: comment["isprivate"],
      work_time: Number(comment["work_time"]),
    })),
  );
  store.run("UPDATE sqlite_sequence SET seq = 60001 WHERE name = 'comments'");
  insert(
    store,
    "activity",
    rows("bugs_activity").map((change) => ({
      id: change["id"],
      bug_id: change["bug_id"],
      user_id: change["who"],
      time: iso(change["bug_when"]),
      field: fieldName(change["fieldid"]),
      removed: change["removed"],
      added: change["added"],
    })),
  );
}

function server(store: Store): void {
  insert(store, "audit", [{ user_id: 1, time: "2026-11-20T04:21:36Z", what: "set up for the recordings" }]);
  for (const [name, value] of recordedParameters()) {
    store.run("INSERT INTO parameters (name, value) VALUES (?, ?)", [name, value]);
  }
}

function rows(table: string): readonly Readonly<Record<string, SqlValue>>[] {
  return state[table] ?? [];
}
