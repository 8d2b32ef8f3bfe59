import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { TREE } from "../../src/commands/tree.ts";
import { btConnected } from "../bt.ts";

/** The examples that a test cannot run as they stand, and why. */
const NOT_HERE: Readonly<Record<string, string>> = {
  "bt auth login bugs.example.org": "needs that tracker",
  "bt auth login bugzilla.example.com/bugs --profile work": "the same",
  "pass show bugs | bt auth login --api-key-file -": "needs a program of the user's",
  "bt auth logout": "the demo needs no login",
  "bt job show 01KB3XQ8Z5T4M7W2N9P6R1S0VA": "needs a job of that name",
  "bt job send 01KB3XQ8Z5T4M7W2N9P6R1S0VA": "the same",
  "bt job drop 01KB3XQ8Z5T4M7W2N9P6R1S0VA": "the same",
  "bt bug undo --job 01KB3XQ8Z5T4M7W2N9P6R1S0VA": "the same",
  "bt bug watch assignee:@me --every 5m | jq -r --unbuffered .summary": "stays until a signal",
  "bt serve --demo": "stays until a signal; the process tests run it",
  "bt serve --data team.db --port 8090": "the same",
  "bt serve --data team.db --mail smtp://localhost:25": "the same",
  "bt mcp --allow-writes -P work": "waits for a client",
  "bt admin apply team.yaml": "needs a file of the user's",
  "bt bug import bugs.csv --dry-run": "needs a file of the user's",
  "bt bug import bugs.csv --yes": "the same",
  "bt -P work bug import --new bugs.jsonl --yes": "the same, and a profile",
  "bt bug answer 44 -m 'Since 3.2.'": "nothing is requested from the user of a fresh demo",
  "bt bug triage -s UNCONFIRMED -p Lantern": "asks for keys",
  "bt bug triage is:open is:unassigned --sort priority -L 10": "the same",
  "bt bug edit 44": "opens an editor",
};

/** Commands before some of them, which need what these create. */
const BEFORE: Readonly<Record<string, readonly string[]>> = {
  "bt bug undo 49 --dry-run": ["bug update 49 --priority High"],
  "bt bug undo 11 -m 'Wrong bug.'": ["bug update 11 --priority High"],
  "bt config get base_url": ["config set base_url demo:"],
  "bt alias list": ["alias set mine 'bug search -a @me'"],
  "bt alias delete mine": ["alias set mine 'bug search -a @me'"],
  "bt admin key": ["admin key owner@localhost"],
  "bt admin key --revoke 1": ["admin key owner@localhost"],
  "bt mirror list": ["mirror create work -p Lantern"],
  "bt mirror sync work": ["mirror create work -p Lantern"],
  "bt mirror drop work --yes": ["mirror create work -p Lantern"],
  "bt config list": ["config set base_url demo:"],
  "bt config set product Firefox --profile work": ["config set base_url demo: --profile work"],
  "bt config unset product --profile work": [
    "config set base_url demo: --profile work",
    "config set product Lantern --profile work",
  ],
};

/** Commands that print nothing when all is well. */
const SILENT = /^bt (config (set|unset) |alias (set|delete) |admin key --revoke 1$|jobs$|job list$)/;

const EXAMPLES = [...TREE.nouns.flatMap(({ verbs }) => verbs), ...TREE.verbs].flatMap((verb) =>
  verb.examples.map(({ line }) => line),
);

describe("every example of the help works on the demo, or on a new tracker for bt admin", () => {
  test.each(EXAMPLES.filter((line) => !(line in NOT_HERE)))("%s", async (line) => {
    const home = mkdtempSync(path.join(tmpdir(), "bt-example-"));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const isAdmin = line.includes("bt admin");
    const isAddress = line.startsWith("bt config set base_url"); // which a variable would go before
    const env = {
      ...(isAddress ? {} : { BT_BASE_URL: isAdmin ? "local:" : "demo:" }),
      HOME: home,
      XDG_CONFIG_HOME: `${home}/config`,
      XDG_DATA_HOME: `${home}/data`,
      XDG_CACHE_HOME: `${home}/cache`,
    };
    for (const before of [...(isAdmin ? ["bug search --all"] : []), ...(BEFORE[line] ?? [])])
      expect(await btConnected(before, { env })).toMatchObject({ code: 0 });
    const [, echoed = "", piped, command = line] = /^(?:echo '(.*)'|bt (.*)) \| (bt .*)$/.exec(line) ?? [];
    const stdin = piped === undefined ? echoed : (await btConnected(piped, { env })).out;
    const { code, out, err } = await btConnected(command.replace(/^bt /, ""), { env, stdin });
    expect({ code, err }).toEqual({ code: 0, err: expect.not.stringMatching(/^bt: /m) });
    expect(out + err === "").toBe(SILENT.test(line));
  });
});

test("every exception is still an example", () => {
  expect(Object.keys(NOT_HERE).filter((line) => !EXAMPLES.includes(line))).toEqual([]);
});

test("every verb has an example that begins with its own name", () => {
  const named = [
    ...TREE.nouns.flatMap((noun) => noun.verbs.map((verb) => ({ words: `${noun.name} ${verb.name}`, verb }))),
    ...TREE.verbs.map((verb) => ({ words: verb.name, verb })),
  ];
  const without = named.filter(({ words, verb }) => !verb.examples.some(({ line }) => line.includes(` ${words}`)));
  expect(without.map(({ words }) => words)).toEqual([]);
});
