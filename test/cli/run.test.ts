import { describe, expect, test } from "vitest";
import { PLAIN_LAYOUT } from "../../src/cli/help.ts";
import { readCommand } from "../../src/cli/run.ts";
import { TREE } from "../../src/commands/tree.ts";

async function read(line: string) {
  const asked = await readCommand(line.split(" ").filter(Boolean), { tree: TREE, version: "1.2.3" });
  return asked.kind === "text" ? asked.text(PLAIN_LAYOUT) : { verb: asked.verb.name, ...asked.input };
}

describe("a command line is parsed into a verb and its input", () => {
  test("flags have their own names, whichever alias was typed", async () => {
    expect(await read("bug search -s CONFIRMED --assignee ada@example.org --milestone M1 --json")).toMatchObject({
      verb: "search",
      args: [],
      json: true,
      parameters: { status: ["CONFIRMED"], "assigned-to": ["ada@example.org"], "target-milestone": ["M1"] },
    });
  });

  test("a repeated flag collects its values", async () => {
    expect(await read("bug list --status CONFIRMED -s NEW --tag a --tags b")).toMatchObject({
      parameters: { status: ["CONFIRMED", "NEW"], tags: ["a", "b"] },
    });
  });

  test("the tracker may be named before the noun or after the verb, and the latter wins", async () => {
    expect(await read("--base-url demo: bug get 12")).toMatchObject({ args: ["12"], baseUrl: "demo:" });
    expect(await read("--base-url demo: bug get 12 --base-url local:")).toMatchObject({
      baseUrl: "local:",
    });
  });

  test("a value may start with a dash, and a lone dash is an argument", async () => {
    expect(await read("bug search --created -2w")).toMatchObject({ parameters: { "creation-time": "-2w" } });
    expect(await read("bug get -")).toMatchObject({ args: ["-"] });
  });

  test("--json is a switch and does not consume the next word", async () => {
    expect(await read("bug get --json 12")).toMatchObject({ args: ["12"], json: true });
    expect(await read("bug search --json crash")).toMatchObject({ args: ["crash"], json: true });
  });

  test("--json=id,summary chooses fields, unless it is the value of another flag or after --", async () => {
    expect(await read("bug search is:open --json=id,summary")).toMatchObject({
      args: ["is:open"],
      json: true,
      fields: ["id,summary"],
    });
    expect(await read("bug search --summary=--json=id")).toMatchObject({ parameters: { summary: ["--json=id"] } });
    expect(await read("bug search -- --json=id --json id")).toMatchObject({ args: ["--json=id", "--json", "id"] });
  });

  test.each([
    ["bug search is:open --json id,title", ["is:open"], "id,title"],
    ["bug search --json id is:open", ["is:open"], "id"],
    ["bug get 12 --json number,nosuch", ["12"], "number,nosuch"],
    ["bug update 44 --priority High --json result", ["44"], "result"],
  ])("%s selects columns: a list, or the name of a column", async (line, args, fields) => {
    expect(await read(line)).toMatchObject({ args, json: true, fields: [fields] });
  });

  test.each(["bug search --json 44,45", "bug get --json beta-1,beta-2"])(
    "%s is accepted: a list of bugs",
    async (line) => {
      expect(await read(line)).toMatchObject({ json: true });
    },
  );

  test("a negated term is none of the flags, and neither is a value", async () => {
    expect(await read("bug search -is:closed")).toMatchObject({ args: ["!is:closed"] });
    expect(await read("bug search -- -crash")).toMatchObject({ args: ["-crash"] });
    expect(await read("bug search --summary -is:open")).toMatchObject({ parameters: { summary: ["-is:open"] } });
    expect(await read("bug search -cEditor -vq.[]")).toMatchObject({ parameters: { component: ["Editor"] } });
  });

  test("bt alone is its help", async () => {
    expect(await read("")).toBe(await read("--help"));
  });

  test("--version of a verb is the version of the bug", async () => {
    expect(await read("bug search --version 121")).toMatchObject({ parameters: { version: ["121"] } });
    expect(await read("--version")).toBe("bt 1.2.3\n");
  });
});

describe("help is text", () => {
  test("help of a verb lists every flag of the interface by heading, then the examples", async () => {
    const text = await read("bug search --help=all");
    for (const words of ["Criteria, state:", "--target-milestone <value>", "Tracker:", "Output:", "Examples:"]) {
      expect(text).toContain(words);
    }
  });
});
