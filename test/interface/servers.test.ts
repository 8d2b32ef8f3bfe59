import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/wire/exchange.ts";
import { bt, updates } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { interfaceServer, PEOPLE } from "../servers/interface-server.ts";
import { NETWORK, onInterface, plainFacts } from "./interface.ts";

const NO_FACTS = () => new Map<string, JsonObject>();

describe.each([
  ["is new", {}, NO_FACTS],
  ["is known to know the interface alone", {}, plainFacts],
  ["rejects what it does not know", { isStrict: true }, NO_FACTS],
  ["returns 20 bugs at most", { maximum: 20 }, NO_FACTS],
  ["has errors of its own", { hasForeignErrors: true }, plainFacts],
  ["has ids and aliases as text", { hasOtherForms: true }, NO_FACTS],
] as const)("on a server that %s", (_, options, facts) => {
  const run = (line: string) => onInterface(line, options, { facts: facts() });

  test("several bugs are read, in their order", async () => {
    expect(await run("bug get 4 3 case-15 --format ids")).toMatchObject({ code: 0, out: "4\n3\n15\n", err: "" });
  });

  test("of many bugs, each that is missing is named with the reason", async () => {
    const ran = await run("bug get 1 98 2 99 --format ids");
    expect(ran).toMatchObject({ code: 10, out: "1\n2\n" });
    expect(ran.err).toMatch(/2 of 4 bugs.*98: [^\n]*not (found|exist).*99: [^\n]*not (found|exist)/s);
  });

  test.each([
    ["bug get 99", "Bug 99"],
    ["bug history nosuch", "Bug nosuch"],
    ["comment get 999", "Comment 999"],
    ["comment add 99 -m x", "Bug 99"],
    ["group get nosuch", "Group nosuch"],
    ["bug update 99 --priority Low", "Bug 99"],
  ])("what %s names is missing", async (line, named) => {
    const ran = await run(line);
    expect(ran).toMatchObject({ code: 5, out: "" });
    expect(ran.err).toContain(`${named} does not exist`);
  });

  test("histories and comments of several bugs are read", async () => {
    const histories = JSON.parse((await run("bug history 1 case-15 2 --json")).out);
    expect(histories.map(({ id }: JsonObject) => Number(id))).toEqual([1, 15, 2]);
    const comments = JSON.parse((await run("comment list 1 case-15 --json")).out);
    expect(comments.map(({ bug_id, count, text }: JsonObject) => [bug_id, count, text])).toEqual([
      [1, 0, "Heard in case 1."],
      [15, 0, "Heard in case 15."],
    ]);
    const named = JSON.parse((await run("comment get 101 105 --json")).out);
    expect(named.map(({ id, creation_time }: JsonObject) => [id, creation_time])).toEqual([
      [101, "2026-05-01T00:02:00Z"],
      [105, "2026-05-01T00:06:00Z"],
    ]);
  });

  test("a tree of dependencies is followed", async () => {
    const rows = JSON.parse((await run("bug tree 9 --json")).out);
    expect(JSON.stringify(rows)).toContain('"id":8');
  });

  test("writes are applied once, and their changes are no conflict", async () => {
    const ran = await run("bug update 4 5 --priority Top --is-cc-accessible no --flags review+ -m done");
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toBe("4\tapplied\n5\tapplied\n");
    for (const id of [4, 5]) {
      expect(ran.bugs.get(id)?.values).toMatchObject({ priority: "Top", is_cc_accessible: false });
      expect(ran.comments.filter(({ bug, text }) => bug === id && text === "done")).toHaveLength(1);
    }
  });

  test("a bug is closed, taken, and marked as a duplicate", async () => {
    expect((await run("bug close 3 --resolution FIXED")).bugs.get(3)?.values).toMatchObject({ status: "DONE" });
    expect((await run("bug take 5")).bugs.get(5)?.values["assigned_to"]).toBe(PEOPLE[0]);
    expect((await run("bug dup 4 5")).bugs.get(4)?.values).toMatchObject({ dupe_of: 5, resolution: "DUPLICATE" });
  });

  test("bugs, comments and groups are created and changed", async () => {
    expect(await run("bug create -p Lamp -c Bulb --bug-version 1 -t Hello -d text")).toMatchObject({
      code: 0,
      out: "46\n",
    });
    expect(await run("comment add 3 -m hello")).toMatchObject({ code: 0, out: "145\n", err: "" });
    expect(await run("tag update 101 --add abc")).toMatchObject({ code: 0, out: "abc\n", err: "" });
    expect(await run("group create --name zed --description z")).toMatchObject({ code: 0, out: "3\n" });
    expect((await run("group update makers quiet --description other")).out).toBe("1\tapplied\n2\tapplied\n");
    expect((await run("group get makers --members")).out).toContain(PEOPLE[1]);
  });

  test("the work of a user is listed, similar bugs are found", async () => {
    const ran = await run("todo --json");
    const { assigned } = JSON.parse(ran.out);
    expect(assigned.map(({ id }: JsonObject) => Number(id))).toEqual(
      [...ran.bugs.values()]
        .filter(({ id }) => id % 3 === 0)
        .map(({ id }) => id)
        .reverse(),
    );
    const similar = JSON.parse((await run("bug similar --summary 'loud and sharp noise' --json")).out);
    expect(similar.map(({ id }: JsonObject) => Number(id))).toContain(42);
  });
});

