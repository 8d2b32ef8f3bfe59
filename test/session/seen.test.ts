import { expect, test } from "vitest";
import { readSeen, recordSeenObjects } from "../../src/session/memory/seen.ts";
import type { Json, JsonObject, Request } from "../../src/wire/exchange.ts";
import { FIELD_TYPE } from "../../src/wire/field-types.ts";
import type { Field } from "../../src/wire/resources.ts";

const FIELDS = [
  { name: "cf_status", type: FIELD_TYPE.extension },
  { name: "cf_secret", type: FIELD_TYPE.text },
] as unknown as readonly Field[];

/** An account without a list, and what is remembered after each response. */
function account() {
  const kept: JsonObject[] = [];
  const memory = {
    read: async () => kept.at(-1),
    write: async (_: string, facts: JsonObject) => void kept.push(facts),
  };
  const show = async (...answers: readonly Json[]) => {
    for (const answer of answers) {
      const { session, save } = recordSeenObjects({
        send: async (_: Request) => answer,
        facts: { memory },
        metadata: { knownFields: async () => FIELDS },
      });
      await session.send({ method: "GET", path: "/rest/bug", query: [] });
      await save();
    }
    return readSeen(memory);
  };
  return { show, kept };
}

/** A remembered bug without comments and attachments. */
function bug(id: number, summary?: string) {
  return { id, ...(summary === undefined ? {} : { summary }), comments: [], attachments: [] };
}

test("a bug of a group is remembered without its summary, as is one whose groups were not requested", async () => {
  const bugs = [
    { id: 1, summary: "public", groups: [] },
    { id: 2, summary: "secret", groups: ["core-security"] },
    { id: 3, summary: "unknown" },
  ];
  const { show, kept } = account();
  expect((await show({ bugs })).bugs).toEqual([bug(1, "public"), bug(2), bug(3)]);
  expect(JSON.stringify(kept)).not.toMatch(/secret|unknown/);
});

test("a summary is kept when a bug is listed again, and removed when it becomes restricted", async () => {
  const { show } = account();
  const once = { bugs: [{ id: 1, summary: "public", groups: [] }] };
  expect((await show(once, { bugs: [{ id: 1 }] })).bugs).toEqual([bug(1, "public")]);
  expect((await show({ bugs: [{ id: 1, groups: ["core-security"] }] }, { bugs: [{ id: 1 }] })).bugs).toEqual([bug(1)]);
});

test("the last 50 bugs are remembered, newest first, and the logins of their people", async () => {
  const { show } = account();
  const told = (id: number) => ({ id, assigned_to: "ada@example.org", creator: `u${id}@example.org`, cc: ["bob"] });
  const numbers = Array.from({ length: 60 }, (_, at) => at + 1);
  const { bugs, people } = await show({ bugs: numbers.map(told) }, { bugs: [told(99)] }, { users: [{ name: "eve" }] });
  expect([bugs.length, bugs[0]?.id, bugs[1]?.id]).toEqual([50, 99, 1]);
  expect(people.slice(0, 4)).toEqual(["eve", "ada@example.org", "u99@example.org", "bob"]);
});

test("flags are those of bugs, of flag types, and of the components of products", async () => {
  const types = { bug: [{ id: 1, name: "needinfo" }], attachment: [{ id: 2, name: "review" }] };
  const { flags } = await account().show(
    { bugs: [{ id: 1, flags: [{ id: 9, name: "landing", status: "?" }] }] },
    { bug: [{ id: 3, name: "ship" }], attachment: [] },
    { products: [{ id: 1, components: [{ id: 1, flag_types: types }] }] },
  );
  expect(flags).toEqual(["needinfo", "review", "ship", "landing"]);
});

test.each([null, "text", [], { bugs: "x" }, { bugs: [null, 3, { id: "1" }] }, { bugs: { x: {} } }])(
  "%j holds nothing to remember",
  async (answer) => {
    expect(await account().show(answer)).toEqual({
      ...{ bugs: [], people: [], groups: [], searches: [], flags: [], values: new Map() },
    });
  },
);

const COMMENT = { bug_id: 1, count: 2, creator: "ada@example.org", time: "2026-02-03T04:05:06Z", is_private: false };
const FILE = { id: 7, bug_id: 1, file_name: "fix.diff", is_private: 0 };
const PUBLIC = { bugs: [{ id: 1, summary: "public", groups: [] }] };

test("comments and attachments are remembered with their bug, newest first, listed by bug or by id", async () => {
  const { show } = account();
  const { bugs } = await show(
    PUBLIC,
    { bugs: { 1: { comments: [{ ...COMMENT, count: 0 }, COMMENT] } }, comments: {} },
    { bugs: {}, comments: { 91: { ...COMMENT, bug_id: 5 } } },
    { bugs: { 1: [FILE] }, attachments: {} },
    { bugs: {}, attachments: { 8: { ...FILE, id: 8 } } },
  );
  const { bug_id: _bug, is_private: _private, ...comment } = COMMENT;
  expect(bugs).toEqual([
    {
      id: 1,
      summary: "public",
      comments: [comment, { ...comment, count: 0 }],
      attachments: [8, 7].map((id) => ({ id, file_name: "fix.diff" })),
    },
    { id: 5, comments: [comment], attachments: [] },
  ]);
});

test("private comments and attachments have no names, nor have attachments of a bug that may be restricted", async () => {
  const isPrivate = { comments: [{ ...COMMENT, is_private: true }] };
  const files = {
    bugs: {
      1: [
        { ...FILE, is_private: 1 },
        { ...FILE, id: 8 },
      ],
      2: [{ ...FILE, id: 9 }],
    },
  };
  const { show } = account();
  const { bugs } = await show(PUBLIC, { bugs: { 1: isPrivate } }, files);
  expect(bugs.map(({ comments, attachments }) => [comments, attachments])).toEqual([
    [[{ count: 2 }], [{ id: 8, file_name: "fix.diff" }, { id: 7 }]],
    [[], [{ id: 9 }]],
  ]);
  const [restricted] = (await show({ bugs: [{ id: 1, groups: ["core-security"] }] })).bugs;
  expect(restricted?.attachments).toEqual([{ id: 8 }, { id: 7 }]);
});

test("names of groups are remembered from bugs, users and lists, and those of saved searches", async () => {
  const user = { name: "ada", groups: [{ id: 3, name: "editbugs" }], saved_searches: [{ name: "Mine", query: "x" }] };
  const { show } = account();
  await show({ bugs: [{ id: 1, groups: ["security"] }] }, { users: [user] });
  expect(await show({ groups: [{ id: 4, name: "triage" }] })).toMatchObject({
    people: ["ada"],
    groups: ["triage", "editbugs", "security"],
    searches: ["Mine"],
  });
  expect((await show({ users: [{ ...user, saved_searches: [] }] })).searches).toEqual([]);
});
