import { nearest } from "../../../api/nearest.ts";
import type { Host } from "../../../config/host.ts";
import { folderToWrite } from "../../../config/places.ts";
import {
  isSettingName,
  readSetting,
  SETTINGS,
  type Setting,
  type SettingName,
  wanted,
} from "../../../config/setting.ts";
import { effectiveSettings, readSettings, type Settings, settingsFile } from "../../../config/settings.ts";
import { placeOf } from "../../../config/tracker.ts";
import { BtError, usage } from "../../../errors.ts";
import type { Json } from "../../../wire/exchange.ts";

/** A setting that is set: its value, and where. */
export type SetSetting = { readonly name: string; readonly value: Json; readonly profile: string | null };

/** The value of a setting: that of the profile, if one is named, before that for all. Not being set is the answer "no". */
export function getSetting(host: Host, word: string, profile?: string): Json {
  const name = knownName(word);
  const settings = readSettings(host.env);
  if (profile !== undefined) requireProfile(settings, profile);
  const value = effectiveSettings(settings, profile)[name];
  if (value !== undefined) return value as Json;
  throw new BtError("no", `${name} is not set`, { hint: `bt config set ${name} VALUE`, changed: "nothing" });
}

/** Everything that is set, for all trackers first, then by profile, each in the order of the table. */
export function listSettings(host: Host, profile?: string): readonly SetSetting[] {
  const settings = readSettings(host.env);
  if (profile !== undefined) return rowsOf(requireProfile(settings, profile), profile);
  const profiles = Object.entries(settings.profiles ?? {});
  return [...rowsOf(settings, null), ...profiles.flatMap(([name, values]) => rowsOf(values, name))];
}

/** Sets one setting, for all trackers or in a profile, which is made when there is none of the name. */
export async function setSetting(
  host: Host,
  { word, text, profile }: { word: string; text: string; profile?: string | undefined },
): Promise<void> {
  const name = knownName(word);
  const value = checkedValue(name, text, profile);
  if (name === "profile") requireProfile(readSettings(host.env), text);
  await change(host, profile, (values) => ({ ...values, [name]: value }));
}

/** Unsets one setting and tells whether it was set; a profile without settings is gone. */
export async function unsetSetting(host: Host, word: string, profile?: string): Promise<boolean> {
  const name = knownName(word);
  if (profile !== undefined) requireProfile(readSettings(host.env), profile);
  let wasSet = false;
  await change(host, profile, ({ [name]: before, ...values }) => {
    wasSet = before !== undefined;
    return values;
  });
  return wasSet;
}

/** Where the configuration lies, whether there is one yet or not. */
export function settingsPath(host: Host): string {
  return settingsFile(host.env) ?? folderToWrite("config", host.env);
}

type Values = Readonly<Record<string, unknown>>;

async function change(host: Host, profile: string | undefined, edit: (values: Values) => Values): Promise<void> {
  const { changeSettings } = await import("../../../config/write-settings.ts");
  await changeSettings(
    host,
    (settings) => (profile === undefined ? edit(settings) : inProfile(settings, profile, edit)) as Settings,
  );
}

function inProfile(settings: Settings, profile: string, edit: (values: Values) => Values): Values {
  const { [profile]: before = {}, ...others } = settings.profiles ?? {};
  const after = edit(before);
  return { ...settings, profiles: Object.keys(after).length === 0 ? others : { ...others, [profile]: after } };
}

function knownName(word: string): SettingName {
  const name = word.trim().toLowerCase().replaceAll("-", "_");
  if (isSettingName(name)) return name;
  const [near] = nearest(name, Object.keys(SETTINGS));
  const hint = near ? `did you mean ${near}?` : "bt config list --all shows the settings";
  throw usage(`there is no setting called ${JSON.stringify(word)}`, hint);
}

function checkedValue(name: SettingName, text: string, profile: string | undefined): unknown {
  const setting: Setting = SETTINGS[name];
  if (setting.top && profile !== undefined) {
    throw usage(`${name} holds for all profiles`, `bt config set ${name} VALUE, without --profile`);
  }
  if (profile !== undefined && !/^[^\s\p{C}]+$/u.test(profile)) {
    throw usage("the name of a profile is one word");
  }
  const value = readSetting(setting, text);
  if (value === undefined) throw usage(`${name} is ${wanted(setting)}, not ${JSON.stringify(text)}`);
  if (setting.type === "address") placeOf(String(value), `bt config set ${name}`);
  return value;
}

function requireProfile(settings: Settings, profile: string): Values {
  const profiles = settings.profiles ?? {};
  if (Object.hasOwn(profiles, profile)) return profiles[profile] ?? {};
  const [near] = nearest(profile, Object.keys(profiles));
  const hint = near ? `did you mean ${near}?` : `bt config set base_url ADDRESS --profile ${profile} makes it`;
  throw usage(`there is no profile called ${JSON.stringify(profile)}`, hint);
}

function rowsOf(values: Values, profile: string | null): readonly SetSetting[] {
  const names = Object.keys(SETTINGS).filter((name) => Object.hasOwn(values, name));
  return names.map((name) => ({ name, value: values[name] as Json, profile }));
}
