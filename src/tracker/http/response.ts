import { createHash } from "node:crypto";
import type { Json, JsonObject, Request, Response } from "../../wire/exchange.ts";
import { storeProblem } from "../store/database.ts";
import { Fault } from "./fault.ts";

const JSON_TYPE = "application/json; charset=UTF-8";
const DOCUMENTATION = "https://bugzilla.readthedocs.org/en/5.0/api/";

/** JSON value and status of a response, before it is encoded. */
export type JsonResponse = {
  status: number;
  value: Json;
  headers?: Readonly<Record<string, string>>;
};

/** Response with the JSON and an ETag; 304 if it matches `If-None-Match`, an HTML page for browsers (`Accept: text/html`). */
export function encodeResponse(request: Request, { status, value, headers = {} }: JsonResponse): Response {
  const json = isScalar(value) ? { result: value } : value;
  const text = JSON.stringify(json);
  const known = request.headers?.["if-none-match"];
  if (status < 300 && known !== undefined && known === entityTag(text))
    return { status: 304, headers: { etag: known }, body: "" };
  if (acceptsHtml(request)) return htmlOfJson(status, json);
  const body = request.method === "HEAD" ? "" : text;
  return { status, headers: withEtag({ "content-type": JSON_TYPE, ...headers }, text), body };
}

/** Headers with an ETag that is made when it is read, which commands in this process hardly do. */
function withEtag(headers: Response["headers"], text: string): Response["headers"] {
  return Object.defineProperty({ ...headers }, "etag", { enumerable: true, get: () => entityTag(text) });
}

function entityTag(text: string): string {
  return createHash("sha1").update(text).digest("base64url").slice(0, 22);
}

/** Error response of a fault; any other exception becomes a 500 without details, or a 503 if the store is unavailable. */
export function faultResponse(error: unknown): JsonResponse {
  const fault = error instanceof Fault ? error : asFault(error);
  const value: JsonObject = { error: true, code: fault.code, message: fault.message, documentation: DOCUMENTATION };
  return { status: fault.status, value };
}

function asFault(error: unknown): Fault {
  const problem = storeProblem(error);
  return problem === undefined
    ? new Fault("internal", "Internal error of the tracker; no changes made.")
    : new Fault("other", `${problem} No changes made.`, 503);
}

function isScalar(value: Json): boolean {
  return value === null || typeof value !== "object";
}

function acceptsHtml({ headers = {} }: Request): boolean {
  return /^text\/html/.test(headers["accept"] ?? "");
}

/** 503 page sent for all requests while `shutdownhtml` is set. */
export function shutdownPage(text: string): Response {
  return {
    status: 503,
    headers: { "content-type": "text/html; charset=UTF-8" },
    body: `<!DOCTYPE html>
<html lang="en"><head><title>The tracker is down</title></head><body>
<h1>The tracker is down</h1>
<p>${escapeHtml(text)}</p>
</body></html>
`,
  };
}

/** HTML page with indented JSON. */
function htmlOfJson(status: number, value: unknown): Response {
  return {
    status,
    headers: { "content-type": "text/html; charset=UTF-8" },
    body: `<!DOCTYPE html>
<html><head><title>The tracker's answer</title></head><body>
<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>
</body></html>
`,
  };
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
