/**
 * What was built. The tests that start real processes, and those of the project `built`, take it from here: importing this
 * module fails when it is missing or older than the sources.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** The launcher, as it is installed. */
export const LAUNCHER = join(root, "bin/bt.cjs");

/** The folder of the built chunks. */
export const DIST = join(root, "dist");

const error = buildError(root);
if (error) throw new Error(error);

/** Fault of the build of a project in a folder; undefined if it is newer than everything it is made from. */
export function buildError(folder: string): string | undefined {
  const built = modifiedMs(join(folder, "dist/build.json"));
  if (built === undefined) return 'dist is missing: run "npm run build"';
  const newer = sourcesOf(folder).find((file) => (modifiedMs(join(folder, file)) ?? 0) > built);
  return newer && `dist is older than ${newer}: run "npm run build"`;
}

function sourcesOf(folder: string): readonly string[] {
  const below = (name: string) => readdirSync(join(folder, name), { recursive: true, encoding: "utf8" });
  return ["bin/build.js", ...["src", "bin/build"].flatMap((name) => below(name).map((file) => join(name, file)))];
}

/** When a file was last modified; undefined when there is none. Folders count as old. */
function modifiedMs(file: string): number | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isDirectory() ? 0 : stat?.mtimeMs;
}
