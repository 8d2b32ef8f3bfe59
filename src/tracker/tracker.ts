import { IDEMPOTENCY_KEY, isRead, type Json, type Request, type Response } from "../wire/exchange.ts";
import { timestamp } from "../wire/time.ts";
import type { Call, Requester, Runtime, SentCredentials } from "./http/call.ts";
import { Fault, faults } from "./http/fault.ts";
import { readInput, splitCredentials } from "./http/input.ts";
import { ANONYMOUS, asRequester, becomeViewer, userById } from "./http/requester.ts";
import { encodeResponse, faultResponse, type JsonResponse, shutdownPage } from "./http/response.ts";
import { createRouter, type RouteMatch } from "./http/router.ts";
import { isEnabled, readServerParameters, type ServerParameters } from "./http/server-parameters.ts";
import { ROUTES } from "./routes.ts";
import { pruneOldest } from "./store/prune.ts";
import type { Store } from "./store/store.ts";
import { authenticate } from "./users/authenticate.ts";
import { sha256 } from "./users/passwords.ts";

/**
 * The embedded tracker: one function from request to response over a store.
 *
 * A request passes through:
 *   routes.ts                 finds the route and the values of its placeholders; none is a 404
 *   http/input.ts             merges query and body into `call.input`, and takes the credentials out of it
 *   users/authenticate.ts     finds the requester, outside the transaction: failed logins stay counted
 *   becomeViewer              makes visible_bugs, visible_comments, visible_attachments and visible_activity show what the
 *                             requester may see; queries about bugs read these views, never the tables below
 *   the route's `handle`      reads `call.input`, applies rules, reads and writes `call.store` in one transaction, which a
 *                             thrown Fault rolls back; returns the JSON of the response
 *   applyOnce                 returns the stored response of a write whose Idempotency-Key is known
 *   http/response.ts          encodes the JSON, or the Fault, as a response
 *
 * An update of a bug (bugs/; bugs/create.ts for a new one):
 *   load.ts                   the bug with its lists, flags and custom fields as plain data
 *   update.ts                 steps, in order: each reads its part of the input, applies the rules and returns a new draft;
 *                             all bugs of the request are drafted before any is stored
 *   diff.ts                   the difference between before and after: `changes` of the response, history and mails
 *   apply.ts                  stores the difference (save.ts), updates related bugs and queues mails (mail/)
 *
 * To add a route, export a `Route[]` from its entity's folder and list it in routes.ts. To refuse a request, throw a Fault.
 * SQL has bound values only, `?` or `@name`; a list is one JSON text: `IN (SELECT value FROM json_each(?))`. Times are text
 * like 2026-11-20T05:57:24Z; `call.now` is the only clock.
 */

/** Client's IP address, and the user of an in-process request, which needs no credentials. */
export type RequestOrigin = { address: string; userId?: number };

/** An Exchange that also takes the origin of a request. */
export type Tracker = (request: Request, origin?: RequestOrigin) => Promise<Response>;

const ROUTER = createRouter(ROUTES);

/** The tracker over a store, with these routes. Reads and writes nothing but the store and the runtime. */
export function createTracker(store: Store, runtime: Runtime): Tracker {
  const inGroup = createWriteGrouping(store);
  return async (request, origin = { address: "127.0.0.1" }) => {
    const respond = () => handleRequest({ store, runtime, request, origin, parameters: readServerParameters(store) });
    try {
      return await (isRead(request) ? respond() : inGroup(respond));
    } catch (error) {
      if (!(error instanceof Fault)) runtime.report?.(error);
      return encodeResponse(request, faultResponse(error));
    }
  };
}

/**
 * Runs writes that wait together in one transaction, each in a savepoint of its own, since a commit waits for the disk. They
 * wait as long as each turn of the event loop brings more; each is settled after the commit. If anything but a refusal goes
 * wrong, none is committed, and each runs again alone.
 */
function createWriteGrouping(store: Store): (write: () => Response) => Promise<Response> {
  let waiting: WaitingWrite[] = [];
  const runAll = (before: number) => {
    if (waiting.length > before) return void setImmediate(runAll, waiting.length);
    const group = waiting;
    waiting = [];
    const ends = group.length > 1 ? commitTogether(group, store) : undefined;
    for (const [at, { write, settle }] of group.entries()) settle(ends?.[at] ?? runToEnd(write, () => true));
  };
  return (write) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(runAll, 0);
      waiting.push({ write, settle: (ended) => ("error" in ended ? reject(ended.error) : resolve(ended.response)) });
    });
}

type WaitingWrite = { write: () => Response; settle: (end: WriteEnd) => void };
type WriteEnd = { response: Response } | { error: unknown };

/** Ends of writes that were committed together; undefined if they were not. */
function commitTogether(group: WaitingWrite[], store: Store): WriteEnd[] | undefined {
  try {
    return store.groupTransaction(() => group.map(({ write }) => runToEnd(write, (error) => error instanceof Fault)));
  } catch {
    return undefined;
  }
}

function runToEnd(write: () => Response, isExpected: (error: unknown) => boolean): WriteEnd {
  try {
    return { response: write() };
  } catch (error) {
    if (!isExpected(error)) throw error;
    return { error };
  }
}

