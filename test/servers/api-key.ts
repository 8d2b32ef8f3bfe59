import { createHash } from "node:crypto";
import type { Store } from "../../src/tracker/store/store.ts";

/** Gives a user of a tracker an API key, unless it is there already; returns it. */
export function addApiKey(store: Store, login: string, key = login.replace(/\W/g, "").padEnd(40, "k")): string {
  store.run(
    `INSERT INTO api_keys (user_id, key_sha256, description, creation_time)
     SELECT id, @digest, '', '2026-11-20T00:00:00Z' FROM users
     WHERE login = @login AND NOT EXISTS (SELECT 1 FROM api_keys WHERE key_sha256 = @digest)`,
    { login, digest: createHash("sha256").update(key).digest("hex") },
  );
  return key;
}
