import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { SHOWN_NAMES } from "../../wire/field-types.ts";
import { isObject } from "../../wire/json.ts";
import { pathValues } from "../operations/known-operations.ts";
import { requestFor } from "../operations/operation.ts";
import { CREATE_BUG, UPDATE_BUG } from "../operations/write-bugs.ts";

/**
 * One update of several bugs. Servers read the bugs from `ids` alone if present, and apply the update once per
 * occurrence, so every bug is listed exactly once, including the one in the path.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/bug.html#update-bug
 */
export function updateRequest(ids: readonly number[], body: JsonObject): Request {
  return requestFor(UPDATE_BUG, { ids: [...new Set(ids)], ...body });
}

/**
 * The request of a new bug. Bugzilla's dialect takes aliases as text, and Mozilla's fails with a list.
 * @see Bugzilla/Bug.pm, `_check_alias`
 */
export function createRequest(body: JsonObject, dialect: "bugzilla" | "plain"): Request {
  const { alias } = body;
  const isText = Array.isArray(alias) && alias.length > 0 && dialect === "bugzilla";
  return requestFor(CREATE_BUG, isText ? { ...body, alias: alias.join(",") } : body);
}

/** The body of a write by the names of bug JSON; an unparsable text counts as empty. */
export function requestBody({ body }: Pick<Request, "body">): JsonObject {
  let json: Json = body ?? {};
  try {
    if (typeof json === "string") json = JSON.parse(json) as Json;
  } catch {
    return {};
  }
  if (!isObject(json)) return {};
  const values: Record<string, Json> = {};
  for (const [name, value] of Object.entries(json)) values[SHOWN_NAMES.get(name) ?? name] = value;
  return values;
}

/**
 * Ids of the objects of an update: the first `ids` of the query, else `ids` of the body, else the one in the path.
 * @see Bugzilla/WebService/Server/REST.pm of Bugzilla
 */
export function writeTargets(request: Request): string[] {
  const [, inQuery] = request.query.find(([name]) => name === "ids") ?? [];
  const ids = inQuery ?? requestBody(request)["ids"];
  if (ids !== undefined && ids !== null) return [ids].flat().map(String);
  const [inPath = ""] = Object.values(pathValues(request));
  return [inPath];
}
