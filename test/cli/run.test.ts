import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { PLAIN_LAYOUT } from "../../src/cli/help-layout.ts";
import { readCommand } from "../../src/cli/run.ts";
import { withMeantLine } from "../../src/cli/usage-error.ts";
import { TREE } from "../../src/commands/tree.ts";
import { BtError } from "../../src/errors.ts";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";

async function read(line: string) {
  const asked = await readCommand(line.split(" ").filter(Boolean), { tree: TREE, version: "1.2.3" });
  return asked.kind === "text" ? asked.text(PLAIN_LAYOUT) : { verb: asked.verb.name, ...asked.input };
}

test.each([
  ["bug get --json id summary", "bt bug get --json=id,summary"],
  ["bug search --json id summary is:open", "bt bug search is:open --json=id,summary"],
  ["bug search --json id,title is:open -L 3", "bt bug search is:open -L 3 --json=id,summary"],
  [
    "bug get 44 --json number,title,state,author,assignees,labels,createdAt,updatedAt,url,milestone",
    "bt bug get 44 --json=id,summary,status,creator,assigned_to,keywords,creation_time,last_change_time,url,target_milestone",
  ],
  ["bug search --json id,titel", "bt bug search --json=id,summary"],
  ["comment list 12 --json id,author", "bt comment list 12 --json=id,creator"],
  ["bug get 12 --json number,body", "the description is the first comment: bt bug get BUG --comments --json"],
])("the line with all fields after --json is named: %s", async (line, hint) => {
  await expect(read(line)).rejects.toMatchObject({ kind: "usage", facts: { hint } });
});

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
    expect(await read("bug search --summary --json=id")).toMatchObject({ parameters: { summary: ["--json=id"] } });
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
    "bug update 44 --priority High --json result",
  ])("%s is rejected: the fields would be arguments", async (line) => {
    await expect(read(line)).rejects.toMatchObject({
      kind: "usage",
      facts: { hint: expect.stringMatching(/^bt .*--json=\S+$/) },
    });
  });

  test.each(["bug search --json 44,45", "bug get --json beta-1,beta-2", "bug get --json beta,gamma"])(
    "%s is accepted: a list of bugs",
    async (line) => {
      expect(await read(line)).toMatchObject({ json: true });
    },
  );

  test.each([
    ["bug search -crash", "for bugs without \"crash\": '!crash'; for the flag -c: -c rash"],
    ["bug export is:open -slow -o x.csv", "for bugs without \"slow\": '!slow'; for the flag -s: -s low"],
  ])("%s is rejected: a negated word looks like a short flag with its value", async (line, hint) => {
    await expect(read(line)).rejects.toMatchObject({ kind: "usage", facts: { hint } });
  });

  test("a negated term is none of the flags, and neither is a value", async () => {
    expect(await read("bug search -is:closed")).toMatchObject({ args: ["!is:closed"] });
    expect(await read("bug search -- -crash")).toMatchObject({ args: ["-crash"] });
    expect(await read("bug search --summary -crash")).toMatchObject({ parameters: { summary: ["-crash"] } });
    expect(await read("bug search -cEditor -vq.[]")).toMatchObject({ parameters: { component: ["Editor"] } });
  });

  test("bt alone is what it is and what to type next, with a tracker or without one", async () => {
    const welcome = (lines: string[]) =>
      [
        "bt is a command line for Bugzilla: search, file, change and triage bugs from a",
        "terminal, in scripts and in CI.\n",
        ...lines,
        "\nbt --help lists the commands.\n",
      ].join("\n");
    const first = welcome([
      "  $ bt bug search is:open --base-url demo:   try it on the demo tracker",
      "  $ bt auth login ADDRESS                    log in to your tracker",
    ]);
    const daily = welcome([
      "  $ bt todo                              what waits for you",
      "  $ bt bug search is:open assignee:@me   your open bugs",
    ]);
    const home = freshFolder();
    const run = async (line: string, env = {}) => (await btConnected(line, { env: { HOME: home, ...env } })).out;
    expect(await run("")).toBe(first);
    expect(await run("", { BT_BASE_URL: "https://bugs.example.org" })).toBe(daily);
    await run("config set base_url https://bugs.example.org --profile work");
    expect(await run("")).toBe(first);
    expect(await run("", { BT_PROFILE: "work" })).toBe(daily);
    await run("config set base_url https://bugs.example.org");
    expect(await run("")).toBe(daily);
    writeFileSync(`${home}/.config/bt/config.json`, "{");
    expect(await run("--no-pager")).toBe(first);
  });

  test("--version of a verb is the version of the bug", async () => {
    expect(await read("bug search --version 121")).toMatchObject({ parameters: { version: ["121"] } });
    expect(await read("--version")).toBe("bt 1.2.3\n");
  });
});

