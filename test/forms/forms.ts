import type { Setup } from "../../src/tracker/setup/setup.ts";
import type { Exchange, Json, JsonObject, Request, Response } from "../../src/wire/exchange.ts";
import { isObject, objectsIn } from "../../src/wire/json.ts";
import { jsonResponse } from "../servers/responses.ts";

/** What another tracker has and answers otherwise than the embedded one. `recorded.test.ts` compares both with recordings of the real ones. */
export type Form = {
  readonly name: string;
  readonly setup: Setup;
  readonly over: (tracker: Exchange) => Exchange;
};

/** Bugzilla 5.0.6 on MySQL with its old `utf8`. */
export const BUGZILLA_50: Form = {
  name: "bugzilla-5.0",
  setup: {},
  over: (tracker) => async (request) => {
    const { path, headers = {} } = request;
    if (/^\/rest\/(?:whoami|flag_types)\b/.test(path)) return notFound(request);
    if (path === "/rest/version") return jsonResponse({ version: "5.0.6" });
    if (path.startsWith("/rest/bug_user_last_visit")) return failure(200, 100_500, `Can't locate object method "id"`);
    if (isWithoutCriteria(request)) return NO_CRITERIA;
    const { authorization: _, "x-bugzilla-api-key": __, ...others } = headers;
    const body = bodyOf(request);
    const stored = body && withoutEmoji(body);
    const response = await tracker({ ...request, headers: others, ...(stored && { body: JSON.stringify(stored) }) });
    return { ...response, body: withSentTexts(response.body, body ?? {}) };
  },
};

