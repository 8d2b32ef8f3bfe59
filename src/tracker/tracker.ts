import type { Json, Request, Response } from "../wire/exchange.ts";
import { timestamp } from "../wire/time.ts";
import { createAttachment, getAttachments, updateAttachments } from "./attachments/routes.ts";
import { getFields, getLegalValues } from "./bug-fields/read.ts";
import { createBug, updateBugs } from "./bugs/change.ts";
import { getBugs, getHistory } from "./bugs/read.ts";
import { createComment, getComments, searchCommentTags, updateCommentTags } from "./comments/comments.ts";
import { createGroup, getGroups, updateGroups } from "./groups/routes.ts";
import {
  ANONYMOUS,
  asRequester,
  becomeViewer,
  type Call,
  type Handler,
  isEnabled,
  isInGroup,
  loadServerParameters,
  READABLE_PARAMETERS,
  type Requester,
  type RouteOptions,
  type Runtime,
  type SentCredentials,
  userById,
} from "./http/call.ts";
import { pickFields, readFieldSelection, readInput, splitCredentials } from "./http/input.ts";
import { getClassifications, getProducts, listFlagTypes, productIds } from "./products/products.ts";
import { searchBugs } from "./search/search.ts";
import { type Store, storeProblem } from "./store/store.ts";
import { authenticate, getValidLogin, logIn, logOut, whoAmI } from "./users/authenticate.ts";
import { getUsers } from "./users/users.ts";
import { Fault, faults } from "./values.ts";

/**
 * The embedded tracker: one function from request to response over a store.
 *
 * A request passes through:
 *   ROUTES                 finds the route and the values of its placeholders; none is a 404
 *   http/input.ts          merges query and body into `call.input`, without the credentials
 *   users/authenticate.ts  finds the requester, outside the transaction
 *   becomeViewer           makes the `visible_...` views show what the requester may see; queries
 *                          about bugs read these views, never the tables below
 *   the route's handler    reads `call.input`, applies rules, reads and writes `call.store` in one
 *                          transaction, which a thrown Fault rolls back; returns the JSON
 *
 * A new or changed bug (bugs/):
 *   stored-bug.ts          the bug with its lists, flags and custom fields as plain data; stores the
 *                          difference, updates related bugs and queues mails (mail/)
 *   change.ts              steps, in order: each reads its part of the input, applies the rules and
 *                          returns a new draft; all bugs are drafted before any is stored
 *   draft.ts               before and after: `changes` of the response, history and mails
 *
 * To add a route, export its handler from its entity's folder and list it in HANDLERS. To refuse a
 * request, throw a Fault. SQL has bound values only, `?` or `@name`; a list is one JSON text:
 * `IN (SELECT value FROM json_each(?))`. Times are text like 2026-11-20T05:57:24Z; `call.now` is the
 * only clock.
 */

/** An Exchange that also takes the user of an in-process request, which needs no credentials. */
export type Tracker = (request: Request, userId?: number) => Promise<Response>;

/** The tracker over a store. Reads and writes nothing but the store and the runtime. */
export function createTracker(store: Store, runtime: Runtime): Tracker {
  return async (request, userId) => {
    try {
      const parameters = loadServerParameters(store);
      return handleRequest({ store, runtime, request, userId, parameters }, resourcePath(request.path));
    } catch (error) {
      if (!(error instanceof Fault)) runtime.report?.(error);
      const response = errorResponse(error);
      return request.method === "HEAD" ? { ...response, body: "" } : response; // no route has HEAD
    }
  };
}

/** Error response; an exception that is no fault becomes a 500, or a 503 if the store is unavailable. */
export function errorResponse(error: unknown): Response {
  const { status, code, message } = error instanceof Fault ? error : faultOfException(error);
  const documentation = "https://bugzilla.readthedocs.org/en/5.0/api/";
  return jsonResponse(status, { error: true, code, message, documentation });
}

function faultOfException(error: unknown): Fault {
  const problem = storeProblem(error);
  return problem === undefined
    ? new Fault("internal", "Internal error of the tracker; no changes made.")
    : new Fault("other", `${problem} No changes made.`, 503);
}

function jsonResponse(status: number, value: Json, headers: Response["headers"] = {}): Response {
  const body = JSON.stringify(value === null || typeof value !== "object" ? { result: value } : value);
  return { status, headers: { "content-type": "application/json; charset=UTF-8", ...headers }, body };
}

// The path below /rest, each segment encoded in the same way, since a name may contain a slash.
// Bugzilla cuts it at a #, encoded or not.
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

export type Route = RouteOptions & { readonly method: string; readonly path: string; readonly handle: Handler };

/**
 * The handlers of all routes; the first that matches a request handles it. Paths are relative to /rest, with placeholders in
 * braces.
 * @see https://bugzilla.readthedocs.io/en/5.2/api/core/v1/ describes each
 */
