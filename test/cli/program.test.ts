import { describe, expect, test } from "vitest";
import { readCommandLine } from "../../src/cli/program.ts";
import { TREE } from "../../src/commands/tree.ts";
import { BtError } from "../../src/errors.ts";

async function read(line: string) {
  const asked = await readCommandLine(line.split(" ").filter(Boolean), TREE, { version: "1.2.3", width: () => 80 });
  return asked.kind === "text" ? asked.text : { verb: asked.verb.name, ...asked.input };
}

describe("a command line is read into a verb and its input", () => {
  test("flags keep their own names, whatever other name was typed", async () => {
    expect(await read("bug search -s CONFIRMED --assignee ada@example.org --milestone M1 --json")).toEqual({
      verb: "search",
      args: [],
      flags: { status: ["CONFIRMED"], "assigned-to": ["ada@example.org"], "target-milestone": ["M1"], json: true },
    });
  });

  test("a flag given again gathers its values", async () => {
    expect(await read("bug list --status CONFIRMED -s NEW --tag a --tags b")).toMatchObject({
      flags: { status: ["CONFIRMED", "NEW"], tags: ["b", "a"] },
    });
  });

  test("the tracker may be named before the noun or behind the verb, and the latter counts", async () => {
    expect(await read("--base-url demo: bug get 12")).toMatchObject({ args: ["12"], flags: { "base-url": "demo:" } });
    expect(await read("--base-url demo: bug get 12 --base-url local:")).toMatchObject({
      flags: { "base-url": "local:" },
    });
  });

  test("a value may start with a dash, a dash alone is an argument", async () => {
    expect(await read("bug search --created -2w")).toMatchObject({ flags: { "creation-time": "-2w" } });
    expect(await read("bug get -")).toMatchObject({ args: ["-"] });
  });

  test("--json is a switch and swallows nothing", async () => {
    expect(await read("bug get --json 12")).toMatchObject({ args: ["12"], flags: { json: true } });
    expect(await read("bug search --json crash")).toMatchObject({ args: ["crash"], flags: { json: true } });
  });

  test("--json=id,summary chooses fields, unless it is the value of another flag or stands behind --", async () => {
    expect(await read("bug search is:open --json=id,summary")).toMatchObject({
      args: ["is:open"],
      flags: { json: true, fields: ["id,summary"] },
    });
    expect(await read("bug search --summary --json=id")).toMatchObject({ flags: { summary: ["--json=id"] } });
    expect(await read("bug search -- --json=id --json id")).toMatchObject({ args: ["--json=id", "--json", "id"] });
  });

  test.each([
    "bug search is:open --json id,summary",
    "bug search is:open --json id",
    "bug search --json _all is:open",
    "bug search --json assignee,cf_due",
    "--base-url demo: bug get 12 --json summary",
    "bug history 12 --json when",
    "comment list 12 --json id,text",
    "field values status --json name",
    "field list --json name",
    "group get staff --json id,name",
    "bug update 44 --priority High --json field",
  ])("%s is refused: the fields would be words", async (line) => {
    await expect(read(line)).rejects.toMatchObject({
      kind: "usage",
      facts: { hint: expect.stringMatching(/^--json=\S+ prints these fields/) },
    });
  });

  test.each(["bug get --json id,12", "bug search --json 'id;summary'", "bug search --json --all"])(
    "%s is read as it stands",
    async (line) => {
      expect(await read(line)).toMatchObject({ flags: { json: true } });
    },
  );

  test("--version of a verb is the bug's version", async () => {
    expect(await read("bug search --version 121")).toMatchObject({ flags: { version: ["121"] } });
    expect(await read("--version")).toBe("bt 1.2.3\n");
  });
});

