import type { SettingValues } from "../config/settings.ts";
import type { Io } from "../io.ts";
import type { FlagValues } from "./flags.ts";

/** The time zone of printed times: UTC if chosen, TZ, that of the settings, or the system's. */
export function printedZone({ utc }: FlagValues, io: Pick<Io, "env" | "timeZone">, settings: SettingValues): string {
  if (utc || settings.utc) return "UTC";
  return (io.env["TZ"] ? undefined : settings.timezone) ?? io.timeZone();
}