const HANDLERS: Readonly<Record<string, Handler | readonly [Handler, RouteOptions]>> = {
  "GET /version": [() => ({ version: "5.2+" }), { credentials: "ignored" }],
  "GET /timezone": [() => ({ timezone: "+0000" }), { credentials: "ignored" }],
  "GET /extensions": () => ({ extensions: {} }),
  "GET /time": getTime,
  "GET /last_audit_time": getLastAuditTime,
  "GET /parameters": [getParameters, { credentials: "optional" }],
  "GET /login": [logIn, { credentials: "optional", writes: true }],
  "GET /logout": [logOut, { writes: true }],
  "GET /valid_login": [getValidLogin, { credentials: "optional" }],
  "GET /whoami": whoAmI,
  "GET /user": getUsers,
  "GET /user/{id_or_name}": getUsers,
  "GET /group": getGroups,
  "GET /group/{id_or_name}": getGroups,
  "POST /group": [createGroup, { status: 201, isAudited: true }],
  "PUT /group/{id_or_name}": [updateGroups, { isAudited: true }],
  "GET /product_selectable": (call) => ({ ids: productIds(call, "selectable") }),
  "GET /product_enterable": (call) => ({ ids: productIds(call, "enterable") }),
  "GET /product_accessible": (call) => ({ ids: productIds(call, "accessible") }),
  "GET /product": getProducts,
  "GET /product/{id_or_name}": getProducts,
  "GET /classification/{id_or_name}": getClassifications,
  "GET /flag_type/{product}": listFlagTypes,
  "GET /flag_type/{product}/{component}": listFlagTypes,
  "GET /field/bug": getFields,
  "GET /field/bug/{id_or_name}": getFields,
  "GET /field/bug/{field}/values": getLegalValues,
  "GET /field/bug/{field}/{product_id}/values": getLegalValues,
  "GET /bug/comment/tags/{query}": searchCommentTags,
  "PUT /bug/comment/{comment_id}/tags": updateCommentTags,
  "GET /bug/comment/{comment_id}": getComments,
  "GET /bug/{id}/comment": getComments,
  "POST /bug/{id}/comment": [createComment, { status: 201 }],
  "GET /bug/{id}/history": getHistory,
  "GET /bug/attachment/{attachment_id}": getAttachments,
  "GET /bug/{id}/attachment": getAttachments,
  "POST /bug/{id}/attachment": [createAttachment, { status: 201 }],
  "PUT /bug/attachment/{attachment_id}": updateAttachments,
  "GET /bug/": getBugs,
  "GET /bug/{id}": getBugs,
  "GET /bug": searchBugs,
  "POST /bug": createBug,
  "PUT /bug/{id_or_alias}": updateBugs,
};

export const ROUTES: readonly Route[] = Object.entries(HANDLERS).map(([route, handler]) => {
  const [method = "", path = ""] = route.split(" ");
  const [handle, options] = typeof handler === "function" ? [handler] : handler;
  return { method, path, handle, ...options };
});

const PATTERNS = ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
}));

type RequestContext = Pick<Call, "store" | "runtime" | "parameters"> & {
  readonly request: Request;
  readonly userId: number | undefined;
};

function handleRequest(context: RequestContext, path: string): Response {
  const { store, runtime, request, parameters } = context;
  const matching = PATTERNS.filter(({ pattern }) => pattern.test(path));
  const found = matching.find(({ route }) => route.method === request.method);
  if (request.method === "OPTIONS" && matching.length > 0) return allowedMethods(matching.map(({ route }) => route));
  if (!found) throw faults.noSuchResource(`${request.method} ${decodeURIComponent(path)}`);
  const { credentials, parameters: input } = splitCredentials(readInput(request));
  const requester = findRequester(context, found.route, credentials);
  const { method, status = 200, isAudited, writes, handle } = found.route;
  const placeholders = Object.entries(found.pattern.exec(path)?.groups ?? {});
  return store.transaction(method === "GET" && !writes ? "read" : "write", () => {
    becomeViewer(store, requester, parameters);
    const now = timestamp(runtime.now()); // after waiting for other writes, so that the times of changes are in their order
    const parts = Object.fromEntries(placeholders.map(([name, part]) => [name, decodeURIComponent(part)]));
    const value = handle({ store, requester, parameters, path: parts, input, credentials, now, runtime });
    if (isAudited) store.run("INSERT INTO audit (time) VALUES (?)", [now]);
    return jsonResponse(status, value);
  });
}

function allowedMethods(routes: readonly Route[]): Response {
  const methods = routes.map(({ method }) => method).join(", ");
  return jsonResponse(200, {}, { allow: methods, "access-control-allow-methods": methods });
}

function findRequester(context: RequestContext, route: Route, credentials: SentCredentials): Requester {
  const { store, runtime, request, parameters, userId } = context;
  if (route.credentials === "ignored") return ANONYMOUS;
  const now = timestamp(runtime.now());
  const authenticated = authenticate(store, { request, credentials, parameters, now });
  const inProcessUser = userId === undefined ? undefined : userById(store, userId);
  const requester = !authenticated.user && inProcessUser ? asRequester(store, inProcessUser) : authenticated;
  if (!requester.user && isEnabled(parameters.requirelogin) && route.credentials !== "optional") {
    throw faults.loginRequired();
  }
  return requester;
}

function getTime({ now }: Call): Json {
  return {
    db_time: now,
    web_time: now,
    web_time_utc: now,
    tz_name: "UTC",
    tz_short_name: "UTC",
    tz_offset: "+0000",
  };
}

/** The time of the last change of the setup; null if there was none. */
function getLastAuditTime({ store }: Call): Json {
  return { last_audit_time: store.values<string>("SELECT max(time) FROM audit")[0] ?? null };
}

/** The server parameters: two for anonymous requesters, more for users, all for `tweakparams`. */
function getParameters({ requester, parameters, input }: Call): Json {
  const readable = READABLE_PARAMETERS[requester.user ? "user" : "anonymous"];
  const isAdministrator = isInGroup(requester, "tweakparams");
  const visible = Object.entries(parameters).filter(([name]) => isAdministrator || readable.includes(name));
  return { parameters: pickFields(Object.fromEntries(visible), readFieldSelection(input)) };
}
