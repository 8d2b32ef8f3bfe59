import { createHash } from "node:crypto";
import type { Json, JsonObject, Reply, Request } from "../../wire/exchange.ts";
import { storeProblem } from "../store/database.ts";
import { jsonPage } from "./error-page.ts";
import { Fault } from "./fault.ts";

const JSON_TYPE = "application/json; charset=UTF-8";
const DOCUMENTATION = "https://bugzilla.readthedocs.org/en/5.0/api/";

/** JSON value and status of a response, before it is encoded. */
export type JsonResponse = {
  readonly status: number;
  readonly value: Json;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The answer as the requester wants it: JSON, a script (`callback=f`), or a page; with an ETag, and empty when unchanged. */
export function toReply(request: Request, { status, value, headers = {} }: JsonResponse): Reply {
  const whole = isScalar(value) ? { result: value } : value;
  const text = JSON.stringify(whole);
  const etag = createHash("sha1").update(text).digest("base64url").slice(0, 22);
  if (status < 300 && request.headers?.["if-none-match"] === etag) return { status: 304, headers: { etag }, body: "" };
  const callback = request.query.find(([name]) => name === "callback")?.[1];
  if (callback !== undefined && isCallback(callback)) {
    return { status, headers: { "content-type": "text/javascript; charset=UTF-8" }, body: `/**/${callback}(${text})` };
  }
  if (acceptsHtml(request)) return jsonPage(status, whole);
  const body = request.method === "HEAD" ? "" : text;
  return { status, headers: { "content-type": JSON_TYPE, etag, ...headers }, body };
}

/** Error response of a fault; any other exception becomes a 500 without details, or a 503 if the store is unavailable. */
export function faultResponse(error: unknown): JsonResponse {
  const fault = error instanceof Fault ? error : failure(error);
  const value: JsonObject = { error: true, code: fault.code, message: fault.message, documentation: DOCUMENTATION };
  return { status: fault.status, value };
}

function failure(error: unknown): Fault {
  const problem = storeProblem(error);
  return problem === undefined
    ? new Fault(500, 100500, "The tracker failed inside; nothing was changed.")
    : new Fault(503, 32000, `${problem} Nothing was changed.`);
}

/** Refuses a `callback` that could carry a script of its own. */
export function checkCallback({ query }: Request): void {
  const callback = query.find(([name]) => name === "callback")?.[1];
  if (callback !== undefined && !isCallback(callback)) {
    throw new Fault(
      400,
      32611,
      `You cannot use '${callback}' as your 'callback' parameter. For security reasons, only letters, numbers, and the following characters are allowed in the 'callback' parameter: []._`,
    );
  }
}

function isCallback(name: string): boolean {
  return /^[\w[\].]+$/.test(name);
}

function isScalar(value: Json): boolean {
  return value === null || typeof value !== "object";
}

function acceptsHtml({ headers = {} }: Request): boolean {
  return /^text\/html/.test(headers["accept"] ?? "");
}