/** True if the route of a request is marked `mayTakeLong`. */
export function isLongRead({ method, path }: Request): boolean {
  try {
    return ROUTER.find(method, resourcePath(path))?.route.mayTakeLong === true;
  } catch {
    return false; // the tracker reports the invalid path
  }
}

type RequestContext = {
  store: Store;
  runtime: Runtime;
  request: Request;
  origin: RequestOrigin;
  parameters: ServerParameters;
};

function handleRequest(context: RequestContext): Response {
  const { request, parameters } = context;
  if (parameters.shutdownhtml !== "") return shutdownPage(parameters.shutdownhtml);
  const path = resourcePath(request.path);
  return encodeResponse(request, request.method === "OPTIONS" ? allowedMethods(path) : handleCall(context, path));
}

// The path below /rest, each segment encoded in the same way, since a name may contain a slash. Bugzilla cuts it at a #,
// encoded or not.
function resourcePath(path: string): string {
  const resource = path.replace(/^\/+rest(\.cgi)?\/+/, "/").replace(/(?:#|%23).*$/s, "");
  if (!/^\/+rest(\.cgi)?\//.test(path) || resource.includes("%00")) throw faults.noSuchResource(path);
  try {
    const segments = resource.split("/").map((segment) => encodeURIComponent(decodeURIComponent(segment)));
    return segments.join("/");
  } catch {
    throw new Fault("other", "The path is not valid UTF-8.");
  }
}

function allowedMethods(path: string): JsonResponse {
  const methods = ROUTER.methods(path).join(", ");
  if (methods === "") throw faults.noSuchResource(`OPTIONS ${path}`);
  return { status: 200, value: {}, headers: { allow: methods, "access-control-allow-methods": methods } };
}

function handleCall(context: RequestContext, path: string): JsonResponse {
  const { store, runtime, request, parameters } = context;
  const match = ROUTER.find(request.method, path);
  if (!match) throw faults.noSuchResource(`${request.method} ${decodeURIComponent(path)}`);
  const { credentials, parameters: input } = splitCredentials(readInput(request));
  const requester = authenticateRequester(context, match, credentials);
  const isWrite = request.method !== "GET" || match.route.writes === true;
  return store.transaction(isWrite ? "write" : "read", () => {
    becomeViewer(store, requester, parameters);
    const { address } = context.origin;
    const { headers = {}, groupBy } = request;
    const call: Call = {
      store,
      requester,
      parameters,
      path: match.path,
      input,
      credentials,
      headers,
      now: timestamp(runtime.now()), // after waiting for other writes, so that the times of changes are in their order
      runtime,
      address,
      groupBy,
    };
    const respond = () => {
      const { method, path: pattern, status = 200, isAudited = false, handle } = match.route;
      const value = handle(call);
      if (isAudited) store.run("INSERT INTO audit (time, what) VALUES (?, ?)", [call.now, `${method} ${pattern}`]);
      return { status, value };
    };
    return isWrite ? applyOnce(call, request, respond) : respond();
  });
}

function authenticateRequester(
  context: RequestContext,
  { route }: RouteMatch,
  credentials: SentCredentials,
): Requester {
  const { store, runtime, request, origin, parameters } = context;
  if (route.credentials === "ignored") return ANONYMOUS;
  const authenticated = authenticate(store, {
    request,
    credentials,
    parameters,
    address: origin.address,
    now: timestamp(runtime.now()),
  });
  const inProcessUser = origin.userId === undefined ? undefined : userById(store, origin.userId);
  const requester = authenticated.user || !inProcessUser ? authenticated : asRequester(store, inProcessUser);
  if (!requester.user && isEnabled(parameters.requirelogin) && route.credentials !== "optional") {
    throw faults.loginRequired();
  }
  return requester;
}

/**
 * Applies a write once per `Idempotency-Key` and user: a repetition gets the stored response. Runs inside the write's
 * transaction, so that the response is stored exactly if the write is.
 * @throws Fault other (422) if the key was used for a different request
 */
function applyOnce(call: Call, request: Request, write: () => JsonResponse): JsonResponse {
  const key = request.headers?.[IDEMPOTENCY_KEY];
  const userId = call.requester.user?.id;
  if (key === undefined || key === "" || userId === undefined) return write();
  const digest = sha256(JSON.stringify([request.method, request.path, call.input]));
  const stored = call.store.get<StoredResponse>(FIND_RESPONSE, [userId, key]);
  if (stored && stored.request_sha256 !== digest) {
    throw new Fault("other", "This Idempotency-Key was used for another request.", 422);
  }
  if (stored) return { status: stored.status, value: JSON.parse(stored.body) as Json };
  const response = write();
  pruneOldest(call.store, "answered_writes", call.now);
  call.store.run(STORE_RESPONSE, [userId, key, digest, call.now, response.status, JSON.stringify(response.value)]);
  return response;
}

type StoredResponse = { request_sha256: string; status: number; body: string };

const FIND_RESPONSE =
  "SELECT request_sha256, status, body FROM answered_writes WHERE user_id = ? AND idempotency_key = ?";
const STORE_RESPONSE = `
  INSERT INTO answered_writes (user_id, idempotency_key, request_sha256, time, status, body) VALUES (?, ?, ?, ?, ?, ?)`;
