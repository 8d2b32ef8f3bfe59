import { Fault } from "../../fault.ts";
import { readPattern as read } from "../../pattern.ts";

/** A regular expression as a test, without regard to case; one that is none is refused as a real server does. */
export function readPattern(pattern: string): (text: string) => boolean {
  const { test, problem } = read(pattern);
  if (!test) throw notValid(pattern, WORDS[problem]?.(pattern) ?? problem);
  return test;
}

// How the recorded server says the slip that is made most.
const WORDS: Readonly<Record<string, (pattern: string) => string>> = {
  "missing closing )": (pattern) => `missing closing parenthesis at offset ${pattern.length}`,
};

function notValid(pattern: string, reason: string): Fault {
  return new Fault(
    400,
    32000,
    `The regular expression you provided '${pattern}' is not valid. The error was: Regex error '${reason}'.`,
  );
}
