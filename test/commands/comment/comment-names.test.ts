import { expect, test } from "vitest";
import { demo } from "../demo.ts";

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

test("a terminal names comments by the notation to type", async () => {
  const bt = demo();
  expect((await bt("comment list 12", { terminal: true })).out).toMatch(/^12\.0 .*\n(?:.*\n)+12\.1 /);
  const [first] = JSON.parse((await bt("comment list 12 --json")).out) as [{ id: number }];
  expect((await bt(`comment get ${first.id}`, { terminal: true })).out).toMatch(/^12\.0 /);
  expect((await bt("comment add 12 -m yes", { terminal: true })).out).toMatch(/^added comment c:\d+ to bug 12\n$/);
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
