import { findProgram, type KeyringPackage } from "../platform.ts";
import type { Host } from "./files.ts";
import { runProgram } from "./program.ts";

/** Keyring of the desktop, one entry per base URL. Methods never reject. */
export type Keyring = {
  readonly read: (baseUrl: string) => Promise<string | undefined>;
  /** True only if the key can be read again. */
  readonly write: (baseUrl: string, key: string) => Promise<boolean>;
  readonly remove: (baseUrl: string) => Promise<boolean>;
};

/** The keyring of this system; undefined where there is none. */
export function keyringOf(host: Host): Keyring | undefined {
  const { keyring } = host.platform;
  const ring = "load" in keyring ? packageKeyring(keyring.load) : secretToolKeyring(keyring.program, host);
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
function secretToolKeyring(name: string, host: Host): Keyring | undefined {
  const { env } = host;
  const program = findProgram(name, host);
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
