import { expect, test } from "vitest";
import { readSeen, watchSeen } from "../../src/session/seen.ts";
import type { Json, JsonObject, Request } from "../../src/wire/exchange.ts";

/** An account without a list, and what is remembered after each response. */
function account() {
  const kept: JsonObject[] = [];
  const memory = {
    read: async () => kept.at(-1),
    write: async (_: string, facts: JsonObject) => void kept.push(facts),
  };
  const show = async (...answers: readonly Json[]) => {
    for (const answer of answers) {
      const { session, save } = watchSeen({ ask: async (_: Request) => answer, memory });
      await session.ask({ method: "GET", path: "/rest/bug", query: [] });
      await save();
    }
    return readSeen(memory);
  };
  return { show, kept };
}

test("a bug of a group is remembered without its summary, as is one whose groups were not requested", async () => {
  const bugs = [
    { id: 1, summary: "public", groups: [] },
    { id: 2, summary: "secret", groups: ["core-security"] },
    { id: 3, summary: "unknown" },
  ];
  const { show, kept } = account();
  expect((await show({ bugs })).bugs).toEqual([{ id: 1, summary: "public" }, { id: 2 }, { id: 3 }]);
  expect(JSON.stringify(kept)).not.toMatch(/secret|unknown/);
});

test("a summary is kept when a bug is listed again, and removed when it becomes restricted", async () => {
  const { show } = account();
  const once = { bugs: [{ id: 1, summary: "public", groups: [] }] };
  expect((await show(once, { bugs: [{ id: 1 }] })).bugs).toEqual([{ id: 1, summary: "public" }]);
  expect((await show({ bugs: [{ id: 1, groups: ["core-security"] }] }, { bugs: [{ id: 1 }] })).bugs).toEqual([
    { id: 1 },
  ]);
});

test("the last 50 bugs are remembered, newest first, and the logins of their people", async () => {
  const { show } = account();
  const bug = (id: number) => ({ id, assigned_to: "ada@example.org", creator: `u${id}@example.org`, cc: ["bob"] });
  const numbers = Array.from({ length: 60 }, (_, at) => at + 1);
  const { bugs, people } = await show({ bugs: numbers.map(bug) }, { bugs: [bug(99)] }, { users: [{ name: "eve" }] });
  expect([bugs.length, bugs[0]?.id, bugs[1]?.id]).toEqual([50, 99, 1]);
  expect(people.slice(0, 4)).toEqual(["eve", "ada@example.org", "u99@example.org", "bob"]);
});

test.each([null, "text", [], { bugs: "x" }, { bugs: [null, 3, { id: "1" }] }, { bugs: { "12": {} } }])(
  "%j holds nothing to remember",
  async (answer) => {
    expect(await account().show(answer)).toEqual({ bugs: [], people: [] });
  },
);
