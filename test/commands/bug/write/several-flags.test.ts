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

test("a further request needs a +, since the tracker cannot tell which one is meant", async () => {
  const bt = await askedTwice();
  const ran = await bt("bug update 32 --flag 'needinfo?(ada@example.org)'");
  expect([ran.code, ran.err]).toEqual([3, expect.stringContaining("You must specify the id value")]);
  expect(await bt("bug update 32 --flag '+needinfo?(ada@example.org)'")).toMatchObject({ code: 0 });
  const { out } = await bt("bug get 32 --fields flags");
  for (const login of ["seun", "mei", "ada"]) expect(out).toContain(`needinfo?(${login}@example.org)`);
});

test("a request to nobody does not take the place of a request to a user", async () => {
  const bt = demo();
  await bt("bug update 32 --flag 'needinfo?(seun@example.org)'");
  for (const bugs of ["32", "31 32"]) {
    const ran = await bt(`bug update ${bugs} --flag 'needinfo?'`);
    expect([ran.code, updates(ran)]).toEqual([2, []]);
    expect(ran.err).toContain("this would replace needinfo?(seun@example.org)");
  }
  expect(await bt("bug update 32 --flag '+needinfo?'")).toMatchObject({ code: 0 });
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
    "bt: bug 32 has no request needinfo(ada@example.org)\nhint: requested from: seun@example.org, mei@example.org\n",
  ]);
  const many = await bt("bug update 32 33 --flag 'needinfoX(mei@example.org)'");
  expect(many).toMatchObject({ code: 2, err: expect.stringContaining("on one bug at a time") });
  expect(many.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});
