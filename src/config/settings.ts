import { existsSync, readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileError, usageError } from "../errors.ts";
import { AUTH_STYLES } from "../wire/exchange.ts";
import { entriesShape, mapShape, type Shape, testShape, textShape } from "../wire/shape.ts";
import {
  folderFor,
  folderToWrite,
  type Host,
  makeFolder,
  parseFile,
  readSmallFile,
  type Surroundings,
  withLock,
} from "./files.ts";

/** The configuration file: global settings, profiles, and aliases. */
export type Configuration = SettingValues & {
  readonly profiles?: Readonly<Record<string, SettingValues>> | undefined;
  readonly aliases?: Aliases | undefined;
};

/** Command lines without `bt`, by the name of their alias. */
export type Aliases = Readonly<Record<string, string>>;

/** What a setting is for, what it must be in words, and its value in a text; undefined if the text is invalid. */
export type Setting<Value = unknown> = {
  readonly about: string;
  readonly wanted: string;
  readonly read: (text: string) => Value | undefined;
};

/** All settings in display order; source of help, completion and validation. */
export const SETTINGS = {
  base_url: line("tracker: an http(s) URL, local:, local:/FILE, mirror:NAME or demo:"),
  profile: line("default profile"), // never in a profile
  login: line("your login (@me) on a tracker that does not report it"),
  product: line("default product of new bugs"),
  component: line("default component of new bugs"),
  version: line("default version of new bugs"),
  type: line("default type of new bugs, on a tracker that has types"),
  op_sys: line("default operating system of new bugs"),
  platform: line("default platform of new bugs"),
  needinfo_flag: line("flag that bt bug needinfo requests (default needinfo)"),
  nobody: names("logins that count as unassigned (default nobody@...)"),
  fields: names("columns of bug lists on a terminal, separated by commas"),
  sort: line("sort order of searches on a terminal"),
  limit: integer("bugs that a search prints on a terminal (default 30; 0 all)", 0),
  format: oneOf("default of --format on a terminal", "table", "tsv", "csv", "json", "ndjson", "ids"),
  color: oneOf("use colour: auto, always or never", "auto", "always", "never"),
  timezone: zone("time zone of printed and typed times, such as Europe/Berlin"),
  server_zone: zone("time zone of the tracker, if not UTC"),
  prompts: oneOf("prompts on a terminal: on or off", "on", "off"),
  pager: line("pager for long output; cat for none"),
  editor: line("editor for descriptions and comments"),
  browser: line("browser for --web"),
  timeout: integer("request timeout in seconds (default 60 for reads, 120 for writes)", 1),
  retry: integer("retries of a failed read (default 3)", 0),
  max_size: integer("maximum response size in MiB (default 10)", 1),
  proxy: line("HTTP proxy to use"),
  ca_file: line("additional CA certificates, as a PEM file"),
  allow_http: yesNo("allow sending the API key over unencrypted HTTP"),
  auth_style: oneOf(
    "how to send the API key: auto (found once a day), header, bearer, query or token",
    "auto",
    ...Object.keys(AUTH_STYLES),
  ),
  auth_helper: line("program that prints key=API_KEY for a tracker, called like a git credential helper"),
} as const satisfies Readonly<Record<string, Setting>>;

/** The setting of each saved reply. */
export const REPLY: Setting<string> = {
  about: "saved reply of bug triage",
  wanted: "text",
  read: (text) => (text.trim() === "" || /(?![\n\t])\p{Cc}/u.test(text) ? undefined : text),
};

function line(about: string): Setting<string> {
  return { about, wanted: "a single line of text", read: readLine };
}

function readLine(text: string): string | undefined {
  return text === "" || /\p{Cc}/u.test(text) ? undefined : text;
}

function names(about: string): Setting<readonly string[]> {
  const read = (text: string) => {
    const list = text.split(",").map((name) => name.trim());
    return list.every(readLine) ? list : undefined;
  };
  return { about, wanted: "names separated by commas", read };
}

function integer(about: string, least: number): Setting<number> {
  const read = (text: string) => (/^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined);
  return { about, wanted: `an integer${least > 0 ? `, ${least} or more` : ""}`, read };
}

function oneOf(about: string, ...choices: readonly string[]): Setting<string> {
  const read = (text: string) => choices.find((choice) => choice === text);
  return { about, wanted: `one of ${choices.join(", ")}`, read };
}

function yesNo(about: string): Setting<boolean> {
  const read = (text: string) =>
    /^(?:yes|true|on)$/i.test(text) || (/^(?:no|false|off)$/i.test(text) ? false : undefined);
  return { about, wanted: "yes or no", read };
}

function zone(about: string): Setting<string> {
  const read = (timeZone: string) => {
    try {
      new Intl.DateTimeFormat("en", { timeZone });
      return timeZone;
    } catch {
      return undefined;
    }
  };
  return { about, wanted: "a time zone such as Europe/Berlin", read };
}

