import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { allOperations } from "../src/api/operations/known-operations.ts";
import { ROUTES } from "../src/tracker/tracker.ts";

/** What each folder of src, and each file beside them, may import: others of them, packages, and modules of Node. */
const MAY_IMPORT: Readonly<Record<string, string>> = {
  main: "cli commands jobs mirror session config io errors secret; node node:process",
  cli: "command-flag commands config session api view wire errors io prompt secret; jq-wasm node",
  commands:
    "command-flag jobs mirror session api config tracker view wire errors io platform prompt secret; " +
    "@modelcontextprotocol commander csv-parse mime node",
  jobs: "session api config view wire errors io secret; node",
  mirror: "session api config tracker view wire errors io; node",
  session: "command-flag api config transport tracker view wire errors io platform secret; node",
  api: "wire errors",
  config: "wire errors io platform secret; conf node",
  transport: "config wire io errors secret; undici node node:process",
  io: "prompt errors platform secret; node node:process",
  prompt: "errors platform secret; @inquirer node",
  view: "wire; chalk cli-table3",
  tracker: "wire; libsql node node:sqlite nodemailer re2js yaml",
  wire: "",
  errors: "node",
  secret: "node",
  platform: "node",
  "command-flag": "errors",
};

/** What is written in some places only; the linter keeps the global `process` in main and io. */
const PLACES: readonly (readonly [what: string, text: RegExp, place: RegExp])[] = [
  ["the machine's clock", /\bDate\.now\b|\bnew Date\b(?!\(\s*[^)\s])|[^.\w]Date\(\)/, /^(main|io)\.ts$/],
  ["SQLite's clock", /\bCURRENT_(TIMESTAMP|DATE|TIME)\b|\((["'])now\2|\b(julianday|unixepoch|datetime)\(\)/, /^$/],
  ["a path of the interface", /^ *(?! |\*).*["'`]\/rest[/"']/m, /^(api\/operations|tracker\/\w+|commands\/api)\//],
];

const SRC = path.join(import.meta.dirname, "../src");
const FILES = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.d)\.ts$/.test(file));
const SOURCES = FILES.map((file) => [file.replaceAll("\\", "/"), readFileSync(path.join(SRC, file), "utf8")] as const);
const IMPORT =
  /(?:^(?:import|export|\})[^(=\n]* from |^import |\bimport\(|\brequire(?:Optional)?\()"([^"]+)(?<!\.json)"/gm;
const IMPORTS = SOURCES.flatMap(([file, text]) =>
  [...text.matchAll(IMPORT)].map(([, name = ""]) => ({
    file,
    to: name.replace(/^\..*/, path.posix.join(file, "..", name)),
  })),
);

test("imports go downward, and packages are imported at home", () => {
  const top = (name: string) => /^node:(process|sqlite)|^@?[\w-]+/.exec(name)?.[0] ?? "";
  const mayImport = (file: string) => `${top(file)} ${MAY_IMPORT[top(file)]}`.split(/;? /);
  expect(IMPORTS.filter(({ file, to }) => !mayImport(file).includes(top(to)))).toEqual([]);
});

test("each package has one home", () => {
  const all = Object.values(MAY_IMPORT).flatMap((row) => row.split("; ")[1]?.split(" ") ?? []);
  const packages = all.filter((name) => !name.startsWith("node"));
  expect(packages.filter((name, at) => packages.indexOf(name) < at)).toEqual([]);
});

test("no file imports itself by way of others", () => {
  let left = IMPORTS;
  for (let size = Infinity; left.length < size; ) {
    size = left.length;
    const [importing, imported] = [new Set(left.map(({ file }) => file)), new Set(left.map(({ to }) => to))];
    left = left.filter(({ file, to }) => imported.has(file) && importing.has(to)); // others are in no cycle
  }
  expect(left).toEqual([]);
});

test.each(PLACES)("%s stands only where it belongs", (_, text, place) => {
  expect(SOURCES.filter(([file, source]) => text.test(source) && !place.test(file)).map(([file]) => file)).toEqual([]);
});

test("each request of the client has a route of the embedded tracker", () => {
  const paths = ROUTES.map(({ path }) => new RegExp(`^/rest${path.replaceAll(/\{.*?\}/g, "[^/]+")}$`));
  const others = allOperations().filter(({ path }) => !paths.some((pattern) => pattern.test(path)));
  expect(others.map(({ path }) => path)).toEqual(["/rest/flag_types/{product}/{component}"]); // of Mozilla's server
});
