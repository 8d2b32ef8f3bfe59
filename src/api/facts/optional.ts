import { BtError, CHECK_ADDRESS, isNotOffered } from "../../errors.ts";
import { ERROR_CODES, errorCodes } from "../../wire/error-codes.ts";
import type { OperationName, Request } from "../../wire/exchange.ts";
import * as attachments from "../operations/attachments.ts";
import type { Operation, SendRequest } from "../operations/operation.ts";
import * as tracker from "../operations/tracker.ts";
import { hasCode } from "../response/response-errors.ts";

/**
 * Sends requests; a read beyond the interface whose path the tracker does not know fails, and at once for the rest of the
 * run. Who sends such a read goes on without it. Later runs send it again: a proxy may have refused it, or the tracker was
 * updated since.
 */
export function skippingUnknownPaths(send: SendRequest): SendRequest {
  const unknown = new Set<OperationName>();
  return async (request) => {
    const { operation } = request;
    if (operation === undefined || request.method !== "GET" || !OPTIONAL.has(operation)) return send(request);
    if (unknown.has(operation)) throw notOfferedError(request);
    try {
      return await send(request);
    } catch (error) {
      if (!isUnknownPath(error)) throw error;
      unknown.add(operation);
      throw notOfferedError(request);
    }
  };
}

/** Operations that are not in the specification's tables. */
const OPTIONAL: ReadonlySet<OperationName> = new Set(
  [...Object.values(tracker), ...Object.values(attachments)]
    .filter((operation: Operation) => operation.isInternal)
    .map(({ name }) => name),
);

/** True for an error about a path, and not about an object that the path names. */
function isUnknownPath(error: unknown): boolean {
  if (!(error instanceof BtError)) return false;
  const { httpStatus = 0, bugzillaCode = NO_RESOURCE } = error.facts;
  return UNKNOWN_STATUSES.has(httpStatus) && UNKNOWN_CODES.has(bugzillaCode);
}

const UNKNOWN_STATUSES: ReadonlySet<number> = new Set([404, 405, 501]);
const UNKNOWN_CODES = errorCodes("rest_invalid_resource", "other");
const NO_RESOURCE = ERROR_CODES.rest_invalid_resource;

function notOfferedError({ method, path }: Request): BtError {
  return new BtError("missing", `this tracker does not offer ${method} ${path}`, {
    hint: `if other commands fail, too, ${CHECK_ADDRESS}`,
    httpStatus: 404,
    bugzillaCode: NO_RESOURCE,
  });
}

/**
 * What a tracker returns that offers an operation; undefined if it does not, or if the operation is broken: Bugzilla 5.2 fails
 * inside when it is asked for visits.
 * @throws BtError for any other error
 */
export async function unlessNotOffered<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if (isNotOffered(error) || hasCode(error, "internal")) return undefined;
    throw error;
  }
}
