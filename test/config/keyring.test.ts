import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { credentialFile, saveLogin } from "../../src/config/credentials.ts";
import { findKey } from "../../src/config/key.ts";
import { asSecret } from "../../src/secret.ts";
import { machine } from "./machine.ts";

describe("the keyring of macOS and Windows", () => {
  const TRACKER = "https://bugs.example.org";
  const LOGIN = { origin: TRACKER, user: "ada", style: "header", key: asSecret("k3y") } as const;

  /** A machine whose keyring is in memory, and what that holds; `forgets`: it takes keys and has none. */
  function ringed({ forgets = false } = {}) {
    const kept = new Map<string, string>();
    class AsyncEntry {
      readonly #name: string;
      constructor(service: string, account: string) {
        this.#name = `${service} ${account}`;
      }
      async setPassword(password: string) {
        kept.set(this.#name, password);
      }
      async getPassword() {
        return forgets ? null : (kept.get(this.#name) ?? null);
      }
      async deletePassword() {
        return kept.delete(this.#name);
      }
    }
    const host = machine({ loadKeyring: async () => ({ AsyncEntry }) });
    return { host, kept };
  }

  const find = (host: ReturnType<typeof machine>) =>
    findKey(
      { baseUrl: TRACKER, variableOwner: undefined, isOffline: false, readInput: async () => new Uint8Array() },
      host,
    );

  test("keeps the key, which is not in the file", async () => {
    const { host, kept } = ringed();
    expect(await saveLogin(LOGIN, host)).toBe("the keyring");
    expect([...kept]).toEqual([[`bt ${TRACKER}`, "k3y"]]);
    expect(readFileSync(credentialFile(host) ?? "", "utf8")).not.toContain("k3y");
    const found = await find(host);
    expect([found?.source, found?.key.reveal()]).toEqual(["the keyring", "k3y"]);
  });

  test.each([
    ["does not return what it took", ringed({ forgets: true })],
    ["cannot be loaded", { host: machine({ loadKeyring: () => Promise.reject(new Error("none")) }) }],
  ])("is left for the file if it %s", async (_, { host, ...more }) => {
    expect(await saveLogin(LOGIN, host)).toBe(credentialFile(host));
    expect((await find(host))?.source).toBe("the stored login");
    expect("kept" in more ? [...more.kept] : []).toEqual([]);
  });
});
