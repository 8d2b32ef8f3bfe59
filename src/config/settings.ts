import { existsSync, readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { BtError, fileError, usageError } from "../errors.ts";
import { AUTH_STYLES } from "../wire/exchange.ts";
import { jsonProblem } from "../wire/json.ts";
import { entriesShape, invalidMemberText, mapShape, type Shape, testShape, textShape } from "../wire/shape.ts";
import { folderFor, folderToWrite, type Host, makeFolder, readSmallFile, type Surroundings } from "./files.ts";
import { withLock } from "./lock.ts";

/** The configuration file: global settings, profiles, and aliases. */
export type Configuration = SettingValues & {
  readonly profiles?: Readonly<Record<string, SettingValues>> | undefined;
  readonly aliases?: Aliases | undefined;
};

/** Command lines without `bt`, by the name of their alias. */
export type Aliases = Readonly<Record<string, string>>;

/** Type of settings: what it wants in words, and how a text is read; undefined if it is invalid. */
type Kind<Value> = {
  readonly wanted: string;
  readonly read: (text: string) => Value | undefined;
  readonly choices?: readonly string[];
};

/** Type, help and scope of a setting. */
export type Setting = {
  readonly kind: Kind<string | number | boolean | readonly string[]>;
  readonly about: string;
  readonly isGlobal?: true; // never in a profile
};

const TEXT = textOf("a single line of text", (text) => text !== "" && !/\p{Cc}/u.test(text));
const LINES = textOf("text", (text) => text.trim() !== "" && !/(?![\n\t])\p{Cc}/u.test(text));
const ZONE = textOf("a time zone such as Europe/Berlin", isZone);
const NAMES: Kind<readonly string[]> = {
  wanted: "names separated by commas",
  read: (text) => {
    const names = text.split(",").map((name) => name.trim());
    return names.some((name) => TEXT.read(name) === undefined) ? undefined : names;
  },
};
const YES_NO: Kind<boolean> = {
  wanted: "yes or no",
  read: (text) => /^(?:yes|true|on)$/i.test(text) || (/^(?:no|false|off)$/i.test(text) ? false : undefined),
};

function textOf(wanted: string, isValid: (text: string) => boolean): Kind<string> {
  return { wanted, read: (text) => (isValid(text) ? text : undefined) };
}

function oneOf(...choices: string[]): Kind<string> {
  return { ...textOf(`one of ${choices.join(", ")}`, (text) => choices.includes(text)), choices };
}

function integer(wanted: string, least: number): Kind<number> {
  return { wanted, read: (text) => (/^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined) };
}

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }) !== undefined;
  } catch {
    return false;
  }
}

