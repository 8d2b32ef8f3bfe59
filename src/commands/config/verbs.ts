import { nearestNames } from "../../api/nearest.ts";
import { parseAddress } from "../../config/choose-tracker.ts";
import {
  type Configuration,
  changeSettings,
  effectiveSettings,
  type ReplyName,
  readSettings,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValues,
  settingNamed,
  settingsFile,
  settingValue,
} from "../../config/settings.ts";
import { BtError, usageError } from "../../errors.ts";
import type { Io } from "../../io.ts";
import { note } from "../../session/note.ts";
import type { Json } from "../../wire/exchange.ts";
import { chosenColumns, showListOrNone, wireColumns } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

type SettingInput = { args: string[]; readonly profile?: string | undefined };

/**
 * `bt config get`: the value of the profile, if it is given, before the global one.
 * @throws BtError of kind no if it is not set
 */
export async function getConfig({ args: [word = ""], profile }: SettingInput, { io }: Context): Promise<void> {
  const name = parseSettingName(word);
  const settings = readSettings(io);
  if (profile !== undefined) requireProfile(settings, profile);
  const value = effectiveSettings(settings, profile)[name];
  if (value === undefined) throw new BtError("no", `${name} is not set`, { hint: `bt config set ${name} VALUE` });
  await io.out(`${Array.isArray(value) ? value.join(",") : String(value)}\n`);
}

/** `bt config set`, globally or in a profile, which is created if necessary. */
export async function setConfig(
  { args: [word = "", text = ""], profile }: SettingInput,
  { io }: Context,
): Promise<void> {
  const name = parseSettingName(word);
  const value = parseSettingValue(name, text, profile);
  if (name === "profile") requireProfile(readSettings(io), text);
  await changeValues(io, profile, (values) => ({ ...values, [name]: value }));
}

/** `bt config unset`, globally or in a profile. */
export async function unsetConfig({ args, profile }: SettingInput, { io }: Context): Promise<void> {
  const names = new Set<string>(args.map(parseSettingName));
  const settings = readSettings(io);
  const values: Values = profile === undefined ? settings : requireProfile(settings, profile);
  for (const name of names) if (values[name] === undefined && io.terminal.stderr) await note(io, `${name} was not set`);
  await changeValues(io, profile, (before) =>
    Object.fromEntries(Object.entries(before).filter(([name]) => !names.has(name))),
  );
}

/** `bt config list`: global settings first, then by profile, in the order of the table. */
export async function listConfig({ profile }: SettingInput, context: Context): Promise<void> {
  const { io } = context;
  const file = settingsFile(io);
  if (file !== undefined) await io.err(`${file}\n`);
  const settings = readSettings(io);
  const profiles = Object.entries(settings.profiles ?? {});
  const rows =
    profile === undefined
      ? [...settingRows(settings, null), ...profiles.flatMap(([name, values]) => settingRows(values, name))]
      : settingRows(requireProfile(settings, profile), profile);
  const columns = chosenColumns(wireColumns<(typeof rows)[number]>(["name", "value", "profile"]), context);
  await showListOrNone(context, { columns, pages: [rows] }, "no settings; bt help environment lists all");
}

/** Settings by name: the global ones, or those of a profile. */
type Values = Readonly<Record<string, unknown>>;

/** Changes the global settings, or those of a profile; a profile without settings is removed. */
async function changeValues(io: Io, profile: string | undefined, edit: (values: Values) => Values): Promise<void> {
  await changeSettings(io, (settings) => {
    if (profile === undefined) return edit(settings) as Configuration;
    const { [profile]: before = {}, ...others } = settings.profiles ?? {};
    const after = edit(before) as SettingValues;
    return { ...settings, profiles: Object.keys(after).length === 0 ? others : { ...others, [profile]: after } };
  });
}

type SettableName = SettingName | ReplyName;

/** The name of a setting, whose letter case and dashes do not count. @throws BtError of kind usage for an unknown setting */
function parseSettingName(word: string): SettableName {
  const typed = word.trim().toLowerCase();
  const name = typed.startsWith("reply.") ? typed : typed.replaceAll("-", "_");
  if (settingNamed(name)) return name as SettableName;
  const [near] = nearestNames(name, Object.keys(SETTINGS));
  const hint = near ? `did you mean ${near}?` : "bt help environment lists the settings";
  throw usageError(`unknown setting ${JSON.stringify(word)}`, hint);
}

function parseSettingValue(name: SettableName, text: string, profile: string | undefined): unknown {
  const setting = settingNamed(name) as Setting;
  if (name === "profile" && profile !== undefined)
    throw usageError(`${name} cannot be set in a profile`, `bt config set ${name} VALUE, without --profile`);
  if (profile !== undefined && !/^[^\s\p{C}]+$/u.test(profile)) throw usageError("a profile name must be one word");
  const value = settingValue(setting, text, name);
  if (name === "base_url") parseAddress(String(value), `bt config set ${name}`);
  return value;
}

/** The settings of a profile. @throws BtError of kind usage for an unknown profile */
function requireProfile(settings: Configuration, profile: string): Values {
  const profiles = settings.profiles ?? {};
  if (Object.hasOwn(profiles, profile)) return profiles[profile] ?? {};
  const [near] = nearestNames(profile, Object.keys(profiles));
  const hint = near ? `did you mean ${near}?` : `bt config set base_url ADDRESS --profile ${profile} creates it`;
  throw usageError(`unknown profile ${JSON.stringify(profile)}`, hint);
}

/** Rows of the values that are set: SETTINGS in their order, then the saved replies by name. */
function settingRows(values: Values, profile: string | null) {
  const replies = Object.keys(values).filter((name) => settingNamed(name) && !Object.hasOwn(SETTINGS, name));
  const names = [...Object.keys(SETTINGS).filter((name) => Object.hasOwn(values, name)), ...replies.sort()];
  return names.map((name) => ({ name, value: values[name] as Json, profile }));
}
