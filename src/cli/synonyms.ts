/**
 * Words that people type for a command of another name, to what they mean; undefined for words that have no counterpart and
 * must not be taken for a near spelling of one.
 */
export const COMMAND_SYNONYMS: ReadonlyMap<string, string | undefined> = new Map([
  ["assign", "bt bug update -a"],
  ["resolve", "bt bug close"],
  ["comment", "bt comment add"],
  ["clone", undefined],
  ["delete", undefined],
  ["status", undefined],
]);

/** Flags that other tools spell so, to the flag of `bt`. */
export const FLAG_SYNONYMS: ReadonlyMap<string, string> = new Map([
  ["--state", "--status"],
  ["-l", "-L"],
  ["-V", "--version"],
]);
