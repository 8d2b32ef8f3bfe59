import { expect, test } from "vitest";
import { demo } from "../commands/demo.ts";

const bt = demo();
const OPEN = "bug search is:open --limit 3";

test("--jq prints the results of jq for the document that --json prints", async () => {
  const { out } = await bt(`${OPEN} --json`);
  const bugs: { readonly id: number; readonly summary: string }[] = JSON.parse(out);
  expect((await bt(`${OPEN} --jq .`)).out).toBe(out);
  expect((await bt(`${OPEN} -q '.[]|{id}'`)).out).toBe(bugs.map(({ id }) => `{"id":${id}}\n`).join(""));
  expect((await bt(`${OPEN} -q '.[].summary'`)).out).toBe(bugs.map(({ summary }) => `${summary}\n`).join(""));
  expect((await bt(`${OPEN} --fields id -q length`)).out).toBe("3\n");
});

test("on a terminal results are indented, and cannot control it", async () => {
  const { out } = await bt("bug get 12 -q '{id: .[0].id}, \"\\u001b[2J\"'", { terminal: true });
  expect(out).toBe('{\n  "id": 12\n}\n\\x1b[2J\n');
});

test("with ndjson the expression runs on each line", async () => {
  expect((await bt(`${OPEN} --format ndjson -q .id`)).out).toBe((await bt(`${OPEN} --format ids`)).out);
  expect(await bt(`${OPEN} --format ndjson -q 'input|.id'`)).toMatchObject({
    code: 2,
    err: expect.stringContaining("input and inputs cannot be used with ndjson"),
  });
  expect((await bt(`${OPEN} --format ndjson -q '.input, .inputs'`)).code).toBe(0);
});

test.each([
  ["bug get 12 -q '.[0'", 'invalid --jq expression ".[0"\n    jq: error: syntax error'],
  ["bug get 12 -q .summary", "Cannot index array with string"],
  ["bug get 12 -q .id", "hint: --json prints what the expression reads\n"],
  ["bug get 12 -q .[] --format csv", "--jq and --format csv cannot be used together"],
  ["bug get 12 -q 'import \"a\" as a; 1'", "module not found: a"],
])("an error of jq is exit code 2 with the message of jq: %s", async (line, words) => {
  const { code, out, err } = await bt(line);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain(words);
});

test("an expression that fails after a write names the write", async () => {
  const { code, err } = await bt("comment add 12 -m Hello -q 'error(\"no\")'");
  expect(code).toBe(2);
  expect(err).toMatch(/no\n {4}already applied: .*comment/);
});

test("jq does not see the environment", async () => {
  expect((await bt("bug get 12 -q env.TERM", { env: { TERM: "dumb" } })).out).toBe("null\n");
});

test("debug prints to stderr", async () => {
  expect(await bt("bug get 12 -q '.[].id|debug'")).toMatchObject({ out: "12\n", err: '["DEBUG:",12]\n' });
});

test.each([
  ["bug get 12 --comments -q '.[].comments[].tags'"],
  ["bug get 12 --history -q '.[].history | length'"],
  ["bug get 12 --fields _all -q '.[].tags'"],
  ["bug get 12 -q '.[].flags[].status, .[].assigned_to_detail.name, .[].cf_build'"],
])("--jq for what bt bug get prints is run: %s", async (line) => {
  expect(await bt(line)).toMatchObject({ code: 0, err: "" });
});

test.each([
  ["'.[] | {id, cc: .summary} | .cc'"],
  ["'.[0] | .whiteboard // \"none\", .cc?'"],
  ["'.[] | \"see .whiteboard\"'"],
  ["'.[].flags[] | .creation_time' --fields flags"],
  ["'[.[] | .whiteboard] | length' --fields id,whiteboard"],
  ["'.[0] | $__loc__.line, (.id as $cc | $cc)'"],
])("--jq may name fields that are its own, or may be absent: %s", async (expression) => {
  expect(await bt(`${OPEN} -q ${expression}`)).toMatchObject({ code: 0, err: "" });
});
