import type { Json } from "../../wire/exchange.ts";
import { endOfJsonString } from "../../wire/json.ts";

/** Parsed JSON, or the reason why it was rejected. */
export type ParsedJson = { readonly json: Json } | { readonly problem: string };

/**
 * Parses JSON of a response. Rejects nesting or object sizes that would exhaust stack or memory, and numbers that a
 * double cannot represent: integers beyond 2^53, and numbers that overflow.
 */
export function parseJson(text: string): ParsedJson {
  const problem = shapeProblem(text);
  if (problem !== undefined) return { problem };
  let json: Json;
  try {
    json = JSON.parse(text) as Json;
  } catch {
    return { problem: "is not valid JSON" };
  }
  const number = inexactNumber(text);
  return number === undefined
    ? { json }
    : { problem: `contains the number ${number}, which is too large to represent exactly` };
}

const MAX_DEPTH = 100;
const MAX_MEMBERS = 100_000;
const [QUOTE, COMMA] = [0x22, 0x2c];
const [BRACKET, BRACE] = [0x5b, 0x7b];
const SIGNS = [COMMA, BRACKET, BRACE, 0x5d, 0x7d];

/** Reason to reject a text for its depth or number of members, found before it is parsed. */
function shapeProblem(text: string): string | undefined {
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfJsonString(text, at);
    if (!SIGNS.includes(code)) continue;
    follow(code, open);
    if (open.length > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    if ((open.at(-1) ?? 0) > MAX_MEMBERS) return `contains an object with more than ${MAX_MEMBERS} members`;
  }
  return undefined;
}

/** Updates the member counts of the open objects; items of arrays do not count. */
function follow(code: number, open: number[]): void {
  if (code === BRACE) open.push(1);
  else if (code === BRACKET) open.push(Number.NEGATIVE_INFINITY);
  else if (code === COMMA) open.push((open.pop() ?? 0) + 1);
  else open.pop();
}

/**
 * First number outside strings that a double cannot represent; starts with a cheap test, since there is hardly ever
 * one.
 */
function inexactNumber(text: string): string | undefined {
  if (!/(?:^|[[,:\s])-?\d{16}|\d[eE]\+?\d{3}/.test(text)) return undefined;
  const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  for (const [token] of text.matchAll(tokens)) {
    const number = Number(token);
    if (/^-?\d+$/.test(token) ? !Number.isSafeInteger(number) : Math.abs(number) === Number.POSITIVE_INFINITY) {
      return token.slice(0, 40);
    }
  }
  return undefined;
}
