import { existsSync, readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { BtError, fileError } from "../errors.ts";
import { folderToWrite, type Host, makeFolder } from "./files.ts";
import { withLock } from "./lock.ts";
import { type Configuration, readSettings, SETTINGS_VERSION, settingsFile } from "./settings.ts";

/**
 * Updates the configuration file under a lock. A file that cannot be read, or was written by a newer version, is left
 * unchanged.
 * @throws BtError of kind local
 */
export async function changeSettings(host: Host, change: (settings: Configuration) => Configuration): Promise<void> {
  const file = settingsFile(host) ?? folderToWrite("config", host);
  readSettings(host); // report a damaged file before creating anything
  const action = async () => {
    const current = readSettings(host);
    if ((current.config_version ?? 0) > SETTINGS_VERSION) throw newerVersionError(file);
    await writeSettings(file, { ...change(current), config_version: SETTINGS_VERSION });
  };
  await withLock({ file, action }, host);
}

/** Writes the file whole, beside its place, and moves it there. Reading is ours: Conf takes 75 ms to load. */
async function writeSettings(file: string, settings: Configuration): Promise<void> {
  const place = existsSync(file) ? realpathSync(file) : file;
  const part = join(dirname(place), `.${basename(place)}.${Math.random().toString(36).slice(2)}.json`);
  const { default: Conf } = await import("conf");
  try {
    makeFolder(dirname(place));
    new Conf({ cwd: dirname(part), configName: basename(part, ".json"), configFileMode: 0o600 }).store = {
      ...settings,
    };
    if (!readFileSync(part, "utf8").endsWith("}")) throw new Error("only a part of it was written"); // by a full disk
    renameSync(part, place);
  } catch (error) {
    throw fileError("write", file, error);
  } finally {
    rmSync(part, { force: true });
  }
}

function newerVersionError(file: string): BtError {
  return new BtError("local", `${file} was written by a newer bt and was not changed`, {
    hint: "update this bt, or edit the file by hand",
    changed: "nothing",
  });
}
