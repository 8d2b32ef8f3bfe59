import type { Secret } from "../secret.ts";
import { changeEntries, credentialFile, type Entry, entryFor, readEntries } from "./credential-file.ts";
import type { Host } from "./host.ts";
import { keyring } from "./keyring.ts";

/** A login that is to be kept. */
export type Login = Pick<Entry, "origin" | "user" | "style"> & { readonly key: Secret };

/** Keeps a login in place of an earlier one for the same tracker: the key in the keyring if there is one, else in the file. Tells where. */
export async function saveLogin({ key, ...login }: Login, host: Host): Promise<string> {
  const ring = keyring(host);
  const ringed = ring !== undefined && (await ring.write(login.origin, key.reveal()));
  const entry: Entry = { ...login, added: host.now().toISOString(), ...(ringed ? {} : { key: key.reveal() }) };
  await changeEntries(host, (entries) => [...entries.filter(({ origin }) => origin !== login.origin), entry]);
  return ringed ? "the keyring" : (credentialFile(host.env) ?? "");
}

/** The key of a stored login, wherever it lies. */
export async function storedKey(entry: Entry, host: Host): Promise<string | undefined> {
  return entry.key ?? (await keyring(host)?.read(entry.origin));
}

/** Forgets the login for a tracker, and gives what was known of it; undefined when there was none. */
export async function forgetLogin(baseUrl: string, host: Host): Promise<Entry | undefined> {
  const entry = entryFor(readEntries(host), baseUrl);
  if (entry === undefined) return undefined;
  await changeEntries(host, (entries) => entries.filter(({ origin }) => origin !== entry.origin));
  if (entry.key === undefined) await keyring(host)?.remove(entry.origin);
  return entry;
}
