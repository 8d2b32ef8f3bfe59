import { beforeAll, describe, expect, test } from "vitest";
import { TREE } from "../../src/commands/tree.ts";
import type { Verb } from "../../src/commands/verb.ts";
import type { OpenedTracker } from "../../src/tracker/open.ts";
import type { Request } from "../../src/wire/exchange.ts";
import { asked, bt } from "../bt.ts";
import { freshDemo } from "../fresh-demo.ts";
import { sampled } from "../sampling.ts";

let demo: OpenedTracker;
beforeAll(() => {
  const now = () => new Date("2026-11-20T12:00:00Z");
  demo = freshDemo({ now, random: (bytes) => new Uint8Array(bytes) });
  return () => demo.close();
});

/** Every verb, with the words that it is called by. */
const VERBS = [
  ...TREE.nouns.flatMap((noun) => noun.verbs.map((verb) => ({ words: `${noun.name} ${verb.name}`, verb }))),
  ...TREE.verbs.map((verb) => ({ words: verb.name, verb })),
];

/** Flags that a change needs beside the thing that is to be changed. */
const NEEDED: Readonly<Record<string, string>> = {
  "bug update": "--priority High",
  "bug needinfo": "--from mei@example.org",
  "bug answer": "-m text",
  "comment add": "-m text",
  "tag update": "--add obsolete",
};

/** Lines of every verb that names things of a kind, with a blank where the name is to stand; the editor needs a terminal. */
function linesNaming(...kinds: readonly string[]): readonly string[] {
  return VERBS.filter(({ words }) => words !== "bug edit").flatMap(({ words, verb }) =>
    (verb.args ?? []).flatMap((arg, at) => {
      const names = (verb.args ?? []).map((_, place) => (place === at ? "NAME" : "40"));
      return kinds.includes(arg.name) ? [`${words} ${NEEDED[words] ?? ""} -- ${names.join(" ")}`] : [];
    }),
  );
}

const NEVER_NAMES = ["-1", "+1", "0", "", " ", "1\n2", "1 2", "01", "9007199254740993", "\u0001", "x".repeat(41)];
const POSSIBLE_NAMES = [
  ...["1e3", "0x10", "12abc", "1;2", "１２", "..", "../version", "1/2", "1?x=1", "%2e%2e", "x=y", "1.0", "#", "٣"],
];
const SEGMENTS: ReadonlySet<string> = new Set(["1e3", "0x10", "12abc", "1;2", "x=y", "1.0"]); // of a path
const FLAGS = [
  "bug update 1 --dupe-of NAME",
  "bug update 1 --add-depends-on NAME",
  "bug update 1 --remove-blocks NAME",
];

describe("F1 an invalid bug is rejected before any request", () => {
  test.each(NEVER_NAMES)("%j", async (name) => {
    const lines = [...linesNaming("bug", "original"), ...FLAGS.filter(() => name.trim() !== "" && name !== "1,2")];
    for (const line of lines) {
      const ran = await bt(line.replace("NAME", `'${name}'`), demo);
      expect({ line, code: ran.code, out: ran.out, err: ran.err }).toEqual({
        ...{ line, code: 2, out: "" },
        err: expect.stringContaining("invalid bug"),
      });
      expect(asked(ran).filter((one) => !KNOWING.test(one))).toEqual([]);
    }
  });
});

describe("F1a any other word is looked up as an alias, as one segment of a path or beside it, and is missing", () => {
  test.each(POSSIBLE_NAMES)("%j", async (name) => {
    for (const line of [...linesNaming("bug", "original")]) {
      const ran = await bt(line.replace("NAME", `'${name}'`), demo);
      expect({ line, code: ran.code, out: ran.out, err: ran.err }).toEqual({
        ...{ line, code: 5, out: "" },
        err: expect.stringContaining(name),
      });
      const sent = ran.requests.filter(({ path }) => !/^\/rest\/(field|bug\/1$)/.test(path));
      const segment = SEGMENTS.has(name) ? encodeURIComponent(name) : "";
      const isKnown = ({ path }: Request) => ["", "40", segment].includes(path.split("/")[3] ?? "");
      expect(sent.filter((one) => one.method !== "GET" || !isKnown(one))).toEqual([]);
      const isBeside = ({ query }: Request) => query.some(([key, value]) => key === "ids" && value === name);
      const isInPath = ({ path }: Request) => segment !== "" && path.split("/")[3] === segment;
      expect(sent.some((one) => isInPath(one) || isBeside(one))).toBe(true);
    }
  });
});

describe("F1 an invalid comment id is rejected before any request", () => {
  const others = POSSIBLE_NAMES.filter((name) => name !== "1.0"); // the description of bug 1
  test.each([...NEVER_NAMES, ...others, "#5", "alias"])("%j", async (name) => {
    for (const line of linesNaming("comment")) {
      const ran = await bt(line.replace("NAME", `'${name}'`), demo);
      expect({ line, code: ran.code, out: ran.out }).toEqual({ line, code: 2, out: "" });
      expect(asked(ran).filter((one) => !KNOWING.test(one))).toEqual([]);
    }
  });
});

/** Read verbs, and those of their flags for which nothing is a value of its own. */
const READS = VERBS.filter(({ verb }) => !verb.offline && !verb.flags().some(({ name }) => name === "dry-run"));
const OWN_VALUE = ["resolution"]; // of an open bug

