import { existsSync, readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import Conf from "conf";
import { fileError } from "../errors.ts";
import { makeFolder } from "./files.ts";
import type { Configuration } from "./settings.ts";

/**
 * Writes the configuration file whole, beside its place, and moves it there. Reading is ours (settings.ts): a Conf with a
 * schema takes 75 to 100 ms, at every start. Its package listens for signals, and is thus only loaded to write.
 * @throws BtError of kind local
 */
export function writeSettings(file: string, settings: Configuration): void {
  const place = existsSync(file) ? realpathSync(file) : file;
  const part = join(dirname(place), `.${basename(place)}.${Math.random().toString(36).slice(2)}.json`);
  try {
    makeFolder(dirname(place));
    new Conf({ cwd: dirname(part), configName: basename(part, ".json"), configFileMode: 0o600 }).store = {
      ...settings,
    };
    if (!isWhole(part)) throw new Error("only a part of it was written");
    renameSync(part, place);
  } catch (error) {
    throw fileError("write", file, error);
  } finally {
    rmSync(part, { force: true });
  }
}

/** False for JSON that a full disk has cut, which Conf takes for written. */
function isWhole(file: string): boolean {
  return readFileSync(file, "utf8").endsWith("}");
}
