import { expect, test } from "vitest";
import { demo } from "../demo.ts";

const PUT = ({ method }: { readonly method: string }) => method === "PUT";

test("a dry run shows the request and what stays, and sends nothing", async () => {
  const run = demo();
  const ran = await run("bug undo 40 --dry-run");
  expect(ran.requests.filter(PUT)).toEqual([]);
  expect(ran).toMatchObject({
    code: 0,
    out: "40\tcc\ttomas@example.org\t\n",
    err: expect.stringContaining("would send PUT /rest/bug/40\n"),
  });
  expect(ran.err).toContain("bug 40: comment not undone: comment 1 stays\n");
  const json = JSON.parse((await run("bug undo 40 --dry-run --json")).out);
  expect(json).toMatchObject({
    dry_run: true,
    bugs: [{ id: 40, undone: { who: "tomas@example.org", job: null }, not_undone: [{ field: "comment" }] }],
  });
});

test("several bugs are undone by a request for each set of values, with a comment", async () => {
  const run = demo();
  const ran = await run("bug undo 21 11 -m Sorry");
  expect(ran).toMatchObject({ code: 0, out: "21\tblocks\t37\t\n11\tversion\t3.2\t3.1\n" });
  expect(ran.requests.filter(PUT).map(({ body }) => body)).toEqual([
    { ids: [21], blocks: { remove: [37] }, comment: { body: "Sorry" } },
    { ids: [11], version: "3.1", comment: { body: "Sorry" } },
  ]);
});

test("nothing to undo is exit code 1, a later change of all fields 11, part of it 10; nothing is sent for the first two", async () => {
  const run = demo();
  expect(await run("bug undo 44")).toMatchObject({ code: 1, out: "" });
  expect(await run("bug undo 25")).toMatchObject({
    code: 1,
    err: expect.stringContaining("work_time not undone: hours are kept\n"),
  });
  const some = await run("bug undo 21 44");
  expect(some).toMatchObject({
    code: 10,
    err: expect.stringContaining("bug 44: last change not undone: nothing to undo\n"),
  });
  expect(await run("bug update 11 --version 3.0")).toMatchObject({ code: 0 });
  const later = await run("bug undo 11 --change 2");
  expect(later.requests.filter(PUT)).toEqual([]);
  expect(later).toMatchObject({
    code: 11,
    err: expect.stringContaining(
      'version not undone: tomas@example.org changed it 2026-11-20T12:00:00Z; it is now "3.0", not "3.2"\n',
    ),
  });
});

test("a bug that has the values from before the change is unchanged", async () => {
  const run = demo();
  await run("bug update 11 --version 3.1");
  expect(await run("bug undo 11 --change 2")).toMatchObject({
    code: 1,
    out: "",
    err: "bt: nothing to undo: bug 11 already has the values from before the change\n",
  });
});

test.each([
  ["0", "--change counts from 1, the last change"],
  ["soon", 'invalid date "soon"'],
  ["-1", 'invalid date "-1"'],
])("--change %s is rejected before any request", async (value, message) => {
  const ran = await demo()(`bug undo 44 --change=${value}`);
  expect(ran).toMatchObject({ code: 2, requests: [], err: expect.stringContaining(message) });
});

test("a change by nobody is not mistaken for the own one", async () => {
  const run = demo();
  for (const author of ["nobody@example.org", "mei", "''"]) {
    const ran = await run(`bug undo 44 --author ${author}`);
    expect([ran.code, ran.out], author).toEqual([author === "''" ? 2 : 1, ""]);
  }
});