describe("F3 an empty variable in any flag of a read is rejected", () => {
  const lines = READS.flatMap(({ words, verb }) =>
    verb
      .flags()
      .filter(({ name, value }) => value !== undefined && !OWN_VALUE.includes(name))
      .map(({ name }) => `${lineOf(words, verb)} --${name} ''`),
  );
  test.each(
    sampled(
      lines.filter((line) => !/^(auth login|resume|api)/.test(line)),
      3,
    ),
  )("bt %s", async (line) => {
    const ran = await bt(line, demo);
    expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^bt: .+\n/) });
    expect(asked(ran).filter((one) => !KNOWING.test(one))).toEqual([]);
  });
});

function lineOf(words: string, { examples }: Verb): string {
  const [{ line = "" } = {}] = examples;
  return line.slice(line.indexOf(words));
}

/** Requests that may be sent to find out whether a name is right. */
const KNOWING =
  /^GET \/rest\/(field\/|(?:user|group)\?names=|version|bug\/\d+(\/comment)?\?|bug\/\d+$|whoami|valid_login)/;

describe("F2 F3 F4 F5 F12 empty, misspelt and impossible values are never searched for or written", () => {
  test.each([
    "bug search --status ''",
    "bug search --status CONFIRMED --product ''",
    "bug search --assigned-to ''",
    "bug search --id ''",
    "bug search --summary ''",
    "bug search --summary ' '",
    "bug search --quicksearch ''",
    "bug search --creation-time ''",
    "bug search --limit '' --status CONFIRMED",
    "bug search --where ''",
    "bug search ''",
    "bug search",
    "bug search --status CONFIRMED,",
    "bug search --status confirmedd",
    "bug search --product NOSUCH",
    "bug search --priority Urgent",
    "bug search --severity none",
    "bug search --version 99",
    "bug search --component Libary",
    "bug search --keywords crsh",
    "bug search --where 'nosuch = 1'",
    "bug search --where 'prioritee = High'",
    "bug search --param nosuch=1",
    "bug search --param f1=nosuch --param o1=equals --param v1=1",
    "bug update 1 --deadline 2026-02-30",
    "bug search --deadline 2026-13-45",
    "bug history 1 --new-since 2026-02-30",
    "comment list 1 --new-since 2025-02-29",
    "group get ''",
    "group list --names ''",
    "bug search --id 1,x",
    "bug search --id 1..5x",
    "bug search --limit ten --status CONFIRMED",
    "bug search --limit -1 --status CONFIRMED",
    "bug search --limit 1.5 --status CONFIRMED",
    "bug search --offset 5 --status CONFIRMED",
    "bug search --creation-time 2026-13-45",
    "bug search --creation-time 2026-02-30",
    "bug search --creation-time 2025-02-29",
    "bug search --creation-time yesterday-ish",
    "bug search --status CONFIRMED --sort nosuch",
    "bug search --status CONFIRMED --fields nosuch",
    "bug search --status CONFIRMED --fields id,,summary",
    "bug search --stauts CONFIRMED",
    "bug search --status",
    "bug search --status CONFIRMED --format xml",
    "bug search --status CONFIRMED --color sometimes",
    "bug get '' 1",
    "bug history 1 --new-since ''",
    "comment list 1 --new-since ''",
    "field values component --product NOSUCH",
    "tag search ''",
    "comment get ''",
    "comment get 1x",
    "bug update '' --priority High",
    "bug update 1 --priority ''",
    "bug update 1",
    "bug update 1 --flags ''",
    "bug update 1 --cc mei@example.org",
    "bug update 1 --groups security",
    "bug update 1 --see-also https://bugs.example.org/show_bug.cgi?id=3",
    "bug update 1 --field __proto__=x",
    "bug update 1 --field constructor=y",
    "bug update 1 --dupe-of -- -1",
    "comment add 1 -m ''",
    "comment add 1 -m '   '",
    "comment add 1 -m -",
  ])("bt %s", async (line) => {
    const ran = await bt(line, demo);
    expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringMatching(/^bt: .+\n/) });
    expect(asked(ran).filter((one) => !KNOWING.test(one))).toEqual([]);
  });
});

describe("a value that is written is given once", () => {
  const run = (line: string) => bt(line, { exchange: demo.exchange, login: demo.login, now: "2026-11-20T12:00:00Z" });

  test.each([
    ["comment add 44 -m one -m two", "--comment", "one", "two"],
    ["bug create -p Lantern -t two -t three", "--summary", "two", "three"],
    ["bug update 44 --priority High --priority Low", "--priority", "High", "Low"],
    ["bug update 44 --assigned-to mei@example.org --assignee sam@example.org", "--assigned-to", "mei@", "sam@"],
  ])("%s is refused before any request", async (line, flag, ...values) => {
    const ran = await run(line);
    expect(ran).toMatchObject({ code: 2, out: "", requests: [] });
    expect(ran.err).toContain(`${flag} is given twice`);
    for (const value of values) expect(ran.err).toContain(value);
  });
});

test.each([
  ["-m=closing", "closing"],
  ["-m =closing", "=closing"],
])("%s is the text %s", async (words, comment) => {
  const { code, requests } = await bt(`comment add 1 ${words}`, demo);
  expect([code, requests.at(-1)?.body]).toEqual([0, { comment }]);
});
