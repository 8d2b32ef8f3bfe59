import type { Store } from "../store/store.ts";
import { sha256 } from "../users/passwords.ts";

/** Owner, description and time of a new API key; `random` returns that many random bytes. */
export type ApiKeyRequest = {
  readonly userId: number;
  readonly description: string;
  readonly random: (bytes: number) => Uint8Array;
  readonly now: string;
};

/** Creates an API key of 160 bits and returns it in hex; only its SHA-256 is stored. */
export function issueApiKey(store: Store, { userId, description, random, now }: ApiKeyRequest): string {
  const key = Buffer.from(random(20)).toString("hex");
  store.run("INSERT INTO api_keys (user_id, key_sha256, description, creation_time) VALUES (?, ?, ?, ?)", [
    userId,
    sha256(key),
    description,
    now,
  ]);
  return key;
}

/**
 * Creates and returns a user's first API key; undefined if the user has one already. `persist` saves it for the user; if it
 * throws, no key is created.
 */
export function issueFirstApiKey(
  store: Store,
  request: ApiKeyRequest,
  persist: (key: string) => void,
): string | undefined {
  const hasKey = () => store.get("SELECT id FROM api_keys WHERE user_id = ?", [request.userId]) !== undefined;
  if (hasKey()) return undefined; // without waiting for a write lock
  return store.transaction("write", () => {
    if (hasKey()) return undefined;
    const key = issueApiKey(store, request);
    persist(key);
    return key;
  });
}
