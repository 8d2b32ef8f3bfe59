import { isRead, type Json, type JsonObject, type Request, type Response } from "../../wire/exchange.ts";
import { bugzillaError, invalidResponseError, isBugzillaError, noDataError, statusError } from "./response-errors.ts";

/**
 * JSON of a successful response; `isOwnForm` if an error of another form than Bugzilla's is the tracker's own.
 * @throws BtError of the matching kind for an error body (whatever its status), a web page, an empty or non-JSON body; of
 * kind unknown if a write may have been applied
 */
export function readResponse(response: Response, request: Request, isOwnForm = false): Json {
  if (response.status === 304 && isRead(request)) return null;
  const { json, problem } = parseJson(response.body);
  const isGood = response.status >= 200 && response.status < 300;
  if (json !== undefined && isFailure(json) && (isGood || isBugzillaError(json, response)))
    throw bugzillaError(json, response, request);
  if (!isGood) throw statusError(response, request, { json, isOwn: isOwnForm });
  if (request.method === "HEAD") return null;
  if (json === undefined) throw noDataError(response, request, problem ?? "");
  if (typeof json !== "object" || json === null)
    throw invalidResponseError(request, "is neither a JSON object nor a list");
  return json;
}

function isFailure(json: Json): json is JsonObject {
  const { error, code, message } = Object(json) as JsonObject;
  return Boolean(error) && (code !== undefined || message !== undefined);
}

/** Parses JSON; refuses nesting that would exhaust the stack of what reads it, and numbers that a double cannot represent. */
function parseJson(text: string): { readonly json?: Json; readonly problem?: string | undefined } {
  try {
    const json = JSON.parse(text) as Json;
    const problem = findProblem(json);
    return problem === undefined ? { json } : { problem };
  } catch {
    return { problem: "is not valid JSON" };
  }
}

const MAX_DEPTH = 100;

function findProblem(value: Json, depth = 0): string | undefined {
  if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return "contains a number that is too large to represent exactly";
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
  const items = Array.isArray(value) ? (value as Json[]) : Object.values(value);
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at] as Json; // an iterator takes twice as long
    if (typeof item === "string") continue;
    const problem = findProblem(item, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
