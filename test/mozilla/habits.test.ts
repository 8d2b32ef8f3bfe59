import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { requestFor } from "../../src/api/operations/operation.ts";
import { VERSION } from "../../src/api/operations/tracker.ts";
import { readResponse } from "../../src/api/response/response.ts";
import type { Exchange } from "../../src/wire/exchange.ts";
import { asked, updates } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { type MozillaServer, mozillaServer, NEW_BUG, onMozilla } from "./server.ts";

let server: MozillaServer;

beforeEach(() => {
  server = mozillaServer();
});

const run = (line: string) => onMozilla(line, server);

const CC_BY_NICK = { cc: { add: ["mei@example.org", "ada@example.org"], remove: ["meister@example.org"] } };
const needinfo = (requestee: string) => ({ name: "needinfo", status: "?", requestee });
const NEEDINFO_BY_NICK = { flags: [{ ...needinfo("mei@example.org"), new: true }], comment: { body: "When?" } };

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

describe("a nick in a real name stands for its login", () => {
  test.each([
    ["bug update 6 -a :mei", { assigned_to: "mei@example.org" }],
    ["bug update 6 --add-cc :MEI,ada@example.org --remove-cc :meister", CC_BY_NICK],
    ["bug update 6 --field mentors=:mei", { mentors: ["mei@example.org"] }],
    ["bug update 6 --flags needinfo?(:mei)", { flags: [needinfo("mei@example.org")] }],
    ["bug needinfo 6 --from :mei,mei@example.org -m When?", NEEDINFO_BY_NICK],
  ])("%s", async (line, body) => {
    const ran = await run(line);
    expect(updates(ran)).toEqual([{ ids: [6], ...body }]);
  });

  test("in a request of review", async () => {
    const file = join(freshFolder(), "fix.patch");
    writeFileSync(file, "--- a\n+++ b\n");
    const ran = await run(`attachment add 6 ${file} --flags review?(:mei)`);
    expect(ran).toMatchObject({ code: 0, out: "31\n" });
    const sent = ran.requests.find(({ path }) => path === "/rest/bug/6/attachment");
    expect(sent?.body).toMatchObject({ flags: [{ ...needinfo("mei@example.org"), name: "review" }] });
  });

  test.each([
    [
      "-a :bo",
      "2 users have the nick :bo\n    Bo One (:bo) <bo1@example.org>\n    Bo Two :Bo. <bo2@example.org>\nhint: use the complete login\n",
    ],
    ["--add-cc :meis", 'unknown user ":meis"\nhint: did you mean meister@example.org?\n'],
    ["-a :nobody", "unknown user \":nobody\"\nhint: bt user search '*' lists users\n"],
  ])("that of several or of nobody is refused: %s", async (flags, message) => {
    const ran = await run(`bug update 6 ${flags}`);
    expect(ran).toMatchObject({ code: 2, err: `bt: ${message}` });
    expect(updates(ran)).toEqual([]);
  });

  test("in a search it is looked up as a flag, and refused in the query language", async () => {
    const ran = await run("bug search -a :mei --limit 5");
    expect(asked(ran).join("\n")).toMatch(/f1=assigned_to&o1=equals&v1=mei@example\.org&/);
    expect(await run("bug search -a :bo --limit 5")).toMatchObject({
      code: 2,
      err: expect.stringContaining("2 users"),
    });
    expect(await run("bug search 'assignee = \":mei\"'")).toMatchObject({
      code: 2,
      err: expect.stringContaining('":mei" is not a login (column 1)\nhint: bt user search :mei shows the login\n'),
    });
  });
});

test("null is no response", () => {
  const response = { status: 200, headers: { "content-type": "application/json" }, body: "null" };
  expect(() => readResponse(response, requestFor(VERSION))).toThrow("neither a JSON object nor a list");
});
