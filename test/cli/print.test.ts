import { expect, test } from "vitest";
import type { Exchange } from "../../src/wire/exchange.ts";
import { demo } from "../commands/demo.ts";

const bt = demo();

test("--print, or its alias, prints a line per item", async () => {
  const bugs: { readonly id: number; readonly summary: string }[] = JSON.parse(
    (await bt("bug search is:open --limit 3 --json")).out,
  );
  const lines = bugs.map(({ id, summary }) => `${id}: ${summary} (${id})\n`).join("");
  expect((await bt("bug search is:open --limit 3 --print '%{id}: %{summary} (%{id})'")).out).toBe(lines);
  expect((await bt("bug search is:open --limit 3 --outputformat '%{id}: %{short_desc} (%{id})'")).out).toBe(lines);
});

test("custom fields have their display names, as in --fields", async () => {
  expect((await bt("bug get 12 --print '%{id}\\t%{Ship by}\\t%{ cf_devices }'")).out).toBe(
    (await bt("bug get 12 -f 'id,Ship by,cf_devices'")).out,
  );
});

test("every list has it, and newlines and tabs are written as \\n and \\t", async () => {
  expect((await bt("bug get 12 --print '%{id}\\t%{keywords}\\nx'")).out).toMatch(/^12\t[\w,]*\nx\n$/);
  expect((await bt("comment list 12 --print '#%{count}'")).out).toMatch(/^#0\n#1\n/);
  expect((await bt("field values priority --print '%{name}'")).out).toContain("Highest\nHigh\n");
});

test("a line that ends in \\0 has no newline, for xargs -0", async () => {
  expect((await bt("bug get 12 13 --print '%{id}\\0'")).out).toBe("12\0" + "13\0");
  expect((await bt("bug get 12 --print '%{id}\\0x\\033[1m'")).out).toBe("12\0x\\033[1m\n");
});

test("a value is one line, whatever it contains", async () => {
  const exchange: Exchange = async () => ({
    status: 200,
    headers: {},
    body: JSON.stringify({ bugs: [{ id: 12, summary: "a\u001b[2J\nb" }] }),
  });
  expect((await bt("bug get 12 --print '%{summary}'", { exchange })).out).toBe("a\\x1b[2J b\n");
});

test.each([
  ["x", "--print has no %{field}"],
  ["%{id", "--print cannot print %{id"],
  ["%{id} %{flags.requestee}", "--print cannot print %{flags.requestee}"],
  ["%{id} %{}", "--print cannot print %{}"],
  ["%{ }", "--print cannot print %{ }"],
  ["%{_all}", "--print cannot print the group of fields _all"],
  ["%{nope}", 'unknown field "nope"'],
  ["%{id} %{bug_id}", "two names in --print are the same field"],
  ["%{id}' --json '", "--print and --json cannot be used together"],
  ["%{id}' --fields 'summary", "--print and --fields cannot be used together"],
])("%s is rejected", async (template, words) => {
  const { code, err } = await bt(`bug get 12 --print '${template}'`);
  expect(code).toBe(2);
  expect(err).toContain(words);
});
