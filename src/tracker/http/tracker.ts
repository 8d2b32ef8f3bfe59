import type { Reply, Request } from "../../wire/exchange.ts";
import type { Store } from "../store/store.ts";
import { authenticate } from "../users/authenticate.ts";
import { ANONYMOUS, becomeViewer, type Requester, requesterOf, userById } from "../users/requester.ts";
import type { Call, Runtime } from "./call.ts";
import { shutdownPage, webServerError } from "./error-page.ts";
import { Fault, faults } from "./fault.ts";
import { applyOnce } from "./idempotency.ts";
import { readInput } from "./input.ts";
import { checkCallback, faultResponse, type JsonResponse, toReply } from "./response.ts";
import { createRouter, ROUTES, type RouteMatch } from "./routes.ts";
import { isEnabled, readServerParameters, type ServerParameters } from "./server-parameters.ts";

/**
 * The embedded tracker: one function from request to reply over a store.
 *
 * How a request flows:
 *   envelope/page     what a web server in front would refuse, and everything in shutdown, gets a page
 *   envelope/input    query and body become one `input`
 *   envelope/route    the table in routes.ts gives a row and the parts of the path in braces; none is 404
 *   people/           authenticate() says who asks (kept outside the transaction: failed logins stay counted)
 *   becomeViewer()    the views visible_bugs, visible_comments, visible_attachments and visible_activity now show what
 *                     that requester may see; every query about bugs reads those views and never the tables under them
 *   the row's handle  reads `call.input`, applies rules, reads and writes `call.store`; all in one transaction, undone
 *                     when it throws; gives the JSON to answer
 *   envelope/once     a write with an Idempotency-Key that was applied before is not applied again
 *   envelope/reply    that JSON, or the thrown Fault, becomes the reply
 *
 * How a change of a bug is made (changing/, and filing/ for a new one):
 *   record/load       the bug as plain data (rules/bug), with all that hangs on it
 *   changing/steps    one step for each part of a change, in order; a step reads what was sent, applies rules/ (pure, no
 *                     store) and gives the bug as it will be; all bugs are thought through before any is stored
 *   rules/tracked     what differs between before and after is the answer's `changes`, the history, and the mails
 *   changing/apply    record/save stores what differs; other bugs are told what it means for them; outbox/ gets the mails
 *
 * To add a route: write `export const xRoutes: readonly Route[]` in the area's folder, list it in routes.ts. To refuse,
 * throw a Fault (fault.ts has those that areas share). SQL has bound values only: `?` or `@name`; lists go in as one JSON
 * text: `IN (SELECT value FROM json_each(?))`. Times are text like 2026-11-20T05:57:24Z; `call.now` is the only clock.
 */

/** Where a request came from, when it matters: the peer's address, and the user that needs no credentials in-process. */
export type RequestOrigin = { readonly address: string; readonly userId?: number };

/** The tracker as an Exchange that may also be told where a request came from. */
export type Tracker = (request: Request, origin?: RequestOrigin) => Promise<Reply>;

const router = createRouter(ROUTES);

/** The tracker over a store. Nothing but the store and the surroundings is read or changed. */
export function createTracker(store: Store, surroundings: Runtime): Tracker {
  return async (request, origin = { address: "127.0.0.1" }) => {
    try {
      return handleRequest({ store, surroundings, request, origin, parameters: readServerParameters(store) });
    } catch (error) {
      if (!(error instanceof Fault)) surroundings.report?.(error);
      return toReply(request, faultResponse(error));
    }
  };
}

/** Whether a request may keep the tracker busy for long, whoever asks. */
export function isLongRead({ method, path }: Request): boolean {
  try {
    return router.find(method, resourcePath(path))?.route.mayTakeLong === true;
  } catch {
    return false; // which the tracker is about to refuse
  }
}

type RequestContext = {
  readonly store: Store;
  readonly surroundings: Runtime;
  readonly request: Request;
  readonly origin: RequestOrigin;
  readonly parameters: ServerParameters;
};

function handleRequest(asked: RequestContext): Reply {
  const { request, parameters } = asked;
  const page = webServerError(request);
  if (page) return page;
  if (parameters.shutdownhtml !== "") return shutdownPage(parameters.shutdownhtml);
  checkCallback(request);
  const path = resourcePath(request.path);
  return toReply(request, request.method === "OPTIONS" ? allowedMethods(path) : handleCall(asked, path));
}

// The service sees a decoded path, in which a # still starts a fragment.
function resourcePath(path: string): string {
  const under = path.replace(/^\/+rest(\.cgi)?\/+/, "/");
  try {
    return decodeURIComponent(under).replace(/#.*$/s, "");
  } catch {
    throw new Fault(400, 32000, "The path is not valid UTF-8.");
  }
}

function allowedMethods(path: string): JsonResponse {
  const methods = router.methods(path).join(", ");
  if (methods === "") throw faults.noSuchResource(`OPTIONS ${path}`);
  return { status: 200, value: {}, headers: { allow: methods, "access-control-allow-methods": methods } };
}

function handleCall(asked: RequestContext, path: string): JsonResponse {
  const { store, surroundings, request, parameters } = asked;
  const match = router.find(request.method, path);
  if (!match) throw faults.noSuchResource(`${request.method} ${path}`);
  const input = readInput(request);
  const now = `${surroundings.now().toISOString().slice(0, 19)}Z`;
  const requester = authenticateRequester(asked, match, { input, now });
  const isWrite = request.method !== "GET" || match.route.writes === true;
  return store.transaction(isWrite ? "write" : "read", () => {
    becomeViewer(store, requester, parameters);
    const { address } = asked.origin;
    const { headers = {} } = request;
    const call: Call = { store, requester, parameters, path: match.path, input, headers, now, surroundings, address };
    const answered = () => ({ status: match.route.status ?? 200, value: match.route.handle(call) });
    return isWrite ? applyOnce(call, request, answered) : answered();
  });
}

function authenticateRequester(
  asked: RequestContext,
  { route }: RouteMatch,
  { input, now }: Pick<Call, "input" | "now">,
): Requester {
  const { store, request, origin, parameters } = asked;
  if (route.credentials === "ignored") return ANONYMOUS;
  const proven = authenticate(store, { request, input, parameters, address: origin.address, now });
  const implied = origin.userId === undefined ? undefined : userById(store, origin.userId);
  const requester = proven.user || !implied ? proven : requesterOf(store, implied);
  if (!requester.user && isEnabled(parameters.requirelogin) && route.credentials !== "optional") {
    throw faults.loginRequired();
  }
  return requester;
}
