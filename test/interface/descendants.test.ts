import { beforeEach, describe, expect, test } from "vitest";
import type { Exchange, JsonObject, Response } from "../../src/wire/exchange.ts";
import { bt, bugzillaFacts, updates } from "../bt.ts";

/**
 * A bug in the shapes of Red Hat's tracker: lists of one component and version, and members that no other tracker has.
 * @see https://bugzilla.redhat.com/docs/en/html/api/core/v1/bug.html
 */
const BUG: JsonObject = {
  ...{ id: 12, alias: [], summary: "Mirror deadlocks", status: "CLOSED", resolution: "WONTFIX", is_open: false },
  ...{ product: "Enterprise Linux 5", component: ["lvm2"], version: ["5.8"], target_release: ["---"] },
  ...{ creator: "ada@example.org", assigned_to: "bob@example.org", docs_contact: "", pool: null, keywords: [] },
  ...{ creation_time: "2026-10-01T08:00:00Z", last_change_time: "2026-10-02T08:00:00Z", priority: "medium" },
  sub_components: { lvm2: ["dmeventd (RHEL5)"] },
  external_bugs: [{ ext_bz_bug_id: "703421", ext_bz_id: 3, type: { description: "GNOME Bugzilla", id: 3 } }],
  cf_fixed_in: "lvm2-2.02",
  cf_partner: [],
  cf_release: { id: 4, name: "rhel-5.8", flags: [{ name: "ack", status: "+" }] },
  flags: [
    {
      ...{ id: 7, type_id: 1164, name: "needinfo", status: "?", setter: "ada@example.org", is_active: 1 },
      ...{ creation_date: "2026-10-01T08:00:00Z", modification_date: "2026-10-01T08:00:00Z" },
    },
  ],
};

const FIELDS: readonly JsonObject[] = [
  field(1, "product", 2),
  field(2, "sub_components", 0),
  field(3, "docs_contact", 0),
  ...["cf_fixed_in", "cf_partner", "cf_release"].map((name, at) => field(at + 4, name, 1)),
];

function field(id: number, name: string, type: number): JsonObject {
  const facts = { is_custom: name.startsWith("cf_"), is_mandatory: false, is_on_bug_entry: false };
  return { id, name, display_name: name, type, visibility_field: null, visibility_values: [], ...facts };
}

let bug: JsonObject;

beforeEach(() => {
  bug = BUG;
});

const exchange: Exchange = async ({ method, path, body }) => {
  if (path === "/rest/field/bug") return json({ fields: FIELDS });
  if (path.endsWith("/history")) return json({ bugs: [{ id: 12, alias: [], history: [] }] });
  if (path.endsWith("/comment")) return json({ bugs: { 12: { comments: [] } }, comments: {} });
  if (method !== "PUT") return json({ bugs: [bug], faults: [], total_matches: 1, limit: 20 });
  const { summary = bug["summary"] } = body as JsonObject;
  const changes = { summary: { removed: bug["summary"] ?? "", added: summary ?? "" } };
  bug = { ...bug, summary: summary ?? "" };
  return json({ bugs: [{ id: 12, alias: [], last_change_time: "2026-10-03T08:00:00Z", changes, sub_components: {} }] });
};

function json(body: JsonObject): Response {
  return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

function run(line: string, terminal = false) {
  const network = { address: "https://bugs.example.org", isEmbedded: false, facts: bugzillaFacts() };
  return bt(line, { exchange, login: "ada@example.org", now: "2026-10-04T08:00:00Z", terminal, ...network });
}

describe("a tracker with further members in its responses", () => {
  test("has them in JSON as they are", async () => {
    const [read] = JSON.parse((await run("bug get 12 --json")).out);
    for (const name of ["sub_components", "external_bugs", "cf_release", "flags", "target_release", "pool"])
      expect(read[name], name).toEqual(BUG[name]);
  });

  test("has one component and version", async () => {
    expect((await run("bug get 12 --fields component,version,summary")).out).toBe("lvm2\t5.8\tMirror deadlocks\n");
    const [read] = JSON.parse((await run("bug search mirror --json=id,component,version")).out);
    expect(read).toEqual({ id: 12, component: "lvm2", version: "5.8" });
  });

  test.each([
    ["bug get 12", true],
    ["bug get 12 --fields id,cf_release,cf_partner", true],
    ["bug get 12 --comments --history", true],
    ["bug search mirror --fields id,cf_release", false],
    ["bug search mirror", true],
    ["bug blame 12", false],
    ["bug export mirror --format csv", false],
    ["bug export mirror --format ndjson --bare", false],
  ])("%s succeeds (terminal: %s)", async (line, terminal) => {
    expect(await run(line, terminal)).toMatchObject({ code: 0, out: expect.stringContaining("12") });
  });

  test("takes an update, and its response", async () => {
    const ran = await run("bug update 12 --summary Deadlock");
    expect(ran).toMatchObject({ code: 0, out: "12\tsummary\tMirror deadlocks\tDeadlock\n", err: "" });
    expect(updates(ran)).toEqual([{ ids: [12], summary: "Deadlock" }]);
  });

  test("takes an object of a custom field as text in cells", async () => {
    const { out } = await run("bug get 12 --fields cf_release");
    expect(JSON.parse(out)).toEqual(BUG["cf_release"]);
  });
});
