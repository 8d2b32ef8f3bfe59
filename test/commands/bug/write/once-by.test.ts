import { expect, test } from "vitest";
import { updates } from "../../../bt.ts";
import { demo } from "../../demo.ts";

const SHA = "2f1d3c9";
const LOG = "Round the corners (bug 13)\n\nAs bug 12 asks for.\n";
const LINE = `bug update --from-text - --once-by ${SHA} -m 'Fixed in ${SHA}.'`;

test("a commit comments once on the bugs that its message mentions, however often it is run", async () => {
  const run = demo();
  const first = await run(LINE, { stdin: LOG });
  expect(updates(first)).toEqual([[13, 12]].map((ids) => ({ ids, comment: { body: `Fixed in ${SHA}.` } })));
  expect(first).toMatchObject({
    code: 0,
    out: "13\tapplied\n12\tapplied\n",
    err: "",
  });
  const again = await run(LINE, { stdin: LOG });
  expect(again).toMatchObject({ code: 0, out: "13\tunchanged\n12\tunchanged\n" });
  expect(updates(again)).toEqual([]);
  const more = await run(`${LINE} --json`, { stdin: `${LOG}And bug 20.\n` });
  expect(JSON.parse(more.out).map(({ id, recorded }: { id: number; recorded?: string[] }) => [id, recorded])).toEqual([
    [13, undefined],
    [12, undefined],
    [20, ["comment"]],
  ]);
});

test("what goes with the comment is left out too, also where it would be refused", async () => {
  const run = demo();
  const line = `bug update 44 --status RESOLVED -r FIXED --once-by ${SHA} -m ${SHA}`;
  expect(updates(await run(line))).toMatchObject([{ status: "RESOLVED" }]);
  await run("bug reopen 44");
  await run("bug update 44 --status IN_PROGRESS");
  const again = await run(`${line} --json`);
  expect(again).toMatchObject({ code: 0 });
  expect(JSON.parse(again.out)).toMatchObject([{ id: 44, changes: {} }]);
  expect(updates(again)).toEqual([]);
});

test("of several bugs, those without the comment are updated", async () => {
  const run = demo();
  await run(`bug update 44 --once-by ${SHA} -m 'see ${SHA}'`);
  const both = `bug update 44 49 --priority Low --once-by ${SHA} -m 'see ${SHA}'`;
  const dry = await run(`${both} --dry-run --json`);
  expect(dry.out.match(/"path":"[^"]*"/g)).toEqual(['"path":"/rest/bug/49"']);
  const ran = await run(both);
  expect(updates(ran)).toMatchObject([{ ids: [49] }]);
});

test.each([
  ["another account's", `see ${SHA}`, { login: "mei@example.org" }],
  ["one with the key elsewhere", `${SHA} was wrong`, {}],
  ["one with a longer key", `see 0${SHA}`, {}],
  ["one with a version that ends with the key", `see 2.${SHA}`, {}],
])("%s comment does not count", async (_, text, other) => {
  const run = demo();
  expect(await run(`comment add 44 -m '${text}'`)).toMatchObject({ code: 0 });
  const ran = await run(`bug update 44 --once-by ${SHA} -m 'see ${SHA}'`, other);
  expect(updates(ran)).toHaveLength(1);
});

test("a text that mentions no bug is nothing to do", async () => {
  const ran = await demo()(`${LINE} --json`, { stdin: "Round the corners" });
  expect(ran).toMatchObject({
    code: 0,
    out: "[]\n",
    err: "note: the text mentions no bugs: nothing to do\n",
    requests: [],
  });
});

test.each([
  ["--once-by '' -m 'Fixed in .'", "--once-by is empty"],
  ["--once-by . -m 'Fixed in .'", "--once-by is empty"],
  ["--once-by undefined --priority Low", "--once-by requires a comment that ends with undefined"],
  [`--once-by ${SHA}`, `--once-by requires a comment that ends with ${SHA}`],
  [`--once-by ${SHA} -m 'Fixed in 2f1d3c8.'`, `--once-by requires a comment that ends with ${SHA}`],
])("bt bug update 44 %s is refused", async (flags, message) => {
  const ran = await demo()(`bug update 44 ${flags}`);
  expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining(`bt: ${message}\n`), requests: [] });
});
