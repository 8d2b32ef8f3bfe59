import type { Response } from "../../src/wire/exchange.ts";

/** A response with JSON in it, with the type that Bugzilla gives it. */
export function jsonResponse(value: unknown, status = 200): Response {
  return { status, headers: { "content-type": "application/json; charset=UTF-8" }, body: JSON.stringify(value) };
}

/** An error of the interface. */
export function errorResponse(code: number, message: string, status = 400): Response {
  return jsonResponse({ error: true, code, message, documentation: "" }, status);
}
