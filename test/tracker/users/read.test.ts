import { beforeEach, describe, expect, test } from "vitest";
import { idByName } from "../../../src/tracker/setup/kinds.ts";
import { applySetup } from "../../../src/tracker/setup/setup.ts";
import { type Talk, talk } from "../talk.ts";

let here: Talk;
beforeEach(() => {
  here = talk();
});

describe("users of a group", () => {
  test.each(["names=bob@example.org", "match=bob"])("are hidden from non-members: %s", async (who) => {
    for (const group of ["groups=core-security", "groups=no-such-group", "group_ids=15", "group_ids=999"]) {
      const { status, body } = await here.get("carol", `/rest/user?${who}&${group}`);
      expect([status, body]).toMatchObject([400, { code: 804 }]);
    }
  });

  test("are hidden from anonymous users", async () => {
    for (const group of ["groups=core-security", "group_ids=15", "groups=no-such-group"]) {
      const { body } = await here.get("anonymous", `/rest/user?names=alice@example.org&${group}`);
      expect(body).toMatchObject({
        code: 804,
        message: expect.stringMatching(/^The group you specified, .* is not valid here/),
      });
    }
  });
});

describe("with usevisibilitygroups", () => {
  const users = async (as: string, query: string) => {
    const { body } = await there.get(as, `/rest/user?${query}`);
    return (body as { readonly users: readonly { readonly name: string }[] }).users.map(({ name }) => name);
  };
  let there: Talk;
  beforeEach(() => {
    there = talk({ usevisibilitygroups: "1" });
    applySetup(there.store, {
      groups: [
        { name: "seers", description: "See others" },
        { name: "seen", description: "Are seen", visible_to: ["seers"] },
        { name: "inner", description: "Are members of what is seen", members: [] },
      ],
    });
    applySetup(there.store, { groups: [{ name: "seen", members: ["inner"] }] });
    const join = "INSERT INTO group_members (group_id, user_id, kind) SELECT id, ?, ? FROM groups WHERE name = ?";
    for (const [login, kind, group] of [
      ["carol", "member", "seers"],
      ["dave", "member", "inner"],
      ["bob", "bless", "seen"],
    ] as const) {
      there.store.run(join, [idByName(there.store, "users", `${login}@example.org`), kind, group]);
    }
  });

  test("only members of visible groups match a part of their names", async () => {
    expect(await users("carol", "match=example.org")).toEqual(["dave@example.org"]);
    expect(await users("carol", "match=*@example.org&limit=1")).toEqual(["dave@example.org"]);
    expect(await users("bob", "match=example.org")).toEqual([]);
    expect(await users("carol", "match=alice@example.org")).toEqual(["alice@example.org"]);
  });

  test("others are refused by id, and returned by full name", async () => {
    const id = (login: string) => idByName(there.store, "users", `${login}@example.org`);
    expect(await users("carol", `ids=${id("dave")}`)).toEqual(["dave@example.org"]);
    const { status, body } = await there.get("carol", `/rest/user?ids=${id("dave")}&ids=${id("alice")}`);
    expect([status, body]).toMatchObject([
      401,
      {
        code: 304,
        message: `Sorry, there are visibility restrictions on certain user groups, and so you are not authorized to access the user with ID '${id("alice")}'.`,
      },
    ]);
    expect(await users("carol", "names=alice@example.org")).toEqual(["alice@example.org"]);
  });
});
