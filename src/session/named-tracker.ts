import { addressText, parseAddress } from "../config/choose-tracker.ts";
import { mirrorNames } from "../config/mirror-files.ts";
import { effectiveSettings, readSettings } from "../config/settings.ts";
import { usage } from "../errors.ts";
import type { Io } from "../io.ts";
import { type FlagValues, flagValue } from "./flags.ts";

/**
 * Flags that choose the tracker which another flag names by its address or its profile.
 * @throws BtError of kind usage if the flag is missing or names neither, or with --base-url or --profile
 */
export function flagsNaming(name: string, flags: FlagValues, io: Io): FlagValues {
  const given = ["base-url", "profile"].find((one) => flags[one] !== undefined);
  if (given !== undefined) throw usage(`--${given} and --${name} cannot be used together`);
  const word = flagValue(flags[name])?.trim() ?? "";
  if (word === "") throw usage(`--${name} TRACKER is required`, `for example: --${name} https://bugs.example.org`);
  const profiles = readSettings(io).profiles ?? {};
  if (Object.hasOwn(profiles, word)) return { ...flags, profile: word };
  if (/^\w+:/.test(word)) return { ...flags, "base-url": addressText(parseAddress(word, `--${name}`)) };
  throw usage(`--${name} ${JSON.stringify(word)} is neither an address nor a profile`, hintFor(word, profiles, io));
}

/** True if flags or the environment name a tracker. */
export function isTrackerNamed(flags: FlagValues, { env }: Pick<Io, "env">): boolean {
  return [flags["base-url"], flags["profile"], env["BT_BASE_URL"], env["BT_PROFILE"]].some(Boolean);
}

/** Address of the tracker that the configuration names, if it does. */
function configuredAddress(io: Io): string | undefined {
  const settings = readSettings(io);
  return effectiveSettings(settings, settings.profile).base_url;
}

/** The flags with the address of a tracker, unless that is the configured one and the environment names none. */
export function flagsForTracker(address: string, flags: FlagValues, io: Io): FlagValues {
  const isDefault = address === configuredAddress(io) && !isTrackerNamed({}, io);
  return isDefault ? flags : { ...flags, "base-url": address };
}

function hintFor(word: string, profiles: object, io: Io): string {
  if (mirrorNames(io).includes(word)) return `did you mean the mirror? mirror:${word}`;
  if (word.includes(".")) return `an address begins with its scheme: https://${word}`;
  return `profiles: ${Object.keys(profiles).join(", ") || "none yet"}`;
}
