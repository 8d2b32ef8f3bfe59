import { existsSync, readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileError, usageError } from "../errors.ts";
import { AUTH_STYLES } from "../wire/exchange.ts";
import { entriesShape, mapShape, type Shape, testShape, textShape } from "../wire/shape.ts";
import {
  fileIn,
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

/** A setting: what it is for, and its value: one of `words`, of a kind, or a line of text. */
export type Setting = {
  readonly about: string;
  readonly kind?: Kind<unknown>;
  readonly words?: readonly string[];
};

/** A kind of values: what they must be in words, and the value of a text; undefined if the text is invalid. */
type Kind<Value> = { readonly wanted: string; readonly read: (text: string) => Value | undefined };

const LINE: Kind<string> = {
  wanted: "a single line of text",
  read: (text) => (/^\P{Cc}+$/u.test(text) ? text : undefined),
};
const TEXT: Kind<string> = {
  wanted: "text",
  read: (text) => (/^(?:\P{Cc}|[\n\t])+$/u.test(text) && text.trim() !== "" ? text : undefined),
};
const NAMES: Kind<readonly string[]> = {
  wanted: "names separated by commas",
  read: (text) => {
    const names = text.split(",").map((name) => name.trim());
    return names.every(LINE.read) ? names : undefined;
  },
};
const INTEGER: Kind<number> = {
  wanted: "an integer",
  read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
};
const POSITIVE: Kind<number> = { wanted: "an integer, 1 or more", read: (text) => INTEGER.read(text) || undefined };
const YES_NO: Kind<boolean> = {
  wanted: "yes or no",
  read: (text) => {
    if (/^(?:yes|true|on)$/i.test(text)) return true;
    return /^(?:no|false|off)$/i.test(text) ? false : undefined;
  },
};
const ZONE: Kind<string> = {
  wanted: "a time zone such as Europe/Berlin",
  read: (timeZone) => {
    try {
      new Intl.DateTimeFormat("en", { timeZone });
      return timeZone;
    } catch {
      return undefined;
    }
  },
};

/** All settings in display order; source of help, completion and validation. */
export const SETTINGS = {
  base_url: { about: "tracker: an http(s) URL, local:, local:/FILE, mirror:NAME or demo:" },
  profile: { about: "default profile" }, // never in a profile
  login: { about: "your login (@me) on a tracker that does not report it" },
  product: { about: "default product of new bugs" },
  component: { about: "default component of new bugs" },
  version: { about: "default version of new bugs" },
  type: { about: "default type of new bugs, on a tracker that has types" },
  op_sys: { about: "default operating system of new bugs" },
  platform: { about: "default platform of new bugs" },
  needinfo_flag: { about: "flag that bt bug needinfo requests (default needinfo)" },
  nobody: { kind: NAMES, about: "logins that count as unassigned (default nobody@...)" },
  fields: { kind: NAMES, about: "columns of bug lists on a terminal, separated by commas" },
  sort: { about: "sort order of searches on a terminal" },
  limit: { kind: INTEGER, about: "bugs that a search prints on a terminal (default 30; 0 all)" },
  format: { about: "default of --format on a terminal", words: ["table", "tsv", "csv", "json", "ndjson", "ids"] },
  color: { about: "use colour: auto, always or never", words: ["auto", "always", "never"] },
  timezone: { kind: ZONE, about: "time zone of printed and typed times, such as Europe/Berlin" },
  server_zone: { kind: ZONE, about: "time zone of the tracker, if not UTC" },
  prompts: { about: "prompts on a terminal: on or off", words: ["on", "off"] },
  pager: { about: "pager for long output; cat for none" },
  editor: { about: "editor for descriptions and comments" },
  browser: { about: "browser for --web" },
  timeout: { kind: POSITIVE, about: "request timeout in seconds (default 60 for reads, 120 for writes)" },
  retry: { kind: INTEGER, about: "retries of a failed read (default 3)" },
  max_size: { kind: POSITIVE, about: "maximum response size in MiB (default 10)" },
  proxy: { about: "HTTP proxy to use" },
  ca_file: { about: "additional CA certificates, as a PEM file" },
  allow_http: { kind: YES_NO, about: "allow sending the API key over unencrypted HTTP" },
  auth_style: {
    about: "how to send the API key: auto (found once a day), header, bearer, query or token",
    words: ["auto", ...Object.keys(AUTH_STYLES)],
  },
  auth_helper: { about: "program that prints key=API_KEY for a tracker, called like a git credential helper" },
} as const satisfies Readonly<Record<string, Setting>>;

/** The setting of each saved reply. */
export const REPLY: Setting = { kind: TEXT, about: "saved reply of bug triage" };

/** Name of a setting, without saved replies. */
export type SettingName = keyof typeof SETTINGS;

/** Name of a saved reply among the settings: `reply.thanks`. */
export type ReplyName = `reply.${string}`;

/** Settings with their values. */
export type SettingValues = {
  readonly [Name in SettingName]?: (typeof SETTINGS)[Name] extends { kind: Kind<infer Value> } ? Value : string;
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
export function settingValue(setting: Setting, text: string, source: string): unknown {
  const { read, wanted } = kindOf(setting);
  const value = read(text.trim().replaceAll("\r\n", "\n"));
  if (value !== undefined) return value;
  throw usageError(`${source} must be ${wanted}, not ${JSON.stringify(text)}`);
}

function kindOf({ words, kind = LINE }: Setting): Kind<unknown> {
  if (words === undefined) return kind;
  return { wanted: `one of ${words.join(", ")}`, read: (text) => words.find((word) => word === text) };
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
    return text ? [[name, settingValue(SETTINGS[name], text, variable)] as const] : [];
  });
  return { ...general, ...(profile && profiles?.[profile]), ...Object.fromEntries(fromEnv) };
}

/** Path of the configuration file; undefined without a home directory. */
export function settingsFile(host: Surroundings): string | undefined {
  return fileIn("config", "config.json", host);
}

/**
 * Reads the configuration file. Names that a newer version may have are kept and ignored.
 * @throws BtError of kind local, with the line of the error
 */
export function readSettings(host: Surroundings): Configuration {
  const file = settingsFile(host);
  const found = file && readSmallFile(file);
  return found ? parseFile(file, found.text, CONFIGURATION) : {};
}

const CONFIGURATION = entriesShape((name) => {
  if (name === "profiles") return mapShape(entriesShape(settingShape));
  return name === "aliases" ? mapShape(textShape) : settingShape(name);
});

/** A value is valid if its own text is read as it; undefined for a name that is no setting. */
function settingShape(name: string): Shape | undefined {
  const setting = settingNamed(name);
  if (setting === undefined) return undefined;
  const { read, wanted } = kindOf(setting);
  return testShape((value) => JSON.stringify(read(String(value))) === JSON.stringify(value), wanted);
}

/** Updates the configuration file under a lock. @throws BtError of kind local, also for a file that cannot be read */
export async function changeSettings(host: Host, change: (settings: Configuration) => Configuration): Promise<void> {
  const file = settingsFile(host) ?? folderToWrite("config", host);
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
