import { createHash, scryptSync, timingSafeEqual } from "node:crypto";

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
export function isPassword(password: string, stored: string): boolean {
  const [method, salt, wanted] = stored.split("$");
  if (method !== "scrypt" || salt === undefined || wanted === undefined) return false;
  const given = Buffer.from(stretch(password, salt), "hex");
  const kept = Buffer.from(wanted, "hex");
  return given.length === kept.length && timingSafeEqual(given, kept);
}

function stretch(password: string, salt: string): string {
  return scryptSync(password, salt, 32).toString("hex");
}
