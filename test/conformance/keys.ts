import type { Store } from "../../src/tracker/store/store.ts";
import { sha256 } from "../../src/tracker/users/authenticate.ts";

const NAMES = ["admin", "alice", "bob", "carol", "dave", "eve", "revoked"];

/** The key that a placeholder like {alice_key} stands for, as long as keys are: their length counts in that of a request. */
export function realKey(placeholder: string): string {
  return placeholder.replace(/[^a-zA-Z]/g, "").padEnd(40, "0");
}

/** Gives the users of the recorded state, whose keys are the placeholders themselves, keys of the real length. */
export function makeKeysReal(store: Store): void {
  for (const placeholder of NAMES.map((name) => `{${name}_key}`)) {
    store.run("UPDATE api_keys SET key_sha256 = ? WHERE key_sha256 = ?", [
      sha256(realKey(placeholder)),
      sha256(placeholder),
    ]);
  }
}
