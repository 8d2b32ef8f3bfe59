import { readFileSync } from "node:fs";
import { openStore, type SqlRow, type SqlValue, type Store } from "../../src/tracker/store/store.ts";
import { hashPassword, sha256 } from "../../src/tracker/users/authenticate.ts";
import { copiedStore } from "../copied-store.ts";

type State = { readonly [table: string]: readonly SqlRow[] } & {
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
    store.exec("PRAGMA defer_foreign_keys = ON");
    for (const table of TABLES) load(store, table);
    store.exec(OTHERS);
    for (const [name, value] of recordedParameters()) {
      store.run("INSERT INTO parameters (name, value) VALUES (?, ?)", [name, value]);
    }
  });
  return store;
}

const OTHERS = `
  UPDATE sqlite_sequence SET seq = 20001 WHERE name = 'bugs';
  UPDATE sqlite_sequence SET seq = 60001 WHERE name = 'comments';
  INSERT INTO audit (time) VALUES ('2026-11-20T04:21:36Z')`;

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

type Row = Readonly<Record<string, SqlValue>>;

/** A table, the recorded one that it comes from, the columns with other names there, and those that are made of a row. */
type Table = {
  readonly into: string;
  readonly from: string;
  readonly named?: Readonly<Record<string, string>>;
  readonly made?: (row: Row) => Row;
};

/** Inserts the recorded rows of a table, without columns that the tracker does not have. */
function load(store: Store, { into, from, named = {}, made = () => ({}) }: Table): void {
  const columns = store.all<{ name: string }>(`SELECT name FROM pragma_table_info('${into}')`).map(({ name }) => name);
  for (const recorded of rows(from)) {
    const row: Row = { ...recorded, ...made(recorded) };
    const theirs = (name: string) => (named[name] === undefined || name in made(recorded) ? name : named[name]);
    const known = columns.filter((name) => theirs(name) in row);
    const values = known.map((name) => row[theirs(name)] ?? null);
    store.run(`INSERT INTO ${into} (${known.join(", ")}) VALUES (${known.map(() => "?").join(", ")})`, values);
  }
}

function rows(table: string): readonly Row[] {
  return state[table] ?? [];
}

/** A column of the recorded row with this id. */
function column(table: string, name: string, id: SqlValue | undefined): SqlValue {
  return rows(table).find((row) => row["id"] === id)?.[name] ?? null;
}

function iso(time: SqlValue | undefined): string {
  return `${String(time).replace(" ", "T")}Z`;
}

const KINDS = ["member", "bless"];
const SELECTS = ["bug_status", "resolution", "priority", "bug_severity", "op_sys", "rep_platform"];
const CUSTOM_SELECTS = ["cf_platforms", "cf_tracking", "cf_channel"];
const HASH = hashPassword(PASSWORD, new Uint8Array(16));

// biome-ignore format: a table
const TABLES: readonly Table[] = [
  { into: "users", from: "profiles",
    named: { id: "userid", login: "login_name", real_name: "realname", disabled_text: "disabledtext" },
    made: ({ disable_mail }) => ({ password_hash: HASH, email_enabled: Number(disable_mail === 0) }) },
  { into: "api_keys", from: "user_api_keys", named: { is_revoked: "revoked" },
    made: ({ api_key = "" }) => ({ key_sha256: sha256(String(api_key)), creation_time: "2026-11-20T04:00:00Z" }) },
  { into: "groups", from: "groups",
    named: { is_bug_group: "isbuggroup", user_regexp: "userregexp", is_active: "isactive" } },
  { into: "group_members", from: "user_group_map",
    made: ({ isbless, grant_type }) => ({ kind: isbless === 1 ? "bless" : "member",
      given_by: grant_type === 2 ? "regexp" : "direct" }) },
  { into: "group_inclusions", from: "group_group_map",
    made: ({ grant_type }) => ({ kind: KINDS[Number(grant_type)] ?? null }) },
  { into: "classifications", from: "classifications", named: { sort_key: "sortkey" } },
  { into: "products", from: "products",
    named: { is_active: "isactive", default_milestone: "defaultmilestone", has_unconfirmed: "allows_unconfirmed" } },
  { into: "components", from: "components", named: { is_active: "isactive", default_assignee_id: "initialowner",
    default_qa_contact_id: "initialqacontact" } },
  { into: "versions", from: "versions", named: { name: "value", is_active: "isactive" } },
  { into: "milestones", from: "milestones", named: { name: "value", sort_key: "sortkey", is_active: "isactive" } },
  { into: "keywords", from: "keyworddefs" },
  { into: "flag_types", from: "flagtypes", named: { sort_key: "sortkey" },
    made: ({ target_type }) => ({ target: target_type === "b" ? "bug" : "attachment" }) },
  { into: "flag_type_inclusions", from: "flaginclusions" },
  { into: "group_controls", from: "group_control_map", named: { member_control: "membercontrol",
    other_control: "othercontrol", can_edit: "canedit", edit_components: "editcomponents", edit_bugs: "editbugs",
    can_confirm: "canconfirm" } },
  { into: "fields", from: "fielddefs", named: { display_name: "description",
      is_custom: "custom", is_on_bug_entry: "enter_bug", is_obsolete: "obsolete", sort_key: "sortkey" },
    made: (field) => ({ type: Number(field["type"]),
      visibility_field: column("fielddefs", "name", field["visibility_field_id"]),
      value_field: column("fielddefs", "name", field["value_field_id"]) }) },
  { into: "field_visibility", from: "field_visibility",
    made: ({ value_id }) => ({ value: column("products", "name", value_id) }) },
  ...[...SELECTS, ...CUSTOM_SELECTS].map((from) => ({ into: "field_values", from,
    named: { name: "value", sort_key: "sortkey", is_active: "isactive" },
    made: ({ id: _, is_open = 0, visibility_value_id }: Row) => ({
      id: null, field_id: rows("fielddefs").find(({ name }) => name === from)?.["id"] ?? null, is_open,
      visible_for: column("products", "name", visibility_value_id) }) })),
  { into: "status_moves", from: "status_workflow", named: { comment_required: "require_comment" },
    made: ({ old_status, new_status }) => ({ from_status: column("bug_status", "value", old_status),
      to_status: column("bug_status", "value", new_status) }) },
  { into: "bugs", from: "bugs", named: { id: "bug_id", summary: "short_desc", status: "bug_status",
      severity: "bug_severity", platform: "rep_platform", assigned_to_id: "assigned_to", creator_id: "reporter",
      qa_contact_id: "qa_contact", url: "bug_file_loc", whiteboard: "status_whiteboard", is_confirmed: "everconfirmed",
      is_cc_accessible: "cclist_accessible", is_creator_accessible: "reporter_accessible" },
    made: ({ creation_ts, delta_ts, estimated_time = 0, remaining_time = 0 }) => ({
      creation_time: iso(creation_ts), last_change_time: iso(delta_ts),
      estimated_time: Number(estimated_time), remaining_time: Number(remaining_time) }) },
  { into: "comments", from: "longdescs",
    named: { id: "comment_id", creator_id: "who", text: "thetext", is_private: "isprivate" },
    made: ({ bug_when, work_time = 0 }) => ({ creation_time: iso(bug_when), work_time: Number(work_time) }) },
  { into: "activity", from: "bugs_activity", named: { user_id: "who" },
    made: ({ bug_when, fieldid }) => ({ time: iso(bug_when), field: column("fielddefs", "name", fieldid),
      comment_id: null }) },
];
