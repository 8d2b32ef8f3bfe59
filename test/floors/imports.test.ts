import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { lint } from "./lint.ts";

const FOLDERS = ["api", "cli", "commands", "config", "session", "tracker", "transport", "view", "wire"];
const FILES = ["errors", "io", "main", "prompt", "read-worker", "secret", "secret-encodings"];

/** Which rooms a file may import from; every other one is refused. */
const MAY_IMPORT = {
  "src/wire/bug-fields.ts": [],
  "src/errors.ts": [],
  "src/secret-encodings.ts": [],
  "src/secret.ts": ["secret-encodings"],
  "src/prompt.ts": ["errors", "secret"],
  "src/io.ts": ["errors", "prompt", "secret"],
  "src/api/batch.ts": ["errors", "wire"],
  "src/api/query/parse.ts": ["errors", "wire"],
  "src/transport/network.ts": ["errors", "secret", "wire"],
  "src/view/card.ts": ["wire"],
  "src/view/table.ts": ["wire"],
  "src/view/palette.ts": ["wire"],
  "src/tracker/flags/rules.ts": ["wire"],
  "src/tracker/store/database.ts": ["wire"],
  "src/tracker/search/parameters/rows.ts": ["wire"],
  "src/config/settings.ts": ["errors", "io", "secret", "wire"],
  "src/session/connect.ts": allBut("cli", "commands", "main", "read-worker"),
  "src/commands/targets.ts": ["api", "errors", "io", "prompt", "secret-encodings", "session", "view", "wire"],
  "src/commands/bug/rows.ts": ["api", "errors", "io", "prompt", "secret-encodings", "session", "view", "wire"],
  "src/commands/serve/serve.ts": allBut("cli", "main", "read-worker", "transport"),
  "src/cli/program.ts": ["api", "commands", "errors", "io", "prompt", "secret-encodings", "session", "view", "wire"],
  "src/main.ts": allBut(),
  "src/read-worker.ts": allBut(),
} as const;

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
    const may = MAY_IMPORT[importer].filter((room) => room !== ownFloor);
    expect(rest.filter((floor) => !refused.includes(floor)).sort()).toEqual(may);
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

test("every room and file that the rules are tried on is there", () => {
  const rooms = [...FOLDERS.map((room) => `src/${room}`), ...FILES.map((room) => `src/${room}.ts`), ...importers];
  expect(rooms.filter((place) => !existsSync(path.join(import.meta.dirname, "../..", place)))).toEqual([]);
});

test.each([
  ["a type", 'import type { Verb } from "../cli/verb.ts";\nexport type Mine = Verb;'],
  ["a name that is passed on", 'export { verb } from "../cli/verb.ts";'],
  ["a module on demand", 'export const verb = import("../cli/verb.ts");'],
])("the floors hold for %s too", (_what, text) => {
  expect(lint({ "src/api/search.ts": text }).map(({ rule }) => rule)).toContain("plugin");
});

/** For each importer, which of the wanted imports the linter refused; all of them in one run. */
function refusals(wanted: (importer: string) => readonly string[]) {
  const text = (importer: string) => wanted(importer).map((name) => `import "${pathTo(importer, name)}";`);
  const found = lint(Object.fromEntries(importers.map((importer) => [importer, text(importer).join("\n")])));
  return importers.map((importer) => {
    const lines = found.filter(({ file, rule }) => file === importer && rule === "plugin");
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

/** Every room but these, in the order of the alphabet. */
function allBut(...refused: readonly string[]): readonly string[] {
  return [...FOLDERS, ...FILES].filter((room) => !refused.includes(room)).sort();
}
