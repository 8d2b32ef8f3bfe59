import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** Makes sure that a data file and its directory are there, for their owner only; gives the file's path. */
export const prepareFile = (file: string): string => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
  return file;
};
