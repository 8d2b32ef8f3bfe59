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

/**
 * Writes the file by conf, which does it atomically: all of it to a temporary file in the same folder, fsync, rename. A crash
 * leaves the old file or the new one. Nothing else of conf is used:
 *
 * - Its schema is checked when a Conf is made. Every command reads the settings and none but this one needs conf, so they are
 *   checked where they are read (`settings.ts`), where an error names the file, the setting and its valid values.
 * - Its migrations rewrite a file in passing and keep their version in it as `__internal__`. A file that a newer `bt` wrote
 *   has to stay as it is (`config_version`).
 */
function write(file: string, settings: Configuration): void {
  try {
    makeFolder(dirname(file));
    const conf = new Conf({
      cwd: dirname(file),
      configName: "config",
      accessPropertiesByDotNotation: false, // a profile's name may contain dots
      clearInvalidConfig: false,
      configFileMode: 0o600,
      serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
      deserialize: (text) => JSON.parse(text.replace(/^\ufeff/, "")),
    });
    conf.store = settings as Record<string, unknown>;
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
