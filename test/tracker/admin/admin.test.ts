import { describe, expect, test } from "vitest";
import { ADMIN_OPERATIONS, admin } from "../../../src/tracker/admin/admin.ts";
import type { Given } from "../../../src/tracker/admin/operation.ts";
import { fillLocal } from "../../../src/tracker/seed/local.ts";
import { openStore, type Store } from "../../../src/tracker/store/store.ts";
import { tracker } from "../../../src/tracker/tracker.ts";
import type { Json, JsonObject } from "../../../src/wire/exchange.ts";
import { outcome } from "../rules/refusal.ts";

const surroundings = {
  now: () => new Date("2026-11-21T12:00:00Z"),
  random: (bytes: number) => new Uint8Array(bytes).fill(5),
  report: (failure: unknown) => {
    throw failure;
  },
};

function opened(): Store {
  const store = openStore(":memory:");
  fillLocal(store);
  return store;
}

// Does an operation as `bt admin` would: "user add", and what is given.
function on(store: Store) {
  return (name: string, given: Given = {}): Json => {
    const operation = admin(store, surroundings).find(({ noun, verb }) => `${noun} ${verb}` === name);
    if (!operation) throw new TypeError(`no operation ${name}`);
    return operation.run(given);
  };
}

function rows(result: Json) {
  return result as readonly JsonObject[];
}

test("every operation is there once and says what it does", () => {
  const names = ADMIN_OPERATIONS.map(({ noun, verb }) => `${noun} ${verb}`);
  expect(new Set(names).size).toBe(names.length);
  expect(names.join(", ")).toMatchInlineSnapshot(
    `"user list, user add, user change, key list, key add, key revoke, group list, group add, group change, product list, product add, product change, product-group list, product-group add, product-group change, component list, component add, component change, version list, version add, version change, milestone list, milestone add, milestone change, keyword list, keyword add, keyword change, field list, field add, field change, value list, value add, value change, flag-type list, flag-type add, flag-type change, workflow list, workflow set, parameter list, parameter set, mail list, mail show, setup show, setup load"`,
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

  const ask = tracker(store, surroundings);
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

describe("what is changed", () => {
  test("keeps what is not said", () => {
    const store = opened();
    const run = on(store);
    run("user add", { login: "ada@example.org", real_name: "Ada", groups: ["editbugs", "canconfirm"] });
    run("user change", { login: "ada@example.org", leaves: ["editbugs"], email_enabled: false });
    expect(rows(run("user list"))[0]).toEqual({
      login: "ada@example.org",
      real_name: "Ada",
      can_login: 1,
      email_enabled: 0,
      disabled_text: "",
      groups: "canconfirm",
    });
    run("value change", { field: "bug_status", name: "CONFIRMED", sort_key: 150 });
    expect(rows(run("value list")).find(({ name }) => name === "CONFIRMED")).toMatchObject({
      is_open: 1,
      sort_key: 150,
    });
    run("component change", { product: "Project", name: "General", is_active: false });
    expect(rows(run("component list"))[0]).toMatchObject({ default_assignee: "owner@localhost", is_active: 0 });
  });

  test("may get another name, which bugs follow", () => {
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

  test("a user's new login puts him into the groups whose patterns it fits", () => {
    const run = on(opened());
    run("group add", { name: "staff", user_regexp: "@example\\.org$" });
    run("user add", { login: "ada@elsewhere.net" });
    run("user change", { login: "ada@elsewhere.net", new_name: "ada@example.org" });
    expect(rows(run("user list"))[0]).toMatchObject({ login: "ada@example.org", groups: "staff" });
  });

  test("is noted", () => {
    const store = opened();
    on(store)("keyword add", { name: "leak" });
    on(store)("keyword list");
    expect(store.all("SELECT time, what FROM audit")).toEqual([
      { time: "2026-11-21T12:00:00Z", what: "keyword add leak" },
    ]);
  });

  test("a revoked key opens nothing any more", async () => {
    const store = opened();
    const { key } = on(store)("key add", { login: "owner@localhost" }) as { readonly key: string };
    const ask = tracker(store, surroundings);
    const status = async () => (await ask({ method: "GET", path: "/rest/bug", query: [["api_key", key]] })).status;
    expect(await status()).toBe(200);
    on(store)("key revoke", { id: 1 });
    expect(await status()).toBe(400);
    expect(JSON.stringify(on(store)("key list"))).not.toContain(key);
  });
});

test.each<[string, Given, string]>([
  ["user add", {}, "400/50: user add needs a login."],
  ["user add", { login: "owner@localhost" }, "400/32000: There is a user named 'owner@localhost' already."],
  ["user add", { login: "x", groups: ["nope"] }, "404/51: There is no group named 'nope'."],
  ["user add", { login: "x", groups: "editbugs" }, "400/32000: The groups of user add must be a list of texts."],
  ["user add", { login: "x", colour: "red" }, "400/53: user add has no colour."],
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
    "400/32000: The name of a custom field begins with cf_, then letters, digits and _: x does not.",
  ],
  ["workflow set", { from: "NOPE", to: [] }, "404/51: There is no status named 'NOPE'."],
  ["parameter set", { name: "nope", value: "1" }, "404/51: There is no parameter named 'nope'."],
  ["key add", { login: "nobody" }, "404/51: There is no user named 'nobody'."],
])("%s refuses %j", (...[name, given, expected]) => {
  const store = opened();
  const before = store.all("SELECT * FROM users");
  expect(outcome(() => on(store)(name, given))).toBe(expected);
  expect(store.all("SELECT * FROM users"), "nothing was changed").toEqual(before);
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

describe("a document", () => {
  test("sets up a tracker, and setting it up again changes nothing", () => {
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
      { from: "new", to: "CONFIRMED", comment_required: 0 },
    ]);
  });

  test("that was shown makes another tracker alike, as YAML and as JSON", () => {
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
      "400/32000: the document has no colours: there is parameters, groups, users, classifications, keywords, fields, workflow, products, flag_types.",
    ],
    [
      "users: [{ name: x }]",
      "400/32000: users[0] has no name: there is login, real_name, groups, blesses, email_enabled, disabled_text.",
    ],
    ["users: [{ real_name: x }]", "400/32000: users[0].login must be said."],
    ["products: [{ name: P, versions: [1.0] }]", "400/32000: products[0].versions[0] must be names with values."],
    ["products: [{ name: P, is_active: yes please }]", "400/32000: products[0].is_active must be true or false."],
    [
      "parameters: { requirelogin: 1 }",
      "400/32000: parameters.requirelogin must be a text (in quotes, when it looks like a number).",
    ],
    ["parameters: { nope: x }", "404/51: There is no parameter named 'nope'."],
    ["products: [{ name: P, components: [{ name: C }] }]", "400/50: The component 'C' needs a default_assignee."],
  ])("%s is refused with its place", (document, expected) => {
    const store = opened();
    const before = on(store)("setup show");
    expect(outcome(() => on(store)("setup load", { document }))).toMatch(expected);
    expect(on(store)("setup show"), "nothing was changed").toBe(before);
  });
});