test("an error of the server's own form is a refusal", async () => {
  expect(await onInterface("comment add 99 -m x", { hasForeignErrors: true }, { facts: NO_FACTS() })).toMatchObject({
    code: 5,
  });
});

describe("a server with one alias per bug, as text", () => {
  const run = (line: string) => onInterface(line, { hasOtherForms: true });
  const aliasAfter = async (line: string, id: number) => (await run(line)).bugs.get(id)?.values["alias"];

  test.each([
    ["--alias other", ["other"]],
    ["--set-alias other", ["other"]],
    ["--add-alias other --remove-alias case-15", ["other"]],
    ["--remove-alias case-15", []],
  ])("is sent the alias after %s", async (flags, after) => {
    expect(await aliasAfter(`bug update 15 ${flags}`, 15)).toEqual(after);
  });

  test("gets the first alias of a bug", async () => {
    expect(await aliasAfter("bug update 14 --add-alias other", 14)).toEqual(["other"]);
  });

  test("is not sent a second alias", async () => {
    const ran = await run("bug update 15 --add-alias other");
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain("one alias, not case-15 and other");
    expect(ran.bugs.get(15)?.values["alias"]).toEqual(["case-15"]);
  });

  test("is read the same way in the response of an update", async () => {
    expect(JSON.parse((await run("bug update 15 --priority Low --json")).out)).toMatchObject([{ alias: ["case-15"] }]);
  });
});

describe("a server without field metadata", () => {
  const run = (line: string, around = {}) => onInterface(line, { hasFields: false }, around);

  test("sends values as typed, with a note", async () => {
    expect((await run("bug search --status NEW --limit 1 --format ids")).out).toBe("45\n");
    expect((await run("bug search is:open --count")).out).toBe("30\n");
    expect((await run("bug search is:closed --count")).out).toBe("15\n");
    expect((await run("bug search --status new --count")).out).toBe("15\n");
    for (const terminal of [true, false]) {
      const shown = await run("bug search --status NEW --limit 1", { terminal });
      expect(shown.err.match(/does not list its fields/g)).toHaveLength(1);
    }
  });

  test("gets all writes", async () => {
    const ran = await run("bug update 5 --priority Anything --field cf_room=den --add-keywords odd");
    expect(ran.code).toBe(0);
    expect(ran.bugs.get(5)?.values).toMatchObject({ priority: "Anything", cf_room: "den", keywords: ["odd"] });
    expect((await run("bug create -p Lamp -c Bulb --bug-version 1 -t Hello")).out).toBe("46\n");
  });

  test("is not requested again that day", async () => {
    const facts = new Map<string, JsonObject>();
    const server = interfaceServer({ hasFields: false });
    await bt("bug search --priority Top", { exchange: server.exchange, ...NETWORK, facts });
    expect(server.beyond).not.toContain("GET /rest/version");
  });

  test("cannot be sorted by what has ranks", async () => {
    const ran = await run("bug search --status NEW --sort priority");
    expect(ran).toMatchObject({ code: 3, out: "" });
    expect(ran.err).toContain("does not list its values");
  });
});

describe("who one is", () => {
  test("is never concluded from bugs, so that nothing is assigned to a stranger", async () => {
    const unknown = { login: undefined as never };
    for (const line of ["bug take 18", "bug update 18 -a @me", "bug undo 18", "todo"]) {
      const ran = await onInterface(line, {}, unknown);
      expect(ran.code).toBeGreaterThan(1);
      expect(ran.err).toContain("bt config set login LOGIN");
      expect(ran.requests.every(({ method }) => method === "GET")).toBe(true);
    }
  });

  test("is what the settings say where the tracker does not", async () => {
    const around = { login: undefined as never, settings: { login: "bo@team.test" } };
    expect((await onInterface("bug take 18", {}, around)).bugs.get(18)?.values["assigned_to"]).toBe("bo@team.test");
    expect((await onInterface("bug search -a @me --count", {}, around)).out).toBe("15\n");
  });
});

test("a refused look for duplicates does not stop a new bug", async () => {
  const { exchange, bugs } = interfaceServer({ isStrict: true });
  const refusing: typeof exchange = async (request) =>
    request.path === "/rest/bug" && request.method === "GET"
      ? { status: 500, headers: {}, body: "{}" }
      : exchange(request);
  const line = "bug create -p Lamp -c Bulb --bug-version 1 -t 'Loud noise' -d text";
  const ran = await bt(line, { exchange: refusing, ...NETWORK, terminal: true, answers: ["y"] });
  expect(ran.code).toBe(0);
  expect(bugs.size).toBe(46);
});

test("flags that were cleared are set again, by what they are", async () => {
  const { exchange } = interfaceServer({});
  const around = { ...NETWORK, exchange, env: { HOME: freshFolder() } };
  for (const flags of ["review?", "reviewX"])
    expect(await bt(`bug update 10 --flags ${flags}`, around)).toMatchObject({ code: 0, err: "" });
  const undone = await bt("bug undo 10", around);
  expect([undone.code, updates(undone)]).toEqual([0, [{ ids: [10], flags: [{ type_id: 1, status: "?" }] }]]);
});

test("a mirror has all bugs, also without lists of products and attachments", async () => {
  const around = { ...NETWORK, exchange: interfaceServer({}).exchange, env: { HOME: freshFolder() } };
  expect(await bt("mirror create copy", around)).toMatchObject({ code: 0, err: "note: copy: 45 bugs\n" });
});
