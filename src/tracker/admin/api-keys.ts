import type { Store } from "../store/store.ts";
import { sha256 } from "../users/passwords.ts";

/** Whose key, what for, and when. */
export type ApiKeyRequest = {
  readonly userId: number;
  readonly description: string;
  readonly random: (bytes: number) => Uint8Array;
  readonly now: string;
};

/** Makes an API key for a user: 160 bits, given back this once and stored only as its digest. */
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
 * A user's first key; undefined when there was one before, whose text nobody knows any more. `keep` puts it where it can
 * be found: a key that could not be kept is none.
 */
export function issueFirstApiKey(store: Store, order: ApiKeyRequest, keep: (key: string) => void): string | undefined {
  const hasKey = () => store.get("SELECT id FROM api_keys WHERE user_id = ?", [order.userId]) !== undefined;
  if (hasKey()) return undefined; // a start does not wait for those who write
  return store.transaction("write", () => {
    if (hasKey()) return undefined;
    const key = issueApiKey(store, order);
    keep(key);
    return key;
  });
}
