import { join } from "node:path";
import { BtError } from "../errors.ts";
import { AUTH_STYLES } from "../wire/auth-style.ts";
import { jsonFault } from "../wire/json.ts";
import { entriesShape, mapShape, misfitText, type Shape, testShape, textShape } from "../wire/shape.ts";
import { folderFor, readSmallFile, type Surroundings } from "./files.ts";
/** The configuration file: global settings, profiles, and aliases. */
export type Configuration = SettingValues & {
  readonly config_version?: number | undefined;
  readonly profiles?: Readonly<Record<string, SettingValues>> | undefined;
  readonly aliases?: Aliases | undefined;
};

/** Command lines without `bt`, by the name of their alias. */
export type Aliases = Readonly<Record<string, string>>;

/** Version written to the file; newer files are read as far as possible and never rewritten. */
export const SETTINGS_VERSION = 1;

/** Path of the configuration file; undefined without a home directory. */
export function settingsFile(host: Surroundings): string | undefined {
  const folder = folderFor("config", host);
  return folder && join(folder, "config.json");
}

/**
 * Reads the configuration file.
 * @throws BtError of kind local, with the line of the error
 */
export function readSettings(host: Surroundings): Configuration {
  const file = settingsFile(host);
  const found = file === undefined ? undefined : readSmallFile(file);
  if (file === undefined || found === undefined) return {};
  const settings = parse(file, found.text);
  const misfit = CONFIGURATION(settings);
  if (misfit) throw brokenSettingsError(file, misfitText(misfit, "it"));
  return settings as Configuration;
}

/** Effective settings: the profile's before the global ones. */
export function effectiveSettings(settings: Configuration, profile: string | undefined): SettingValues {
  const { config_version: _, profiles, aliases: __, ...general } = settings;
  return { ...general, ...(profile === undefined ? {} : profiles?.[profile]) };
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { line, column } = jsonFault(text) ?? { line: 1, column: 1 };
    throw brokenSettingsError(file, `it is not JSON (line ${line}, column ${column})`);
  }
}

function brokenSettingsError(file: string, why: string): BtError {
  return new BtError("local", `cannot use the configuration ${file}: ${why}`, {
    hint: "fix or remove the file; bt does not change it",
    changed: "nothing",
  });
}

export type SettingType = "text" | "lines" | "address" | "names" | "zone" | "whole" | "some" | "yes-no" | "choice";

/** Type, help and scope of a setting. */
export type Setting = {
  readonly type: SettingType;
  readonly about: string;
  readonly choices?: readonly string[];
  readonly unit?: string;
  readonly top?: true; // global only
};

