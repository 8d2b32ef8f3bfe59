import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rowSupport } from "../../src/api/facts/row-support.ts";
import { readResponse } from "../../src/api/response/response.ts";
import type { JsonObject } from "../../src/wire/exchange.ts";
import { asked, bt } from "../bt.ts";
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

/** Searches of a run that contain the row which no bug meets. */
function questions(ran: Parameters<typeof asked>[0]) {
  return asked(ran).filter((request) => request.includes("o1=lessthan&v1=0") || /o\d=lessthan&v\d=0/.test(request));
}

describe("a Bugzilla is asked at most once a day whether it obeys rows", () => {
  test.each([
    ["a row that is no mere addition", "bug search --keywords crash"],
    ["an order", "bug search --status CONFIRMED --sort priority"],
    ["a list cut by a limit", "bug search --status CONFIRMED --limit 1"],
  ])("for %s", async (_, line) => {
    const around = bugzilla();
    expect(questions(await bt(line, around))).toHaveLength(1);
    expect(around.facts.get("rows")).toMatchObject({ obeyed: true });
    expect(questions(await bt(line, around))).toEqual([]);
    expect(questions(await bt(line, { ...around, refresh: true }))).toHaveLength(1);
  });

  test.each([
    ["nothing is found", "bug search --keywords crash --id 1 --status UNCONFIRMED --priority Lowest"],
    ["a parameter has the condition, and its row is a mere addition", "bug search --assigned-to mei@example.org"],
    ["all that was named is there", "bug get 40 41 42"],
    ["one bug is read", "bug history 40"],
  ])("and not where %s", async (_, line) => {
    expect(questions(await bt(line, bugzilla()))).toEqual([]);
  });

  test("a second page tells it for nothing", async () => {
    const around = bugzilla();
    expect(questions(await bt("bug search --priority Low,Normal", around))).toEqual([]);
    expect(around.facts.get("rows")).toMatchObject({ obeyed: true });
  });
});

test("a server that ignored rows is tried again by a search that they alone express, as it may be another by now", async () => {
  const around = bugzilla(new Map([["rows", { obeyed: false, seen: Date.parse(NETWORK.now) }]]));
  expect(questions(await bt("bug search --status CONFIRMED", around))).toEqual([]);
  const ran = await bt("bug search --param f1=keywords --param o1=substring --param v1=crash", around);
  expect([ran.code, questions(ran).length]).toEqual([0, 1]);
  expect(around.facts.get("rows")).toMatchObject({ obeyed: true });
});

test("the tracker in this process needs no question", async () => {
  const { exchange } = demo();
  expect(questions(await bt("bug search --keywords crash --limit 1", { exchange, now: NETWORK.now }))).toEqual([]);
});

test("a login that is rejected settles nothing", async () => {
  const facts = new Map<string, JsonObject>();
  const memory = {
    read: async (name: string) => facts.get(name),
    write: async (name: string, fact: JsonObject) => void facts.set(name, fact),
  };
  const body = JSON.stringify({ error: true, code: 306, message: "The API key you specified is invalid." });
  const support = rowSupport(async (request) => readResponse({ status: 400, headers: {}, body }, request), memory, {
    now: () => new Date(NETWORK.now),
    refresh: false,
  });
  await expect(support.settle()).rejects.toMatchObject({ kind: "auth" });
  expect([...facts]).toEqual([]);
});

test("a status removed since the metadata was read is an error, not every bug", async () => {
  const around = bugzilla(new Map([["rows", { obeyed: true, seen: Date.parse(NETWORK.now) }]]));
  const fields = JSON.parse((await around.exchange({ method: "GET", path: "/rest/field/bug", query: [] })).body).fields;
  const cachedFields = fields.map((field: { name: string; values: JsonObject[] }) =>
    field.name === "bug_status" ? { ...field, values: [...field.values, { name: "ASSIGNED", is_open: true }] } : field,
  );
  const ran = await bt("bug search --status ASSIGNED", { ...around, cachedFields });
  expect(ran).toMatchObject({ code: 2, out: "" });
  expect(ran.err).toContain('unknown status "ASSIGNED"');
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
