import { join } from "node:path";
import { BtError, systemErrorCode } from "../errors.ts";
import { findProgram, type KeyringPackage } from "../platform.ts";
import type { Secret } from "../secret.ts";
import { AUTH_STYLES, type AuthStyle } from "../wire/auth-style.ts";
import { isAtOrBelow } from "../wire/exchange.ts";
import { parsedUrl } from "../wire/url.ts";
import { checkPrivate, type FileTrust } from "./file-trust.ts";
import {
  folderFor,
  folderToWrite,
  type Host,
  readSmallFile,
  replaceFile,
  type SmallFile,
  type Surroundings,
} from "./files.ts";
import { withLock } from "./lock.ts";
import { runProgram } from "./program.ts";

/** A login to store. */
export type NewLogin = Pick<LoginEntry, "origin" | "user" | "style"> & { readonly key: Secret };

/**
 * Stores a login, replacing an earlier one for the same tracker: the key in the keyring if there is one, else in the
 * file. Returns the location for messages.
 */
export async function saveLogin({ key, ...login }: NewLogin, host: Host): Promise<string> {
  const ring = findKeyring(host);
  const ringed = ring !== undefined && (await ring.write(login.origin, key.reveal()));
  const entry: LoginEntry = { ...login, added: host.now().toISOString(), ...(ringed ? {} : { key: key.reveal() }) };
  await changeLogins(host, (entries) => [...entries.filter(({ origin }) => origin !== login.origin), entry]);
  return ringed ? "the keyring" : (credentialFile(host) ?? "");
}

/** Key of a stored login, from the file or the keyring. */
export async function storedKey(entry: LoginEntry, host: Host): Promise<string | undefined> {
  return entry.key ?? (await findKeyring(host)?.read(entry.origin));
}

/** Removes the login for a tracker and returns it; undefined if there was none. */
export async function forgetLogin(baseUrl: string, host: Host): Promise<LoginEntry | undefined> {
  const entry = loginFor(readLogins(host), baseUrl);
  if (entry === undefined) return undefined;
  await changeLogins(host, (entries) => entries.filter(({ origin }) => origin !== entry.origin));
  if (entry.key === undefined) await findKeyring(host)?.remove(entry.origin);
  return entry;
}

/** A stored login: its tracker, and the key unless that is in the keyring. */
export type LoginEntry = {
  readonly origin: string; // full base URL, since trackers may share a host
  readonly user?: string | undefined;
  readonly style: AuthStyle;
  readonly key?: string | undefined; // absent: in the keyring
  readonly added: string;
};

/** Path of the credentials file; undefined without a home directory. */
export function credentialFile(host: Surroundings): string | undefined {
  const folder = folderFor("config", host);
  return folder && join(folder, "credentials.json");
}

/**
 * The stored logins.
 * @throws BtError of kind guard if others can read or replace the file
 */
export function readLogins(host: Host, trust: FileTrust = {}): LoginEntry[] {
  const file = credentialFile(host);
  const found = file === undefined ? undefined : readUnlessLink(file);
  if (file === undefined || found === undefined) return [];
  checkPrivate({ file, stats: found.stats, ifForeign: "check its owner, then: bt auth login" }, host.uid, trust);
  return parseLogins(file, found.text);
}

/** Updates the stored logins under a lock; a damaged file is left unchanged. */
export async function changeLogins(host: Host, change: (entries: LoginEntry[]) => LoginEntry[]): Promise<void> {
  const file = credentialFile(host) ?? folderToWrite("config", host);
  const action = () => {
    const entries = change(readLogins(host));
    replaceFile(file, `${JSON.stringify({ version: VERSION, entries }, undefined, 2)}\n`);
  };
  await withLock({ file, action }, host);
}

/** The login for a tracker with the most specific base URL. */
export function loginFor(entries: LoginEntry[], baseUrl: string): LoginEntry | undefined {
  const fitting = entries.filter(({ origin }) => isAtOrBelow(new URL(baseUrl), new URL(origin)));
  return fitting.sort((a, b) => b.origin.length - a.origin.length)[0];
}

const VERSION = 1;

