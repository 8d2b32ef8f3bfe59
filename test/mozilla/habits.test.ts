import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { requestFor } from "../../src/api/operations/operation.ts";
import { LOGOUT, VERSION } from "../../src/api/operations/tracker.ts";
import { readResponse } from "../../src/api/response/response.ts";
import { asked, updates } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
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

test("imported bugs get their aliases as text, after one look", async () => {
  const file = join(freshFolder(), "bugs.csv");
  const head = "product,component,version,summary,type,alias";
  const place = "TestProduct,TestComponent,unspecified";
  writeFileSync(file, `${head}\n${place},A,task,a\n${place},B,task,b\n`);
  const ran = await run(`bug import ${file} --yes`);
  expect(ran.code).toBe(0);
  expect([server.bugs.get(7)?.["alias"], server.bugs.get(8)?.["alias"]]).toEqual(["a", "b"]);
  expect(asked(ran).filter((line) => line.endsWith("include_fields=id,alias"))).toHaveLength(1);
});

test("a new attachment is known from a response that names it among attachments", async () => {
  const file = join(freshFolder(), "trace.txt");
  writeFileSync(file, "trace\n");
  expect(await run(`attachment add 6 ${file} --summary Trace`)).toMatchObject({ code: 0, out: "31\n", err: "" });
});

test("unknown flags get suggestions from Mozilla's list of flag types", async () => {
  const ran = await run("bug update 6 --flags needinof?");
  expect([ran.code, updates(ran)]).toEqual([2, []]);
  expect(ran.err).toBe('bt: unknown flag "needinof"\nhint: did you mean needinfo?\n');
});

test("a type that the tracker replaces is not applied, and overwrites nobody's change", async () => {
  const ran = await run("bug update 6 --field type=task --add-keywords regression");
  expect([ran.code, ran.out]).toEqual([10, "6\tkeywords\t\tregression\n6\ttype\ttask\tdefect\n"]);
  expect(ran.err).toMatch(/^bt: bug 6: not applied: type\n/);
  expect(ran.err).not.toContain("overwrote");
});

test("null is the response of a logout, and of nothing else", () => {
  const response = { status: 200, headers: { "content-type": "application/json" }, body: "null" };
  expect(readResponse(response, requestFor(LOGOUT))).toBeNull();
  expect(() => readResponse(response, requestFor(VERSION))).toThrow("neither a JSON object nor a list");
});
