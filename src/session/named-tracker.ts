import { effectiveSettings, readSettings, type SettingValues } from "../config/settings.ts";
import { BtError } from "../errors.ts";
import type { Io } from "../io.ts";
import type { SessionFlags } from "./flags.ts";

/** True if flags or the environment name a tracker. */
export function isTrackerNamed({ baseUrl, profile }: SessionFlags, { env }: Io): boolean {
  return [baseUrl, profile, env["BT_BASE_URL"], env["BT_PROFILE"]].some(Boolean);
}

/** True if the environment or the configuration names a tracker. */
export function hasTracker(io: Io): boolean {
  const { base_url, profile } = helpSettings(io);
  return isTrackerNamed({ baseUrl: base_url, profile }, io);
}

/** Address of the tracker that the configuration names, if it does. */
function configuredAddress(io: Io): string | undefined {
  const settings = readSettings(io);
  return effectiveSettings(settings, settings.profile).base_url;
}

/** The flags with the address of a tracker, unless that is the configured one and the environment names none. */
export function flagsForTracker(address: string, flags: SessionFlags, io: Io): SessionFlags {
  const isDefault = address === configuredAddress(io) && !isTrackerNamed({}, io);
  return isDefault ? flags : { ...flags, baseUrl: address };
}

/** Global settings of a command without a tracker; none if the file cannot be read, which must not prevent help. */
export function helpSettings(io: Io): SettingValues {
  try {
    return readSettings(io);
  } catch (error) {
    if (error instanceof BtError) return {};
    throw error;
  }
}
