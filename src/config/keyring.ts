import type { Host } from "./host.ts";
import { findProgram, runProgram } from "./program.ts";

/** The keyring of the desktop, one entry for each base URL; there is none where `secret-tool` or a session bus is missing. */
export type Keyring = {
  readonly read: (baseUrl: string) => Promise<string | undefined>;
  readonly write: (baseUrl: string, key: string) => Promise<boolean>;
  readonly remove: (baseUrl: string) => Promise<boolean>;
};

/** The keyring, if there is one. It may be locked or hang: each use takes three seconds at most. */
export function keyring({ env }: Host): Keyring | undefined {
  const program = findProgram("secret-tool", env["PATH"]);
  if (program === undefined || !env["DBUS_SESSION_BUS_ADDRESS"]) return undefined;
  const use = (args: readonly string[], input = "") => runProgram({ program, args, input, env, timeoutMs: 3_000 });
  const account = (baseUrl: string) => ["service", "bt", "account", baseUrl];
  return {
    async read(baseUrl) {
      const { code, output } = await use(["lookup", ...account(baseUrl)]);
      return code === 0 && output !== "" ? output : undefined;
    },
    write: async (baseUrl, key) => (await use(["store", `--label=bt ${baseUrl}`, ...account(baseUrl)], key)).code === 0,
    remove: async (baseUrl) => (await use(["clear", ...account(baseUrl)])).code === 0,
  };
}
