/** The digits of Crockford's base 32: no letter that could be taken for a digit. */
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A name that sorts by the time at which it was made: ten digits of milliseconds, sixteen of chance (10 random bytes). */
export function ulid(now: number, random: Uint8Array): string {
  const chance = [...random].reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return digits(BigInt(now), 10) + digits(chance, 16);
}

/** When a name was made, in milliseconds; undefined for what is no such name. */
export function ulidTime(text: string): number | undefined {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text)) return undefined;
  return [...text.slice(0, 10)].reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0);
}

function digits(value: bigint, length: number): string {
  return [...Array(length).keys()].map((at) => DIGITS[Number((value >> BigInt(5 * (length - 1 - at))) & 31n)]).join("");
}
