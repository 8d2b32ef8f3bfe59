import { createHash, scryptSync, timingSafeEqual } from "node:crypto";
import { Fault } from "../http/fault.ts";
import { readServerParameters } from "../http/server-parameters.ts";
import type { Store } from "../store/store.ts";

const MIN_LENGTH = 6;

/** Required character classes by the value of the parameter `password_complexity`. */
const COMPLEXITY: Readonly<Record<string, readonly (readonly [string, RegExp])[]>> = {
  mixed_letters: [
    ["lowercase letter", /\p{Ll}/u],
    ["UPPERCASE letter", /\p{Lu}/u],
  ],
  letters_numbers: [
    ["lowercase letter", /\p{Ll}/u],
    ["UPPERCASE letter", /\p{Lu}/u],
    ["digit", /\d/],
  ],
  letters_numbers_specialchars: [
    ["letter", /\p{L}/u],
    ["special character", /[\p{P}\p{S}]/u],
    ["digit", /\d/],
  ],
};

/**
 * Stores a user's new password and deletes their login tokens.
 * @throws Fault password_too_short, or password_not_complex if it lacks a required character class
 * @see Bugzilla/User.pm, validate_password_check
 */
export function setPassword(
  store: Store,
  { userId, password, salt }: { userId: number; password: string; salt: Uint8Array },
): void {
  if ([...password].length < MIN_LENGTH) {
    throw new Fault("password_too_short", `The password must be at least ${MIN_LENGTH} characters long.`);
  }
  const required = COMPLEXITY[readServerParameters(store).password_complexity] ?? [];
  if (required.some(([, pattern]) => !pattern.test(password))) {
    const names = required.map(([name]) => name).join(", ");
    throw new Fault("password_not_complex", `The password must contain at least one: ${names}.`);
  }
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
