import { readSetting, SETTINGS, type SettingValues } from "../config/settings.ts";
import { usageError } from "../errors.ts";
import type { Io } from "../io.ts";

const NAMES = ["timeout", "retry", "max_size", "proxy", "ca_file"] as const;

/** Settings of the connection to a tracker, each with its variable. */
export const CONNECTION_SETTINGS = NAMES.map((name) => ({
  name,
  variable: `BT_${name.toUpperCase()}`,
  about: SETTINGS[name].about,
}));

/** Settings of the connection with their values. */
export type ConnectionSettings = Pick<SettingValues, (typeof NAMES)[number]>;

/**
 * Settings in force: variables before settings.
 * @throws BtError of kind usage for an invalid value
 */
export function connectionSettings(env: Io["env"], settings: SettingValues): ConnectionSettings {
  const inVariables: Record<string, unknown> = {};
  for (const { name, variable } of CONNECTION_SETTINGS) {
    const text = env[variable];
    if (!text) continue;
    inVariables[name] = readSetting(SETTINGS[name], text);
    if (inVariables[name] !== undefined) continue;
    throw usageError(`${variable} must be ${SETTINGS[name].kind.wanted}, not ${JSON.stringify(text)}`);
  }
  return { ...settings, ...inVariables };
}
