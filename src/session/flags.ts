import { usage } from "../errors.ts";

/** What a command line gives under the flags' own names: text, lists of text, or true. */
export type FlagValues = Readonly<Record<string, string | readonly string[] | true | undefined>>;

/** The values of a flag as a list, whether it was given once, often or never. */
export function flagValues(value: FlagValues[string]): readonly string[] {
  if (value === undefined || value === true) return [];
  return typeof value === "string" ? [value] : value;
}

/** The value of a flag that is given once. */
export function flagValue(value: FlagValues[string]): string | undefined {
  return flagValues(value).at(-1);
}

/** Reads a whole number that is not negative, or not less than `least`, strictly: digits and nothing else. */
export function wholeNumber(flag: string, text: string, least = 0): number {
  if (/^[0-9]{1,15}$/.test(text) && Number(text) >= least) return Number(text);
  const number = `a whole number${least > 0 ? `, ${least} or more` : ""}`;
  throw usage(`--${flag} ${JSON.stringify(text)} is not ${number}`);
}