describe("what cannot be read is a usage error that names the nearest thing", () => {
  test.each([
    ["help queri", 'there is no help on "queri"', "query"],
    ["help xyzzy", 'there is no help on "xyzzy"', "there is help on"],
    ["help bugs search", 'there is no help on "bugs"', "bug"],
    ["help complet", 'there is no help on "complet"', "did you mean completion?"],
    ["bgu search", 'there is no command "bt bgu"', "did you mean bt bug?"],
    ["bug serch", 'there is no command "bt bug serch"', "did you mean bt bug search?"],
    ["bug 48", 'there is no command "bt bug 48"', "did you mean bt bug get 48?"],
    ["48", 'there is no command "bt 48"', "did you mean bt bug get 48?"],
    ["search crash", 'there is no command "bt search"', "did you mean bt bug search?"],
    ["login", 'there is no command "bt login"', "did you mean bt auth login?"],
    ["bug clsoe 1", 'there is no command "bt bug clsoe"', "did you mean bt bug close?"],
    ["tag updat 1", 'there is no command "bt tag updat"', "did you mean bt tag update?"],
    ["bug upd 1", 'there is no command "bt bug upd"', "bt bug --help lists its commands"],
    ["comment ad 1", 'there is no command "bt comment ad"', "bt comment --help lists its commands"],
    ["bug clone 1", 'there is no command "bt bug clone"', "bt bug --help lists its commands"],
    ["bug delete 1", 'there is no command "bt bug delete"', "bt bug --help lists its commands"],
    ["bug status 1", 'there is no command "bt bug status"', "bt bug --help lists its commands"],
    ["assign 1", 'there is no command "bt assign"', "did you mean bt bug update -a?"],
    ["bug resolve 1", 'there is no command "bt bug resolve"', "did you mean bt bug close?"],
    ["bug comment 1", 'there is no command "bt bug comment"', "did you mean bt comment add?"],
    ["comment 12 x", 'there is no command "bt comment 12"', "did you mean bt comment add 12?"],
    ["--base-url demo: bug xyzzy", 'there is no command "bt bug xyzzy"', "bt bug --help lists its commands"],
    ["bug search --state NEW", "bug search has no flag --state", "did you mean --status?"],
    ["bug search -l 3", "bug search has no flag -l", "did you mean -L?"],
    ["-V", "bt has no flag -V", "did you mean --version?"],
    ["bug xyzzy", 'there is no command "bt bug xyzzy"', "bt bug --help lists its commands"],
    ["--json bug serch", 'there is no command "bt bug serch"', "did you mean bt bug search?"],
    ["bug search --json --stats X", "bug search has no flag --stats", "did you mean --status?"],
    ["bug search --prod X", "bug search has no flag --prod", "did you mean --product?"],
    ["bug list --xyzzy", "bug search has no flag --xyzzy", "bt bug search --help lists its flags"],
    ["--xyzzy", "bt has no flag --xyzzy", "bt --help lists its flags"],
    ["bug get", "bug get needs a bug", "bt bug get --help has examples"],
    ["api", "api needs a method or path", "bt api --help has examples"],
    ["bug search --status", "--status needs a value", "bt bug search --help says which"],
    ["field list stray", "field list takes no words and got 1", "bt field list --help shows what it takes"],
    ["comment add 12 a b", "comment add takes 1 word and got 3", "a text of several words stands in quotes"],
    ["bug search --format yaml", '--format cannot be "yaml"', "possible are table, tsv"],
    ["bug search -o jsn", '--format cannot be "jsn"', "did you mean json"],
  ])("%s", async (line, message, hint) => {
    const error = await read(line).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(BtError);
    expect((error as BtError).kind).toBe("usage");
    expect((error as BtError).message).toContain(message);
    expect((error as BtError).facts.hint).toContain(hint);
  });
});

describe("help is text", () => {
  test("bt, bt bug and bt help bug search print it", async () => {
    expect(await read("")).toContain("First steps:");
    expect(await read("bug")).toMatch(/ search +Search for bugs/);
    expect(await read("help bug search")).toBe(await read("bug search --help"));
    expect(await read("help exit-codes")).toContain("  2  usage");
  });

  test("usage is written as in the reference, and the flags' other names stand beside them", async () => {
    expect(await read("bug get --help")).toMatch(/^Usage: bt bug get <bug\.\.\.> \[flags\]\n/);
    expect(await read("bug view --help")).toMatch(/^Usage: bt bug get <bug\.\.\.> \[flags\]\n/);
    expect(await read("serve --help")).toMatch(/^Usage: bt serve \[flags\]\n/);
    expect(await read("bug --help")).toMatch(/^Usage: bt bug <verb> \[flags\]\n/);
    expect(await read("bug close --help")).toMatch(/resolution \(FIXED\); also --as\n/);
    expect(await read("bug update --help")).not.toContain("--add-keyword,");
  });

  test("help of a verb shows every flag of the interface under its heading and the examples", async () => {
    const text = await read("bug search --help");
    for (const words of ["Criteria:", "--target-milestone <value>", "Tracker:", "Output:", "Examples:"]) {
      expect(text).toContain(words);
    }
  });
});
