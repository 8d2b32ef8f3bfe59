import type { Json } from "../wire/exchange.ts";

/** A text read as JSON, or why it is not taken. */
export type Parsed = { readonly json: Json } | { readonly problem: string };

/**
 * Reads JSON that comes from outside. What later steps could not treat truly is refused: nesting that would exhaust the
 * stack, so many small values that they would exhaust the memory, and whole numbers beyond 2^53, which JavaScript would
 * change without a word.
 */
export function parseJson(text: string): Parsed {
  const burden = burdenOf(text);
  if (burden !== undefined) return { problem: burden };
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch {
    return { problem: "is not valid JSON" };
  }
  const number = inexactNumber(text);
  return number === undefined ? { json } : { problem: `holds the number ${number}, which is too large to keep exact` };
}

const DEEPEST = 100;
const MOST_VALUES = 3_000_000; // 10,000 bugs with all their fields are a fifth of it
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** How far each character leads into a text, or out of it. */
const STEPS = new Int8Array(128);
for (const open of "[{") STEPS[open.charCodeAt(0)] = 1;
for (const close of "]}") STEPS[close.charCodeAt(0)] = -1;

/** What would be too much for this process, found out before any of it is made. */
function burdenOf(text: string): string | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    depth += STEPS[code] ?? 0;
    if (code === COMMA) values += 1;
    if (depth > DEEPEST) return `is nested deeper than ${DEEPEST} levels`;
  }
  return values > MOST_VALUES ? `holds more than ${MOST_VALUES / 1_000_000} million values` : undefined;
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
