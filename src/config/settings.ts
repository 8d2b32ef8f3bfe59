import { join } from "node:path";
import { BtError } from "../errors.ts";
import { readSmallFile } from "./files.ts";
import type { Host } from "./host.ts";
import { folderOf } from "./places.ts";
import { isSettingName, isSettingValue, SETTINGS, type SettingValues, wanted } from "./setting.ts";

/** The configuration file: settings for every tracker, and profiles with settings of their own. */
export type Settings = SettingValues & {
  readonly config_version?: number | undefined;
  readonly profiles?: Readonly<Record<string, SettingValues>> | undefined;
};

/** The version of the file that this `bt` writes; a newer one is read as far as possible and never rewritten. */
export const SETTINGS_VERSION = 1;

/** Where the configuration file lies; undefined without a home directory. */
export function settingsFile(env: Host["env"]): string | undefined {
  const folder = folderOf("config", env);
  return folder && join(folder, "config.json");
}

/** Reads the configuration file, the quick way; a broken one is told with its line, and left as it is. */
export function readSettings(env: Host["env"]): Settings {
  const file = settingsFile(env);
  const found = file === undefined ? undefined : readSmallFile(file);
  if (file === undefined || found === undefined) return {};
  const settings = parse(file, found.text);
  const profiles = settings["profiles"] ?? {};
  check(file, settings);
  if (!isRecord(profiles)) throw broken(file, '"profiles" is not an object');
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isRecord(profile)) throw broken(file, `the profile ${JSON.stringify(name)} is not an object`);
    check(file, profile);
  }
  return settings as Settings;
}

/** The settings that hold: those of the profile before those of every tracker. */
export function effectiveSettings(settings: Settings, profile: string | undefined): SettingValues {
  const { config_version: _, profiles, ...general } = settings;
  return { ...general, ...(profile === undefined ? {} : profiles?.[profile]) };
}

type Entries = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Entries {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(file: string, text: string): Entries {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw broken(file, `it is not JSON (${placeOfFault(text)})`);
  }
  if (!isRecord(json)) throw broken(file, "it is not a JSON object");
  return json;
}

/** Where a text stops being the beginning of JSON; the parser itself does not always tell. */
function placeOfFault(text: string): string {
  let [good, bad] = [0, text.length + 1];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  const lines = text.slice(0, good).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
    return position === undefined ? /end of JSON/.test(String(error)) : Number(position) >= text.length;
  }
}

function check(file: string, values: Entries): void {
  for (const [name, value] of Object.entries(values)) {
    if (!isSettingName(name)) continue; // of a newer bt, perhaps: kept, and not used
    if (!isSettingValue(SETTINGS[name], value)) throw broken(file, `"${name}" is not ${wanted(SETTINGS[name])}`);
  }
}

function broken(file: string, why: string): BtError {
  return new BtError("local", `cannot use the configuration ${file}: ${why}`, {
    hint: "mend or remove the file; bt leaves it as it is",
    changed: "nothing",
  });
}
