import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { idByName } from "../../src/tracker/setup/kinds.ts";
import { applySetup, type Setup } from "../../src/tracker/setup/setup.ts";
import { createApiKey } from "../../src/tracker/users/authenticate.ts";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { type DemoServer, demoServer } from "../servers/demo-server.ts";

const NOW = "2026-11-20T12:00:00Z";

/** A served demo with a product that only staff may search, and several accounts on one machine. */
async function office() {
  const server = await demoServer();
  const hidden = {
    components: [{ name: "Door", default_assignee: "ada@example.org" }],
    versions: ["1"],
  };
  const control = { group: "security", members: "mandatory", others: "mandatory" } as const;
  applySetup(server.store, {
    products: [
      { name: "Vault", ...hidden, groups: [{ ...control, entry: true }] },
      { name: "Letterbox", ...hidden, groups: [control] },
    ],
  });
  const runtime = { now: () => new Date(NOW), random: (count: number) => randomBytes(count) };
  const keyOf = (login: string) => createApiKey(server.store, runtime, idByName(server.store, "users", login), "");
  const home = freshFolder();
  const run = (line: string, login?: string, at = NOW) => {
    const key = login === undefined ? {} : { BT_API_KEY: keys[login] ?? "" };
    return btConnected(line, {
      env: { HOME: home, BT_BASE_URL: server.url, BT_AUTH_STYLE: "header", ...key },
      now: at,
    });
  };
  const keys: Record<string, string> = {};
  for (const login of ["ada@example.org", "tomas@example.org"]) keys[login] = keyOf(login);
  const change = (setup: Setup) => applySetup(server.store, setup);
  return { server, home, run, change, asked: (path: string) => asked(server, path) };
}

function asked({ requests }: DemoServer, path: string): number {
  return requests.filter((request) => request.path === path).length;
}

const VALUES = "complete -- bug search --product V";

describe("data visible to one account is not offered to another on the same machine", () => {
  test("cached by API key, and not without one", async () => {
    const { run, home } = await office();
    expect((await run("field values component --product Vault", "ada@example.org")).code).toBe(0);
    expect((await run(VALUES, "ada@example.org")).out).toMatch(/^Vault\t/);
    for (const login of ["tomas@example.org", undefined]) {
      expect((await run(VALUES, login)).out).toBe("");
      const refused = await run("bug search --product Vautl", login);
      expect({ code: refused.code, err: refused.err }).toEqual({ code: 2, err: expect.not.stringContaining("Vault") });
      expect((await run("bug search --product Vault", login)).code).toBe(2);
    }
    expect((await run("bug search --product Vault", "ada@example.org")).code).toBe(0);
    expect(readdirSync(join(home, ".cache/bt"))).toHaveLength(4); // of each account, and of the tracker
  });
});

describe("a name missing from the cache is looked up once before it is rejected", () => {
  const URGENT: Setup = { fields: [{ name: "priority", values: ["Urgent"] }] };
  const NEW: Setup = { fields: [{ name: "cf_new", display_name: "New", type: "text" }] };

  test.each([
    ["bug search --priority Urgent", URGENT],
    ["bug update 44 --priority Urgent", URGENT],
    ["bug get 44 --fields cf_new", NEW],
    ["bug search --all --by cf_new", NEW],
  ])("%s", async (line, setup) => {
    const { run, change, asked: count } = await office();
    expect((await run(line, "ada@example.org")).code).toBe(2);
    const before = count("/rest/field/bug");
    expect(before).toBe(1);
    expect((await run(line, "ada@example.org")).code).toBe(2);
    expect(count("/rest/field/bug")).toBe(2);
    change(setup);
    expect(await run(line, "ada@example.org")).toMatchObject({ code: 0 });
    expect(count("/rest/field/bug")).toBe(3);
    expect((await run(line, "ada@example.org")).code).toBe(0);
    expect(count("/rest/field/bug")).toBe(3);
  });
});

describe("a product that a user may file in but not search", () => {
  test("is accepted by a move, unless it is closed to the user", async () => {
    const { run } = await office();
    const move = (product: string) =>
      run(`bug update 44 -p ${product} -c Door --bug-version 1 --milestone --- -n`, "tomas@example.org");
    expect((await move("Letterbox")).code).toBe(0);
    expect(await move("Vault")).toMatchObject({ code: 2, err: expect.stringContaining('unknown product "Vault"') });
  });
});
