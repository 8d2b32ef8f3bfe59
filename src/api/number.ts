import { BtError } from "../errors.ts";

/** Reads a whole number that is not negative, strictly: digits and nothing else. */
export function wholeNumber(flag: string, text: string): number {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw new BtError("usage", `--${flag} ${JSON.stringify(text)} is not a whole number`, { changed: "nothing" });
}