describe("a parse error is a usage error with the nearest name", () => {
  test.each([
    ["help queri", 'no help topic "queri"', "query"],
    ["help topics", 'no help topic "topics"', "bt --help lists the commands"],
    ["help reference --json", "the help topic reference takes no flags or arguments", "bt help reference"],
    ["help bugs search", 'no help topic "bugs"', "bug"],
    ["help bulk", 'no help topic "bulk"', "did you mean bt bug update --help?"],
    ["help output", 'no help topic "output"', "did you mean bt help formats?"],
    ["help complet", 'no help topic "complet"', "did you mean completion?"],
    ["bgu", 'unknown command "bt bgu"', "did you mean bt bug?"],
    ["bgu search", 'unknown command "bt bgu"', "did you mean bt bug search is:open?"],
    ["commnet add 44 -m Seen", 'unknown command "bt commnet"', "did you mean bt comment add 44 -m Seen?"],
    ["bug serch", 'unknown command "bt bug serch"', "did you mean bt bug search is:open?"],
    ["bug 48", 'unknown command "bt bug 48"', "did you mean bt bug get 48?"],
    ["48", 'unknown command "bt 48"', "did you mean bt bug get 48?"],
    ["search crash", 'unknown command "bt search"', "did you mean bt bug search crash?"],
    ["login", 'unknown command "bt login"', "did you mean bt auth login?"],
    ["bug clsoe 1", 'unknown command "bt bug clsoe"', "did you mean bt bug close 1?"],
    ["tag updat 1", 'unknown command "bt tag updat"', "did you mean bt tag update 1?"],
    ["bug upd 1", 'unknown command "bt bug upd"', "bt bug --help lists the commands"],
    ["attachment add 44 -f fix.patch", "attachment add needs a file", "did you mean bt attachment add 44 fix.patch?"],
    ["comment ad 1", 'unknown command "bt comment ad"', "bt comment --help lists the commands"],
    ["bug copy 1", 'unknown command "bt bug copy"', "did you mean bt bug clone 1?"],
    ["bug delete 1", 'unknown command "bt bug delete"', "bugs cannot be deleted; bt bug close closes one"],
    ["bug status 1", 'unknown command "bt bug status"', "did you mean bt todo or bt bug get 1?"],
    ["assign 1", 'unknown command "bt assign"', "did you mean bt bug update 1 -a?"],
    ["bug resolve 1", 'unknown command "bt bug resolve"', "did you mean bt bug close 1?"],
    ["bug comment 1", 'unknown command "bt bug comment"', "did you mean bt comment add 1?"],
    ["comment 12 x", 'unknown command "bt comment 12"', "did you mean bt comment add 12 -m x?"],
    ["--base-url demo: bug xyzzy", 'unknown command "bt bug xyzzy"', "bt bug --help lists the commands"],
    ["bug search --state NEW", "unknown flag --state for bug search", "did you mean bt bug search --status NEW?"],
    ["bug search -l 3", "unknown flag -l for bug search", "did you mean --keywords or -L?"],
    ["-V", "unknown flag -V for bt", "did you mean --version?"],
    ["bug xyzzy", 'unknown command "bt bug xyzzy"', "bt bug --help lists the commands"],
    ["--json bug serch", 'unknown command "bt bug serch"', "did you mean bt bug search is:open?"],
    [
      "bug search --json --stats X",
      "unknown flag --stats for bug search",
      "did you mean bt bug search --json --status X?",
    ],
    ["bug search --prod X", "unknown flag --prod for bug search", "did you mean bt bug search --product X?"],
    ["bug list --xyzzy", "unknown flag --xyzzy for bug search", "bt bug search --help lists the flags"],
    ["--xyzzy", "unknown flag --xyzzy for bt", "bt --help lists the flags"],
    ["comment get", "comment get needs a comment", "for example: bt comment get 12.1"],
    ["config set ca_file", "config set needs a value", "bt config set ca_file VALUE"],
    ["user get", "user get needs a user", "for example: bt user get mei@example.org"],
    ["group update", "group update needs a group", "for example: bt --base-url local: group update editbugs"],
    ["api", "api needs a method or path", "for example: bt api /rest/version"],
    ["bug search --status", "--status needs a value", "bt field values status lists valid values"],
    ["bug update 1 -c", "--component needs a value", "bt field values component --product NAME lists valid values"],
    ["bug search --format", "--format needs a value", "valid values: table, tsv, csv, json, ndjson, markdown, ids"],
    ["bug search --creator", "--creator needs a value", "bt bug search --help shows the flag"],
    [
      "bug update 1 -m --dry-run",
      "--comment needs a value, but --dry-run is a flag",
      "for this text: --comment=--dry-run",
    ],
    ["comment add 1 -m --help", "--comment needs a value, but --help is a flag", "for this text: --comment=--help"],
    ["bug update 1 --summary -n", "--summary needs a value, but -n is a flag", "for this text: --summary=-n"],
    ["bug update 44 -m fixes 45 46", "-m fixes stands between bugs", "-m 'fixes 45 46'; else name the bugs first"],
    ["bug close 44 --comment done 45", "--comment done stands between bugs", "--comment 'done 45'; else"],
    ["bug close 44 -m not now", "-m not stands between bugs", "did you mean bt bug close 44 -m 'not now'?"],
    ["bug update 44 --title Release 45", "--title Release stands between bugs", "--title 'Release 45'; else"],
    ["field list stray", "field list takes no arguments, but got 1", "bt field list --help shows the arguments"],
    ["bug dup 44 of 12", "bug dup takes 2 arguments, but got 3", "did you mean bt bug dup 44 12?"],
    [
      "comment add 12 -m fixes 45",
      "comment add takes 1 argument, but got 2",
      "did you mean bt comment add 12 -m 'fixes 45'?",
    ],
    ["comment add 12 13 -m x", "comment add takes 1 argument, but got 2", "bt comment add --help shows the arguments"],
    ["attachment update 4 --obsolete", "--obsolete needs a value", "valid values: yes, no"],
    ["comment add 12 a b", "comment add takes 1 argument, but got 3", "did you mean bt comment add 12 -m 'a b'?"],
    [
      "bug create Crash on import",
      "bug create takes no arguments, but got 3",
      "did you mean bt bug create -t 'Crash on import'?",
    ],
    ["bug create -v 3.2 -t x", "but got 1", "did you mean bt bug create --version 3.2 -t x?"],
    ["bug search is:open --web=yes", "--web takes no value", "--web alone turns it on; without --web it is off"],
    ["bug search is:open --count=yes", "--count takes no value", "--count alone"],
    ["bug export --all=1", "--all takes no value", "--all alone"],
    ["bug update 44 --priority Low --yes=false", "--yes takes no value", "without --yes it is off"],
    ["bug search is:open --no-pager=1", "--no-pager takes no value", "--no-pager alone"],
    ["field list --no-pager yes", "field list takes no arguments", "--no-pager takes no value"],
    ["bug search --format yaml", 'invalid value "yaml" for --format', "valid values: table, tsv"],
    ["bug search --format jsn", 'invalid value "jsn" for --format', "did you mean json"],
  ])("%s", async (line, message, hint) => {
    const accepts = async (words: string[]) => (await readCommand(words, { tree: TREE, version: "" })).kind === "verb";
    const error = await read(line).catch((caught: unknown) => withMeantLine(caught, accepts));
    expect(error).toBeInstanceOf(BtError);
    expect((error as BtError).kind).toBe("usage");
    expect((error as BtError).message).toContain(message);
    expect((error as BtError).facts.hint).toContain(hint);
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
