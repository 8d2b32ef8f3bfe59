import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { createTools, findVerb, readToolInput } from "../../../src/commands/mcp/server.ts";
import { TREE } from "../../../src/commands/tree.ts";

const ALL = createTools(TREE, { write: true, showPrivate: true });
const PUBLIC = createTools(TREE, { write: true, showPrivate: false });

function findTool(name: string, tools = ALL): Tool {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
}

const VERBS: Readonly<Record<string, string>> = {
  ...{ search: "bug search", get: "bug get", values: "field values", similar: "bug similar", todo: "todo" },
  ...{ create: "bug create", update: "bug update", comment: "comment add", undo: "bug undo" },
};

function verbOf({ name }: Tool) {
  return findVerb(VERBS[name] ?? "", TREE);
}

test("without --allow-writes, there are only tools that read", () => {
  const reading = createTools(TREE, { write: false, showPrivate: true });
  expect(reading.map(({ name }) => name)).toEqual(["search", "get", "values", "similar", "todo"]);
  expect(ALL.map(({ name }) => name)).toEqual([
    ...reading.map(({ name }) => name),
    "create",
    "update",
    "comment",
    "undo",
  ]);
  expect(ALL.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name)).toEqual(
    reading.map(({ name }) => name),
  );
});

describe.each(ALL)("the schema of $name", (tool) => {
  const { inputSchema } = tool;
  const verb = verbOf(tool);

  test("is valid for JSON Schema 2020-12", () => {
    const ajv = new Ajv2020({ strict: true });
    expect(ajv.validateSchema(inputSchema)).toBe(true);
    expect(ajv.compile(inputSchema)({ no_such_argument: 1 })).toBe(false);
  });

  test("has the help of the flags that it is made from, and none that concerns files or this terminal", () => {
    const flags = new Map(verb.flags().map((flag) => [flag.name.replaceAll("-", "_"), flag]));
    for (const [name, { description }] of Object.entries(inputSchema.properties ?? {}) as [
      string,
      { description: string },
    ][])
      if (name !== "limit") expect(description).toContain(flags.get(name)?.about ?? ""); // has a default of its own
    for (const { name, completes } of [...flags.values()].filter((flag) => /file|templates/.test(flag.completes ?? "")))
      expect(inputSchema.properties, `${name} ${completes}`).not.toHaveProperty(name.replaceAll("-", "_"));
    const others = ["web", "editor", "from_text", "template", "jq", "format", "print", "yes", "job", "api_key_file"];
    for (const name of others) expect(inputSchema.properties).not.toHaveProperty(name);
  });
});

test("who can see a bug or comment is only changed with --include-private", () => {
  const names = (tools: Tool[]) => Object.keys(findTool("update", tools).inputSchema.properties ?? {});
  expect(
    names(ALL)
      .filter((name) => !names(PUBLIC).includes(name))
      .sort(),
  ).toEqual([...["add_groups", "comment_is_private", "is_cc_accessible", "is_creator_accessible", "remove_groups"]]);
});

test("arguments are read as flags are", () => {
  const given = { bugs: ["44", 49], priority: "High", add_keywords: ["crash"], dry_run: true, remaining_time: 2 };
  expect(readToolInput(verbOf(findTool("update")), given)).toMatchObject({
    args: ["44", "49"],
    dryRun: true,
    yes: false,
    parameters: { priority: "High", "add-keywords": ["crash"], "remaining-time": "2" },
  });
  const created = { comment_is_private: false, dry_run: false };
  expect(readToolInput(verbOf(findTool("create")), created)).toMatchObject({
    args: [],
    dryRun: false,
    parameters: { "comment-is-private": "no" },
  });
});

test.each([
  [{ dry_run: "yes" }, 'dry_run is true or false, not "yes"'],
  [{ priority: { is: "High" } }, "priority is a text or a list of texts, not {}"],
  [{ bugs: [true] }, "bugs is a text or a list of texts, not true"],
])("%j is refused", (given, message) => {
  expect(() => readToolInput(verbOf(findTool("update")), given)).toThrow(message);
});
