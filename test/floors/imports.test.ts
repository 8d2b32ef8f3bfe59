import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { lint } from "./lint.ts";

const root = path.join(import.meta.dirname, "../..");

const FOLDERS = [
  "api",
  "cli",
  "commands",
  "config",
  "jobs",
  "mirror",
  "prompt",
  "session",
  "tracker",
  "transport",
  "view",
  "wire",
];
const FILES = ["command-flag", "errors", "io", "main", "platform", "read-worker", "secret"];

/** The table of imports in CONTRIBUTING.md: which rooms each room may import from; every other one is refused. */
const MAY_IMPORT = importTable(readFileSync(path.join(root, "CONTRIBUTING.md"), "utf8"));

/** Files on which the linter is tried: of each room, and of each depth. */
const importers = [
  "src/wire/bug-fields.ts",
  "src/errors.ts",
  "src/command-flag.ts",
  "src/secret.ts",
  "src/platform.ts",
  "src/prompt/rich.ts",
  "src/prompt/terminal.ts",
  "src/io.ts",
  "src/api/batch.ts",
  "src/api/query/parse.ts",
  "src/transport/connections.ts",
  "src/view/card.ts",
  "src/view/table.ts",
  "src/view/palette.ts",
  "src/tracker/flags/rules.ts",
  "src/tracker/store/database.ts",
  "src/commands/shared/criteria/criteria.ts",
  "src/config/settings.ts",
  "src/jobs/journal.ts",
  "src/mirror/connect.ts",
  "src/session/connect.ts",
  "src/session/repository/repository-yaml.ts",
  "src/commands/shared/targets.ts",
  "src/commands/bug/rows.ts",
  ...["admin", "auth", "bug/follow", "bug/import", "completion", "config", "job", "serve"].map(
    (noun) => `src/commands/${noun}/rows.ts`,
  ),
  "src/cli/parse-verb.ts",
  "src/main.ts",
  "src/read-worker.ts",
];

/** The one place of every third-party package and of the process. */
const HOMES = {
  "@inquirer/search": ["src/prompt/rich.ts"],
  "@napi-rs/keyring": ["src/platform.ts"],
  "cli-table3": ["src/view/table.ts"],
  "node:process": ["src/main.ts", "src/io.ts"],
  "commander/esm.mjs": [],
  "undici/lib/dispatcher/client.js": ["src/transport/connections.ts"],
  chalk: ["src/view/palette.ts"],
  commander: ["src/cli/parse-verb.ts"],
  conf: ["src/config/settings.ts"],
  "csv-parse/sync": ["src/commands/bug/import/file.ts"],
  libsql: ["src/tracker/store/engine.ts"],
  "mime/types/other.js": ["src/commands/attachment/content-type.ts"],
  undici: ["src/transport/connections.ts"],
  yaml: ["src/session/repository/repository-yaml.ts"],
} as const;

/** Floors that know nothing of the machine. */
const PURE = /^src\/(api|view|wire)\//;

test.each(refusals(() => [...FOLDERS, ...FILES]))(
  "%s may import the rooms listed in CONTRIBUTING.md, and no others",
  (importer, refused) => {
    const path = importer.replace(/^src\/|\.ts$/g, "");
    const [room = ""] = path.split("/");
    const rows = [...MAY_IMPORT].filter(([name]) => path === name || path.startsWith(`${name}/`));
    const may = rows.flatMap(([, names]) => names);
    const others = [...FOLDERS, ...FILES].filter((other) => other !== room);
    const wanted = may.includes("everything") ? others : others.filter((other) => may.includes(other));
    expect(others.filter((other) => !refused.includes(other))).toEqual(wanted);
  },
);

test("each room is a row of the table in CONTRIBUTING.md", () => {
  expect([...FOLDERS, ...FILES].filter((room) => !MAY_IMPORT.has(room))).toEqual([]);
});

test.each(refusals(() => Object.keys(HOMES)))("%s may import its own packages, and no others", (importer, refused) => {
  const home = Object.entries(HOMES).filter(([, places]) => (places as readonly string[]).includes(importer));
  expect(Object.keys(HOMES).filter((name) => !refused.includes(name))).toEqual(home.map(([name]) => name));
});

test.each(refusals(() => ["node:fs", "node:util"]))(
  "%s accesses the machine only where allowed",
  (importer, refused) => {
    expect(refused).toEqual(PURE.test(importer) ? ["node:fs", "node:util"] : []);
  },
);

test("every room and file used by the rule tests exists", () => {
  const rooms = [...FOLDERS.map((room) => `src/${room}`), ...FILES.map((room) => `src/${room}.ts`), ...importers];
  expect(rooms.filter((place) => !existsSync(path.join(root, place)))).toEqual([]);
});

test.each([
  ["a type", 'import type { Verb } from "../cli/verb.ts";\nexport type Mine = Verb;'],
  ["a re-exported name", 'export { verb } from "../cli/verb.ts";'],
  ["a dynamic import", 'export const verb = import("../cli/verb.ts");'],
])("the floors apply to %s too", (_what, text) => {
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

/** The rows of the table, columns of which have two blanks between them: rooms, what they import, a remark. */
function importTable(page: string): ReadonlyMap<string, readonly string[]> {
  const [, table = ""] = /^imports +(.*?)^```/ms.exec(page) ?? [];
  const rows = table
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/ {2,}/));
  return new Map(
    rows.flatMap(([names = "", rooms = ""]) =>
      roomsOf(names).map((name) => [name, rooms.replace(/^(?:also|nothing) ?/, "").split(" ")] as const),
    ),
  );
}

/** `a, b` or `a/{b,c}` as a list. */
function roomsOf(names: string): readonly string[] {
  const [, folder = "", inner] = /^(.*\/)\{(.*)\}$/.exec(names) ?? [];
  return (inner ?? names).split(/, ?/).map((name) => `${folder}${name}`);
}

/** Path to a floor as an importer writes it; the name of a package is its own. */
function pathTo(importer: string, name: string): string {
  if (!FOLDERS.includes(name) && !FILES.includes(name)) return name;
  const up = "../".repeat(importer.split("/").length - 2) || "./";
  return FILES.includes(name) ? `${up}${name}.ts` : `${up}${name}/value.ts`;
}
