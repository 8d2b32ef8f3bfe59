import { RE2JS, RE2JSSyntaxException } from "re2js";
import { Fault } from "../../fault.ts";

const LONGEST = 1000;

/**
 * A regular expression as a test, without regard to case. Whatever the pattern, the engine needs time in proportion to the
 * text; what only backtracking engines can do (looking around, back references) is refused.
 */
export const readPattern = (pattern: string): ((text: string) => boolean) => {
  if (pattern.length > LONGEST) {
    throw notValid(pattern.slice(0, 40), `longer than ${LONGEST} characters`);
  }
  const compiled = compile(pattern);
  return (text) => compiled.test(text);
};

const compile = (pattern: string): RE2JS => {
  try {
    return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    const reason = error instanceof RE2JSSyntaxException ? error.getDescription() : "too large";
    throw notValid(pattern, WORDS[reason]?.(pattern) ?? reason);
  }
};

// How the recorded server says the slip that is made most.
const WORDS: Readonly<Record<string, (pattern: string) => string>> = {
  "missing closing )": (pattern) => `missing closing parenthesis at offset ${pattern.length}`,
};

const notValid = (pattern: string, reason: string): Fault =>
  new Fault(
    400,
    32000,
    `The regular expression you provided '${pattern}' is not valid. The error was: Regex error '${reason}'.`,
  );
