import { readSettings, type SettingValues } from "../config/settings.ts";
import { BtError } from "../errors.ts";
import type { Io } from "../io.ts";
import { isTrackerNamed } from "./named-tracker.ts";

/** Global settings of a command without a tracker; none if the file cannot be read, which must not prevent help. */
export function helpSettings(io: Io): SettingValues {
  try {
    return readSettings(io);
  } catch (error) {
    if (error instanceof BtError) return {};
    throw error;
  }
}

/** True if the environment or the configuration names a tracker. */
export function hasTracker(io: Io): boolean {
  const { base_url, profile } = helpSettings(io);
  return isTrackerNamed({ baseUrl: base_url, profile }, io);
}
