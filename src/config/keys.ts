import { BtError, usageError } from "../errors.ts";
import { commandWords, findProgram, runProgram } from "../platform.ts";
import { asSecret, type Secret } from "../secret.ts";
import { AUTH_STYLES, type AuthStyle, isAtOrBelow, parsedUrl } from "../wire/exchange.ts";
import { listShape, partialShape, testShape, textShape, wordShape } from "../wire/shape.ts";
import { findTracker } from "./choose-tracker.ts";
import {
  checkOwnerOnly,
  checkPrivate,
  fileIn,
  folderToWrite,
  type Host,
  parseFile,
  readSmallFile,
  replaceFile,
  withLock,
} from "./files.ts";
import type { Configuration, SettingValues } from "./settings.ts";

/** A key and its origin. */
export type FoundKey = {
  readonly key: Secret;
  readonly source: string; // for `bt auth status` and errors
  readonly style?: AuthStyle | undefined; // undefined: unknown
  readonly user?: string | undefined; // as a login has proven it
};

/** A tracker whose key is needed, and the possible sources. */
export type KeyQuestion = {
  readonly baseUrl: string;
  readonly flags: { readonly apiKeyFile?: string | undefined; readonly insecureFiles?: boolean | undefined };
  readonly settings: SettingValues; // those in force
  readonly configuration: Configuration; // as the file has it
  readonly isOffline: boolean; // nothing is sent: the key of another tracker is no error
};

/** The key for a tracker from the first source that has one; undefined for anonymous access. */
export async function findKey(question: KeyQuestion, host: Host): Promise<FoundKey | undefined> {
  const { baseUrl, settings, flags } = question;
  const { apiKeyFile, insecureFiles } = flags;
  if (apiKeyFile !== undefined) return keyFromFile(apiKeyFile, host, insecureFiles);
  return (
    keyFromVariable(question, host) ??
    (await keyFromHelper(settings.auth_helper, baseUrl, host)) ??
    keyOfStoredLogin(baseUrl, host, insecureFiles)
  );
}

/**
 * The key in a file, or on stdin for `-`.
 * @throws BtError of kind guard if others can read the file
 */
export async function keyFromFile(file: string, host: Host, insecureFiles = false): Promise<FoundKey> {
  if (file === "-") return { key: checkedKey(Buffer.from(await host.input()).toString(), "stdin"), source: "stdin" };
  const found = readSmallFile(file);
  if (found === undefined) throw usageError(`no such key file: ${file}`);
  if (!insecureFiles) checkOwnerOnly(file, found.stats);
  return { key: checkedKey(found.text, file), source: `the file ${file}` };
}

/**
 * A key without its trailing line break.
 * @throws BtError of kind usage for characters that a header cannot hold
 */
export function checkedKey(text: string, source: string): Secret {
  const key = text.replace(/\r?\n$/, "");
  if (key === "") throw usageError(`no API key in ${source}`);
  if (/[^ -~]/.test(key))
    throw usageError(`the API key in ${source} contains a line break, a control character or a character beyond ASCII`);
  return asSecret(key);
}

/** The key of BT_API_KEY, which is that of the tracker of variables and configuration, else of the command. */
function keyFromVariable({ baseUrl, configuration, isOffline }: KeyQuestion, { env }: Host): FoundKey | undefined {
  const text = env["BT_API_KEY"];
  if (!text) return undefined;
  const owner = findTracker({}, env, configuration)?.place;
  const isOwn = !owner || (owner.kind === "network" && isAtOrBelow(new URL(baseUrl), new URL(owner.baseUrl)));
  if (isOwn) return { key: checkedKey(text, "BT_API_KEY"), source: "BT_API_KEY" };
  if (isOffline) return undefined;
  const other = "baseUrl" in owner ? owner.baseUrl : "another tracker";
  throw new BtError("guard", `BT_API_KEY is the key for ${other}, and the command is for ${baseUrl}`, {
    hint: `use --api-key-file FILE, or unset BT_API_KEY to use a stored login; if the key is for this tracker: BT_BASE_URL=${baseUrl}`,
  });
}

/**
 * The key that a credential helper prints, in git's protocol: `protocol=`, `host=` and `path=` lines in, `key=` out.
 * @see https://git-scm.com/docs/git-credential
 */
async function keyFromHelper(command: string | undefined, baseUrl: string, { env }: Host) {
  if (command === undefined) return undefined;
  const [name = "", ...args] = commandWords(command);
  const program = findProgram(name, env);
  const { protocol, host, pathname } = new URL(baseUrl);
  const input = `protocol=${protocol.slice(0, -1)}\nhost=${host}\npath=${pathname.slice(1)}\n\n`;
  const result = program && (await runProgram(program, args, input, HELPER_MS, env));
  if (!result || result.code === null) {
    const problem = `the key helper ${name} cannot be run, or takes more than ${HELPER_MS / 1000} s`;
    throw new BtError("local", problem, { hint: "bt config get auth_helper" });
  }
  const key = /^(?:key|password)=(.*)$/m.exec(result.output)?.[1];
  if (result.code !== 0 || key === undefined) return undefined;
  const source = `the helper ${name}`;
  return { key: checkedKey(key, `the output of ${source}`), source };
}

