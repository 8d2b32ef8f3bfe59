import { expect, test } from "vitest";
import { lint } from "./lint.ts";

/** Which floors a file may import from; every other one is refused. */
const MAY_IMPORT = {
  "src/wire/bug.ts": [],
  "src/wire/deep/bug.ts": [],
  "src/errors.ts": [],
  "src/io.ts": ["errors"],
  "src/api/search.ts": ["errors", "wire"],
  "src/api/values/dates.ts": ["errors", "wire"],
  "src/transport/network.ts": ["errors", "wire"],
  "src/view/card.ts": ["wire"],
  "src/view/table.ts": ["wire"],
  "src/view/palette.ts": ["wire"],
  "src/tracker/rules/flags.ts": ["wire"],
  "src/tracker/store/database.ts": ["wire"],
  "src/config/settings.ts": ["errors", "io", "wire"],
  "src/commands/bug.ts": ["api", "errors", "io", "view", "wire"],
  "src/commands/local/serve.ts": ["api", "config", "errors", "io", "tracker", "transport", "view", "wire"],
  "src/cli/program.ts": ["api", "commands", "errors", "io", "view", "wire"],
  "src/main.ts": ["api", "cli", "commands", "config", "errors", "io", "tracker", "transport", "view", "wire"],
} as const;
const FOLDERS = ["api", "cli", "commands", "config", "tracker", "transport", "view", "wire"];
const FILES = ["errors", "io", "main"];

/** The one place of every third-party package and of the process. */
const HOMES = {
  "cli-table3": ["src/view/table.ts"],
  "node:process": ["src/main.ts", "src/io.ts"],
  "undici/lib/dispatcher/client.js": [],
  chalk: ["src/view/palette.ts"],
  commander: ["src/cli/program.ts"],
  conf: ["src/config/settings.ts"],
  libsql: ["src/tracker/store/database.ts"],
  undici: ["src/transport/network.ts"],
} as const;

/** Floors that know nothing of the machine. */
const PURE = /^src\/(api|view|wire)\//;

const importers = Object.keys(MAY_IMPORT) as readonly (keyof typeof MAY_IMPORT)[];

test.each(refusals(floorsFrom))(
  "%s may import from the floors it is built on, and from no other",
  (importer, refused) => {
    const ownFloor = importer.split("/")[1]?.replace(".ts", "");
    const rest = [...FOLDERS, ...FILES].filter((floor) => floor !== ownFloor);
    expect(rest.filter((floor) => !refused.includes(floor)).sort()).toEqual(MAY_IMPORT[importer]);
  },
);

test.each(refusals(() => Object.keys(HOMES)))(
  "%s may import the packages that live in it, and no other",
  (importer, refused) => {
    const home = Object.entries(HOMES).filter(([, places]) => (places as readonly string[]).includes(importer));
    expect(Object.keys(HOMES).filter((name) => !refused.includes(name))).toEqual(home.map(([name]) => name));
  },
);

test.each(refusals(() => ["node:fs", "node:util"]))("%s knows the machine only where it may", (importer, refused) => {
  expect(refused).toEqual(PURE.test(importer) ? ["node:fs", "node:util"] : []);
});

test.each([
  ["a type", 'import type { Verb } from "../cli/verb.ts";\nexport type Mine = Verb;'],
  ["a name that is passed on", 'export { verb } from "../cli/verb.ts";'],
  ["a module on demand", 'export const verb = import("../cli/verb.ts");'],
])("the floors hold for %s too", (_what, text) => {
  expect(lint({ "src/api/search.ts": text }).map(({ rule }) => rule)).toContain("noRestrictedImports");
});

/** For each importer, which of the wanted imports the linter refused; all of them in one run. */
function refusals(wanted: (importer: string) => readonly string[]) {
  const text = (importer: string) => wanted(importer).map((name) => `import "${pathTo(importer, name)}";`);
  const found = lint(Object.fromEntries(importers.map((importer) => [importer, text(importer).join("\n")])));
  return importers.map((importer) => {
    const lines = found.filter(({ file, rule }) => file === importer && rule === "noRestrictedImports");
    return [importer, wanted(importer).filter((_, row) => lines.some(({ line }) => line === row + 1))] as const;
  });
}

function floorsFrom(): readonly string[] {
  return [...FOLDERS, ...FILES];
}

/** How an importer writes the way to a floor; the name of a package is its own. */
function pathTo(importer: string, name: string): string {
  if (!FOLDERS.includes(name) && !FILES.includes(name)) return name;
  const up = "../".repeat(importer.split("/").length - 2) || "./";
  return FILES.includes(name) ? `${up}${name}.ts` : `${up}${name}/value.ts`;
}
