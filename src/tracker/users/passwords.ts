import { createHash, scryptSync, timingSafeEqual } from "node:crypto";
import type { Store } from "../store/store.ts";

/** Stores a user's new password and deletes their login tokens. */
export function setPassword(
  store: Store,
  { userId, password, salt }: { userId: number; password: string; salt: Uint8Array },
): void {
  store.run("UPDATE users SET password_hash = ? WHERE id = ?", [hashPassword(password, salt), userId]);
  store.run("DELETE FROM login_tokens WHERE user_id = ?", [userId]);
}

/** SHA-256 of an API key or token in hex, the form in which it is stored. */
export function sha256(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Stored form of a password: `scrypt$SALT$KEY`, both in hex. */
export function hashPassword(password: string, salt: Uint8Array): string {
  const text = Buffer.from(salt).toString("hex");
  return `scrypt$${text}$${deriveKey(password, text)}`;
}

/** True if a password matches its stored form; compares in constant time. */
export function matchesPassword(password: string, stored: string): boolean {
  const [method, salt, required] = stored.split("$");
  if (method !== "scrypt" || salt === undefined || required === undefined) return false;
  const actual = Buffer.from(deriveKey(password, salt), "hex");
  const expected = Buffer.from(required, "hex");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function deriveKey(password: string, salt: string): string {
  return scryptSync(password, salt, 32).toString("hex");
}
