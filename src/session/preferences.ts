import { readSettings, type SettingValues } from "../config/settings.ts";
import { BtError } from "../errors.ts";
import type { Io } from "../io.ts";

/** Global settings of a command without a tracker; none if the file cannot be read, which must not prevent help. */
export function helpSettings(env: Io["env"]): SettingValues {
  try {
    return readSettings(env);
  } catch (error) {
    if (error instanceof BtError) return {};
    throw error;
  }
}
