import { usageError } from "../errors.ts";

/** The quote of a command line that is not closed; undefined if there is none. */
export function openQuote(line: string): string | undefined {
  return /["']/.exec(line.replace(QUOTED, ""))?.[0];
}

const QUOTED = /"([^"]*)"|'([^']*)'/g;

/** Words of a command line: separated by whitespace, grouped by quotes, also within a word; no other shell syntax. */
export function commandWords(line: string): string[] {
  const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"']|["'])+/g)].map(([word]) =>
    word.replace(QUOTED, (_, double, single) => double ?? single),
  );
  if (words.length > 0) return words;
  throw usageError("the command is empty");
}
