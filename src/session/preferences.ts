import { readSettings, type SettingValues } from "../config/settings.ts";
import { BtError } from "../errors.ts";
import type { Io } from "../io.ts";

/** Global settings of a command without a tracker; none if the file cannot be read, which must not prevent help. */
export function helpSettings(io: Io): SettingValues {
  try {
    return readSettings(io);
  } catch (error) {
    if (error instanceof BtError) return {};
    throw error;
  }
}
