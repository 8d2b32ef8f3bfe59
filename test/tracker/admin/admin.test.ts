import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADMIN_OPERATIONS, bindAdminOperations } from "../../../src/tracker/admin/admin.ts";
import { documentAsJson } from "../../../src/tracker/admin/document.ts";
import type { AdminArguments } from "../../../src/tracker/admin/operation.ts";
import { createTracker } from "../../../src/tracker/http/tracker.ts";
import { fillLocalTracker, openTracker } from "../../../src/tracker/open.ts";
import { openStore, type Store } from "../../../src/tracker/store/store.ts";
import type { Json, JsonObject } from "../../../src/wire/exchange.ts";
import { outcome } from "../refusal.ts";

const surroundings = {
  now: () => new Date("2026-11-21T12:00:00Z"),
  random: (bytes: number) => new Uint8Array(bytes).fill(5),
  report: (failure: unknown) => {
    throw failure;
  },
};

function opened(): Store {
  const store = openStore(":memory:");
  fillLocalTracker(store);
  return store;
}

// Does an operation as `bt admin` would: "user add", and what is given.
function on(store: Store) {
  return (name: string, given: AdminArguments = {}): Json => {
    const operation = bindAdminOperations(store, surroundings).find(({ noun, verb }) => `${noun} ${verb}` === name);
    if (!operation) throw new TypeError(`no operation ${name}`);
    return operation.run(given);
  };
}

function rows(result: Json) {
  return result as readonly JsonObject[];
}

