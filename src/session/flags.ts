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
