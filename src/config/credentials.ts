import { join } from "node:path";
import { BtError, systemErrorCode } from "../errors.ts";
import { findProgram } from "../platform.ts";
import type { Secret } from "../secret.ts";
import { AUTH_STYLES, type AuthStyle, isAtOrBelow, parsedUrl } from "../wire/exchange.ts";
import { listShape, misfitText, partialShape, testShape, textShape, wordShape } from "../wire/shape.ts";
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
import { runProgram } from "./program.ts";

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
  const ring = findKeyring(host);
  const isRinged = ring !== undefined && (await writeVerified(ring, login.origin, key.reveal()));
  const entry: LoginEntry = { ...login, added: host.now().toISOString(), ...(isRinged ? {} : { key: key.reveal() }) };
  await changeLogins(host, (entries) => [...entries.filter(({ origin }) => origin !== login.origin), entry]);
  return isRinged ? "the keyring" : (credentialFile(host) ?? "");
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

const address = testShape((value) => typeof value === "string" && parsedUrl(value) !== undefined, "an address");
const LOGIN = partialShape(
  { origin: address, style: wordShape(...Object.keys(AUTH_STYLES)), user: textShape, key: textShape },
  ...["origin", "style"],
);
const LOGINS = partialShape({ entries: listShape(LOGIN) }, "entries");

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

function parseLogins(file: string, text: string): LoginEntry[] {
  const broken = (why: string) =>
    new BtError("local", `cannot use ${file}: ${why}`, {
      hint: "fix or remove the file; bt does not change it",
    });
  let content: { entries: LoginEntry[] };
  try {
    content = JSON.parse(text);
  } catch {
    throw broken("it is not JSON");
  }
  const misfit = LOGINS(content);
  if (misfit) throw broken(misfitText(misfit, "it"));
  return content.entries;
}

/** Keyring of the desktop, with a key for each base URL. Methods never reject. */
type Keyring = {
  readonly read: (baseUrl: string) => Promise<string | undefined>;
  readonly write: (baseUrl: string, key: string) => Promise<boolean>;
  readonly remove: (baseUrl: string) => Promise<boolean>;
};

/** Writes a key and reads it back: a keyring that is locked may take what it does not return. */
async function writeVerified(ring: Keyring, baseUrl: string, key: string): Promise<boolean> {
  if (!(await ring.write(baseUrl, key))) return false;
  if ((await ring.read(baseUrl)) === key) return true;
  await ring.remove(baseUrl);
  return false;
}

const SERVICE = "bt";

/** The keyring of this system; undefined where there is none. */
function findKeyring({ env }: Host): Keyring | undefined {
  const program = findProgram("secret-tool", env);
  if (program === undefined || !env["DBUS_SESSION_BUS_ADDRESS"]) return undefined;
  const use = (action: string, baseUrl: string, input = "", ...options: string[]) => {
    const args = [action, ...options, "service", SERVICE, "account", baseUrl];
    return runProgram({ program, args, input, env, timeoutMs: 3_000 }); // it may be locked, or hang
  };
  return {
    async read(baseUrl) {
      const { code, output } = await use("lookup", baseUrl);
      return code === 0 && output !== "" ? output : undefined;
    },
    write: async (baseUrl, key) => (await use("store", baseUrl, key, `--label=bt ${baseUrl}`)).code === 0,
    remove: async (baseUrl) => (await use("clear", baseUrl)).code === 0,
  };
}
