import { isNotOffered } from "../../errors.ts";
import type { Json, Request } from "../../wire/exchange.ts";
import type { SendRequest } from "../operations/operation.ts";
import { hasCode } from "../response/response-errors.ts";

/**
 * Response of a tracker that offers an operation; undefined if it does not, or if the operation is broken: Bugzilla 5.2 fails
 * inside when it is asked for visits.
 * @throws BtError for any other error
 */
export async function requestOptional(request: Request, send: SendRequest): Promise<Json | undefined> {
  try {
    return await send(request);
  } catch (error) {
    if (isNotOffered(error) || hasCode(error, "internal")) return undefined;
    throw error;
  }
}
