import { dirname } from "node:path";
import Conf from "conf";
import { fileError } from "../errors.ts";
import { makeFolder } from "./files.ts";
import type { Configuration } from "./settings.ts";

/**
 * Writes the configuration file. Reading is ours (settings.ts): a Conf with a schema takes 75 to 100 ms, at every start. Its
 * package listens for signals, and is thus only loaded to write.
 * @throws BtError of kind local
 */
export function writeSettings(file: string, settings: Configuration): void {
  try {
    makeFolder(dirname(file));
    const deserialize = (text: string) => JSON.parse(text.replace(/^\ufeff/, "")); // editors of Windows write a byte order mark
    new Conf({ cwd: dirname(file), configFileMode: 0o600, deserialize }).store = { ...settings };
  } catch (error) {
    throw fileError("write", file, error);
  }
}
