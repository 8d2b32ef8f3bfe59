import { RE2JS, RE2JSSyntaxException } from "re2js";

/** What became of a text that should be a regular expression: a test for it, or what is wrong with it. */
export type CompiledPattern =
  | { readonly test: (text: string) => boolean; readonly problem?: never }
  | { readonly test?: never; readonly problem: string };

const MAX_PATTERN_LENGTH = 1000;

/**
 * Reads a regular expression, to be tried without regard to case anywhere in a text. The matcher needs time in proportion to
 * the text whatever the pattern; what only backtracking can do (looking around, back references) is a problem.
 */
export function compilePattern(pattern: string): CompiledPattern {
  if (pattern.length > MAX_PATTERN_LENGTH) return { problem: `longer than ${MAX_PATTERN_LENGTH} characters` };
  try {
    const compiled = RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
    return { test: (text) => compiled.test(text) };
  } catch (error) {
    return { problem: error instanceof RE2JSSyntaxException ? error.getDescription() : "too large" };
  }
}
