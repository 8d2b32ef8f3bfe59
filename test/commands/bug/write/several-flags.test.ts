import { expect, test } from "vitest";
import { updates } from "../../../bt.ts";
import { demo } from "../../demo.ts";

/** Bug 32 with a needinfo asked of two people. */
async function askedTwice() {
  const bt = demo();
  await bt("bug update 32 --flag 'needinfo?(seun@example.org)'");
  await bt("bug update 32 --flag '+needinfo?(mei@example.org)'");
  return bt;
}

test("with two requests set, another person can be requested", async () => {
  const bt = await askedTwice();
  expect(await bt("bug update 32 --flag 'needinfo?(ada@example.org)'")).toMatchObject({ code: 0 });
  const { out } = await bt("bug get 32 --fields flags");
  for (const login of ["seun", "mei", "ada"]) expect(out).toContain(`needinfo?(${login}@example.org)`);
});

test("a request of nobody does not take the place of one that is set", async () => {
  const bt = demo();
  await bt("bug update 32 --flag 'needinfo?(seun@example.org)'");
  const ran = await bt("bug update 32 --flag 'needinfo?'");
  expect([ran.code, ran.err]).toEqual([
    2,
    "bt: needinfo is requested from seun@example.org on bug 32\nhint: for another user: --flag 'needinfo?(LOGIN)'\n",
  ]);
  expect(ran.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("needinfoX(login) clears the request to that person only", async () => {
  const bt = await askedTwice();
  const ran = await bt("bug update 32 --flag 'needinfoX(mei@example.org)'");
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.requests.at(-1)?.body).toMatchObject({ flags: [{ id: expect.any(Number), status: "X" }] });
  expect((await bt("bug get 32 --fields flags")).out).toBe("needinfo?(seun@example.org)\n");
});

test("a request without a requestee, or on several bugs, is not cleared", async () => {
  const bt = await askedTwice();
  const { code, err } = await bt("bug update 32 --flag 'needinfoX(ada@example.org)'");
  expect([code, err]).toEqual([
    2,
    "bt: bug 32 has no needinfo requested from ada@example.org\nhint: requested from: seun@example.org, mei@example.org\n",
  ]);
  const many = await bt("bug update 32 33 --flag 'needinfoX(mei@example.org)'");
  expect(many).toMatchObject({ code: 2, err: expect.stringContaining("on one bug at a time") });
  expect(many.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test.each([
  ["two requests", []],
  ["a request beside a granted one", ["bug update 32 --flag '#FIRST+'"]],
])("needinfoX is ambiguous with %s: the hint clears one by id", async (_, lines) => {
  const bt = await askedTwice();
  const [{ flags }] = JSON.parse((await bt("bug get 32 --json=flags")).out);
  for (const line of lines) expect(await bt(line.replace("FIRST", flags[0].id))).toMatchObject({ code: 0 });
  const ran = await bt("bug update 32 --flag needinfoX");
  expect([ran.code, updates(ran)]).toEqual([2, []]);
  expect(ran.err).toContain(`hint: choose one by id: --flag '#${flags[0].id}X'\n`);
});
