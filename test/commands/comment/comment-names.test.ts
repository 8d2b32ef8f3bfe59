import { expect, test } from "vitest";
import type { Exchange } from "../../../src/wire/exchange.ts";
import { bt } from "../../bt.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { demo } from "../demo.ts";

const surroundings = { now: () => new Date("2026-11-20T12:00:00Z"), random: (count: number) => new Uint8Array(count) };

/** A demo tracker that counts wrong where comments are asked for by their ids. */
function miscounting(): Exchange {
  const { exchange } = freshDemo({ ...surroundings });
  return async (request) => {
    const reply = await exchange(request);
    const isById = request.path.startsWith("/rest/bug/comment/");
    return isById ? { ...reply, body: reply.body.replace(/"count":\d+/g, '"count":12') } : reply;
  };
}

test("a comment is named by bug and number", async () => {
  const bt = demo();
  const alias = JSON.stringify({ ids: [44], alias: { set: ["x#3"] } });
  expect((await bt("api PUT /bug/44 --input -", { stdin: alias })).code).toBe(0);
  await bt("comment add 44 -m text");
  const list = JSON.parse((await bt("comment list 44 --json")).out) as { id: number; count: number }[];
  const [last] = list.slice(-1);
  expect(last?.count).toBeGreaterThan(0);
  const count = last?.count;
  const page = `show_bug.cgi?id=44#c${count}`;
  const byNumber = [`44.${count}`, `44#${count}`, `44#c${count}`, `#44.${count}`, `x#3#${count}`, `x#3.${count}`, page];
  for (const name of [...byNumber, String(last?.id), `c:${last?.id}`]) {
    expect(JSON.parse((await bt(`comment get ${name} --json`)).out)).toEqual([last]);
  }
  for (const name of [`44.${count}`, page, `c:${last?.id}`, String(count), `#${count}`]) {
    const isAlone = /^#?\d+$/.test(name); // a number means a comment only where the bug is known
    if (!isAlone) expect(await bt(`tag update ${name} --add spam`)).toMatchObject({ code: 0, out: "spam\n" });
    const privacy = isAlone ? `44.${count}` : name; // a number alone is an id
    expect(await bt(`bug update 44 --comment-is-private ${privacy}=yes`)).toMatchObject({ code: 0 });
    const reply = await bt(`comment add 44 --reply ${name} -m yes --dry-run`);
    expect(reply.err).toContain(`from comment #${count})\\n> text`);
  }
});

test("the page of a comment names it, on its own tracker only", async () => {
  const bt = demo();
  const around = { address: "https://bugs.example.org" };
  const page = "https://bugs.example.org/show_bug.cgi?id=12#c1";
  const [shown] = JSON.parse((await bt(`comment get ${page} --json`, around)).out) as [{ count: number }];
  expect(shown).toMatchObject({ bug_id: 12, count: 1 });
  expect(await bt(`comment add 12 --reply ${page} -m yes --dry-run`, around)).toMatchObject({ code: 0 });
  expect(await bt("comment get https://other.example.org/show_bug.cgi?id=12#c1", around)).toMatchObject({ code: 2 });
});

test("a new comment is named by its id where the comments of its bug cannot be read", async () => {
  const { exchange } = freshDemo({ ...surroundings });
  const { code, out } = await bt("comment add 12 -m yes", {
    terminal: true,
    exchange: async (request) =>
      request.path.endsWith("/comment") && request.method === "GET" ? { ...REFUSED } : exchange(request),
  });
  expect(code).toBe(0);
  expect(out).toMatch(/^added comment c:\d+ to bug 12\n$/);
});

const REFUSED = { status: 401, headers: {}, body: '{"error":true,"code":102,"message":"not for you"}' };

test("a terminal names comments by the notation to type", async () => {
  const bt = demo();
  expect((await bt("comment list 12", { terminal: true })).out).toMatch(/^12\.0 .*\n(?:.*\n)+12\.1 /);
  const [first] = JSON.parse((await bt("comment list 12 --json")).out) as [{ id: number }];
  expect((await bt(`comment get ${first.id}`, { terminal: true })).out).toMatch(/^12\.0 /);
  expect((await bt("comment add 12 -m yes", { terminal: true })).out).toBe("added comment 12.2\n");
  expect((await bt("tag update 12.1 --add spam", { terminal: true })).out).toBe("comment 12.1  spam\n");
});

test("an unknown comment number, or one of another bug, is missing or rejected", async () => {
  const bt = demo();
  expect(await bt("comment get 44.99")).toMatchObject({
    code: 5,
    err: expect.stringContaining("bug 44 has no visible comment 99"),
  });
  expect(await bt("comment get 44#0 44#99")).toMatchObject({ code: 10 });
  expect(await bt("tag update 44#99 --add spam")).toMatchObject({ code: 5 });
  expect(await bt("bug update 44 --comment-is-private 43#0=yes")).toMatchObject({ code: 2 });
  expect(await bt("comment add 44 --reply 43.0 -m yes")).toMatchObject({ code: 2 });
  const [other] = JSON.parse((await bt("comment list 43 --json")).out) as [{ id: number }];
  expect(await bt(`comment add 44 --reply c:${other.id} -m yes`)).toMatchObject({ code: 5 });
  expect(await bt("bug update 44 --comment-is-private 44#99=yes")).toMatchObject({ code: 5 });
  expect(await bt("bug update 43 44 --comment-is-private 44#0=yes")).toMatchObject({ code: 2 });
  for (const word of ["44.", "c:", "c:0", "c3", "44.x", "44#"]) expect((await bt(`comment get ${word}`)).code).toBe(2);
});

test("comments fetched by id have their number on the bug, whatever the tracker reports", async () => {
  const around = { exchange: miscounting() };
  const bt = demo();
  for (const text of ["one", "two"]) await bt(`comment add 44 -m ${text}`, around);
  const list = JSON.parse((await bt("comment list 44 --json", around)).out) as { id: number; count: number }[];
  const shown = await bt(`comment get ${list.map(({ id }) => id).join(" ")} --fields id,count`, around);
  expect(list).toHaveLength(3);
  expect(shown.out).toBe(list.map(({ id, count }) => `${id}\t${count}\n`).join(""));
});

test("a comment on a bug that is not there is no reason to name the same command", async () => {
  const ran = await demo()("comment get 999.1", { terminal: true });
  expect(ran).toMatchObject({ code: 5, out: "" });
  expect(ran.err).not.toContain("bt comment get");
});

test("a comment named by a bare number is printed with a note, since the number of a bug may have been meant", async () => {
  const bt = demo();
  const [{ id, bug_id }] = JSON.parse((await bt("comment get 44.0 --json")).out);
  const plain = await bt(`comment get ${id} --json`);
  expect([plain.code, plain.err]).toEqual([
    0,
    `comment ${id} is on bug ${bug_id}; for bug ${id}'s description: ${id}.0\n`,
  ]);
  expect(await bt(`comment get c:${id} --json`)).toMatchObject({ code: 0, err: "", out: plain.out });
});
