import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../../src/wire/exchange.ts";
import { type Around, asked, bt } from "../../../bt.ts";
import { clockOf } from "../../../clock.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { demo } from "../../demo.ts";

const empty: Exchange = async () => ({ status: 200, headers: {}, body: '{"bugs":[]}' });

test.each(["search", "export", "watch", "triage"])(
  "bug %s without criteria is rejected before any request",
  async (verb) => {
    const ran = await bt(`bug ${verb}`, { exchange: empty, terminal: verb === "triage" });
    expect([ran.code, asked(ran), ran.err]).toEqual([2, [], expect.stringContaining("bt: no criteria\n")]);
    expect(ran.err.includes("--all")).toBe(["search", "export"].includes(verb));
  },
);

const tracker = freshDemo({ now: clockOf(), random: (bytes) => new Uint8Array(bytes) });

describe("on a terminal, a search without criteria", () => {
  const run = (line: string, around: Partial<Around> = {}) =>
    bt(line, { exchange: tracker.exchange, terminal: true, ...around });

  test("shows the newest open bugs, and says so", async () => {
    const ran = await run("bug search", { settings: { limit: 20 } });
    expect(ran.code).toBe(0);
    expect(asked(ran).join()).toContain("?status=UNCONFIRMED&status=CONFIRMED&status=IN_PROGRESS&");
    expect(ran.err).toContain("note: first 20 of 30 open bugs; use --limit N or --all for more\n");
    expect(ran.out).toBe((await run("bug search --status @open -L 20")).out);
  });

  test("is for the default product", async () => {
    const ran = await run("bug search", { settings: { product: "Harbor" } });
    expect(ran.err).toContain("note: all 8 open bugs of Harbor\n");
    expect(ran.out).toBe((await run("bug search --status @open -p Harbor")).out);
  });

  test("takes a default product with a comma as one", async () => {
    const { code, err } = await run("bug search", { settings: { product: "Harbor, Inc" } });
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('unknown product "Harbor, Inc"') });
  });

  test.each(["--json", "--format ids", "--count", "--by status", "--explain", "--web", "--offset 1"])(
    "is rejected with %s",
    async (flags) => {
      expect(await run(`bug search ${flags}`)).toMatchObject({ code: 2, out: "", requests: [] });
    },
  );

  test("is rejected as a table in a pipe", async () => {
    expect(await run("bug search --format table", { terminal: false })).toMatchObject({ code: 2, requests: [] });
  });
});

test("a wide terminal has whole logins and components, a narrow one short logins", async () => {
  const shown = async (columns: number) =>
    (await bt("bug search is:open", { exchange: tracker.exchange, terminal: true, columns })).out;
  expect(await shown(200)).toMatch(/^#29 .* Import & Export +seun@example\.org /m);
  expect(await shown(120)).toMatch(/^#29 .* Import & Export +seun +/m);
});

test("settings of looks hold on a terminal only", async () => {
  const settings = { fields: ["id", "summary"], format: "csv", sort: "id", limit: 2 };
  const lines = async (around: Partial<Around>) =>
    (await bt("bug search is:open", { exchange: tracker.exchange, ...around })).out;
  expect(await lines({ settings })).toBe(await lines({}));
  expect(await lines({ settings, terminal: true })).toMatch(/^id,summary\r\n2,/);
});

describe("on a terminal, a part of the bugs", () => {
  test.each([
    ["'id > 0'", "note: first 30 of 48 bugs; use --limit N or --all for more\n"],
    ["is:open --limit 3", "note: first 3 of 30 bugs\n"],
    ["is:open --limit 3 --offset 3", "note: 4 to 6 of 30 bugs\n"],
    ["is:open --limit 30", ""],
    ["is:open --limit 40", ""],
    ["is:open --limit 10 --offset 25", ""],
    ["is:open --all", ""],
  ])("of %s is called one, with their number", async (criteria, said) => {
    const ran = await bt(`bug search ${criteria}`, { exchange: tracker.exchange, terminal: true });
    expect([ran.code, ran.err]).toEqual([0, said]);
  });

  test.each([
    ["the tracker does not count them", "is:open", '{"error":true,"code":100,"message":"no"}'],
    ["it cannot evaluate a criterion", "created < 2030", undefined],
  ])("is called one without their number if %s", async (_, criteria, refusal) => {
    const exchange: Exchange = async (request) => {
      const isCount = new Map(request.query).get("limit") === "1000";
      return isCount && refusal ? { status: 400, headers: {}, body: refusal } : tracker.exchange(request);
    };
    const ran = await bt(`bug search '${criteria}' --limit 3`, { exchange, terminal: true });
    expect([ran.code, ran.err]).toEqual([0, "note: first 3 bugs\n"]);
  });
});

test.each(["--limit 20", "--limit 0"])("%s alone is no criterion", async (flags) => {
  const { code, err } = await demo()(`bug search ${flags}`);
  expect([code, err]).toEqual([2, expect.stringContaining("bt: no criteria\n")]);
});