function readUnlessLink(file: string): SmallFile | undefined {
  try {
    return readSmallFile(file, { follow: false });
  } catch (error) {
    if (!(error instanceof BtError) || systemErrorCode(error.cause) !== "ELOOP") throw error;
    throw new BtError("guard", `${file} is not used: it is a symbolic link`, {
      hint: "replace the link with the file",
      changed: "nothing",
    });
  }
}

function parseLogins(file: string, text: string): LoginEntry[] {
  try {
    const { version, entries } = JSON.parse(text);
    if (version > VERSION) throw new Error("it was written by a newer bt");
    if (!Array.isArray(entries)) throw new Error("it contains no list of entries");
    return entries.map(readEntry);
  } catch (error) {
    const why = error instanceof SyntaxError || !(error instanceof Error) ? "it is not JSON" : error.message;
    const hint = "fix or remove the file; bt does not change it";
    throw new BtError("local", `cannot use ${file}: ${why}`, { hint, changed: "nothing" });
  }
}

function readEntry(value: unknown, index: number): LoginEntry {
  const { origin, user, style, key, added = "" } = Object(value) as Record<string, unknown>;
  const good =
    typeof origin === "string" &&
    parsedUrl(origin) !== undefined &&
    typeof style === "string" &&
    Object.hasOwn(AUTH_STYLES, style);
  if (!good || !isOptionalText(user) || !isOptionalText(key)) throw new Error(`its entry ${index + 1} is not a login`);
  return { origin, user, style: style as AuthStyle, key, added: String(added) };
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

/** Keyring of the desktop, one entry per base URL. Methods never reject. */
export type Keyring = {
  readonly read: (baseUrl: string) => Promise<string | undefined>;
  /** True only if the key can be read again. */
  readonly write: (baseUrl: string, key: string) => Promise<boolean>;
  readonly remove: (baseUrl: string) => Promise<boolean>;
};

/** The keyring of this system; undefined where there is none. */
function findKeyring(host: Host): Keyring | undefined {
  const ring = host.loadKeyring ? packageKeyring(host.loadKeyring) : secretToolKeyring(host);
  return ring && { ...ring, write: (baseUrl, key) => writeVerified(ring, baseUrl, key) };
}

/** Reads a key back after writing it: a keyring that is locked may take what it does not return. */
async function writeVerified(ring: Keyring, baseUrl: string, key: string): Promise<boolean> {
  if (!(await ring.write(baseUrl, key))) return false;
  if ((await ring.read(baseUrl)) === key) return true;
  await ring.remove(baseUrl);
  return false;
}

const SERVICE = "bt";

/** Secret Service; undefined without its program or a session bus. It may be locked or hang: a call takes 3 s at most. */
function secretToolKeyring({ env }: Host): Keyring | undefined {
  const program = findProgram("secret-tool", env);
  if (program === undefined || !env["DBUS_SESSION_BUS_ADDRESS"]) return undefined;
  const use = (args: string[], input = "") => runProgram({ program, args, input, env, timeoutMs: 3_000 });
  const account = (baseUrl: string) => ["service", SERVICE, "account", baseUrl];
  return {
    async read(baseUrl) {
      const { code, output } = await use(["lookup", ...account(baseUrl)]);
      return code === 0 && output !== "" ? output : undefined;
    },
    write: async (baseUrl, key) => (await use(["store", `--label=bt ${baseUrl}`, ...account(baseUrl)], key)).code === 0,
    remove: async (baseUrl) => (await use(["clear", ...account(baseUrl)])).code === 0,
  };
}

type Entry = InstanceType<KeyringPackage["AsyncEntry"]>;

/** Keychain or Credential Manager. The package is optional and loaded with the first call. */
function packageKeyring(load: () => Promise<KeyringPackage>): Keyring {
  const use = async <Result>(baseUrl: string, act: (entry: Entry) => Promise<Result>) => {
    try {
      const { AsyncEntry } = await load();
      return await act(new AsyncEntry(SERVICE, baseUrl));
    } catch {
      return undefined; // not installed, locked, or not allowed
    }
  };
  return {
    read: async (baseUrl) => (await use(baseUrl, (entry) => entry.getPassword())) ?? undefined,
    write: async (baseUrl, key) => (await use(baseUrl, (entry) => entry.setPassword(key).then(() => true))) === true,
    remove: async (baseUrl) => (await use(baseUrl, (entry) => entry.deletePassword())) === true,
  };
}
