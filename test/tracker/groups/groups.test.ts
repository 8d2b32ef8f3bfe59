import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { type Talk, talk } from "../talk.ts";

type Group = Readonly<Record<string, unknown>> & { readonly membership?: readonly { readonly name: string }[] };

async function groupOf(here: Talk, name: string, as = "admin"): Promise<Group> {
  const { body } = await here.get(as, `/rest/group?names=${name}&membership=1`);
  return (body as { groups: Group[] }).groups[0] ?? {};
}

async function members(here: Talk, name: string) {
  return (await groupOf(here, name)).membership?.map((member) => member.name);
}

async function make(here: Talk, body: JsonObject) {
  return (await here.post("admin", "/rest/group", { name: "qa", description: "QA", ...body })).body as { id: number };
}

describe("a new group", () => {
  test("has all parameters of the request", async () => {
    const here = talk();
    const { id } = await make(here, { user_regexp: "^(al|bo)", is_active: true, icon_url: "http://example.org/i.png" });
    expect(await groupOf(here, "qa")).toMatchObject({
      id,
      name: "qa",
      description: "QA",
      user_regexp: "^(al|bo)",
      is_active: true,
    });
    const icon = await here.put("admin", `/rest/group/${id}`, { icon_url: "" });
    expect(icon.body).toEqual({
      groups: [{ id, changes: { icon_url: { removed: "http://example.org/i.png", added: null } } }],
    });
  });

  test("includes the users matched by its pattern, and administrators", async () => {
    const here = talk();
    await make(here, { user_regexp: "^(al|bo)" });
    expect(await members(here, "qa")).toEqual(["admin@example.org", "alice@example.org", "bob@example.org"]);
  });

  test("with a pattern that a backtracking engine would try for ever includes whom it matches", async () => {
    const here = talk();
    const login = "a".repeat(40);
    for (const name of [login, `${login}!`]) here.store.run("INSERT INTO users (login) VALUES (?)", [name]);
    await make(here, { user_regexp: "^(a+)+$" });
    expect(await members(here, "qa")).toEqual([login, "admin@example.org"]);
  });
});

describe("an updated group", () => {
  test("that is renamed is renamed in the parameters, too", async () => {
    const here = talk();
    await here.put("admin", "/rest/group/editbugs", { name: "editors" });
    const answer = await here.put("alice", "/rest/bug/comment/1/tags", { add: ["spam"] });
    expect(answer.body).toEqual(["spam"]);
  });
});
