import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Exchange, JsonObject } from "../../src/wire/exchange.ts";
import { asked, bt, bugzillaFacts } from "../bt.ts";
import { freshDemo } from "../fresh-demo.ts";
import { interfaceServer } from "../servers/interface-server.ts";
import { NETWORK, plainFacts } from "./interface.ts";

function demo() {
  return freshDemo({ now: () => new Date(NETWORK.now), random: (count) => new Uint8Array(count) });
}

/** A Bugzilla on the network, about which nothing is known. */
function bugzilla(facts = new Map<string, JsonObject>()) {
  const { exchange } = demo();
  return {
    exchange,
    isInProcess: false,
    address: "https://bugs.test",
    login: "jonas@example.org",
    facts,
    now: NETWORK.now,
  };
}

/** Requests of a run that find out the dialect. */
function questions(ran: Parameters<typeof asked>[0]) {
  return asked(ran).filter((request) => request.includes("bt_no_such_field"));
}

describe("a tracker is asked once a day what it knows", () => {
  test.each(["bug search --keywords crash", "bug search --status CONFIRMED --limit 1", "bug get 40 41 42"])(
    "for %s",
    async (line) => {
      const around = bugzilla();
      expect(questions(await bt(line, around))).toHaveLength(1);
      expect(around.facts.get("dialect")).toMatchObject({ name: "bugzilla" });
      expect(questions(await bt(line, around))).toEqual([]);
      expect(questions(await bt(line, { ...around, now: "2026-05-03T12:00:01Z" }))).toHaveLength(1);
      expect(questions(await bt(line, { ...around, refresh: true }))).toHaveLength(1);
    },
  );

  test("and not where one bug is read", async () => {
    expect(questions(await bt("bug history 40", bugzilla()))).toEqual([]);
  });

  test("a list that is shorter than its longest is whole", async () => {
    const around = bugzilla();
    const searches = async (line: string) =>
      asked(await bt(line, around)).filter((one) => one.startsWith("GET /rest/bug?") && !/bt_no_such/.test(one));
    expect(await searches("bug search --priority Low,Normal --format ids")).toHaveLength(2);
    expect(await searches("bug search --id 40 --format ids")).toHaveLength(1);
  });

  test("the tracker in this process needs no question", async () => {
    const { exchange } = demo();
    const ran = await bt("bug search --keywords crash", { exchange, now: NETWORK.now });
    expect(asked(ran).filter((one) => one.startsWith("GET /rest/bug?"))).toHaveLength(1);
  });

  test.each([
    [400, { error: true, code: 306, message: "The API key you specified is invalid." }, 4],
    [502, "<html>Bad Gateway</html>", 8],
  ])("a response %s tells nothing", async (status, body, code) => {
    const around = bugzilla();
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const exchange: Exchange = async (request) =>
      request.query.some(([, value]) => value === "bt_no_such_field")
        ? { status, headers: {}, body: text }
        : around.exchange(request);
    expect((await bt("bug search --keywords crash", { ...around, exchange })).code).toBe(code);
    expect(around.facts.get("dialect")).toBeUndefined();
  });
});

test("a status removed since the metadata was read is an error, not every bug", async () => {
  const around = bugzilla(bugzillaFacts(NETWORK.now));
  const fields = JSON.parse((await around.exchange({ method: "GET", path: "/rest/field/bug", query: [] })).body).fields;
  const cachedFields = fields.map((field: { name: string; values: JsonObject[] }) =>
    field.name === "bug_status" ? { ...field, values: [...field.values, { name: "ASSIGNED", is_open: true }] } : field,
  );
  const ran = await bt("bug search --status ASSIGNED", { ...around, cachedFields });
  expect(ran).toMatchObject({ code: 7, out: "" });
  expect(ran.err).toContain("it may not know ASSIGNED");
  expect((await bt("bug search --status CONFIRMED", { ...around, cachedFields })).code).toBe(0);
});

test("a watch reports changes and new bugs, on a server of the interface alone", async () => {
  const { exchange } = interfaceServer({ maximum: 20 });
  const env = { HOME: mkdtempSync(join(tmpdir(), "bt-watch-")) };
  const run = (line: string) => bt(line, { exchange, ...NETWORK, facts: plainFacts(), env });
  const watch = "bug watch --once --json 'priority = Top'";
  expect((await run(watch)).code).toBe(0);
  await run("bug update 4 --priority Top");
  await run("bug update 6 -m seen");
  await run("bug create -p Lamp -c Bulb --bug-version 1 -t New --priority Top");
  const ran = await run(watch);
  expect(ran.code).toBe(0);
  const events = ran.out
    .split("\n")
    .filter(Boolean)
    .flatMap((line) => JSON.parse(line) as JsonObject | readonly JsonObject[]);
  expect(new Set(events.map(({ id }) => id))).toEqual(new Set([4, 6, 46]));
  expect((await run(watch)).out.trim()).toMatch(/^(\[\])?$/);
});
