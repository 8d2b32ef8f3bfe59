import type { CommandFlag, FlagMembers } from "../command-flag.ts";
import { readSetting, SETTINGS, type SettingValues, settingDescription } from "../config/settings.ts";
import { usageError } from "../errors.ts";
import type { Io } from "../io.ts";

/** Flags of `bt auth login` that store a setting of the connection. */
export const CONNECTION_FLAGS = [
  { name: "timeout", value: "<seconds>", about: SETTINGS.timeout.about, group: "Connection" },
  { name: "retry", value: "<times>", about: SETTINGS.retry.about, group: "Connection" },
  { name: "max-size", value: "<MiB>", about: SETTINGS.max_size.about, group: "Connection" },
  { name: "proxy", value: "<url>", about: SETTINGS.proxy.about, group: "Connection" },
  { name: "ca-file", value: "<file>", about: SETTINGS.ca_file.about, completes: "file", group: "Connection" },
] as const satisfies readonly CommandFlag[];

/** Values of these flags as typed. */
type ConnectionFlags = FlagMembers<(typeof CONNECTION_FLAGS)[number]>;

const NAMES = ["timeout", "retry", "max_size", "proxy", "ca_file"] as const;

/** Settings of the connection to a tracker, each with its variable and with the flag that stores it. */
export const CONNECTION_SETTINGS = NAMES.map((name) => ({
  name,
  flag: name.replaceAll("_", "-"),
  variable: `BT_${name.toUpperCase()}`,
  about: SETTINGS[name].about,
  accepts: (text: string) => readSetting(SETTINGS[name], text) !== undefined,
}));

/** Settings of the connection with their values. */
export type ConnectionSettings = Pick<SettingValues, (typeof NAMES)[number]>;

/**
 * Settings in force: flags before variables before settings.
 * @throws BtError of kind usage for an invalid value
 */
export function connectionSettings(
  flags: ConnectionFlags,
  env: Io["env"],
  settings: SettingValues,
): ConnectionSettings {
  const inVariables: Record<string, unknown> = {};
  for (const { name, variable } of CONNECTION_SETTINGS) {
    const text = env[variable];
    if (text) inVariables[name] = checkedSetting(name, text, variable);
  }
  return { ...settings, ...inVariables, ...connectionFlags(flags) };
}

/**
 * Settings that are given as flags.
 * @throws BtError of kind usage for an invalid value
 */
export function connectionFlags(flags: ConnectionFlags): ConnectionSettings {
  const { timeout, retry, maxSize: max_size, proxy, caFile: ca_file } = flags;
  const texts = { timeout, retry, max_size, proxy, ca_file };
  const inFlags: Record<string, unknown> = {};
  for (const { name, flag } of CONNECTION_SETTINGS) {
    const text = texts[name];
    if (text !== undefined) inFlags[name] = checkedSetting(name, text, `--${flag}`);
  }
  return inFlags;
}

function checkedSetting(name: keyof ConnectionSettings, text: string, source: string) {
  const value = readSetting(SETTINGS[name], text);
  if (value !== undefined) return value;
  throw usageError(`${source} must be ${settingDescription(SETTINGS[name])}, not ${JSON.stringify(text)}`);
}