/** All settings in display order; source of help, completion and validation. */
export const SETTINGS = {
  base_url: { kind: TEXT, about: "tracker: an http(s) URL, local:, local:/FILE, mirror:NAME or demo:" },
  profile: { kind: TEXT, about: "default profile", isGlobal: true },
  login: { kind: TEXT, about: "your login (@me) on a tracker that does not report it" },
  product: { kind: TEXT, about: "default product of new bugs" },
  component: { kind: TEXT, about: "default component of new bugs" },
  version: { kind: TEXT, about: "default version of new bugs" },
  type: { kind: TEXT, about: "default type of new bugs, on a tracker that has types" },
  op_sys: { kind: TEXT, about: "default operating system of new bugs" },
  platform: { kind: TEXT, about: "default platform of new bugs" },
  needinfo_flag: { kind: TEXT, about: "flag that bt bug needinfo requests (default needinfo)" },
  nobody: { kind: NAMES, about: "logins that count as unassigned (default nobody@...)" },
  fields: { kind: NAMES, about: "columns of bug lists on a terminal, separated by commas" },
  sort: { kind: TEXT, about: "sort order of searches on a terminal" },
  limit: { kind: integer("an integer", 0), about: "bugs that a search prints on a terminal (default 30; 0 all)" },
  format: {
    kind: oneOf("table", "tsv", "csv", "json", "ndjson", "ids"),
    about: "default of --format on a terminal",
  },
  color: { kind: oneOf("auto", "always", "never"), about: "use colour: auto, always or never" },
  timezone: { kind: ZONE, about: "time zone of printed and typed times, such as Europe/Berlin" },
  server_zone: { kind: ZONE, about: "time zone of the tracker, if not UTC" },
  prompts: { kind: oneOf("on", "off"), about: "prompts on a terminal: on or off" },
  pager: { kind: TEXT, about: "pager for long output; cat for none" },
  editor: { kind: TEXT, about: "editor for descriptions and comments" },
  browser: { kind: TEXT, about: "browser for --web" },
  timeout: {
    kind: integer("an integer of seconds, 1 or more", 1),
    about: "request timeout in seconds (default 60 for reads, 120 for writes)",
  },
  retry: { kind: integer("an integer", 0), about: "retries of a failed read (default 3)" },
  max_size: {
    kind: integer("an integer of MiB, 1 or more", 1),
    about: "maximum response size in MiB (default 10)",
  },
  proxy: { kind: TEXT, about: "HTTP proxy to use" },
  ca_file: { kind: TEXT, about: "additional CA certificates, as a PEM file" },
  allow_http: { kind: YES_NO, about: "allow sending the API key over unencrypted HTTP" },
  auth_style: {
    kind: oneOf("auto", ...Object.keys(AUTH_STYLES)),
    about: "how to send the API key: auto (found once a day), header, bearer, query or token",
  },
  auth_helper: {
    kind: TEXT,
    about: "program that prints key=API_KEY for a tracker, called like a git credential helper",
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** Name of a setting, without saved replies. */
export type SettingName = keyof typeof SETTINGS;

/** Name of a saved reply among the settings: `reply.thanks`. */
export type ReplyName = `reply.${string}`;

type ValueOf<Name extends SettingName> = (typeof SETTINGS)[Name]["kind"] extends Kind<infer Value> ? Value : never;

/** Settings with their values. */
export type SettingValues = { readonly [Name in SettingName]?: ValueOf<Name> } & {
  readonly [reply: ReplyName]: string | undefined;
};

/** The setting of all saved replies. */
export const REPLY: Setting = { kind: LINES, about: "saved reply of bug triage" };

/** The setting of a name; undefined if there is none. */
export function settingNamed(name: string): Setting | undefined {
  if (Object.hasOwn(SETTINGS, name)) return SETTINGS[name as SettingName];
  return isReplyName(name) ? REPLY : undefined;
}

/** True for the name of a saved reply. */
function isReplyName(name: string): name is ReplyName {
  return /^reply\.[\p{L}\p{N}][\p{L}\p{N}_-]*$/u.test(name);
}

/** Saved replies by their names without `reply.`. */
export function savedReplies(settings: SettingValues): ReadonlyMap<string, string> {
  const names = Object.keys(settings).filter(isReplyName).sort();
  return new Map(names.map((name) => [name.slice("reply.".length), settings[name] ?? ""]));
}

/** Parses the value of a setting; undefined if invalid. */
export function readSetting({ kind }: Setting, text: string) {
  return kind.read(text.trim().replaceAll("\r\n", "\n"));
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
  const found = file === undefined ? undefined : readSmallFile(file);
  if (file === undefined || found === undefined) return {};
  const settings = parseSettings(file, found.text);
  const invalid = CONFIGURATION(settings);
  if (invalid) throw brokenSettingsError(file, invalidMemberText(invalid, "it"));
  return settings as Configuration;
}

const CONFIGURATION = entriesShape((name) => {
  if (name === "profiles") return mapShape(entriesShape(settingShape));
  return name === "aliases" ? mapShape(textShape) : settingShape(name);
});

function settingShape(name: string): Shape | undefined {
  const setting = settingNamed(name);
  if (setting === undefined) return undefined;
  const { read, wanted } = setting.kind;
  return testShape((value) => JSON.stringify(read(String(value))) === JSON.stringify(value), wanted);
}

function parseSettings(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw brokenSettingsError(file, `it is ${jsonProblem(text)}`);
  }
}

function brokenSettingsError(file: string, why: string): BtError {
  return new BtError("local", `cannot use the configuration ${file}: ${why}`, {
    hint: "fix or remove the file; bt does not change it",
  });
}

/** Effective settings: a profile's values override global values. */
export function effectiveSettings(settings: Configuration, profile: string | undefined): SettingValues {
  const { profiles, aliases: _, ...general } = settings;
  return { ...general, ...(profile === undefined ? {} : profiles?.[profile]) };
}

/** Settings of the connection to a tracker, each with its variable. */
export const CONNECTION_SETTINGS = (["auth_style", "timeout", "retry", "max_size", "proxy", "ca_file"] as const).map(
  (name) => ({
    name,
    variable: `BT_${name.toUpperCase()}`,
    about: SETTINGS[name].about,
  }),
);

/**
 * Settings in force: variables before settings.
 * @throws BtError of kind usage for an invalid value
 */
export function connectionSettings(env: Host["env"], settings: SettingValues): SettingValues {
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

/**
 * Updates the configuration file under a lock. A file that cannot be read is left unchanged.
 * @throws BtError of kind local
 */
export async function changeSettings(host: Host, change: (settings: Configuration) => Configuration): Promise<void> {
  const file = settingsFile(host) ?? folderToWrite("config", host);
  readSettings(host); // report a damaged file before creating anything
  await withLock({ file, action: () => writeSettings(file, change(readSettings(host))) }, host);
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
