import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const root = path.join(import.meta.dirname, "../..");

/** The rules of the project's own. */
const PLUGINS = ["handed-clock", "imports", "packages"].map((name) => `test/floors/${name}.grit`);

/** One thing that the linter has against a line of a file. */
export type Finding = { readonly file: string; readonly line: number; readonly rule: string; readonly message: string };

/** Lints files that exist nowhere, given as path and text, by the project's own rules. */
export function lint(files: Readonly<Record<string, string>>): readonly Finding[] {
  const folder = mkdtempSync(path.join(tmpdir(), "bt-floors-"));
  try {
    for (const name of ["biome.json", ...PLUGINS, "package.json", ".gitignore"])
      cpSync(path.join(root, name), path.join(folder, name));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    return findings(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function findings(folder: string): readonly Finding[] {
  const biome = path.join(root, "node_modules/.bin/biome");
  const run = spawnSync(biome, ["lint", "--reporter=json", "--max-diagnostics=none"], {
    cwd: folder,
    encoding: "utf8",
  });
  const report: Report = JSON.parse(run.stdout.slice(run.stdout.indexOf("{")));
  return report.diagnostics.map(({ category, message, location }) => ({
    file: location.path,
    line: location.start.line,
    rule: category.split("/").at(-1) ?? category,
    message,
  }));
}

type Report = {
  readonly diagnostics: readonly {
    readonly category: string;
    readonly message: string;
    readonly location: { readonly path: string; readonly start: { readonly line: number } };
  }[];
};