/** Name of a setting, without saved replies. */
export type SettingName = keyof typeof SETTINGS;

/** Name of a saved reply among the settings: `reply.thanks`. */
export type ReplyName = `reply.${string}`;

/** Settings with their values. */
export type SettingValues = {
  readonly [Name in SettingName]?: ReturnType<(typeof SETTINGS)[Name]["read"]>;
} & { readonly [reply: ReplyName]: string | undefined };

/** The setting of a name; undefined if there is none. */
export function settingNamed(name: string): Setting | undefined {
  if (Object.hasOwn(SETTINGS, name)) return SETTINGS[name as SettingName];
  return isReplyName(name) ? REPLY : undefined;
}

function isReplyName(name: string): name is ReplyName {
  return /^reply\.[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(name);
}

/** Saved replies by their names without `reply.`. */
export function savedReplies(settings: SettingValues): ReadonlyMap<string, string> {
  const replies = Object.keys(settings).filter(isReplyName).sort();
  return new Map(replies.map((name) => [name.slice("reply.".length), settings[name] ?? ""]));
}

/** The value of a setting in a text. @throws BtError of kind usage, with the name of its source */
export function settingValue<Value>({ read, wanted }: Setting<Value>, text: string, source: string): Value {
  const value = read(text.trim().replaceAll("\r\n", "\n"));
  if (value !== undefined) return value;
  throw usageError(`${source} must be ${wanted}, not ${JSON.stringify(text)}`);
}

/** Variables that override a setting. */
export const SETTING_VARIABLES = {
  BT_AUTH_STYLE: "auth_style",
  BT_TIMEOUT: "timeout",
  BT_RETRY: "retry",
  BT_MAX_SIZE: "max_size",
  BT_PROXY: "proxy",
  BT_CA_FILE: "ca_file",
} as const satisfies Readonly<Record<string, SettingName>>;

/**
 * Settings in force: variables override the values of a profile, and these the global ones.
 * @throws BtError of kind usage for an invalid variable
 */
export function effectiveSettings(
  { profiles, aliases: _, ...general }: Configuration,
  profile: string | undefined,
  env: Host["env"] = {},
): SettingValues {
  const fromEnv = Object.entries(SETTING_VARIABLES).flatMap(([variable, name]) => {
    const text = env[variable];
    return text ? [[name, settingValue<unknown>(SETTINGS[name], text, variable)] as const] : [];
  });
  return { ...general, ...(profile && profiles?.[profile]), ...Object.fromEntries(fromEnv) };
}

/** Path of the configuration file; undefined without a home directory. */
export function settingsFile(host: Surroundings): string | undefined {
  const folder = folderFor("config", host);
  return folder && join(folder, "config.json");
}

/**
 * Reads the configuration file. Names that a newer version may have are kept and ignored.
 * @throws BtError of kind local, with the line of the error
 */
export function readSettings(host: Surroundings): Configuration {
  const file = settingsFile(host);
  const found = file && readSmallFile(file);
  return file && found ? parseFile(file, found.text, CONFIGURATION) : {};
}

const CONFIGURATION = entriesShape((name) => {
  if (name === "profiles") return mapShape(entriesShape(settingShape));
  return name === "aliases" ? mapShape(textShape) : settingShape(name);
});

function settingShape(name: string): Shape | undefined {
  const setting = settingNamed(name);
  if (setting === undefined) return undefined;
  const isValid = (value: unknown) => JSON.stringify(setting.read(String(value))) === JSON.stringify(value);
  return testShape(isValid, setting.wanted);
}

/**
 * Updates the configuration file under a lock. A file that cannot be read is left unchanged.
 * @throws BtError of kind local
 */
export async function changeSettings(host: Host, change: (settings: Configuration) => Configuration): Promise<void> {
  const file = settingsFile(host) ?? folderToWrite("config", host);
  readSettings(host); // report a damaged file before creating anything
  await withLock(file, () => writeSettings(file, change(readSettings(host))), host);
}

/** Writes the file whole, beside its place, and moves it there. Reading is ours: Conf takes 75 ms to load. */
async function writeSettings(file: string, settings: Configuration): Promise<void> {
  const place = existsSync(file) ? realpathSync(file) : file;
  const part = join(dirname(place), `.${basename(place)}.${Math.random().toString(36).slice(2)}.json`);
  const { default: Conf } = await import("conf");
  try {
    makeFolder(dirname(place));
    const writer = new Conf({ cwd: dirname(part), configName: basename(part, ".json"), configFileMode: 0o600 });
    writer.store = { ...settings };
    if (!readFileSync(part, "utf8").endsWith("}")) throw new Error("only a part of it was written"); // by a full disk
    renameSync(part, place);
  } catch (error) {
    throw fileError("write", file, error);
  } finally {
    rmSync(part, { force: true });
  }
}
