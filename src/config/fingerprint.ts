import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** A credential as it may be kept: by its salted hash, from which it cannot be found out. */
export type Fingerprint = { readonly salt: string; readonly scrypt: string }; // base64

/** The fingerprint of a credential, with a salt of its own unless one is given. Takes about 50 ms, beside the event loop. */
export function fingerprintOf(credential: string, salt = randomBytes(16).toString("base64")): Promise<Fingerprint> {
  return new Promise((resolve, reject) => {
    scrypt(credential, Buffer.from(salt, "base64"), LENGTH, (error, hash) =>
      error ? reject(error) : resolve({ salt, scrypt: hash.toString("base64") }),
    );
  });
}

/** Whether a fingerprint is that of a credential. */
export async function isFingerprintOf(credential: string, { salt, scrypt: kept }: Fingerprint): Promise<boolean> {
  const hash = Buffer.from((await fingerprintOf(credential, salt)).scrypt);
  return hash.length === Buffer.byteLength(kept) && timingSafeEqual(hash, Buffer.from(kept));
}

const LENGTH = 32;