test("every operation is listed once, with a description", () => {
  const names = ADMIN_OPERATIONS.map(({ noun, verb }) => `${noun} ${verb}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names.join(", ")).toMatchInlineSnapshot(
    `"user list, user add, user change, user remove, user password, key list, key add, key revoke, group list, group add, group change, group remove, classification list, classification add, classification change, classification remove, product list, product add, product change, product remove, product-group list, product-group add, product-group change, product-group remove, component list, component add, component change, component remove, version list, version add, version change, version remove, milestone list, milestone add, milestone change, milestone remove, keyword list, keyword add, keyword change, keyword remove, field list, field add, field change, field remove, value list, value add, value change, value remove, flag-type list, flag-type add, flag-type change, flag-type remove, workflow list, workflow set, parameter list, parameter set, mail list, mail show, setup show, setup load"`,
  );
  for (const { about, parameters } of ADMIN_OPERATIONS) {
    expect(about).toMatch(/^[A-Z].*\.$/);
    expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length);
  }
});

test("a team sets up its tracker and works in it", async () => {
  const store = opened();
  const run = on(store);
  run("user add", { login: "ada@example.org", real_name: "Ada", groups: ["editbugs", "canconfirm"] });
  const { key } = run("key add", { login: "ada@example.org", description: "laptop" }) as { readonly key: string };
  run("product add", { name: "Engine", description: "What drives it", versions: ["1.0", "2.0"] });
  run("component add", { product: "Engine", name: "Pump", default_assignee: "ada@example.org" });
  run("milestone add", { product: "Engine", name: "2.1", sort_key: 10 });
  run("keyword add", { name: "leak", description: "It drips" });
  run("field add", { name: "cf_pressure", type: "select", display_name: "Pressure", values: ["low", "high"] });
  run("value add", { field: "priority", name: "Now", sort_key: 1 });
  run("flag-type add", { name: "sign-off", places: ["Engine/Pump"] });
  run("workflow set", { from: "RESOLVED", to: ["CONFIRMED"], comment_for: ["VERIFIED"] });

  const ask = createTracker(store, surroundings);
  const body = {
    ...{ product: "Engine", component: "Pump", version: "2.0", summary: "Drips", target_milestone: "2.1" },
    ...{ keywords: ["leak"], priority: "Now", cf_pressure: "high", flags: [{ name: "sign-off", status: "?" }] },
  };
  const made = await ask({ method: "POST", path: "/rest/bug", query: [["api_key", key]], body });
  expect(made.status).toBe(200);
  const { body: bug } = await ask({ method: "GET", path: "/rest/bug/1", query: [["api_key", key]] });
  expect(JSON.parse(bug).bugs[0]).toMatchObject({
    assigned_to: "ada@example.org",
    priority: "Now",
    cf_pressure: "high",
  });
});

describe("a changed object", () => {
  test("keeps omitted values", () => {
    const store = opened();
    const run = on(store);
    run("user add", { login: "ada@example.org", real_name: "Ada", groups: ["editbugs", "canconfirm"] });
    run("user change", { login: "ada@example.org", leaves: ["editbugs"], email_enabled: false });
    expect(rows(run("user list"))[0]).toEqual({
      login: "ada@example.org",
      real_name: "Ada",
      can_login: true,
      email_enabled: false,
      disabled_text: "",
      groups: "canconfirm",
    });
    run("value change", { field: "bug_status", name: "CONFIRMED", sort_key: 150 });
    expect(rows(run("value list")).find(({ name }) => name === "CONFIRMED")).toMatchObject({
      is_open: true,
      sort_key: 150,
    });
    run("component change", { product: "Project", name: "General", is_active: false });
    expect(rows(run("component list"))[0]).toMatchObject({ default_assignee: "owner@localhost", is_active: false });
  });

  test("may be renamed, and bugs follow", () => {
    const store = opened();
    const run = on(store);
    store.run(`INSERT INTO bugs (summary, status, product_id, component_id, version, priority, severity, platform, op_sys,
      assigned_to_id, creator_id, creation_time, last_change_time)
      VALUES ('x', 'CONFIRMED', 1, 1, 'unspecified', 'Low', 'normal', 'All', 'All', 1, 1, '2026', '2026')`);
    run("version change", { product: "Project", name: "unspecified", new_name: "1.0" });
    run("product change", { name: "Project", new_name: "Engine" });
    expect(store.get("SELECT version, products.name FROM bugs JOIN products ON products.id = product_id")).toEqual({
      version: "1.0",
      name: "Engine",
    });
  });

  test("with a renamed product, fields that depend on it still apply", () => {
    const store = opened();
    const run = on(store);
    run("setup load", {
      document: `
fields:
  - { name: cf_pump, type: select, value_field: product, values: [{ name: red, visible_for: Project }] }
  - { name: cf_oil, type: text, visibility: { field: product, values: [Project] } }`,
    });
    run("product change", { name: "Project", new_name: "Engine" });
    expect(String(run("setup show"))).toMatch(
      /visible_for: Engine.*visibility:\s+field: product\s+values:\s+- Engine/s,
    );
  });

  test("a user with a new login joins the groups whose patterns match", () => {
    const run = on(opened());
    run("group add", { name: "staff", user_regexp: "@example\\.org$" });
    run("user add", { login: "ada@elsewhere.net" });
    run("user change", { login: "ada@elsewhere.net", new_name: "ada@example.org" });
    expect(rows(run("user list"))[0]).toMatchObject({ login: "ada@example.org", groups: "staff" });
  });

  test("is logged", () => {
    const store = opened();
    on(store)("keyword add", { name: "leak" });
    on(store)("keyword list");
    expect(store.all("SELECT time, what FROM audit")).toEqual([
      { time: "2026-11-21T12:00:00Z", what: "keyword add leak" },
    ]);
  });

  test("a revoked key is rejected", async () => {
    const store = opened();
    const { key } = on(store)("key add", { login: "owner@localhost" }) as { readonly key: string };
    const ask = createTracker(store, surroundings);
    const status = async () => (await ask({ method: "GET", path: "/rest/bug", query: [["api_key", key]] })).status;
    expect(await status()).toBe(200);
    on(store)("key revoke", { id: 1 });
    expect(await status()).toBe(400);
    expect(JSON.stringify(on(store)("key list"))).not.toContain(key);
  });
});

test.each<[string, AdminArguments, string]>([
  ["user add", {}, "400/50: user add requires a login."],
  ["user add", { login: "owner@localhost" }, "400/32000: A user named 'owner@localhost' already exists."],
  ["user add", { login: "x", groups: ["nope"] }, "404/51: There is no group named 'nope'."],
  ["user add", { login: "x", groups: "editbugs" }, "400/32000: The groups of user add must be a list of strings."],
  ["user add", { login: "x", colour: "red" }, "400/53: Unknown argument colour for user add."],
  ["product change", { name: "Nope" }, "404/51: There is no product named 'Nope'."],
  [
    "component add",
    { product: "Nope", name: "A", default_assignee: "owner@localhost" },
    "404/51: There is no product named 'Nope'.",
  ],
  [
    "field add",
    { name: "cf_x", type: "colour" },
    "400/32000: fields[0].type must be one of text, select, multiSelect, longText, dateTime, bugId, date, integer.",
  ],
  [
    "field add",
    { name: "x", type: "text" },
    "400/32000: Invalid custom field name x: use cf_, then letters, digits and _.",
  ],
  ["workflow set", { from: "NOPE", to: [] }, "404/51: There is no status named 'NOPE'."],
  ["parameter set", { name: "nope", value: "1" }, "404/51: There is no parameter named 'nope'."],
  ["parameter set", { name: "insidergroup", value: "nope" }, "404/51: There is no group named 'nope'."],
  ["key add", { login: "nobody" }, "404/51: There is no user named 'nobody'."],
])("%s rejects %j", (...[name, given, expected]) => {
  const store = opened();
  const before = store.all("SELECT * FROM users");
  expect(outcome(() => on(store)(name, given))).toBe(expected);
  expect(store.all("SELECT * FROM users"), "no changes made").toEqual(before);
});

const DOCUMENT = `
parameters:
  timetrackinggroup: staff
groups:
  - name: staff
    user_regexp: "@example\\\\.org$"
    is_bug_group: false
users:
  - login: ada@example.org
    real_name: Ada
    groups: [editbugs]
products:
  - name: Engine
    versions: ["1.0", { name: "0.9", is_active: false }]
    components:
      - { name: Pump, default_assignee: ada@example.org }
workflow:
  new: [CONFIRMED]
`;

describe("rights", () => {
  test("a password opens the account, ends earlier sessions and follows the password rules", async () => {
    const store = opened();
    const run = on(store);
    const ask = createTracker(store, surroundings);
    const logIn = async (password: string) =>
      (await ask({ method: "GET", path: "/rest/login", query: Object.entries({ login: "owner@localhost", password }) }))
        .status;
    expect(outcome(() => run("user password", { login: "owner@localhost", password: "short" }))).toBe(
      "400/502: The password must be at least 6 characters long.",
    );
    expect(run("user password", { login: "owner@localhost", password: "correct horse" })).toEqual({
      login: "owner@localhost",
    });
    expect([await logIn("wrong horse"), await logIn("correct horse")]).toEqual([401, 200]);
    run("user password", { login: "owner@localhost", password: "another horse" });
    expect(store.all("SELECT * FROM login_tokens")).toEqual([]);
    run("parameter set", { name: "password_complexity", value: "letters_numbers" });
    expect(outcome(() => run("user password", { login: "owner@localhost", password: "only letters" }))).toBe(
      "400/305: The password must contain at least one: lowercase letter, UPPERCASE letter, digit.",
    );
  });

  test("a group can be blessed by and visible to other groups, until they are removed", () => {
    const store = opened();
    const run = on(store);
    run("group add", { name: "qa" });
    run("group add", { name: "staff", members: ["qa"], blessed_by: ["qa"], visible_to: ["qa", "editbugs"] });
    expect(String(run("setup show"))).toContain(
      [
        "    members:",
        "      - qa",
        "    blessed_by:",
        "      - qa",
        "    visible_to:",
        "      - editbugs",
        "      - qa",
      ].join("\n"),
    );
    run("group change", { name: "staff", without: ["qa"] });
    expect(
      store.all("SELECT kind FROM group_inclusions JOIN groups ON groups.id = grantor_id WHERE name = 'staff'"),
    ).toEqual([{ kind: "see" }]);
  });

  test("changing one rule of a group in a product keeps the other rules", () => {
    const run = on(opened());
    run("group add", { name: "qa" });
    run("product-group add", { product: "Project", group: "qa", entry: true, members: "mandatory", edit_bugs: true });
    run("product-group change", { product: "Project", group: "qa", can_confirm: true });
    expect(rows(run("product-group list"))).toEqual([
      {
        product: "Project",
        group: "qa",
        entry: true,
        can_edit: false,
        edit_components: false,
        edit_bugs: true,
        can_confirm: true,
        members: "mandatory",
        others: "none",
      },
    ]);
  });

  test("a flag type has exclusions and a CC list", () => {
    const store = opened();
    const run = on(store);
    run("component add", { product: "Project", name: "Pump", default_assignee: "owner@localhost" });
    run("flag-type change", { name: "needinfo", except: ["Project/Pump"], cc_list: "list@example.org" });
    expect(String(run("setup show"))).toMatch(/cc_list: list@example.org.*except:\n\s+- Project\/Pump/s);
    const other = opened();
    on(other)("setup load", { document: String(run("setup show")) });
    expect(on(other)("setup show")).toBe(run("setup show"));
  });

  test("a field is moved in the order, and deleted with its values on bugs", () => {
    const run = on(opened());
    run("field add", { name: "cf_a", type: "text" });
    run("field add", { name: "cf_b", type: "text", sort_key: 1 });
    run("field change", { name: "cf_a", is_obsolete: true });
    expect(rows(run("field list"))).toMatchObject([
      { name: "cf_b", sort_key: 1, is_obsolete: false },
      { name: "cf_a", is_obsolete: true },
    ]);
  });

  test("products are sorted into classifications", () => {
    const run = on(opened());
    run("classification add", { name: "Machines", description: "With wheels", sort_key: 5 });
    run("product change", { name: "Project", classification: "Machines" });
    run("classification change", { name: "Machines", new_name: "Engines" });
    expect(rows(run("classification list"))).toEqual([
      { name: "Unclassified", description: "Products without a classification", sort_key: 0, products: 0 },
      { name: "Engines", description: "With wheels", sort_key: 5, products: 1 },
    ]);
  });
});

describe("removing", () => {
  test("a new tracker can lose all its defaults once they are replaced", () => {
    const store = opened();
    const run = on(store);
    run("product add", { name: "Engine", versions: ["1.0"] });
    run("component add", { product: "Engine", name: "Pump", default_assignee: "owner@localhost" });
    run("product remove", { name: "Project" });
    run("keyword remove", { name: "crash" });
    run("flag-type remove", { name: "needinfo" });
    run("value remove", { field: "op_sys", name: "Windows" });
    run("value remove", { field: "bug_status", name: "IN_PROGRESS" });
    run("milestone add", { product: "Engine", name: "M1" });
    run("milestone remove", { product: "Engine", name: "M1" });
    run("version remove", { product: "Engine", name: "1.0" });
    run("component remove", { product: "Engine", name: "Pump" });
    run("classification add", { name: "Machines" });
    run("product change", { name: "Engine", classification: "Machines" });
    run("classification remove", { name: "Unclassified" });
    const left = ["product", "component", "version", "flag-type", "keyword"].map(
      (noun) => rows(run(`${noun} list`)).length,
    );
    expect(left).toEqual([1, 0, 0, 0, 1]);
    expect(JSON.stringify(run("workflow list"))).not.toContain("IN_PROGRESS");
    expect(store.all("PRAGMA foreign_key_check")).toEqual([]);
  });

  test.each<[string, AdminArguments, string]>([
    ["product remove", { name: "Project" }, "The product 'Project' is still in use by: bugs (1)."],
    [
      "component remove",
      { product: "Project", name: "General" },
      "The component 'General' is still in use by: bugs, or other setup objects.",
    ],
    [
      "version remove",
      { product: "Project", name: "UNSPECIFIED" },
      "The version 'UNSPECIFIED' is still in use by: bugs (1).",
    ],
    [
      "milestone remove",
      { product: "Project", name: "---" },
      "The milestone '---' is still in use by: bugs (1), its product, as default_milestone (1).",
    ],
    ["keyword remove", { name: "crash" }, "The keyword 'crash' is still in use by: bugs (1)."],
    ["value remove", { field: "bug_status", name: "confirmed" }, "The value 'confirmed' is still in use by: bugs (1)."],
    [
      "value remove",
      { field: "priority", name: "---" },
      "The value '---' is still in use by: default values of parameters (1).",
    ],
    [
      "value remove",
      { field: "resolution", name: "DUPLICATE" },
      "The value 'DUPLICATE' is still in use by: the tracker itself (1).",
    ],
    ["value remove", { field: "cf_kind", name: "odd" }, "The value 'odd' is still in use by: bugs (1)."],
    [
      "field remove",
      { name: "cf_kind" },
      "The field 'cf_kind' is still in use by: bugs (is_obsolete=yes hides it and keeps their values) (1).",
    ],
    ["flag-type remove", { name: "needinfo" }, "The flag-type 'needinfo' is still in use by: bugs, as flags (1)."],
    ["group remove", { name: "editbugs" }, "The group 'editbugs' is still in use by: the tracker itself (1)."],
    ["group remove", { name: "qa" }, "The group 'qa' is still in use by: bugs restricted to it (1), products (1)."],
    [
      "product-group remove",
      { product: "Project", group: "qa" },
      "The product-group 'qa' is still in use by: bugs restricted to it alone (1).",
    ],
    [
      "user remove",
      { login: "owner@localhost" },
      "The user 'owner@localhost' is still in use by: the tracker, as its owner (1).",
    ],
    [
      "user remove",
      { login: "ada@example.org" },
      "The user 'ada@example.org' is still in use by: bugs, or other setup objects.",
    ],
    [
      "classification remove",
      { name: "Unclassified" },
      "The classification 'Unclassified' is still in use by: products, which require a classification (1).",
    ],
  ])("%s rejects %j while it is in use", (...[name, given, message]) => {
    const store = opened();
    const run = on(store);
    run("user add", { login: "ada@example.org" });
    run("group add", { name: "qa" });
    run("product-group add", { product: "Project", group: "qa" });
    run("field add", { name: "cf_kind", type: "select", values: ["odd", "even"] });
    store.exec(`
      INSERT INTO bugs (summary, status, product_id, component_id, version, priority, severity, platform, op_sys,
        assigned_to_id, creator_id, creation_time, last_change_time)
      VALUES ('x', 'CONFIRMED', 1, 1, 'unspecified', 'Low', 'normal', 'All', 'All', 2, 2, '2026', '2026');
      INSERT INTO bug_keywords SELECT 1, id FROM keywords WHERE name = 'crash';
      INSERT INTO bug_groups SELECT 1, id FROM groups WHERE name = 'qa';
      INSERT INTO custom_values SELECT 1, id, 'odd' FROM fields WHERE name = 'cf_kind';
      INSERT INTO flags (type_id, bug_id, status, setter_id, creation_date, modification_date)
      VALUES (1, 1, '?', 2, '2026', '2026')`);
    const before = run("setup show");
    expect(outcome(() => run(name, given))).toBe(`400/32000: ${message}`);
    expect(run("setup show"), "no changes made").toBe(before);
  });

  test("a missing object is not found", () => {
    expect(outcome(() => on(opened())("keyword remove", { name: "nope" }))).toBe(
      "404/51: There is no keyword named 'nope'.",
    );
  });
});

test("a tracker keeps its owner after a change of the login", () => {
  const folder = mkdtempSync(join(tmpdir(), "bt-owner-"));
  const place = { ...surroundings, dataDirectory: folder };
  const first = openTracker("local:", place);
  on(first.store)("user change", { login: "owner@localhost", new_name: "ada@example.org" });
  first.close();
  const again = openTracker("local:", place);
  expect(again.login).toBe("ada@example.org");
  again.close();
  rmSync(folder, { recursive: true });
});

describe("a document", () => {
  test("sets up a tracker, and loading it again changes nothing", () => {
    const store = opened();
    const run = on(store);
    expect(run("setup load", { document: DOCUMENT })).toEqual({
      parameters: 1,
      groups: 1,
      users: 1,
      products: 1,
      workflow: 1,
    });
    const after = run("setup show");
    run("setup load", { document: DOCUMENT });
    expect(run("setup show")).toBe(after);
    expect(rows(run("workflow list")).filter(({ from }) => from === "new")).toEqual([
      { from: "new", to: "CONFIRMED", comment_required: false },
    ]);
  });

  test("that is shown creates an equal tracker, as YAML and as JSON", () => {
    const store = opened();
    on(store)("setup load", { document: DOCUMENT });
    const { key } = on(store)("key add", { login: "ada@example.org" }) as { readonly key: string };
    const shown = String(on(store)("setup show"));
    const other = opened();
    on(other)("setup load", { document: shown });
    expect(on(other)("setup show")).toBe(shown);
    expect(shown).not.toContain(key);
    expect(on(other)("setup load", { document: JSON.stringify({ keywords: [{ name: "leak" }] }) })).toEqual({
      keywords: 1,
    });
  });

  test.each([
    ["users: [{ login: x", /^400\/32000: The document cannot be read: /],
    ["users: x", "400/32000: users must be a list."],
    [
      "colours: []",
      "400/32000: the document has an unknown key colours; valid values: parameters, groups, users, classifications, keywords, fields, workflow, products, flag_types.",
    ],
    [
      "users: [{ name: x }]",
      "400/32000: users[0] has an unknown key name; valid values: login, real_name, groups, blesses, email_enabled, disabled_text.",
    ],
    ["users: [{ real_name: x }]", "400/32000: users[0].login is missing."],
    ["products: [{ name: P, versions: [1.0] }]", "400/32000: products[0].versions[0] must be a mapping."],
    ["products: [{ name: P, is_active: yes please }]", "400/32000: products[0].is_active must be true or false."],
    [
      "parameters: { requirelogin: 1 }",
      "400/32000: parameters.requirelogin must be a string (quoted, if it looks like a number).",
    ],
    ["parameters: { nope: x }", "404/51: There is no parameter named 'nope'."],
    ["products: [{ name: P, components: [{ name: C }] }]", "400/50: The component 'C' requires a default_assignee."],
  ])("%s is rejected with its position", (document, expected) => {
    const store = opened();
    const before = on(store)("setup show");
    expect(outcome(() => on(store)("setup load", { document }))).toMatch(expected);
    expect(on(store)("setup show"), "no changes made").toBe(before);
  });
});

/** Everything that the operations can do to a tracker, as nouns, verbs and what they are given. */
const EVERYTHING: readonly (readonly [string, AdminArguments])[] = [
  ["user add", { login: "ada@example.org", real_name: "Ada", groups: ["editbugs"], blesses: ["canconfirm"] }],
  ["user add", { login: "bob@example.org", disabled_text: "He left", email_enabled: false }],
  ["user password", { login: "ada@example.org", password: "correct horse" }],
  ["user change", { login: "owner@localhost", new_name: "root@example.org", real_name: "Root" }],
  ["key add", { login: "ada@example.org", description: "laptop" }],
  ["group add", { name: "qa", user_regexp: "@qa\\.org$", icon_url: "https://example.org/icon.png" }],
  ["group add", { name: "staff", members: ["qa"], blessed_by: ["qa"], visible_to: ["qa", "editbugs"] }],
  ["group change", { name: "editbugs", without: ["admin"] }],
  ["user add", { login: "zoe@qa.org", groups: ["staff"] }],
  ["classification add", { name: "Machines", description: "With wheels", sort_key: 5 }],
  ["product add", { name: "Engine", classification: "Machines", versions: ["1.0", "2.0"], has_unconfirmed: false }],
  ["product remove", { name: "Project" }],
  ["product change", { name: "Engine", new_name: "Diesel/Engine" }],
  ["classification remove", { name: "Unclassified" }],
  ["component add", { product: "Diesel/Engine", name: "Pump", default_assignee: "ada@example.org" }],
  ["component add", { product: "Diesel/Engine", name: "A/B: c", default_assignee: "ada@example.org" }],
  [
    "component change",
    { product: "Diesel/Engine", name: "Pump", default_qa_contact: "zoe@qa.org", default_cc: ["bob@example.org"] },
  ],
  ["version change", { product: "Diesel/Engine", name: "1.0", is_active: false }],
  ["milestone add", { product: "Diesel/Engine", name: "2.1", sort_key: -10 }],
  ["product change", { name: "Diesel/Engine", default_milestone: "2.1" }],
  ["product-group add", { product: "Diesel/Engine", group: "qa", entry: true, members: "mandatory", edit_bugs: true }],
  ["product-group add", { product: "Diesel/Engine", group: "staff", edit_components: true }],
  ["product-group remove", { product: "Diesel/Engine", group: "staff" }],
  ["keyword remove", { name: "crash" }],
  ["keyword add", { name: "no", description: "It drips" }],
  ["field add", { name: "cf_pressure", type: "select", display_name: "Pressure", values: ["low", "high"] }],
  ["field add", { name: "cf_note", type: "text", sort_key: 3 }],
  ["field change", { name: "cf_note", is_obsolete: true }],
  ["value change", { field: "cf_pressure", name: "low", is_active: false }],
  ["value add", { field: "priority", name: "Now", sort_key: 1 }],
  ["value remove", { field: "op_sys", name: "Windows" }],
  ["value remove", { field: "bug_status", name: "VERIFIED" }],
  ["workflow set", { from: "RESOLVED", to: ["CONFIRMED"], comment_for: ["CONFIRMED"] }],
  ["flag-type add", { name: "review", target: "attachment", places: ["Diesel/Engine"], cc_list: "list@example.org" }],
  ["flag-type change", { name: "needinfo", except: ["Diesel/Engine/A/B: c"], grant_group: "qa" }],
  ["parameter set", { name: "insidergroup", value: "staff" }],
];

const NO_ADMIN =
  "{ users: [{ login: x }], parameters: {}, groups: [], classifications: [], keywords: [], fields: [], workflow: {}, products: [], flag_types: [] }";

describe("a document with all settings of a tracker", () => {
  const told = () => {
    const store = opened();
    for (const [name, given] of EVERYTHING) on(store)(name, given);
    return store;
  };

  test.each([
    ["YAML", (document: string) => document],
    ["JSON", documentAsJson],
  ])("makes a fresh tracker equal to it, as %s", (...[, written]) => {
    const shown = String(on(told())("setup show"));
    const fresh = opened();
    on(fresh)("setup load", { document: written(shown), exact: true });
    expect(on(fresh)("setup show")).toBe(shown);
    expect(fresh.all("PRAGMA foreign_key_check")).toEqual([]);
  });

  test("keeps the keys and passwords of the users that it names", () => {
    const store = told();
    const secrets = () =>
      store.all("SELECT login, password_hash, key_sha256 FROM users LEFT JOIN api_keys ON user_id = users.id");
    const before = secrets();
    on(store)("setup load", { document: String(on(store)("setup show")), exact: true });
    expect(secrets()).toEqual(before);
    expect(JSON.stringify(before)).toMatch(/"ada@example.org","password_hash":"[^"]+","key_sha256":"[^"]+"/);
  });

  test.each([
    ["keywords: []", "The document is incomplete: parameters is missing."],
    ["users: [{ login: x }]", "The document is incomplete: parameters is missing."],
    [NO_ADMIN, "The document has no group admin."],
  ])("%s is incomplete, and removes nothing", (document, message) => {
    const store = opened();
    const before = on(store)("setup show");
    expect(outcome(() => on(store)("setup load", { document, exact: true }))).toBe(`400/32000: ${message}`);
    expect(on(store)("setup show")).toBe(before);
  });

  test("removes nothing from a tracker with bugs", () => {
    const store = opened();
    store.run(`INSERT INTO bugs (summary, status, product_id, component_id, version, priority, severity, platform, op_sys,
      assigned_to_id, creator_id, creation_time, last_change_time)
      VALUES ('x', 'CONFIRMED', 1, 1, 'unspecified', 'Low', 'normal', 'All', 'All', 1, 1, '2026', '2026')`);
    const document = String(on(store)("setup show"));
    expect(outcome(() => on(store)("setup load", { document, exact: true }))).toBe(
      "400/32000: The tracker has bugs, so its setup cannot be replaced.",
    );
  });
});
