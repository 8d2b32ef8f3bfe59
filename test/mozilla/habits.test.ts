import { beforeEach, expect, test } from "vitest";
import { requestFor } from "../../src/api/operations/operation.ts";
import { VERSION } from "../../src/api/operations/tracker.ts";
import { readResponse } from "../../src/api/response/response.ts";
import { asked } from "../bt.ts";
import { type MozillaServer, mozillaServer, NEW_BUG, onMozilla } from "./server.ts";

let server: MozillaServer;

beforeEach(() => {
  server = mozillaServer();
});

const run = (line: string) => onMozilla(line, server);

test("a new bug gets its alias as text", async () => {
  const ran = await run(`${NEW_BUG} --field type=task --alias noise`);
  expect([ran.code, ran.out]).toEqual([0, "7\n"]);
  expect(asked(ran).find((line) => line.startsWith("POST"))).toContain('"alias":"noise"');
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