/** Mozilla's tracker. */
export const MOZILLA: Form = {
  name: "mozilla",
  setup: {
    fields: [
      { name: "cf_type", display_name: "Type", type: "select", values: ["defect", "enhancement", "task", "--"] },
    ],
  },
  over: (tracker) => async (request) => {
    const { path } = request;
    if (/^\/rest\/flag_type\//.test(path)) return notFound(request);
    const [, fixed] = MOZILLA_ANSWERS.find(([start]) => path.startsWith(start)) ?? [];
    if (fixed) return jsonResponse(fixed);
    if (isWithoutCriteria(request)) return NO_CRITERIA;
    const refusal = refusalOf(request);
    if (refusal) return refusal;
    const response = await tracker(innerRequest(request));
    if (response.status >= 400) return response;
    if (path === "/rest/logout") return jsonResponse(null);
    if (path === "/rest/valid_login") return jsonResponse(true);
    return { ...response, body: JSON.stringify(outerBody(JSON.parse(response.body), request)) };
  },
};

const MOZILLA_ANSWERS = [
  ["/rest/version", { version: "20260820.1" }],
  ["/rest/bug_user_last_visit", []],
] as const;

function refusalOf(request: Request): Response | undefined {
  const { method, path } = request;
  const { alias, type } = bodyOf(request) ?? {};
  if (path === "/rest/bug" && Array.isArray(alias)) return failure(200, 100_500, null);
  if (method === "PUT" && isObject(alias))
    return failure(400, 68_000, "Bad argument param sent to Bugzilla::Bug::new function.");
  if (method !== "POST" || path !== "/rest/bug" || type !== undefined) return undefined;
  return failure(400, 135, "To file a new bug, you must first choose a type: defect, enhancement or task.");
}

function innerRequest(request: Request): Request {
  const { "x-bugzilla-api-key": key, authorization: _, ...headers } = request.headers ?? {};
  const body = bodyOf(request);
  return {
    ...request,
    path: request.path.replace("/flag_types/", "/flag_type/"),
    headers,
    query: [
      ...request.query.map((pair) => (request.path.startsWith("/rest/bug") ? innerPair(pair) : pair)),
      ...(key === undefined ? [] : [["api_key", key] as const]),
    ],
    ...(body && { body: JSON.stringify(innerBody(body, request.method)) }),
  };
}

function innerPair([name, value]: readonly [string, string]): readonly [string, string] {
  return [name === "type" ? "cf_type" : name, value.replace(/(?<![\w])(?:bug_)?type(?![\w.])/g, "cf_type")];
}

function innerBody({ alias, type, ...others }: JsonObject, method: string): JsonObject {
  return {
    ...others,
    ...(alias !== undefined && { alias: method === "PUT" ? { set: [alias] } : [alias] }),
    ...(type !== undefined && { cf_type: type }),
  };
}

function outerBody(body: Json, { method, path }: Request): Json {
  if (!isObject(body)) return body;
  if (method === "POST" && path.endsWith("/attachment")) {
    const { ids } = body as { ids: readonly number[] };
    return { attachments: Object.fromEntries(ids.map((id) => [id, { id }])) };
  }
  if (path.startsWith("/rest/field/bug"))
    return {
      ...body,
      fields: objectsIn(body["fields"]).map((field) => (field["name"] === "cf_type" ? TYPE(field) : field)),
    };
  if (!Array.isArray(body["bugs"])) return body;
  return { ...body, bugs: objectsIn(body["bugs"]).map(outerBug) };
}

const TYPE = (field: JsonObject): JsonObject => ({ ...field, name: "bug_type", is_custom: false });

function outerBug({ cf_type, alias, changes, history, ...bug }: JsonObject): JsonObject {
  return {
    ...bug,
    ...(alias !== undefined && { alias: (alias as readonly string[])[0] ?? null }),
    ...(cf_type !== undefined && { type: cf_type }),
    ...(changes !== undefined && { changes: JSON.parse(JSON.stringify(changes).replaceAll('"cf_type"', '"type"')) }),
    ...(history !== undefined && {
      history: objectsIn(history).map((entry) => ({ ...entry, changes: objectsIn(entry["changes"]).map(outerChange) })),
    }),
  };
}

/** A change of a history, in which hours are numbers and days have a time. */
function outerChange({ field_name, removed, added, ...change }: JsonObject): JsonObject {
  const value = (text: Json | undefined): Json => {
    if (field_name === "deadline" && text) return `${String(text).slice(0, 10)}T00:00:00Z`;
    return /_time$/.test(String(field_name)) ? Number(text) : (text ?? "");
  };
  const name = field_name === "cf_type" ? "type" : (field_name ?? "");
  return { ...change, field_name: name, removed: value(removed), added: value(added) };
}

/** A body with question marks in place of emoji, except in comments and files. */
function withoutEmoji(body: JsonObject): JsonObject {
  const kept = new Set(["description", "comment", "data"]);
  const stored = (name: string, value: Json) => (typeof value === "string" && !kept.has(name) ? lossy(value) : value);
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, stored(name, value)]));
}

/** The response of a write, which reports texts as they were sent. */
function withSentTexts(response: string, body: JsonObject): string {
  const sent = Object.values(body).filter((value) => typeof value === "string" && lossy(value) !== value);
  return sent.reduce<string>(
    (text, value) =>
      text.replaceAll(`"added":${JSON.stringify(lossy(String(value)))}`, `"added":${JSON.stringify(value)}`),
    response,
  );
}

function lossy(text: string): string {
  return text.replace(/[\u{10000}-\u{10FFFF}]/gu, "????");
}

function bodyOf({ body }: Request): JsonObject | undefined {
  if (body === undefined) return undefined;
  return typeof body === "string" ? JSON.parse(body) : (body as JsonObject);
}

function isWithoutCriteria({ method, path, query }: Request): boolean {
  return method === "GET" && path === "/rest/bug" && query.every(([name]) => NO_CRITERION.test(name));
}

const NO_CRITERION = /^(?:limit|offset|order|include_fields|exclude_fields|(?:Bugzilla_)?api_key)$/;

function failure(status: number, code: number, message: string | null): Response {
  return jsonResponse({ error: true, code, message }, status);
}

const NO_CRITERIA = failure(400, 1000, "You may not search, or create saved searches, without any search terms.");

function notFound({ method, path }: Request): Response {
  return failure(404, 32_614, `A REST API resource was not found for '${method} ${path.replace("/rest", "")}'.`);
}
