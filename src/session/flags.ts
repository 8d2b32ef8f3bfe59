import type { CommandFlag, FlagMembers } from "../command-flag.ts";
import type { SettingValues } from "../config/settings.ts";
import type { Io } from "../io.ts";

/** The flag that names a tracker. */
export const BASE_URL_FLAG = {
  name: "base-url",
  aliases: ["server"],
  value: "<address>",
  about: "tracker: an http(s) URL, local:, local:/FILE, mirror:NAME or demo:",
  completes: "addresses",
  group: "Tracker",
} as const satisfies CommandFlag;

/** The flag that names a tracker by its profile. */
export const PROFILE_FLAG = {
  name: "profile",
  short: "P",
  value: "<name>",
  about: "use the settings of a profile (see bt config)",
  completes: "profiles",
  group: "Tracker",
} as const satisfies CommandFlag;

/** Flags of every verb that uses a tracker. */
export const TRACKER_FLAGS = [
  BASE_URL_FLAG,
  PROFILE_FLAG,
  {
    name: "api-key-file",
    value: "<file>",
    about: 'read the API key from a file ("-" for stdin)',
    completes: "file",
    group: "Tracker",
  },
  {
    name: "insecure-files",
    about: "use a stored key or a mirror even if others can read its file",
    group: "Tracker",
  },
  { name: "insecure", about: "skip TLS certificate verification", group: "Tracker" },
  { name: "allow-http", about: "allow sending the API key over unencrypted HTTP", group: "Tracker" },
  { name: "refresh", about: "reload the fields and values of the tracker, which are cached", group: "Tracker" },
  { name: "offline", about: "read from the mirror of the tracker (see bt help offline)", group: "Tracker" },
] as const satisfies readonly CommandFlag[];

/** Flags of every verb. */
export const COMMON_FLAGS = [
  {
    name: "color",
    value: "<when>",
    about: "use colour: auto, always or never",
    choices: ["auto", "always", "never"],
    group: "Common",
  },
  {
    name: "verbose",
    short: "v",
    many: true,
    about: "log requests to stderr; -vv: with bodies and error causes (keys redacted)",
    group: "Common",
  },
] as const satisfies readonly CommandFlag[];

/** The flags that open a session. */
export type SessionFlags = Partial<FlagMembers<(typeof TRACKER_FLAGS)[number] | (typeof COMMON_FLAGS)[number]>>;

/** The time zone of printed times: TZ, that of the settings, or the system's. */
export function printedZone(io: Io, { timezone }: SettingValues): string {
  return (io.env["TZ"] ? undefined : timezone) ?? io.timeZone();
}

/** True if flags or the environment name a tracker. */
export function isTrackerNamed({ baseUrl, profile }: SessionFlags, { env }: Io): boolean {
  return [baseUrl, profile, env["BT_BASE_URL"], env["BT_PROFILE"]].some(Boolean);
}
