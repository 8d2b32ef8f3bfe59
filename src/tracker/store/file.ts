import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Makes sure that a data file and its directory are there, made for their owner only; gives the file's path. */
export function prepareFile(file: string): string {
  makeFolder(dirname(file));
  closeSync(openSync(file, "a", 0o600));
  return file;
}

/** Writes a file that only its owner may read, in place of whatever stands there; gives its path. */
export function writePrivateFile(file: string, text: string): string {
  makeFolder(dirname(file));
  const part = `${file}.part`;
  rmSync(part, { force: true });
  writeFileSync(part, text, { mode: 0o600, flag: "wx" }); // a file or link that somebody else has put there is not written to
  renameSync(part, file);
  return file;
}

// Node's own way to make several folders never comes back where the system lets nobody make any, as under /proc.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}
