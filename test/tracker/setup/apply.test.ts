import { describe, expect, test } from "vitest";
import { formatDocument } from "../../../src/tracker/setup/document.ts";
import { createTracker } from "../../../src/tracker/tracker.ts";
import { createApiKey, listApiKeys, revokeApiKey, setPassword } from "../../../src/tracker/users/authenticate.ts";
import { outcome } from "../refusal.ts";
import { aTracker, fileBug, RUNTIME } from "./a-tracker.ts";

const TEAM = `
users:
  - { login: ada@example.org, real_name: Ada, groups: [editbugs, canconfirm] }
products:
  - name: Engine
    description: What drives it
    versions: ["1.0", "2.0"]
    milestones: [{ name: "2.1", sort_key: 10 }]
    components: [{ name: Pump, default_assignee: ada@example.org }]
keywords: [{ name: leak, description: It drips }]
fields:
  - { name: cf_pressure, type: select, display_name: Pressure, values: [low, high] }
  - { name: priority, values: [{ name: Now, sort_key: 1 }] }
flag_types: [{ name: sign-off, places: [Engine/Pump] }]
workflow: { RESOLVED: [CONFIRMED, { to: VERIFIED, comment_required: true }] }
`;

test("a team sets up its tracker and works in it", async () => {
  const { store, apply } = aTracker();
  expect(apply(TEAM)).toEqual([
    "created user ada@example.org",
    "created keyword leak",
    "created value priority/Now",
    "created field cf_pressure",
    "created value cf_pressure/---",
    "created value cf_pressure/low",
    "created value cf_pressure/high",
    "created product Engine",
    "created component Engine/Pump",
    "created version Engine/1.0",
    "created version Engine/2.0",
    "created milestone Engine/---",
    "created milestone Engine/2.1",
    "created flag type sign-off",
    "changed workflow RESOLVED",
  ]);
  const key = createApiKey(store, RUNTIME, 2, "laptop");
  const ask = createTracker(store, RUNTIME);
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

describe("a document that is applied again", () => {
  test("logs nothing; changes are logged", () => {
    const { store, apply } = aTracker();
    for (const _ of [1, 2]) apply("keywords: [{ name: leak }]");
    expect(store.all("SELECT time FROM audit")).toEqual([{ time: "2026-11-21T12:00:00Z" }]);
  });
});

describe("an object that exists", () => {
  test("keeps what the document omits, and gets the lists that it has", () => {
    const { apply, setup } = aTracker(TEAM);
    expect(
      apply(`
users: [{ login: ADA@example.org, groups: [canconfirm], email_enabled: false }]
fields: [{ name: bug_status, values: [{ name: confirmed, sort_key: 150 }] }]
products: [{ name: Project, components: [{ name: General, is_active: false }] }]`),
    ).toEqual([
      "changed user ada@example.org",
      "changed value bug_status/CONFIRMED",
      "changed component Project/General",
    ]);
    const { users, fields, products } = setup();
    expect(users?.[1]).toMatchObject({
      ...{ login: "ada@example.org", real_name: "Ada", groups: ["canconfirm"] },
      ...{ email_enabled: false, disabled_text: "" },
    });
    expect(fields?.find(({ name }) => name === "bug_status")?.["values"]).toContainEqual(
      expect.objectContaining({ name: "CONFIRMED", is_open: true, sort_key: 150 }),
    );
    const component = { default_assignee: "owner@localhost", is_active: false };
    expect(products?.[0]).toMatchObject({ components: [component] });
  });
});

describe("renamed_from", () => {
  test("renames what there is, with what refers to it, and only once", () => {
    const { store, apply, setup } = aTracker(
      TEAM,
      `
fields:
  - { name: cf_pump, type: select, value_field: product, values: [{ name: red, visible_for: Project }] }
  - { name: cf_oil, type: text, visibility: { field: product, values: [Project] } }`,
    );
    fileBug(store);
    const document = `
products:
  - name: Kettle
    renamed_from: Project
    classification: Machines
    default_milestone: soon
    versions: [{ name: "1.0", renamed_from: unspecified }]
    milestones: [{ name: soon, renamed_from: --- }]
    components: [{ name: Lid, renamed_from: General }]
classifications: [{ name: Machines, renamed_from: Unclassified }]
keywords: [{ name: Crash, renamed_from: crash }]
flag_types: [{ name: question, renamed_from: needinfo }]
users: [{ login: root@example.org, renamed_from: owner@localhost }]`;
    expect(apply(document)).toEqual(
      expect.arrayContaining([
        "renamed product Project to Kettle",
        "renamed version unspecified to 1.0",
        "renamed milestone --- to soon",
        "renamed component General to Lid",
        "renamed keyword crash to Crash",
        "renamed user owner@localhost to root@example.org",
      ]),
    );
    expect(
      store.get("SELECT version, target_milestone, products.name FROM bugs JOIN products ON products.id = product_id"),
    ).toEqual({ version: "1.0", target_milestone: "soon", name: "Kettle" });
    const [pump, oil] = setup().fields?.slice(-2) ?? [];
    expect(pump?.["values"]).toContainEqual(expect.objectContaining({ name: "red", visible_for: "Kettle" }));
    expect(oil?.["visibility"]).toEqual({ field: "product", values: ["Kettle"] });
    expect(apply(document)).toEqual(["renamed keyword crash to Crash"]);
  });

  test.each([
    ["keywords: [{ name: new, renamed_from: nope }]", "404/51: There is no keyword named 'nope'."],
    [
      "keywords: [{ name: regression, renamed_from: crash }]",
      "400/32000: A keyword named 'regression' already exists.",
    ],
    [
      "products: [{ name: Nope, components: [{ name: B, renamed_from: A, default_assignee: owner@localhost }] }]",
      "404/51: There is no component named 'A'.",
    ],
    ["groups: [{ name: new, renamed_from: editbugs }]", /groups\[0\]\.renamed_from is unknown; valid names: /],
  ])("%s is refused", (document, expected) => {
    const { apply, exported } = aTracker();
    const before = exported();
    expect(outcome(() => apply(document))).toMatch(expected);
    expect(exported()).toBe(before);
  });
});

test.each([
  ["users: [{ login: x", /^400\/32000: The document cannot be read: /],
  ["users: x", "400/32000: users must be a list."],
  [
    "colours: []",
    "400/32000: colours is unknown; valid names: parameters, groups, users, classifications, keywords, fields, products, flag_types, workflow.",
  ],
  [
    "users: [{ name: x }]",
    "400/32000: users[0].name is unknown; valid names: login, real_name, email_enabled, disabled_text, groups, blesses, password, renamed_from.",
  ],
  ["users: [{ real_name: x }]", "400/32000: users[0].login is missing."],
  ["users: [{ login: x, groups: [nope] }]", "404/51: There is no group named 'nope'."],
  ["users: [{ login: x, groups: editbugs }]", "400/32000: users[0].groups must be a list."],
  [
    "products: [{ name: P, versions: [1.0] }]",
    '400/32000: products[0].versions[0] must be a name in quotes, such as "1.0", or a mapping with it.',
  ],
  ["products: [{ name: P, is_active: yes please }]", "400/32000: products[0].is_active must be true or false."],
  ["products: [{ name: P, components: [{ name: C }] }]", "400/50: The component 'C' requires a default_assignee."],
  [
    "fields: [{ name: cf_x, type: colour }]",
    "400/32000: fields[0].type must be one of text, select, multiSelect, longText, dateTime, bugId, date, integer.",
  ],
  ["fields: [{ name: x, type: text }]", "400/32000: Of the field x only the values can be set."],
  ["fields: [{ name: priority, display_name: Rank }]", "400/32000: Of the field priority only the values can be set."],
  [
    "fields: [{ name: cf_, type: text }]",
    "400/32000: Invalid custom field name cf_: use cf_, then letters, digits and _.",
  ],
  ["workflow: { NOPE: [] }", "404/51: There is no status named 'NOPE'."],
  [
    "parameters: { requirelogin: 1 }",
    "400/32000: parameters.requirelogin must be a string (quoted, if it looks like a number).",
  ],
  ["parameters: { nope: x }", /^400\/32000: parameters\.nope is unknown; valid names: maintainer, requirelogin, /],
  ["parameters: { insidergroup: nope }", "404/51: There is no group named 'nope'."],
])("%s is refused with its position, and nothing is changed", (document, expected) => {
  const { apply, exported } = aTracker();
  const before = exported();
  expect(outcome(() => apply(document))).toMatch(expected);
  expect(exported()).toBe(before);
});

/** A document that changes each kind of object in a new tracker. */
const EVERYTHING = `
users:
  - { login: ada@example.org, real_name: Ada, groups: [editbugs] }
  - { login: bob@example.org, disabled_text: He left, email_enabled: false }
  - { login: root@example.org, renamed_from: owner@localhost, real_name: Root }
  - { login: zoe@qa.org, groups: [staff], blesses: [canconfirm] }
groups:
  - { name: qa, user_regexp: "@qa\\\\.org$", icon_url: "https://example.org/icon.png" }
  - { name: staff, members: [qa], blessed_by: [qa] }
  - { name: editbugs, members: [] }
classifications:
  - { name: Machines, description: With wheels, sort_key: 5 }
products:
  - name: Diesel/Engine
    classification: Machines
    has_unconfirmed: false
    default_milestone: "2.1"
    versions: ["2.0", { name: "1.0", is_active: false }]
    milestones: [{ name: "2.1", sort_key: -10 }]
    components:
      - name: Pump
        default_assignee: ada@example.org
        default_qa_contact: zoe@qa.org
        default_cc: [bob@example.org]
      - { name: "A/B: c", default_assignee: ada@example.org }
    groups:
      - { group: qa, entry: true, members: mandatory, edit_bugs: true }
keywords: [{ name: "no", description: It drips }]
fields:
  - name: cf_pressure
    type: select
    display_name: Pressure
    values: [{ name: low, is_active: false }, high]
  - { name: cf_note, type: text, sort_key: 3, is_obsolete: true }
  - { name: priority, values: [{ name: Now, sort_key: 1 }] }
workflow: { RESOLVED: [{ to: CONFIRMED, comment_required: true }] }
flag_types:
  - { name: review, target: attachment, places: [Diesel/Engine] }
  - { name: needinfo, places: ["Diesel/Engine/A/B: c"], grant_group: qa }
parameters: { insidergroup: staff }`;

describe("an exported document", () => {
  test.each(["yaml", "json"] as const)("is applied to another tracker, once, as %s", (format) => {
    const document = formatDocument(aTracker(EVERYTHING).store, format);
    const { store, apply, setup } = aTracker();
    expect(apply(document)).toContain("created product Diesel/Engine");
    expect(apply(document)).toEqual([]);
    expect(setup().products?.map(({ name }) => name)).toEqual(["Project", "Diesel/Engine"]);
    expect(store.all("PRAGMA foreign_key_check")).toEqual([]);
  });

  test("has no keys and passwords; users that it names keep them", () => {
    const { store, apply, exported } = aTracker(EVERYTHING);
    const key = createApiKey(store, RUNTIME, 2, "laptop");
    setPassword(store, 2, "correct horse", RUNTIME.random(16));
    const secrets = () =>
      store.all("SELECT login, password_hash, key_sha256 FROM users LEFT JOIN api_keys ON user_id = users.id");
    const before = secrets();
    expect(exported()).not.toContain(key);
    expect(apply(exported())).toEqual([]);
    expect(secrets()).toEqual(before);
    expect(JSON.stringify(before)).toMatch(/"ada@example.org","password_hash":"[^"]+","key_sha256":"[^"]+"/);
  });
});

test("a revoked key is rejected", async () => {
  const { store } = aTracker();
  const key = createApiKey(store, RUNTIME, 1, "laptop");
  const ask = createTracker(store, RUNTIME);
  const status = async () => (await ask({ method: "GET", path: "/rest/bug", query: [["api_key", key]] })).status;
  expect(await status()).toBe(200);
  revokeApiKey(store, 1);
  expect(await status()).toBe(400);
  expect(listApiKeys(store)).toEqual([
    {
      ...{ id: 1, login: "owner@localhost", description: "laptop", is_revoked: true },
      creation_time: "2026-11-21T12:00:00Z",
    },
  ]);
  expect(outcome(() => revokeApiKey(store, 2))).toBe("404/51: There is no API key with the id '2'.");
});

test("a password is made where the document asks for it, and is in no list of changes", async () => {
  const { store, apply } = aTracker();
  const [created, made = ""] = apply("users: [{ login: ada@example.org, password: true }]");
  const [, password = ""] = /^password of ada@example.org: ([0-9a-f]{24})$/.exec(made) ?? [];
  expect(created).toBe("created user ada@example.org");
  const query = Object.entries({ login: "ada@example.org", password });
  const ask = createTracker(store, RUNTIME);
  expect((await ask({ method: "GET", path: "/rest/login", query })).status).toBe(200);
});
