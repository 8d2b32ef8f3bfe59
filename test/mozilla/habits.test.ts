import { beforeEach, expect, test } from "vitest";
import { requestFor } from "../../src/api/operations/operation.ts";
import { VERSION } from "../../src/api/operations/tracker.ts";
import { readResponse } from "../../src/api/response/response.ts";
import type { Exchange } from "../../src/wire/exchange.ts";
import { asked } from "../bt.ts";
import { type MozillaServer, mozillaServer, NEW_BUG, onMozilla } from "./server.ts";

let server: MozillaServer;

beforeEach(() => {
  server = mozillaServer();
});

const run = (line: string) => onMozilla(line, server);

test("a new bug gets its alias as text, once a bug was seen to have it so", async () => {
  const ran = await run(`${NEW_BUG} --field type=task --alias noise`);
  expect([ran.code, ran.out]).toEqual([0, "7\n"]);
  expect(asked(ran).find((line) => line.startsWith("POST"))).toContain('"alias":"noise"');
  expect(await run(`${NEW_BUG} --field type=task`)).toMatchObject({ code: 0, out: "8\n" });
  const two = await run(`${NEW_BUG} --field type=task --alias one,two`);
  expect([two.code, two.err]).toEqual([2, "bt: bugs of this tracker have one alias, not one and two\n"]);
});

test("a new bug gets its alias as text where no bug is visible", async () => {
  const asNobody: Exchange = (one) =>
    one.method === "GET" && one.path === "/rest/bug"
      ? Promise.resolve({ status: 200, headers: {}, body: '{"bugs":[]}' })
      : server.exchange(one);
  const ran = await onMozilla(`${NEW_BUG} --field type=task --alias noise`, { ...server, exchange: asNobody });
  expect([ran.code, ran.out]).toEqual([0, "7\n"]);
});

test("a type that the tracker replaces is not applied, and overwrites nobody's change", async () => {
  const ran = await run("bug update 6 --field type=task --add-keywords regression");
  expect([ran.code, ran.out]).toEqual([10, "6\tapplied\n"]);
  expect(ran.err).toMatch(/^bt: bug 6: not applied: type\n/);
  expect(ran.err).not.toContain("overwrote");
});

test("null is no response", () => {
  const response = { status: 200, headers: { "content-type": "application/json" }, body: "null" };
  expect(() => readResponse(response, requestFor(VERSION))).toThrow("neither a JSON object nor a list");
});
