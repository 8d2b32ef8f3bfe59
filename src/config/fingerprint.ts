import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** A credential as it may be kept: by its salted hash, from which it cannot be found out. */
export type Fingerprint = { readonly salt: string; readonly scrypt: string }; // base64

/**
 * The fingerprint of a credential. Takes about 50 ms, beside the event loop, the first time: a process has one salt for all
 * that it keeps.
 */
export async function fingerprintOf(credential: string): Promise<Fingerprint> {
  return { salt: SALT, scrypt: await stretched(credential, SALT) };
}

/** Whether a fingerprint is that of a credential. */
export async function isFingerprintOf(credential: string, { salt, scrypt: kept }: Fingerprint): Promise<boolean> {
  const hash = Buffer.from(await stretched(credential, salt));
  return hash.length === Buffer.byteLength(kept) && timingSafeEqual(hash, Buffer.from(kept));
}

const LENGTH = 32;
const SALT = randomBytes(16).toString("base64");
const known = new Map<string, Promise<string>>();

function stretched(credential: string, salt: string): Promise<string> {
  const key = `${salt} ${credential}`;
  const hash = known.get(key) ?? stretch(credential, salt);
  known.set(key, hash);
  return hash;
}

function stretch(credential: string, salt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(credential, Buffer.from(salt, "base64"), LENGTH, (error, hash) =>
      error ? reject(error) : resolve(hash.toString("base64")),
    );
  });
}
