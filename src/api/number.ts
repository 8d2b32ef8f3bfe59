import { usage } from "../errors.ts";

/** Reads a whole number that is not negative, or not less than `least`, strictly: digits and nothing else. */
export function wholeNumber(flag: string, text: string, least = 0): number {
  if (/^[0-9]{1,15}$/.test(text) && Number(text) >= least) return Number(text);
  const number = `a whole number${least > 0 ? `, ${least} or more` : ""}`;
  throw usage(`--${flag} ${JSON.stringify(text)} is not ${number}`);
}
