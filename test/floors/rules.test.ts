import { expect, test } from "vitest";
import { lint } from "./lint.ts";

function lines(count: number, line = "  next();") {
  return Array.from({ length: count }, () => line).join("\n");
}

function body(text: string) {
  return `import { next } from "./next.ts";\n\nexport function broken(): void {\n${text}\n}`;
}

const asTest = "test/broken.test.ts";

/** A text that breaks a rule; `at` is where it lies when that matters. */
const BROKEN: readonly (readonly [rule: string, text: string, at?: string])[] = [
  ["noExcessiveCognitiveComplexity", body(lines(16, "  if (next()) next();"))],
  [
    "useMaxParams",
    "export const sum = (a: number, b: number, c: number, d: number, e: number, f: number) => a + b + c + d + e + f;",
  ],
  ["noBarrelFile", 'export { next } from "./next.ts";'],
  ["noReExportAll", 'export * from "./next.ts";'],
  ["noDefaultExport", "export default 1;"],
  ["noEnum", "export enum Kind {\n  one,\n}"],
  ["noNamespace", "export namespace Kind {\n  export const one = 1;\n}"],
  ["noConsole", "console.log(1);"],
  ["noProcessEnv", "export const home = process.env.HOME;"],
  ["noRestrictedGlobals", "export const { argv } = process;"],
  ["noNestedTernary", "export const sign = (n: number) => (n > 0 ? 1 : n < 0 ? -1 : 0);"],
  ["noParameterAssign", "export function half(n: number): number {\n  n /= 2;\n  return n;\n}"],
  ["noImportCycles", 'import { near } from "./near.ts";\nexport const broken = near;'],
  ["noFloatingPromises", "async function save(): Promise<void> {}\nexport function run(): void {\n  save();\n}"],
  [
    "noMisusedPromises",
    "async function saved(): Promise<boolean> {\n  return true;\n}\nexport const n = saved() ? 1 : 2;",
  ],
  ["useAwaitThenable", "export async function run(): Promise<void> {\n  await 1;\n}"],
  ["useExhaustiveSwitchCases", 'export function run(on: "a" | "b"): void {\n  switch (on) {\n    case "a":\n  }\n}'],
  ["useConsistentTypeDefinitions", "export interface Kind {\n  readonly one: 1;\n}"],
  ["useFilenamingConvention", "export const one = 1;", "src/wire/bugCard.ts"],
  ["useImportExtensions", 'import { next } from "./next";\nexport const broken = next;'],
  ["noUndeclaredDependencies", 'import pad from "left-pad";\nexport const padded = pad;'],
  ["noExplicitAny", "export const one: any = 1;"],
  ["noNonNullAssertion", "export const first = (list: readonly string[]) => list[0]!;"],
  ["noUnusedVariables", "const one = 1;\nexport {};"],
  ["noFocusedTests", 'import { test } from "vitest";\ntest.only("one", () => {});', asTest],
  ["noSkippedTests", 'import { test } from "vitest";\ntest.skip("one", () => {});', asTest],
  ["noProcessEnv", "export const home = process.env.HOME;", "src/tracker/serve.ts"],
  ...["Date.now()", "new Date()", "new Date", "[1, 2].map(Date.now)"].flatMap((clock) =>
    ["src/api/delivery/broken.ts", "src/tracker/broken.ts", "test/broken.ts", "bin/broken.js"].map(
      (at) => ["plugin", `export const time = ${clock};`, at] as const,
    ),
  ),
];

/** Texts that go up to a limit, and what is allowed in the few places made for it. */
const KEPT: readonly (readonly [what: string, text: string, at?: string])[] = [
  ["fifteen branches", body(lines(15, "  if (next()) next();"))],
  [
    "five parameters",
    "export const sum = (a: number, b: number, c: number, d: number, e: number) => a + b + c + d + e;",
  ],
  ["the environment in io", "export const home = process.env;", "src/io.ts"],
  ["the machine's clock in io", "export const now = () => new Date();", "src/io.ts"],
  ["the machine's clock in the entry of the reader", "export const now = () => new Date();", "src/read-worker.ts"],
  ["the time of a value", 'export const noon = new Date("2026-11-20T12:00:00Z");'],
  ["the environment in main", "export const home = process.env;", "src/main.ts"],
];

/** Files beside each of them: something to call, and the other half of a cycle. */
const NEIGHBOURS = {
  "next.ts": "export const next = () => true;\n",
  "near.ts": 'import { broken } from "./broken.ts";\n\nexport const near = () => broken;\n',
};

test.each(findings(BROKEN))("%s is found", (rule, _text, rules) => {
  expect(rules).toContain(rule);
});

test.each(findings(KEPT))("%s is accepted", (_what, _text, rules) => {
  expect(rules).toEqual([]);
});

/** Each row with the rules that the linter finds broken in its text, all of them in one run. */
function findings(rows: typeof BROKEN) {
  const placed = rows.map(([, text, at = "src/wire/broken.ts"], row) => [folded(at, row), `${text}\n`] as const);
  const around = placed.flatMap(([at]) => Object.entries(NEIGHBOURS).map(([name, text]) => [beside(at, name), text]));
  const found = lint(Object.fromEntries([...placed, ...around]));
  return rows.map(([name, text], row) => {
    const mine = found.filter(({ file }) => file === placed[row]?.[0]);
    return [name, text, mine.map(({ rule }) => rule)] as const;
  });
}

/** A folder of its own for each row, but for the single files below src. */
function folded(at: string, row: number): string {
  return at.split("/").length === 2 && at.startsWith("src/") ? at : at.replace(/[^/]+$/, `row-${row}/$&`);
}

function beside(at: string, name: string): string {
  return at.replace(/[^/]+$/, name);
}