const HELPER_MS = 10_000;

async function keyOfStoredLogin(baseUrl: string, host: Host, insecureFiles?: boolean): Promise<FoundKey | undefined> {
  const entry = loginFor(readLogins(host, insecureFiles), baseUrl);
  if (entry === undefined) return undefined;
  const { origin, user, style } = entry;
  const text = entry.key ?? (await useKeyring("lookup", origin, host));
  const source = entry.key === undefined ? "the keyring" : "the stored login";
  if (text) return { key: checkedKey(text, source), source, user, style };
  const hint = "unlock it, or: bt auth login";
  throw new BtError("auth", `cannot read the API key for ${origin} from the keyring`, { hint });
}

/** A stored login: its tracker, and the key unless that is in the keyring. */
export type LoginEntry = {
  readonly origin: string; // full base URL, since trackers may share a host
  readonly user?: string | undefined;
  readonly style: AuthStyle;
  readonly key?: string | undefined; // absent: in the keyring
};

/**
 * Stores a login, replacing an earlier one for the same tracker: the key in the keyring if there is one, else in the
 * file. Returns the location for messages.
 */
export async function saveLogin(login: Omit<LoginEntry, "key">, secret: Secret, host: Host): Promise<string> {
  const key = secret.reveal();
  await useKeyring("store", login.origin, host, key);
  const isInKeyring = (await useKeyring("lookup", login.origin, host)) === key; // a locked keyring may take what it does not return
  const entry = isInKeyring ? login : { ...login, key };
  await changeLogins(host, (entries) => [...entries.filter(({ origin }) => origin !== login.origin), entry]);
  return isInKeyring ? "the keyring" : (credentialFile(host) ?? "");
}

/** Removes the login for a tracker and returns it; undefined if there was none. */
export async function forgetLogin(baseUrl: string, host: Host): Promise<LoginEntry | undefined> {
  const entry = loginFor(readLogins(host), baseUrl);
  if (entry === undefined) return undefined;
  await changeLogins(host, (entries) => entries.filter(({ origin }) => origin !== entry.origin));
  if (entry.key === undefined) await useKeyring("clear", entry.origin, host);
  return entry;
}

/** Path of the credentials file; undefined without a home directory. */
export function credentialFile(host: Host): string | undefined {
  return fileIn("config", "credentials.json", host);
}

/**
 * Reads the stored logins.
 * @throws BtError of kind guard if their file is a symbolic link, or if others can read or replace it
 */
export function readLogins(host: Host, insecureFiles = false): readonly LoginEntry[] {
  const file = credentialFile(host);
  const found = file && readSmallFile(file, { follow: false });
  if (!found) return [];
  if (!insecureFiles) checkPrivate(file, found.stats, host);
  return parseFile<{ entries: LoginEntry[] }>(file, found.text, LOGINS).entries;
}

const address = testShape((value) => typeof value === "string" && parsedUrl(value) !== undefined, "an address");
const LOGIN = partialShape(
  { origin: address, style: wordShape(...Object.keys(AUTH_STYLES)), user: textShape, key: textShape },
  "origin",
  "style",
);
const LOGINS = partialShape({ entries: listShape(LOGIN) }, "entries");

/** Updates the stored logins under a lock; a damaged file is left unchanged. */
export async function changeLogins(
  host: Host,
  change: (entries: readonly LoginEntry[]) => readonly LoginEntry[],
): Promise<void> {
  const file = credentialFile(host) ?? folderToWrite("config", host);
  const action = () => replaceFile(file, `${JSON.stringify({ entries: change(readLogins(host)) }, undefined, 2)}\n`);
  await withLock(file, action, host);
}

/** The login for a tracker with the most specific base URL. */
export function loginFor(entries: readonly LoginEntry[], baseUrl: string): LoginEntry | undefined {
  const fitting = entries.filter(({ origin }) => isAtOrBelow(new URL(baseUrl), new URL(origin)));
  return fitting.sort((one, other) => other.origin.length - one.origin.length)[0];
}

/** Uses the keyring of the desktop, which has a key for each base URL. Returns its output; undefined without one, or if it fails. */
async function useKeyring(action: "lookup" | "store" | "clear", baseUrl: string, { env }: Host, key = "") {
  const program = findProgram("secret-tool", env);
  if (program === undefined || !env["DBUS_SESSION_BUS_ADDRESS"]) return undefined;
  const label = action === "store" ? [`--label=bt ${baseUrl}`] : [];
  const args = [action, ...label, "service", "bt", "account", baseUrl];
  const { code, output } = await runProgram(program, args, key, KEYRING_MS, env);
  return code === 0 ? output : undefined;
}

const KEYRING_MS = 3_000; // it may be locked, or hang
