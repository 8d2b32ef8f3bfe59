/** Crockford's base 32: no letters that look like digits. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * A ULID: ten digits of time (ms), sixteen of randomness (10 bytes). Sorts by time.
 * @see https://github.com/ulid/spec
 */
export function ulid(now: number, random: Uint8Array): string {
  const chance = [...random].reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const value = (BigInt(now) << 80n) | chance;
  return [...Array(26).keys()].map((at) => DIGITS[Number((value >> BigInt(5 * (25 - at))) & 31n)]).join("");
}

/** Time of a ULID (ms since the epoch); undefined for other texts. */
export function ulidTime(text: string): number | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text)) return undefined;
  return [...text.slice(0, 10)].reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0);
}
