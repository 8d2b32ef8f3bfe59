import { usageError } from "../errors.ts";

/** Words of a command line: separated by whitespace, grouped by quotes, also within a word; no other shell syntax. */
export function commandWords(line: string): string[] {
  const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"']|["'])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single),
  );
  if (words.length > 0) return words;
  throw usageError("the command is empty");
}
