import { dirname } from "node:path";
import Conf from "conf";
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
  const action = () => {
    const current = readSettings(host);
    if ((current.config_version ?? 0) > SETTINGS_VERSION) throw newer(file);
    write(file, { ...change(current), config_version: SETTINGS_VERSION });
  };
  await withLock({ file, action }, host);
}

// Reading is ours (settings.ts): a Conf with a schema takes 75 to 100 ms, at every start.
function write(file: string, settings: Configuration): void {
  try {
    makeFolder(dirname(file));
    const deserialize = (text: string) => JSON.parse(text.replace(/^\ufeff/, "")); // editors of Windows write a byte order mark
    new Conf({ cwd: dirname(file), configFileMode: 0o600, deserialize }).store = { ...settings };
  } catch (error) {
    throw fileError("write", file, error);
  }
}

function newer(file: string): BtError {
  return new BtError("local", `${file} was written by a newer bt and was not changed`, {
    hint: "update this bt, or edit the file by hand",
    changed: "nothing",
  });
}