/** All settings in display order; source of help, completion and validation. */
export const SETTINGS = {
  base_url: { type: "address", about: "tracker: an http(s) URL, local:, local:/FILE, mirror:NAME or demo:" },
  profile: { type: "text", about: "default profile", top: true },
  login: { type: "text", about: "your login (@me) on a tracker that does not report it" },
  product: { type: "text", about: "default product of new bugs" },
  component: { type: "text", about: "default component of new bugs" },
  version: { type: "text", about: "default version of new bugs" },
  type: { type: "text", about: "default type of new bugs, on a tracker that has types" },
  op_sys: { type: "text", about: "default operating system of new bugs" },
  platform: { type: "text", about: "default platform of new bugs" },
  needinfo_flag: { type: "text", about: "flag that bt bug needinfo requests (default needinfo)" },
  nobody: { type: "names", about: "logins that count as unassigned (default nobody@...)" },
  fields: { type: "names", about: "columns of bug lists on a terminal, separated by commas" },
  sort: { type: "text", about: "sort order of searches on a terminal" },
  limit: { type: "whole", about: "bugs that a search prints on a terminal (default 30; 0 all)" },
  format: {
    type: "choice",
    about: "default of --format on a terminal",
    choices: ["table", "tsv", "csv", "json", "ndjson", "ids"],
  },
  color: { type: "choice", about: "use colour: auto, always or never", choices: ["auto", "always", "never"] },
  timezone: { type: "zone", about: "time zone of printed and typed times, such as Europe/Berlin" },
  server_zone: { type: "zone", about: "time zone of the tracker, if not UTC" },
  prompts: { type: "choice", about: "prompts on a terminal: on or off", choices: ["on", "off"] },
  pager: { type: "text", about: "pager for long output; cat for none" },
  editor: { type: "text", about: "editor for descriptions and comments" },
  browser: { type: "text", about: "browser for --web" },
  timeout: {
    type: "some",
    about: "request timeout in seconds (default 60 for reads, 120 for writes)",
    unit: "seconds",
  },
  retry: { type: "whole", about: "retries of a failed read (default 3)" },
  max_size: { type: "some", about: "maximum response size in MiB (default 10)", unit: "MiB" },
  proxy: { type: "text", about: "HTTP proxy to use" },
  ca_file: { type: "text", about: "additional CA certificates, as a PEM file" },
  allow_http: { type: "yes-no", about: "allow sending the API key over unencrypted HTTP" },
  auth_style: {
    type: "choice",
    about: "how to send the API key: auto (found once a day), header, bearer, query or token",
    choices: ["auto", ...Object.keys(AUTH_STYLES)],
  },
  auth_helper: {
    type: "text",
    about: "program that prints key=API_KEY for a tracker, called like a git credential helper",
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** Name of a setting, without saved replies. */
export type SettingName = keyof typeof SETTINGS;

/** The setting of a name; undefined if there is none. */
export function settingNamed(name: string): Setting | undefined {
  if (isSettingName(name)) return SETTINGS[name];
  return isReplyName(name) ? REPLY : undefined;
}

/** Name of a saved reply among the settings: `reply.thanks`. */
export type ReplyName = `reply.${string}`;

/** Type and help of the settings of saved replies. */
export const REPLY: Setting = { type: "lines", about: "saved reply of bug triage" };

/** True for the name of a saved reply. */
export function isReplyName(name: string): name is ReplyName {
  return /^reply\.[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(name);
}

/** Stored type of each setting type. */
type Values = {
  text: string;
  lines: string;
  address: string;
  names: readonly string[];
  zone: string;
  whole: number;
  some: number;
  "yes-no": boolean;
  choice: string;
};

/** Settings with their values. */
export type SettingValues = { readonly [Name in SettingName]?: Values[(typeof SETTINGS)[Name]["type"]] } & {
  readonly [reply: ReplyName]: string | undefined;
};

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** Parses the value of a setting; undefined if invalid. */
export function readSetting(setting: Setting, text: string): string | number | boolean | string[] | undefined {
  const { read = (whole) => whole } = TYPES[setting.type];
  const value = read(text.trim());
  return isSettingValue(setting, value) ? value : undefined;
}

/** Expected value in words: `a whole number of seconds`. */
export function settingDescription({ type, choices = [], unit }: Setting): string {
  if (type === "choice") return `one of ${choices.join(", ")}`;
  return `${TYPES[type].wanted}${unit ? ` of ${unit}` : ""}${type === "some" ? ", 1 or more" : ""}`;
}

/** True if a stored value has its setting's type. */
function isSettingValue({ type, choices }: Setting, value: unknown): value is string {
  return TYPES[type].isValid(value) && (choices === undefined || choices.includes(value as string));
}

/** Shape of a stored value; undefined for a name that a newer version may have, which is kept and ignored. */
function settingShape(name: string): Shape | undefined {
  const setting = settingNamed(name);
  return setting && testShape((value) => isSettingValue(setting, value), settingDescription(setting));
}

const CONFIGURATION = entriesShape((name) => {
  if (name === "profiles") return mapShape(entriesShape(settingShape));
  return name === "aliases" ? mapShape(textShape) : settingShape(name);
});

/** What a type wants in words, how it is read (default: as it is), and which stored values have it. */
type TypeRow = {
  readonly wanted: string;
  readonly read?: (text: string) => unknown;
  readonly isValid: (value: unknown) => boolean;
};

const TYPES: Readonly<Record<SettingType, TypeRow>> = {
  text: { wanted: "a single line of text", isValid: isText },
  lines: {
    wanted: "text",
    read: (text) => text.replaceAll("\r\n", "\n"),
    isValid: (value) => typeof value === "string" && value.trim() !== "" && !/(?![\n\t])\p{Cc}/u.test(value),
  },
  address: {
    wanted: "an address: https://..., http://..., local:, local:/FILE, mirror:NAME or demo:",
    isValid: isText,
  },
  names: {
    wanted: "names separated by commas",
    read: (text) => text.split(",").map((name) => name.trim()),
    isValid: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  },
  zone: { wanted: "a time zone such as Europe/Berlin", isValid: isZone },
  whole: {
    wanted: "an integer",
    read: readWhole,
    isValid: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  },
  some: {
    wanted: "an integer",
    read: readWhole,
    isValid: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
  },
  "yes-no": {
    wanted: "yes or no",
    read: (text) => ({ yes: true, true: true, on: true, no: false, false: false, off: false })[text.toLowerCase()],
    isValid: (value) => typeof value === "boolean",
  },
  choice: { wanted: "", isValid: (value) => typeof value === "string" },
};

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !/\p{Cc}/u.test(value);
}

function isZone(value: unknown): boolean {
  try {
    return typeof value === "string" && new Intl.DateTimeFormat("en", { timeZone: value }) !== undefined;
  } catch {
    return false;
  }
}

function readWhole(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
