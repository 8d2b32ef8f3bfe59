import { join } from "node:path";
import { BtError, systemErrorCode } from "../errors.ts";
import { findProgram, runProgram } from "../platform.ts";
import type { Secret } from "../secret.ts";
import { AUTH_STYLES, type AuthStyle, isAtOrBelow, parsedUrl } from "../wire/exchange.ts";
import { invalidMemberText, listShape, partialShape, testShape, textShape, wordShape } from "../wire/shape.ts";
import {
  checkPrivate,
  type FileTrust,
  folderFor,
  folderToWrite,
  type Host,
  readSmallFile,
  replaceFile,
} from "./files.ts";
import { withLock } from "./lock.ts";

/** A stored login: its tracker, and the key unless that is in the keyring. */
export type LoginEntry = {
  readonly origin: string; // full base URL, since trackers may share a host
  readonly user?: string | undefined;
  readonly style: AuthStyle;
  readonly key?: string | undefined; // absent: in the keyring
  readonly added: string;
};

/** A login to store. */
type NewLogin = Pick<LoginEntry, "origin" | "user" | "style"> & { readonly key: Secret };

/**
 * Stores a login, replacing an earlier one for the same tracker: the key in the keyring if there is one, else in the
 * file. Returns the location for messages.
 */
export async function saveLogin({ key, ...login }: NewLogin, host: Host): Promise<string> {
  const isRinged =
    (await useKeyring("store", login.origin, host, key.reveal())) !== undefined &&
    (await useKeyring("lookup", login.origin, host)) === key.reveal(); // a locked keyring may take what it does not return
  const entry: LoginEntry = { ...login, added: host.now().toISOString(), ...(isRinged ? {} : { key: key.reveal() }) };
  await changeLogins(host, (entries) => [...entries.filter(({ origin }) => origin !== login.origin), entry]);
  return isRinged ? "the keyring" : (credentialFile(host) ?? "");
}

/** Key of a stored login, from the file or the keyring; undefined if the keyring does not return it. */
export async function storedKey(entry: LoginEntry, host: Host): Promise<string | undefined> {
  return entry.key ?? ((await useKeyring("lookup", entry.origin, host)) || undefined);
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
  const folder = folderFor("config", host);
  return folder && join(folder, "credentials.json");
}

/**
 * The stored logins.
 * @throws BtError of kind guard if the file is a symbolic link, or if others can read or replace it
 */
export function readLogins(host: Host, trust: FileTrust = {}): LoginEntry[] {
  const file = credentialFile(host);
  const found = file === undefined ? undefined : readUnlessLink(file);
  if (file === undefined || found === undefined) return [];
  checkPrivate({ file, stats: found.stats }, host.uid, trust);
  return parseLogins(file, found.text);
}

/** Updates the stored logins under a lock; a damaged file is left unchanged. */
export async function changeLogins(host: Host, change: (entries: LoginEntry[]) => LoginEntry[]): Promise<void> {
  const file = credentialFile(host) ?? folderToWrite("config", host);
  const action = () => {
    const entries = change(readLogins(host));
    replaceFile(file, `${JSON.stringify({ entries }, undefined, 2)}\n`);
  };
  await withLock({ file, action }, host);
}

/** The login for a tracker with the most specific base URL. */
export function loginFor(entries: LoginEntry[], baseUrl: string): LoginEntry | undefined {
  const fitting = entries.filter(({ origin }) => isAtOrBelow(new URL(baseUrl), new URL(origin)));
  return fitting.sort((one, other) => other.origin.length - one.origin.length)[0];
}

function readUnlessLink(file: string) {
  try {
    return readSmallFile(file, { follow: false });
  } catch (error) {
    if (systemErrorCode((error as Error).cause) !== "ELOOP") throw error;
    throw new BtError("guard", `${file} is not used: it is a symbolic link`, {
      hint: "replace the link with the file",
    });
  }
}

const address = testShape((value) => typeof value === "string" && parsedUrl(value) !== undefined, "an address");
const LOGIN = partialShape(
  { origin: address, style: wordShape(...Object.keys(AUTH_STYLES)), user: textShape, key: textShape },
  "origin",
  "style",
);
const LOGINS = partialShape({ entries: listShape(LOGIN) }, "entries");

function parseLogins(file: string, text: string): LoginEntry[] {
  const broken = (why: string) =>
    new BtError("local", `cannot use ${file}: ${why}`, { hint: "fix or remove the file; bt does not change it" });
  let content: { entries: LoginEntry[] };
  try {
    content = JSON.parse(text);
  } catch {
    throw broken("it is not JSON");
  }
  const invalid = LOGINS(content);
  if (invalid) throw broken(invalidMemberText(invalid, "it"));
  return content.entries;
}

/** Uses the keyring of the desktop, which has a key for each base URL. Returns its output; undefined without one, or if it fails. */
async function useKeyring(action: "lookup" | "store" | "clear", baseUrl: string, { env }: Host, key = "") {
  const program = findProgram("secret-tool", env);
  if (program === undefined || !env["DBUS_SESSION_BUS_ADDRESS"]) return undefined;
  const label = action === "store" ? [`--label=bt ${baseUrl}`] : [];
  const args = [action, ...label, "service", "bt", "account", baseUrl];
  const { code, output } = await runProgram({ program, args, input: key, env, timeoutMs: 3_000 }); // it may be locked, or hang
  return code === 0 ? output : undefined;
}
