import { RE2JS, RE2JSSyntaxException } from "re2js";

/** A compiled regular expression, or the reason why it is invalid. */
export type CompiledPattern =
  | { readonly test: (text: string) => boolean; readonly problem?: never }
  | { readonly test?: never; readonly problem: string };

const MAX_PATTERN_LENGTH = 1000;

/**
 * A case-insensitive, unanchored regular expression. RE2 matches in time linear in the text;
 * look-around and back references, which need backtracking, are invalid.
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
