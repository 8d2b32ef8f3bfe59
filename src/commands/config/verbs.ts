import { nearestNames } from "../../api/nearest.ts";
import { parseAddress } from "../../config/choose-tracker.ts";
import type { Host } from "../../config/files.ts";
import {
  type Configuration,
  changeSettings,
  effectiveSettings,
  type ReplyName,
  readSetting,
  readSettings,
  SETTINGS,
  type Setting,
  type SettingName,
  settingNamed,
  settingsFile,
} from "../../config/settings.ts";
import { BtError, usageError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { note } from "../../session/note.ts";
import type { Json } from "../../wire/exchange.ts";
import { chosenColumns, showListOrNone, wireColumns } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

type SettingInput = { args: string[]; readonly profile?: string | undefined };

export async function getConfig(input: SettingInput, { io }: Context): Promise<void> {
  await io.out(`${settingText(getSetting(io, input.args[0] ?? "", input.profile))}\n`);
}

export async function setConfig(input: SettingInput, { io }: Context): Promise<void> {
  const [word = "", text = ""] = input.args;
  await setSetting(io, { word, text, profile: input.profile });
  if (knownName(word) === "base_url" && input.profile === undefined) await noteOtherTracker(io);
}

/** Says that a variable or the profile in force has an address that goes before the setting `base_url`, and what to type. */
async function noteOtherTracker(io: Io): Promise<void> {
  const settings = readSettings(io);
  const { base_url: general } = settings;
  const variable = io.env["BT_BASE_URL"];
  const named = io.env["BT_PROFILE"] || settings.profile || "";
  const own = variable || settings.profiles?.[named]?.base_url;
  if (general === undefined || own === undefined || own === general) return;
  const source = variable ? "BT_BASE_URL is" : `the profile ${named} has`;
  const ofEnv = ["BT_BASE_URL", "BT_PROFILE"].find((name) => io.env[name]);
  const line = ofEnv === undefined ? "bt config unset profile" : `unset ${ofEnv}`;
  await note(io, `base_url ${general} is not used: ${source} ${own}; to use base_url: ${line}`);
}

export async function unsetConfig(input: SettingInput, { io }: Context): Promise<void> {
  for (const word of input.args) {
    const wasSet = await unsetSetting(io, word, input.profile);
    if (!wasSet && io.terminal.stderr) await note(io, `${word} was not set`);
  }
}

export async function listConfig({ profile }: SettingInput, context: Context): Promise<void> {
  const file = settingsFile(context.io);
  if (file !== undefined) await context.io.err(`${file}\n`);
  const rows = listSettings(context.io, profile);
  const list = {
    columns: chosenColumns(wireColumns<SetSetting>(["name", "value", "profile"]), context),
    pages: [rows],
  };
  await showListOrNone(context, list, "no settings; bt help environment lists all");
  if (profile === undefined) await noteOtherTracker(context.io);
}

function settingText(value: Json): string {
  if (Array.isArray(value)) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

export type SetSetting = { readonly name: string; readonly value: Json; readonly profile: string | null };

/**
 * Value of a setting: the profile's, if given, before the global one.
 * @throws BtError of kind no if it is not set
 */
export function getSetting(host: Host, word: string, profile?: string): Json {
  const name = knownName(word);
  const settings = readSettings(host);
  if (profile !== undefined) requireProfile(settings, profile);
  const value = effectiveSettings(settings, profile)[name];
  if (value !== undefined) return value as Json;
  throw new BtError("no", `${name} is not set`, { hint: `bt config set ${name} VALUE`, changed: "nothing" });
}

/** All settings: global ones first, then by profile, in the order of the table. */
export function listSettings(host: Host, profile?: string): SetSetting[] {
  const settings = readSettings(host);
  if (profile !== undefined) return settingRows(requireProfile(settings, profile), profile);
  const profiles = Object.entries(settings.profiles ?? {});
  return [...settingRows(settings, null), ...profiles.flatMap(([name, values]) => settingRows(values, name))];
}

/** Sets a setting, globally or in a profile, which is created if necessary. */
export async function setSetting(
  host: Host,
  { word, text, profile }: { word: string; text: string; profile?: string | undefined },
): Promise<void> {
  const name = knownName(word);
  const value = checkedValue(name, text, profile);
  if (name === "profile") requireProfile(readSettings(host), text);
  await changeIn(host, profile, (values) => ({ ...values, [name]: value }));
}

/** Unsets a setting; returns true if it was set. Removes the profile if it becomes empty. */
export async function unsetSetting(host: Host, word: string, profile?: string): Promise<boolean> {
  const name = knownName(word);
  if (profile !== undefined) requireProfile(readSettings(host), profile);
  let wasSet = false;
  await changeIn(host, profile, ({ [name]: before, ...values }) => {
    wasSet = before !== undefined;
    return values;
  });
  return wasSet;
}

type Values = Readonly<Record<string, unknown>>;

async function changeIn(host: Host, profile: string | undefined, edit: (values: Values) => Values): Promise<void> {
  await changeSettings(
    host,
    (settings) => (profile === undefined ? edit(settings) : inProfile(settings, profile, edit)) as Configuration,
  );
}

function inProfile(settings: Configuration, profile: string, edit: (values: Values) => Values): Values {
  const { [profile]: before = {}, ...others } = settings.profiles ?? {};
  const after = edit(before);
  return { ...settings, profiles: Object.keys(after).length === 0 ? others : { ...others, [profile]: after } };
}

type KnownName = SettingName | ReplyName;

function knownName(word: string): KnownName {
  const typed = word.trim().toLowerCase();
  const name = typed.startsWith("reply.") ? typed : typed.replaceAll("-", "_");
  if (settingNamed(name)) return name as KnownName;
  const [near] = nearestNames(name, Object.keys(SETTINGS));
  const hint = near ? `did you mean ${near}?` : "bt help environment lists the settings";
  throw usageError(`unknown setting ${JSON.stringify(word)}`, hint);
}

function checkedValue(name: KnownName, text: string, profile: string | undefined): unknown {
  const setting = settingNamed(name) as Setting;
  if (setting.isGlobal && profile !== undefined) {
    throw usageError(`${name} cannot be set in a profile`, `bt config set ${name} VALUE, without --profile`);
  }
  if (profile !== undefined && !/^[^\s\p{C}]+$/u.test(profile)) {
    throw usageError("a profile name must be one word");
  }
  const value = readSetting(setting, text);
  if (value === undefined) throw usageError(`${name} must be ${setting.kind.wanted}, not ${JSON.stringify(text)}`);
  if (name === "base_url") parseAddress(String(value), `bt config set ${name}`);
  return value;
}

function requireProfile(settings: Configuration, profile: string): Values {
  const profiles = settings.profiles ?? {};
  if (Object.hasOwn(profiles, profile)) return profiles[profile] ?? {};
  const [near] = nearestNames(profile, Object.keys(profiles));
  const hint = near ? `did you mean ${near}?` : `bt config set base_url ADDRESS --profile ${profile} creates it`;
  throw usageError(`unknown profile ${JSON.stringify(profile)}`, hint);
}

function settingRows(values: Values, profile: string | null): SetSetting[] {
  const replies = Object.keys(values).filter((name) => settingNamed(name) && !Object.hasOwn(SETTINGS, name));
  const names = [...Object.keys(SETTINGS).filter((name) => Object.hasOwn(values, name)), ...replies.sort()];
  return names.map((name) => ({ name, value: values[name] as Json, profile }));
}
