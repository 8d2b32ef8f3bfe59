import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Exchange, JsonObject, Request, Response } from "../../src/wire/exchange.ts";
import { bt, btConnected, bugzillaFacts, updates } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { jsonResponse } from "../servers/responses.ts";

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

const HISTORY: readonly JsonObject[] = [
  {
    who: "ada@example.org",
    when: "2026-10-02T08:00:00Z",
    changes: [
      { field_name: "cf_release", removed: "", added: "rhel-5.8" },
      { field_name: "ext_bz_bug_map.ext_bz_bug_id", removed: "", added: "GNOME Bugzilla 703421" },
      { field_name: "sub_components", removed: "", added: "lvm2: dmeventd (RHEL5)" },
    ],
  },
];

let bug: JsonObject;

beforeEach(() => {
  bug = BUG;
});

const exchange: Exchange = async ({ method, path, body }) => {
  if (path === "/rest/field/bug") return jsonResponse({ fields: FIELDS });
  if (path.endsWith("/history")) return jsonResponse({ bugs: [{ id: 12, alias: [], history: HISTORY }] });
  if (path.endsWith("/comment")) return jsonResponse({ bugs: { 12: { comments: [] } }, comments: {} });
  if (path.endsWith("/attachment")) return jsonResponse({ bugs: { 12: [] }, attachments: {} });
  if (method !== "PUT") return jsonResponse({ bugs: [bug], faults: [], total_matches: 1, limit: 20 });
  const { summary = bug["summary"] } = body as JsonObject;
  const changes = { summary: { removed: bug["summary"] ?? "", added: summary ?? "" } };
  bug = { ...bug, summary: summary ?? "" };
  return jsonResponse({
    bugs: [{ id: 12, alias: [], last_change_time: "2026-10-03T08:00:00Z", changes, sub_components: {} }],
  });
};

function run(line: string, terminal = false, env = {}) {
  const network = { address: "https://bugs.example.org", isInProcess: false, facts: bugzillaFacts() };
  return bt(line, { exchange, login: "ada@example.org", now: "2026-10-04T08:00:00Z", terminal, env, ...network });
}

const KEY = "k".repeat(40);

/** The same on a port, for those who send a key as a bearer token; others are anonymous, and a key in a URL is refused. */
async function bearerServer() {
  const heard: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { pathname: path, searchParams, href } = new URL(incoming.url ?? "", "http://tracker");
    const isUser = incoming.headers.authorization === `Bearer ${KEY}`;
    heard.push(`${incoming.method} ${path}${isUser ? "" : " anonymous"}${href.includes(KEY) ? " key in the URL" : ""}`);
    const body = JSON.parse((await text(incoming)) || "{}");
    const reply = await bearerResponse({ method: incoming.method ?? "", path, query: [...searchParams], body }, isUser);
    outgoing.writeHead(reply.status, reply.headers).end(reply.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    heard,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bearerResponse(request: Request, isUser: boolean): Promise<Response> {
  const { method, path, query } = request;
  if (query.some(([name]) => /api_key/.test(name)))
    return jsonResponse({ error: true, code: 306, message: "Use a header." }, 400);
  if (path === "/rest/version") return jsonResponse({ version: "5.0.4.rh103" });
  if (path === "/rest/whoami") return jsonResponse({ error: true, code: 32_614, message: "not found" }, 404);
  if (path === "/rest/valid_login") return jsonResponse({ result: isUser && query[0]?.[1] === "ada@example.org" });
  if (!isUser && (method !== "GET" || query.some(([, value]) => value === "%user%")))
    return jsonResponse({ error: true, code: 410, message: "You must log in." }, 401);
  return exchange(request);
}

describe("a tracker that takes bearer tokens alone", () => {
  const now = "2026-10-04T08:00:00Z";
  let server: Awaited<ReturnType<typeof bearerServer>>;

  beforeAll(async () => {
    server = await bearerServer();
  });
  afterAll(() => server.close());

  test("is logged in to", async () => {
    const login = `auth login ${server.url} --login ada@example.org --api-key-file -`;
    const around = { env: { HOME: freshFolder() }, stdin: KEY, now };
    const { code, err } = await btConnected(login, around);
    expect([code, err]).toEqual([0, expect.stringContaining(`logged in to ${server.url} as ada@example.org`)]);
    expect(await btConnected("auth status --fields user,style", around)).toMatchObject({
      code: 0,
      out: "ada@example.org\tbearer\n",
    });
  });

  test.each([
    "bug search mirror",
    "bug get 12",
    "bug history 12",
    "bug export mirror",
    "bug update 12 --summary Deadlock",
  ])("gets each request with the token: %s", async (line) => {
    server.heard.length = 0;
    const env = { BT_BASE_URL: server.url, BT_API_KEY: KEY, BT_AUTH_STYLE: "bearer", HOME: freshFolder() };
    expect(await btConnected(line, { env, now })).toMatchObject({ code: 0, out: expect.stringContaining("12") });
    expect(server.heard).not.toEqual([]);
    expect(server.heard.filter((request) => /anonymous|URL/.test(request))).toEqual([]);
  });
});

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
    ["bug export mirror --format csv", false],
    ["bug export mirror --format ndjson", false],
  ])("%s succeeds (terminal: %s)", async (line, terminal) => {
    expect(await run(line, terminal)).toMatchObject({ code: 0, out: expect.stringContaining("12") });
  });

  test("takes an update, and its response", async () => {
    const ran = await run("bug update 12 --summary Deadlock");
    expect(ran).toMatchObject({
      code: 0,
      out: "12\tapplied\n",
      err: "",
    });
    expect(updates(ran)).toEqual([{ ids: [12], summary: "Deadlock" }]);
  });

  test("has the history of such members", async () => {
    const lines = (await run("bug history 12 --fields field_name,added")).out;
    expect(lines.split("\n")).toEqual([
      "cf_release\trhel-5.8",
      "ext_bz_bug_map.ext_bz_bug_id\tGNOME Bugzilla 703421",
      "sub_components\tlvm2: dmeventd (RHEL5)",
      "",
    ]);
    const [read] = JSON.parse((await run("bug history 12 --json")).out);
    expect(read.history).toEqual(HISTORY);
  });

  test("is edited in an editor, of which only the changed field is sent", async () => {
    const env = { EDITOR: `sed -i 's/Mirror deadlocks/Deadlock/'`, PATH: "/usr/bin:/bin" };
    const ran = await run("bug edit 12 --yes", true, env);
    expect([ran.code, updates(ran)]).toEqual([0, [{ ids: [12], summary: "Deadlock" }]]);
  });

  test("exports them, and imports what was changed in the file", async () => {
    const file = join(freshFolder(), "bugs.ndjson");
    const { out } = await run("bug export mirror --format ndjson");
    expect(JSON.parse(out)).toMatchObject({ id: 12, cf_release: BUG["cf_release"] });
    writeFileSync(file, out.replace("Mirror deadlocks", "Deadlock"));
    const ran = await run(`bug import ${file} --yes`);
    expect([ran.code, updates(ran)]).toEqual([0, [{ ids: [12], summary: "Deadlock" }]]);
  });

  test("takes an object of a custom field as text in cells", async () => {
    const { out } = await run("bug get 12 --fields cf_release");
    expect(JSON.parse(out)).toEqual(BUG["cf_release"]);
  });
});
