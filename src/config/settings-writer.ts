import { BtError } from "../errors.ts";
import { folderToWrite, type Host } from "./files.ts";
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
  const { writeSettings } = await import("./settings-store.ts");
  const action = () => {
    const current = readSettings(host);
    if ((current.config_version ?? 0) > SETTINGS_VERSION) throw newerVersionError(file);
    writeSettings(file, { ...change(current), config_version: SETTINGS_VERSION });
  };
  await withLock({ file, action }, host);
}

function newerVersionError(file: string): BtError {
  return new BtError("local", `${file} was written by a newer bt and was not changed`, {
    hint: "update this bt, or edit the file by hand",
    changed: "nothing",
  });
}
