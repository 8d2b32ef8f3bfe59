import { join } from "node:path";
import { BtError, systemErrorCode } from "../errors.ts";
import type { Secret } from "../secret.ts";
import { AUTH_STYLES, type AuthStyle } from "../wire/auth-style.ts";
import { isAtOrBelow } from "../wire/exchange.ts";
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
import { keyringOf } from "./keyring.ts";
import { withLock } from "./lock.ts";

/** A login to store. */
export type NewLogin = Pick<LoginEntry, "origin" | "user" | "style"> & { readonly key: Secret };

/**
 * Stores a login, replacing an earlier one for the same tracker: the key in the keyring if there is one, else in the
 * file. Returns the location for messages.
 */
export async function saveLogin({ key, ...login }: NewLogin, host: Host): Promise<string> {
  const ring = keyringOf(host);
  const ringed = ring !== undefined && (await ring.write(login.origin, key.reveal()));
  const entry: LoginEntry = { ...login, added: host.now().toISOString(), ...(ringed ? {} : { key: key.reveal() }) };
  await changeLogins(host, (entries) => [...entries.filter(({ origin }) => origin !== login.origin), entry]);
  return ringed ? "the keyring" : (credentialFile(host) ?? "");
}

/** Key of a stored login, from the file or the keyring. */
export async function storedKey(entry: LoginEntry, host: Host): Promise<string | undefined> {
  return entry.key ?? (await keyringOf(host)?.read(entry.origin));
}

/** Removes the login for a tracker and returns it; undefined if there was none. */
export async function forgetLogin(baseUrl: string, host: Host): Promise<LoginEntry | undefined> {
  const entry = loginFor(readLogins(host), baseUrl);
  if (entry === undefined) return undefined;
  await changeLogins(host, (entries) => entries.filter(({ origin }) => origin !== entry.origin));
  if (entry.key === undefined) await keyringOf(host)?.remove(entry.origin);
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
  const found = file === undefined ? undefined : readUnlinked(file);
  if (file === undefined || found === undefined) return [];
  checkPrivate({ file, stats: found.stats, ifForeign: "check its owner, then: bt auth login" }, host.uid, trust);
  return parse(file, found.text);
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

function readUnlinked(file: string): SmallFile | undefined {
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

function parse(file: string, text: string): LoginEntry[] {
  try {
    const { version, entries } = JSON.parse(text);
    if (version > VERSION) throw new Error("it was written by a newer bt");
    if (!Array.isArray(entries)) throw new Error("it contains no list of entries");
    return entries.map(entryOf);
  } catch (error) {
    const why = error instanceof SyntaxError || !(error instanceof Error) ? "it is not JSON" : error.message;
    const hint = "fix or remove the file; bt does not change it";
    throw new BtError("local", `cannot use ${file}: ${why}`, { hint, changed: "nothing" });
  }
}

function entryOf(value: unknown, index: number): LoginEntry {
  const { origin, user, style, key, added = "" } = Object(value) as Record<string, unknown>;
  const good =
    typeof origin === "string" &&
    URL.canParse(origin) &&
    typeof style === "string" &&
    Object.hasOwn(AUTH_STYLES, style);
  if (!good || !isOptionalText(user) || !isOptionalText(key)) throw new Error(`its entry ${index + 1} is not a login`);
  return { origin, user, style: style as AuthStyle, key, added: String(added) };
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}
