import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Makes sure that a data file and its directory are there, made for their owner only; gives the file's path. */
export const prepareFile = (file: string): string => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, "a", 0o600));
  return file;
};

/** Writes a file that only its owner may read; gives its path. */
export const writePrivateFile = (file: string, text: string): string => {
  writeFileSync(prepareFile(file), text);
  return file;
};
