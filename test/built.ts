import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** The launcher, as it is installed. */
export const LAUNCHER = join(root, "bin/bt.cjs");

/** The folder of the built chunks. */
export const DIST = join(root, "dist");

/** True if a project in a folder was not built, or something that it is made from was modified after the build began. */
export function isStale(folder: string): boolean {
  const built = modifiedMs(join(folder, "dist/build.json"));
  return sourcesOf(folder).some((file) => modifiedMs(join(folder, file)) > built);
}

function sourcesOf(folder: string): readonly string[] {
  const below = (name: string) => readdirSync(join(folder, name), { recursive: true, encoding: "utf8" });
  return ["package.json", ...["src", "bin"].flatMap((name) => below(name).map((file) => join(name, file)))];
}

/** When a file was last modified; 0 for a folder and a missing file. */
function modifiedMs(file: string): number {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.mtimeMs : 0;
}
