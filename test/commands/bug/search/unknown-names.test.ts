import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../../src/wire/exchange.ts";
import { asked, bt } from "../../../bt.ts";
import { demo } from "../../demo.ts";

/** A tracker without bugs that answers every question about users in one way. */
function without(code: number | undefined, status = 400): Exchange {
  return async ({ path }) => {
    const refused = { status, headers: {}, body: JSON.stringify({ error: true, code, message: "no" }) };
    return path === "/rest/user"
      ? refused
      : { status: 200, headers: {}, body: JSON.stringify({ fields: [], bugs: [] }) };
  };
}

function groups(code: number): Exchange {
  return async ({ path }) => ({
    status: path === "/rest/group" ? 400 : 200,
    headers: {},
    body: JSON.stringify(path === "/rest/group" ? { error: true, code, message: "no" } : { fields: [], bugs: [] }),
  });
}

describe("an empty search looks up the logins in it", () => {
  test.each([
    "-a mei",
    "--creator mei --count",
    "'is:open cc:mei'",
    "'flag(needinfo? requestee mei)'",
    "'status changed by mei'",
  ])("%s", async (line) => {
    expect(await demo()(`bug search ${line}`)).toMatchObject({
      code: 2,
      out: "",
      err: 'bt: unknown user "mei"\nhint: did you mean mei@example.org?\n',
    });
  });

  test.each([
    "update 44 --assignee mei",
    "update 44 --qa-contact mei -p Harbor",
    "update 44 --add-cc ada@example.org,mei",
    "update 44 --flags 'needinfo?(mei)'",
    "create -p Lantern -c Library -t x -d y --bug-version 3.2 --cc mei --no-similar",
  ])("and so does a write before it is sent: %s", async (line) => {
    const ran = await demo()(`bug ${line}`);
    expect(ran).toMatchObject({
      code: 2,
      out: "",
      err: 'bt: unknown user "mei"\nhint: did you mean mei@example.org?\n',
    });
    expect(asked(ran).filter((request) => /^(?:PUT|POST)/.test(request))).toEqual([]);
  });

  test("an existing login is accepted, and one that was found costs no request", async () => {
    const run = demo();
    const empty = await run("bug search -a mei@example.org --id 99999");
    expect(empty.code).toBe(0);
    expect(asked(empty).at(-1)).toBe("GET /rest/user?names=mei@example.org&include_fields=id,name");
    expect(asked(await run("bug search -a mei@example.org")).filter((line) => line.includes("/user"))).toEqual([]);
    expect(asked(await run("bug search --id 99999")).filter((line) => line.includes("/user"))).toEqual([]);
  });

  test.each([410, 505, 804, undefined])("a response with code %s is inconclusive", async (code) => {
    const ran = await bt("bug search -a mei", { exchange: without(code, 401) });
    expect(ran).toMatchObject({ code: 0, out: "" });
  });
});

test.each([
  ["--flag 'neddinfo?'", 'bt: unknown flag "neddinfo"\nhint: did you mean needinfo?'],
  ["'flag(reviw requestee mei@example.org)'", 'bt: unknown flag "reviw"\nhint: did you mean review?'],
])("a flag that no product has is rejected: %s", async (line, err) => {
  expect(await demo()(`bug search ${line}`)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(err) });
});

test.each([
  ["-a '!mei'", 'user "mei"', ["names=mei"]],
  ["-a ada@example.org,mei", 'user "mei"', ["names=ada@example.org&names=mei", "names=ada@example.org"]],
  ["'not creator:@me and not (cc:mei)'", 'user "mei"', ["names=mei"]],
  ["'is:open or commenter:mei'", 'user "mei"', ["names=mei"]],
  ["'not priority changed by mei'", 'user "mei"', ["names=mei"]],
  ["'not flag(reviw?)'", 'flag "reviw"', []],
  ["--flag 'review?,reviw+'", 'flag "reviw"', []],
])("a name that is negated or one of several is checked before the search: %s", async (line, name, names) => {
  const ran = await demo()(`bug search ${line}`);
  expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining(`unknown ${name}`) });
  const sent = asked(ran);
  expect(sent.filter((request) => request.startsWith("GET /rest/bug?"))).toEqual([]);
  for (const one of names) expect(sent).toContain(`GET /rest/user?${one}&include_fields=id,name`);
});

test("an unknown group is rejected if the tracker confirms it", async () => {
  expect(await bt("bug search group:nosuch", { exchange: groups(51) })).toMatchObject({
    code: 2,
    out: "",
    err: 'bt: unknown group "nosuch"\n',
  });
  expect(await bt("bug search group:nosuch", { exchange: groups(410) })).toMatchObject({
    code: 0,
  });
});

test.each([
  ["search -p High", "valid values: Handbook, Harbor, Lantern\n"],
  ["update 44 -c API", "valid values: Editor, Import & Export, Installer, Library\n"],
  ["search --priority hihg", "did you mean High?"],
  ["search -a @mee", "did you mean @me?"],
  ["update 44 -a @mee", "did you mean @me?"],
])("bug %s: an unknown value is refused with the nearest, or all if they are few", async (line, hint) => {
  const { code, err } = await demo()(`bug ${line}`);
  expect([code, err]).toEqual([2, expect.stringContaining(hint)]);
});
