import { readSetting, SETTINGS, type SettingValues } from "../config/settings.ts";
import { usageError } from "../errors.ts";
import type { Io } from "../io.ts";

const NAMES = ["auth_style", "timeout", "retry", "max_size", "proxy", "ca_file"] as const;

/** Settings of the connection to a tracker, each with its variable. */
export const CONNECTION_SETTINGS = NAMES.map((name) => ({
  name,
  variable: `BT_${name.toUpperCase()}`,
  about: SETTINGS[name].about,
}));

/**
 * Settings in force: variables before settings.
 * @throws BtError of kind usage for an invalid value
 */
export function connectionSettings(env: Io["env"], settings: SettingValues): SettingValues {
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
