import { describe, expect, test } from "vitest";
import { readCommand } from "../../src/cli/run.ts";
import { listedFlags } from "../../src/commands/shared/flags.ts";
import { TREE } from "../../src/commands/tree.ts";
import { bt } from "../bt.ts";

const VERBS = [
  ...TREE.nouns.flatMap((noun) => noun.verbs.map((verb) => ({ words: `${noun.name} ${verb.name}`, verb }))),
  ...TREE.verbs.map((verb) => ({ words: verb.name, verb })),
];
async function page(line: string, width = 80): Promise<string> {
  const asked = await readCommand(line.split(" ").filter(Boolean), { tree: TREE, version: "1.2.3" });
  if (asked.kind !== "text") throw new Error(`bt ${line} is no help`);
  return asked.text({ width, heading: (text) => text });
}

test("bt --help names every listed command and its verbs", async () => {
  const text = await page("--help");
  const listed = [...TREE.nouns, ...TREE.verbs.filter(({ hidden }) => !hidden)];
  for (const { name } of listed) expect(text).toMatch(new RegExp(`^  ${name} {2,}\\w`, "m"));
  for (const { verb } of VERBS) if (!verb.hidden) expect(text).toMatch(new RegExp(`\\b${verb.name}\\b`));
  expect(await page("help")).toBe(text);
  expect(await page("")).toBe(text);
});

test.each(["", "bug", "help flags", "bug search --help=all"])("bt %s keeps to a narrow terminal", async (line) => {
  for (const width of [60, 80])
    expect((await page(line, width)).split("\n").filter((text) => text.length > width && !/^ +\$ /.test(text))).toEqual(
      [],
    );
});

test.each(VERBS)("bt $words --help shows its main flags, and names where the rest is", async ({ words, verb }) => {
  const text = await page(`${words} --help`);
  expect(text).toContain(`bt ${words} --help=all`);
  expect(text).toContain("bt help flags");
  for (const name of verb.mainFlags ?? verb.flags().map((flag) => flag.name)) expect(text).toMatch(`--${name}`);
});

test.each([
  ...["bug search", "bug get", "bug create", "bug update", "bug close", "bug triage"],
  ...["todo", "comment add", "bug import", "auth login"],
])("the help of bt %s fits a screen of 100 columns and 40 lines", async (words) => {
  expect((await page(`${words} --help`, 100)).split("\n").length - 1).toBeLessThanOrEqual(40);
});

test.each(VERBS)("bt $words --help=all shows every flag and example", async ({ words, verb }) => {
  const text = await page(`${words} --help=all`, 1000);
  for (const { name, about } of listedFlags(verb)) expect(text).toMatch(flagLine(name, about));
  for (const { line } of verb.examples) expect(text).toContain(line);
  expect(text.indexOf("\nExamples:\n")).toBeLessThan(text.indexOf("\nCommon:\n"));
});

function flagLine(name: string, about: string): RegExp {
  return new RegExp(`--${name}\\b.{0,80}${about.slice(0, 12).replace(/[()*.?+[\]|]/g, "\\$&")}`, "s");
}

test("the main flags of a verb are flags of it", () => {
  for (const { verb } of VERBS) {
    const names = verb.flags().map(({ name }) => name);
    expect((verb.mainFlags ?? []).filter((name) => !names.includes(name))).toEqual([]);
  }
});

describe("on a terminal", () => {
  const exchange = () => Promise.reject(new Error("help sends nothing"));

  test("headings are bold where colour is, and in a pipe never", async () => {
    const bold = "\u001b[1mExamples:\u001b[22m";
    const run = (line: string, around: object) => bt(line, { exchange, terminal: true, ...around });
    expect((await run("bug search --help", { color: true })).out).toContain(bold);
    expect((await run("bug search --help", {})).out).not.toContain("\u001b");
    expect((await run("bug search --help --color=never", { color: true })).out).not.toContain("\u001b");
    expect((await run("bug search --help", { color: true, terminal: false })).out).not.toContain("\u001b");
  });

  test.each(["bug", "bug search --help=all", "help query", ""])("bt %s is printed, however long", async (line) => {
    const { out } = await bt(line, { exchange, terminal: true, rows: 3, env: { BT_PAGER: "cat > /dev/null" } });
    expect(out).toBe(await page(line));
  });
});

test.each([
  ["bug search --help=some", 'invalid value "some" for --help'],
  ["bug --help=", 'invalid value "" for --help'],
])("bt %s is refused", async (line, message) => {
  await expect(page(line)).rejects.toMatchObject({ kind: "usage", message, facts: { hint: "valid values: all" } });
});

test("--help=all is a word in a value and behind --", async () => {
  const asked = await readCommand(["bug", "search", "--summary=--help=all", "--", "--help=all"], {
    tree: TREE,
    version: "1.2.3",
  });
  expect(asked).toMatchObject({ input: { args: ["--help=all"], parameters: { summary: ["--help=all"] } } });
});
