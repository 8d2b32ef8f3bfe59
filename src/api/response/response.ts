import { isRead, type Json, type JsonObject, type Request, type Response } from "../../wire/exchange.ts";
import { endOfJsonString } from "../../wire/json.ts";
import { failureError, invalidResponse, noDataError, statusError } from "./failed-response.ts";

/**
 * JSON of a successful response.
 * @throws BtError of the matching kind for an error body (whatever its status), a web page, an empty or non-JSON body;
 * of kind unknown if a write may have been applied
 */
export function readResponse(response: Response, request: Request): Json {
  if (response.status === 304 && isRead(request)) return null;
  const { body } = response; // without the function call around it, for JSONP
  const isCall = /^\/\*\*\/[\w.$[\]]+\(/.test(body);
  const parsed = parseJson(isCall ? body.replace(/^[^(]*\(/, "").replace(/\)\s*$/, "") : body);
  const isGood = response.status >= 200 && response.status < 300;
  if ("json" in parsed && isFailure(parsed.json)) throw failureError(parsed.json, { response, isGood }, request);
  if (!isGood) throw statusError(response, request, "json" in parsed ? parsed.json : undefined);
  if (request.method === "HEAD") return null;
  if ("problem" in parsed) throw noDataError(response, request, parsed.problem);
  if (parsed.json === null && request.operation === "Logout") return null;
  if (typeof parsed.json !== "object" || parsed.json === null)
    throw invalidResponse(request, "is neither a JSON object nor a list");
  return parsed.json;
}

/** Reader of responses: `readResponse`, or a wrapper that adds details to errors. */
export type ResponseReader = (response: Response, request: Request) => Promise<Json>;

function isFailure(json: Json): json is JsonObject {
  const { error, code, message } = Object(json) as JsonObject;
  return Boolean(error) && (code !== undefined || message !== undefined);
}

/** Parsed JSON, or the reason why it was rejected. */
type ParsedJson = { json: Json } | { problem: string };

/**
 * Parses JSON of a response. Rejects nesting or object sizes that would exhaust stack or memory, and numbers that a
 * double cannot represent: integers beyond 2^53, and numbers that overflow.
 */
function parseJson(text: string): ParsedJson {
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
const SIGNS: ReadonlySet<number> = new Set([COMMA, BRACKET, BRACE, 0x5d, 0x7d]);
const IS_SIGN = Uint8Array.from({ length: 0x80 }, (_, code) => Number(SIGNS.has(code)));

/** Reason to reject a text for its depth or number of members, found before it is parsed. */
function shapeProblem(text: string): string | undefined {
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfJsonString(text, at);
    if (IS_SIGN[code] !== 1) continue;
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
