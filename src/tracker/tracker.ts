import type { Request, Response } from "../wire/exchange.ts";
import { timestamp } from "../wire/time.ts";
import type { Call, Requester, Runtime, SentCredentials } from "./http/call.ts";
import { Fault, faults } from "./http/fault.ts";
import { readInput, splitCredentials } from "./http/input.ts";
import { ANONYMOUS, asRequester, becomeViewer, userById } from "./http/requester.ts";
import { encodeResponse, faultResponse, type JsonResponse } from "./http/response.ts";
import { createRouter, type RouteMatch } from "./http/router.ts";
import { isEnabled, readServerParameters, type ServerParameters } from "./http/server-parameters.ts";
import { ROUTES } from "./routes.ts";
import type { Store } from "./store/store.ts";
import { authenticate } from "./users/authenticate.ts";

/**
 * The embedded tracker: one function from request to response over a store.
 *
 * A request passes through:
 *   routes.ts                 finds the route and the values of its placeholders; none is a 404
 *   http/input.ts             merges query and body into `call.input`, and takes the credentials out of it
 *   users/authenticate.ts     finds the requester, outside the transaction
 *   becomeViewer              makes visible_bugs, visible_comments, visible_attachments and visible_activity show what the
 *                             requester may see; queries about bugs read these views, never the tables below
 *   the route's `handle`      reads `call.input`, applies rules, reads and writes `call.store` in one transaction, which a
 *                             thrown Fault rolls back; returns the JSON of the response
 *   http/response.ts          encodes the JSON, or the Fault, as a response
 *
 * A change of a bug (bugs/); a new bug is a change of a blank one:
 *   stored-bug.ts             the bug with its lists, flags and custom fields as plain data
 *   change.ts                 steps, in order: each reads its part of the input, applies the rules and returns a new draft;
 *                             all bugs of the request are drafted before any is stored
 *   diff.ts                   the difference between before and after: `changes` of the response, history and mails
 *   apply.ts                  stores the difference (stored-bug.ts), updates related bugs and queues mails (mail/)
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
  return async (request, origin = { address: "127.0.0.1" }) => {
    try {
      return handleRequest({ store, runtime, request, origin, parameters: readServerParameters(store) });
    } catch (error) {
      if (!(error instanceof Fault)) runtime.report?.(error);
      return encodeResponse(request, faultResponse(error));
    }
  };
}

type RequestContext = {
  store: Store;
  runtime: Runtime;
  request: Request;
  origin: RequestOrigin;
  parameters: ServerParameters;
};

function handleRequest(context: RequestContext): Response {
  const { request } = context;
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
    const call: Call = {
      store,
      requester,
      parameters,
      path: match.path,
      input,
      credentials,
      now: timestamp(runtime.now()), // after waiting for other writes, so that the times of changes are in their order
      runtime,
    };
    const { method, path: pattern, status = 200, isAudited = false, handle } = match.route;
    const value = handle(call);
    if (isAudited) store.run("INSERT INTO audit (time, what) VALUES (?, ?)", [call.now, `${method} ${pattern}`]);
    return { status, value };
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
