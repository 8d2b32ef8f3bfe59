import { readSetting, SETTINGS, type SettingValues, settingDescription } from "../config/settings.ts";
import { usage } from "../errors.ts";
import type { Io } from "../io.ts";
import { type FlagValues, flagValue } from "./flags.ts";

const NAMES = ["timeout", "retry", "max_size", "proxy", "ca_file"] as const;

/** Settings of the connection to a tracker, each with its variable and with the flag of `bt auth login` that stores it. */
export const CONNECTION_SETTINGS = NAMES.map((name) => ({
  name,
  flag: name.replaceAll("_", "-"),
  variable: `BT_${name.toUpperCase()}`,
  about: SETTINGS[name].about,
}));

/** Settings of the connection with their values. */
export type ConnectionSettings = Pick<SettingValues, (typeof NAMES)[number]>;

/**
 * Settings in force: flags before variables before settings.
 * @throws BtError of kind usage for an invalid value
 */
export function connectionSettings(flags: FlagValues, env: Io["env"], settings: SettingValues): ConnectionSettings {
  const inVariables: Record<string, unknown> = {};
  for (const { name, variable } of CONNECTION_SETTINGS) {
    const text = env[variable];
    if (text) inVariables[name] = checked(name, text, variable);
  }
  return { ...settings, ...inVariables, ...connectionFlags(flags) };
}

/**
 * Settings that are given as flags.
 * @throws BtError of kind usage for an invalid value
 */
export function connectionFlags(flags: FlagValues): ConnectionSettings {
  const inFlags: Record<string, unknown> = {};
  for (const { name, flag } of CONNECTION_SETTINGS) {
    const text = flagValue(flags[flag]);
    if (text !== undefined) inFlags[name] = checked(name, text, `--${flag}`);
  }
  return inFlags;
}

function checked(name: keyof ConnectionSettings, text: string, source: string) {
  const value = readSetting(SETTINGS[name], text);
  if (value !== undefined) return value;
  throw usage(`${source} must be ${settingDescription(SETTINGS[name])}, not ${JSON.stringify(text)}`);
}
