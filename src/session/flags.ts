import type { SettingValues } from "../config/settings.ts";
import { usage } from "../errors.ts";
import type { Io } from "../io.ts";

/** Values of a command line by flag name: text, lists of text, or true. */
export type FlagValues = Readonly<Record<string, string | readonly string[] | true | undefined>>;

/** Values of a flag as a list; empty if absent. */
export function flagValues(value: FlagValues[string]): readonly string[] {
  if (value === undefined || value === true) return [];
  return typeof value === "string" ? [value] : value;
}

/** Last value of a flag. */
export function flagValue(value: FlagValues[string]): string | undefined {
  return flagValues(value).at(-1);
}

/**
 * Parses a whole number of at least `least`, digits only.
 * @throws BtError of kind usage
 */
export function wholeNumber(flag: string, text: string, least = 0): number {
  if (/^[0-9]{1,15}$/.test(text) && Number(text) >= least) return Number(text);
  if (/^-[0-9]+$/.test(text)) throw usage(`--${flag} must be ${least} or more, not ${JSON.stringify(text)}`);
  const number = `an integer${least > 0 ? `, ${least} or more` : ""}`;
  throw usage(`--${flag} ${JSON.stringify(text)} is not ${number}`);
}

/** The time zone of printed times: UTC if chosen, TZ, that of the settings, or the system's. */
export function printedZone({ utc }: FlagValues, io: Io, settings: SettingValues): string {
  if (utc || settings.utc) return "UTC";
  return (io.env["TZ"] ? undefined : settings.timezone) ?? io.timeZone();
}
