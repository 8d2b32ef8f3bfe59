import type { Json } from "../wire/exchange.ts";

/** A text read as JSON, or why it is not taken. */
export type Parsed = { readonly json: Json } | { readonly problem: string };

/**
 * Reads JSON that comes from outside. What later steps could not treat truly is refused: nesting that would exhaust the
 * stack, and whole numbers beyond 2^53, which JavaScript would change without a word.
 */
export function parseJson(text: string): Parsed {
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch {
    return { problem: "is not valid JSON" };
  }
  if (isTooDeep(text)) return { problem: `is nested deeper than ${DEEPEST} levels` };
  const number = inexactNumber(text);
  return number === undefined ? { json } : { problem: `holds the number ${number}, which is too large to keep exact` };
}

const DEEPEST = 100;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (OPENING.includes(code)) depth += 1;
    else if (CLOSING.includes(code)) depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

/** Where the string that starts at a quote ends: at the next quote with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/** The first whole number outside strings that a double cannot hold; the quick look first, since there is hardly ever one. */
function inexactNumber(text: string): string | undefined {
  if (!/(?:^|[[,:\s])-?\d{16}/.test(text)) return undefined;
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  for (const [token] of text.matchAll(tokens)) {
    if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) return token.slice(0, 40);
  }
  return undefined;
}
