import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Phrases outside the glossary of CONTRIBUTING.md, each in the sense that has another term there. */
const UNWANTED: readonly RegExp[] = [
  /\bpossible are\b/,
  /\bdo(es)? not go (together|with)\b/,
  /\b(is|are) none\b/,
  /\banew\b/,
  /\b(tells?|speaks?|says?) of\b/,
  /\btalks?\b/,
  /\bnot told\b/,
  /\banswers? (got lost|of|has|was|with|it|to)\b/,
  /\b(the|an|its|no|lost) answers?\b/,
  /\bno tracker is named\b/,
  /\btakes? no notice\b/,
  /\b(lies|lie|stands?) (at|in|for|beside|behind|before|here|there)\b/,
  /\bwants? (a|an|one)\b/,
  /\bsay on standard\b/,
  /\bstandard (input|output|error)\b/,
  /\bsomebody else\b/,
  /\b(left|leaves?) alone\b/,
  /\bthere is no (command|help|profile|setting|field|key|such|open)\b/,
  /\basked (again|of|for)\b/,
  /\bwhat (was asked|became of|is asked)\b/,
  /\bnot known whether\b/,
  /\b(sends?|sent|sending|tried|trying) (it )?again\b/,
  /\b(looked|looking|looks) (for|on|again)\b/,
  /\bproven\b/,
  /\b(goes?|going) on\b/,
  /\bcannot be meant\b/,
  /\b(has no meaning|means nothing|makes no sense)\b/,
  /\b(is|are|be) shown to\b/,
  /\bwould travel\b/,
  /\bas (it|they) (was|were|is|are|should be)\b/,
  /\bkeep informed\b/,
  /\b(found|finds?) (it )?out\b/,
  /\b(is|are|not) gone\b/,
  /\bnothing was changed\b/,
  /\blately\b/,
  /\bof now\b/,
  /\bany more\b/,
  /\bdoes not (tell|know)\b/,
  /\bpresent values?\b/,
  /\b(take|takes|taken|took|taking) (it |them )?(back|off)\b/,
  /\b(is|are) over\b/,
  /\btaken for\b/,
  /\b(put|puts) back\b/,
  /\bis requested .* already\b/,
  /\b(he|him|his|she|her)\b(?!@)/,
];

const unwanted = (text: string) => UNWANTED.flatMap((phrase) => phrase.exec(text)?.[0] ?? []);

/** The files whose texts are the client's: all but the embedded tracker, which has the words of a Bugzilla. */
const FILES = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && (!file.startsWith("tracker/") || file.startsWith("tracker/admin/")))
  .map((file) => `src/${file}`);

type Node = {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly quasis?: readonly Quasi[];
  readonly callee?: Node;
  readonly object?: Node;
  readonly tag?: Node;
  readonly arguments?: readonly Node[];
};
type Quasi = { readonly value: { readonly raw: string } };

/** The string and template literals of a module; the expressions of a template are `…`. */
function literals(code: string): readonly string[] {
  return nodesOf(code).flatMap((node) => textOf(node) ?? []);
}

/** The titles of tests and groups of tests in a module. */
function titles(code: string): readonly string[] {
  return nodesOf(code).flatMap(({ type, callee, arguments: [title] = [] }) =>
    type === "CallExpression" && /^(test|describe)$/.test(calleeName(callee)) ? (textOf(title) ?? []) : [],
  );
}

/** Name of the called function: `test` for `test.each([])` and `test.skipIf(true)` too. */
function calleeName(callee: Node | undefined): string {
  return callee?.name ?? (callee ? calleeName(callee.callee ?? callee.object ?? callee.tag) : "");
}

function nodesOf(code: string): readonly Node[] {
  const nodes: Node[] = [];
  JSON.stringify(parseAst(code, { lang: "ts" }), (_, node: Node | null) => {
    if (node?.type !== undefined) nodes.push(node);
    return typeof node === "bigint" ? String(node) : node;
  });
  return nodes;
}

function textOf(node: Node | undefined): string | undefined {
  if (node?.type === "TemplateLiteral") return node.quasis?.map(({ value }) => value.raw).join("…");
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

describe("the client's texts keep to the terms of the glossary", () => {
  test.each(FILES)("%s", (file) => {
    const offenders = literals(readFileSync(join(ROOT, file), "utf8")).filter((text) => unwanted(text).length > 0);
    expect(offenders.map((text) => `${unwanted(text).join(", ")}: ${text}`)).toEqual([]);
  });

  test("README.md", () => {
    const offenders = readFileSync(join(ROOT, "README.md"), "utf8")
      .replaceAll(/^```console$.*?^```$/gms, "") // what sessions print holds the demo's data
      .split("\n")
      .filter((line) => unwanted(line).length > 0);
    expect(offenders).toEqual([]);
  });
});

describe("titles of tests keep to the terms of the glossary", () => {
  const files = readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" });

  test.each(files.filter((file) => file.endsWith(".test.ts")))("%s", (file) => {
    const offenders = titles(readFileSync(join(ROOT, "test", file), "utf8")).filter(
      (text) => unwanted(text).length > 0,
    );
    expect(offenders.map((text) => `${unwanted(text).join(", ")}: ${text}`)).toEqual([]);
  });
});

test("an unwanted phrase in a title is found", () => {
  const code = "describe('what lies at hand', () => test.each([1])(`is none, $" + "{x}`, () => say('anew')))";
  expect(titles(code).flatMap(unwanted)).toEqual(["lies at", "is none"]);
});

test("an unwanted phrase in a message is found", () => {
  const code = "throw usage(`--all and $" + "{flag} do not go together`, 'possible are a, b');";
  expect(literals(code).flatMap(unwanted)).toEqual(["do not go together", "possible are"]);
});
