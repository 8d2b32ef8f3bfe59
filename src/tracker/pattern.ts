import { RE2JS, RE2JSSyntaxException } from "re2js";

/** What became of a text that should be a regular expression: a test for it, or what is wrong with it. */
export type Pattern =
  | { readonly test: (text: string) => boolean; readonly problem?: never }
  | { readonly test?: never; readonly problem: string };

const LONGEST = 1000;

/**
 * Reads a regular expression, to be tried without regard to case anywhere in a text. The matcher needs time in proportion to
 * the text whatever the pattern; what only backtracking can do (looking around, back references) is a problem.
 */
export function readPattern(pattern: string): Pattern {
  if (pattern.length > LONGEST) return { problem: `longer than ${LONGEST} characters` };
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    return { test: (text) => compiled.test(text) };
  } catch (error) {
    return { problem: error instanceof RE2JSSyntaxException ? error.getDescription() : "too large" };
  }
}
