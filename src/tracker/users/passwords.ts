import { createHash, scryptSync, timingSafeEqual } from "node:crypto";
import { Fault } from "../http/fault.ts";
import { readServerParameters } from "../http/server-parameters.ts";
import type { Store } from "../store/store.ts";

const MIN_LENGTH = 6;

/** What a password must contain, by the values of the parameter password_complexity. */
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
 * Stores a user's new password, which ends the sessions that the old one began; refused when it is too short or lacks
 * what the tracker asks for.
 *
 * @see Bugzilla::User::validate_password_check
 */
export function setPassword(
  store: Store,
  { userId, password, salt }: { readonly userId: number; readonly password: string; readonly salt: Uint8Array },
): void {
  if ([...password].length < MIN_LENGTH) {
    throw new Fault(400, 502, `The password must be at least ${MIN_LENGTH} characters long.`);
  }
  const wanted = COMPLEXITY[readServerParameters(store).password_complexity] ?? [];
  if (wanted.some(([, pattern]) => !pattern.test(password))) {
    const names = wanted.map(([name]) => name).join(", ");
    throw new Fault(400, 305, `The password must contain at least one: ${names}.`);
  }
  store.run("UPDATE users SET password_hash = ? WHERE id = ?", [hashPassword(password, salt), userId]);
  store.run("DELETE FROM login_tokens WHERE user_id = ?", [userId]);
}

/** The only form in which a key or token is stored. */
export function sha256(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** A password as it is stored: how it was stretched, the salt, the result. */
export function hashPassword(password: string, salt: Uint8Array): string {
  const text = Buffer.from(salt).toString("hex");
  return `scrypt$${text}$${stretch(password, text)}`;
}

/** Whether a password is the one that was stored. */
export function matchesPassword(password: string, stored: string): boolean {
  const [method, salt, wanted] = stored.split("$");
  if (method !== "scrypt" || salt === undefined || wanted === undefined) return false;
  const given = Buffer.from(stretch(password, salt), "hex");
  const kept = Buffer.from(wanted, "hex");
  return given.length === kept.length && timingSafeEqual(given, kept);
}

function stretch(password: string, salt: string): string {
  return scryptSync(password, salt, 32).toString("hex");
}
