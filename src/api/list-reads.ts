import { BtError, isDenied } from "../errors.ts";
import type { Json, JsonObject, ObjectList, Request } from "../wire/exchange.ts";
import { isObject, objectsIn } from "../wire/json.ts";
import { mapConcurrently } from "./concurrency.ts";
import { GET_BUG, SEARCH_BUGS } from "./operations/bugs.ts";
import { fitsInPath, requestFor, type SendRequest } from "./operations/operation.ts";
import { errorMeaning } from "./response/response-errors.ts";
import type { TrackerDialect } from "./search/dialect.ts";

/**
 * Sends reads of several objects in the form that the tracker knows: a Bugzilla takes a list, any other server of the
 * interface one request for each object. Their responses are joined; errors about single objects become its `faults`.
 */
export function readingLists(send: SendRequest, dialect: TrackerDialect): SendRequest {
  return async (request) => {
    const { list } = request;
    return list === undefined || (await dialect.name()) === "bugzilla" ? send(request) : readEach(request, list, send);
  };
}

/** Reads the objects one by one, a few at once; of bugs in any state that a search finds, only those that it misses. */
async function readEach(request: Request, list: ObjectList, send: SendRequest): Promise<Json> {
  const found = list.isSearchable ? await searchEach(request, list.items, send) : [];
  const names = new Set(found.map(({ id }) => String(id)));
  const responses: JsonObject[] = [
    request.operation?.includes("Comments") ? { bugs: {}, comments: {} } : { bugs: found },
  ];
  const rest = [...new Set(list.items)].filter((item) => !names.has(item));
  for await (const response of mapConcurrently(rest, (item) => readOne(request, list, item, send)))
    responses.push(response);
  return joinedResponses(responses);
}

/** Bugs by id from a search. A server may return fewer than there are, so it is repeated while that finds more. */
async function searchEach(
  request: Request,
  items: readonly string[],
  send: SendRequest,
): Promise<readonly JsonObject[]> {
  const found = new Map<string, JsonObject>();
  const fields = request.query.filter(([name]) => name === "include_fields");
  for (let rest = items.filter((item) => /^\d+$/.test(item)); rest.length > 0; ) {
    const query = [["id", rest.join(",")] as const, ["limit", String(rest.length)] as const, ...fields];
    const { bugs } = (await send(requestFor(SEARCH_BUGS, query))) as JsonObject;
    const fresh = objectsIn(bugs).filter(({ id }) => rest.includes(String(id)));
    for (const bug of fresh) found.set(String(bug["id"]), bug);
    if (fresh.length === 0) break;
    rest = rest.filter((item) => !found.has(item));
  }
  return [...found.values()];
}

async function readOne(request: Request, list: ObjectList, item: string, send: SendRequest): Promise<JsonObject> {
  const { list: _, ...plain } = request;
  const query = request.query.filter(([name]) => name !== list.parameter);
  const alone: Request = fitsInPath(item)
    ? { ...plain, path: list.path.replace("{}", encodeURIComponent(item)), query }
    : { ...plain, path: list.path.replace("{}", ""), query: [[list.parameter, item], ...query] };
  try {
    const response = await send(alone);
    return isObject(response) ? response : {};
  } catch (error) {
    if (!isDenied(error)) throw error;
    return { faults: [faultRecord(item, error)] };
  }
}

/** An error about an object as `faults` of a response have it, with the kind that its own response had. */
function faultRecord(item: string, { kind, message, facts }: BtError): JsonObject {
  const { bugzillaCode, httpStatus, hint } = facts;
  return JSON.parse(
    JSON.stringify({ id: item, faultCode: bugzillaCode, faultString: message, kind, httpStatus, hint }),
  ) as JsonObject;
}

/**
 * Errors of the `faults` of a response, by the name of their object in lower case. Trackers put the error of a single bug there
 * if they do not fail the whole request.
 */
export function faultErrors(response: Json): ReadonlyMap<string, BtError> {
  const faults = isObject(response) ? objectsIn(response["faults"]) : [];
  return new Map(faults.map((fault) => [String(fault["id"]).toLowerCase(), listFaultError(fault)] as const));
}

function listFaultError({ faultCode, faultString, kind, httpStatus, hint }: JsonObject): BtError {
  const message = typeof faultString === "string" ? faultString : "not found, or not visible to you";
  const code = Number.isSafeInteger(faultCode) ? Number(faultCode) : undefined;
  const status = typeof httpStatus === "number" ? httpStatus : undefined;
  const meaning = errorMeaning(code ?? 0, message, { request: GET_ONE, status: status ?? 404 });
  return new BtError((typeof kind === "string" ? kind : meaning.kind) as BtError["kind"], message, {
    hint: typeof hint === "string" ? hint : meaning.hint,
    bugzillaCode: code,
    httpStatus: status,
    changed: "nothing",
  });
}

const GET_ONE = requestFor(GET_BUG, { id_or_alias: "" });

/** Responses of one shape as one: their lists joined, their objects merged. */
function joinedResponses(responses: JsonObject[]): JsonObject {
  const all: Record<string, Json> = {};
  for (const response of responses) {
    for (const [name, part] of Object.entries(response)) {
      const before = all[name];
      if (Array.isArray(before) && Array.isArray(part)) all[name] = [...before, ...part];
      else if (isObject(before) && isObject(part)) all[name] = { ...before, ...part };
      else all[name] = part;
    }
  }
  return all;
}
