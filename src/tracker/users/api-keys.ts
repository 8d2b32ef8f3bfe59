import { timestamp } from "../../wire/time.ts";
import type { Runtime } from "../http/call.ts";
import { faults } from "../http/fault.ts";
import type { Store } from "../store/store.ts";
import { withBooleans } from "../values.ts";
import { sha256 } from "./passwords.ts";

/** An API key as it is stored, without the key itself. */
export type ApiKey = {
  readonly id: number;
  readonly login: string;
  readonly description: string;
  readonly creation_time: string;
  readonly is_revoked: boolean;
};

/** All API keys, oldest first. */
export function listApiKeys(store: Store): ApiKey[] {
  return store.all<Omit<ApiKey, "is_revoked"> & { is_revoked: number }>(API_KEYS).map(withBooleans);
}

const API_KEYS = `SELECT api_keys.id, login, description, creation_time, is_revoked
  FROM api_keys JOIN users ON users.id = user_id ORDER BY api_keys.id`;

/** Creates an API key of 160 bits and returns it in hex; only its SHA-256 is stored. */
export function createApiKey(store: Store, { now, random }: Runtime, userId: number, description: string): string {
  const key = Buffer.from(random(20)).toString("hex");
  store.run("INSERT INTO api_keys (user_id, key_sha256, description, creation_time) VALUES (?, ?, ?, ?)", [
    userId,
    sha256(key),
    description,
    timestamp(now()),
  ]);
  return key;
}

/** Revokes an API key. @throws Fault object_does_not_exist if there is none with this id */
export function revokeApiKey(store: Store, id: number): void {
  const { changes } = store.run("UPDATE api_keys SET is_revoked = 1 WHERE id = ?", [id]);
  if (changes === 0) throw faults.noSuchId("API key", String(id));
}

/**
 * Creates and returns a user's first API key; undefined if the user has one already. `persist` saves it for the user; if it
 * throws, no key is created.
 */
export function createFirstApiKey(
  store: Store,
  runtime: Runtime,
  userId: number,
  persist: (key: string) => void,
): string | undefined {
  return store.transaction("write", () => {
    if (store.get("SELECT id FROM api_keys WHERE user_id = ?", [userId])) return undefined;
    const key = createApiKey(store, runtime, userId, "made at first start");
    persist(key);
    return key;
  });
}
